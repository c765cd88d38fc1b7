package io.tickmark.engines.chronicle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.StoreServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import net.openhft.chronicle.core.analytics.AnalyticsFacade;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.wire.DocumentContext;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Folders that do not exist, contain something else, or belong to another user, and the errors for
 * them.
 */
class BadFoldersTest {
    private static final Topic TOPIC = Topic.DEFAULT;

    @TempDir Path folder;

    private final ChronicleTransport chronicle = new ChronicleTransport();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);

    private ChannelUri channel() {
        return ChannelUri.parse("chronicle://" + folder + "?blockBytes=8388608");
    }

    private void assertRefused(final String why) {
        for (final boolean isPublisher : new boolean[] {true, false}) {
            final UserError error =
                    catchThrowableOfType(
                            UserError.class,
                            () ->
                                    (isPublisher
                                                    ? chronicle.publication(channel(), TOPIC)
                                                    : chronicle.subscription(channel(), TOPIC))
                                            .close());
            assertThat(error.kind()).isEqualTo(UserError.Kind.ENVIRONMENT);
            assertThat(error)
                    .hasMessageStartingWith("--channel " + channel())
                    .hasMessageContainingAll(folder.resolve(TOPIC.name()).toString(), why)
                    .hasMessageEndingWith(
                            "give a folder that is empty, not there yet, or was made by tickmark.");
        }
    }

    @Test
    void shouldNotCallEmptyAQueueThatItCannotFind() {
        final QueueFile missing = new QueueFile(folder.resolve("none"));

        assertThat(missing.verify()).isEqualTo(new StoreServer.Verification(0, 0, 0));
        assertThatThrownBy(() -> missing.read(0, (buffer, offset, length) -> {}))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("none");
    }

    @Test
    void shouldLeaveAFolderAloneThatHoldsSomethingElse() throws IOException {
        final Path queue = Files.createDirectory(folder.resolve(TOPIC.name()));
        Files.writeString(queue.resolve("20261126.cq4"), "of somebody else");

        assertRefused("it holds '20261126.cq4', which is not ours");

        assertThat(queue).isDirectoryContaining("glob:**.cq4");
    }

    @Test
    void shouldSayThatAFileIsNoFolder() throws IOException {
        Files.writeString(folder.resolve(TOPIC.name()), "a file");

        assertRefused("it is a file");
    }

    @Test
    void shouldSayThatTheFilesOfAQueueAreNone() throws IOException {
        final Path queue = Files.createDirectory(folder.resolve(TOPIC.name()));
        final byte[] noise = new byte[70_000];
        Arrays.fill(noise, (byte) 0x2a);
        Files.write(queue.resolve("metadata.cq4t"), noise);

        assertRefused("(");
    }

    /** Its files have other names, and places in it are no ordinals. */
    @Test
    void shouldLeaveAQueueOfAnotherRollCycleAlone() {
        chronicle.publication(unnamed(), TOPIC).close(); // loads the library as the engine does
        final Path folderOfQueue = folder.resolve(TOPIC.name());
        try (ChronicleQueue other =
                        ChronicleQueue.singleBuilder(folderOfQueue)
                                .rollCycle(RollCycles.FAST_HOURLY)
                                .timeProvider(() -> 0)
                                .build();
                DocumentContext document = other.createAppender().writingDocument()) {
            document.wire().bytes().writeLong(1);
        }

        assertRefused("it holds '19700101-00F.cq4', which is not ours");

        assertThat(folderOfQueue.resolve("19700101-00F.cq4")).exists();
    }

    @Test
    void shouldSayThatAFolderCannotBeMade() {
        final ChannelUri nowhere = ChannelUri.parse("chronicle:///proc/nowhere");

        assertThatThrownBy(() -> chronicle.publication(nowhere, TOPIC))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("cannot be used as a queue");
        assertThatThrownBy(() ->
                        chronicle.publication(
                                ChannelUri.parse("chronicle:?directory=" + folder + "/none"),
                                TOPIC))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no folder can be made in " + folder + "/none");
    }

    @Test
    void shouldSayWhoWritesAlready() {
        try (Publication first = chronicle.publication(channel(), TOPIC)) {
            assertThatThrownBy(() -> chronicle.publication(channel(), TOPIC))
                    .isInstanceOf(UserError.class)
                    .hasMessageEndingWith("end it, or give another folder.");
            assertThat(first.offer(message, 0, 64)).isPositive();
        }
        chronicle.publication(channel(), TOPIC).close();
    }

    @Test
    void shouldWaitForABindingSideThatIsNotThereYet() {
        try (Exchange connected = chronicle.exchange(channel(), TOPIC, ExchangeSide.CONNECT, 3)) {
            assertThat(connected.subscription().poll((buffer, offset, length) -> {}, 1)).isZero();
            try (Exchange bound = chronicle.exchange(channel(), TOPIC, ExchangeSide.BIND, 0)) {
                assertThat(connected.publication().offer(message, 0, 64)).isPositive();
                assertThat(bound.publication().offer(message, 0, 64)).isPositive();

                assertThat(bound.subscription().poll((buffer, offset, length) -> {}, 9)).isOne();
                assertThat(connected.subscription().poll((buffer, offset, length) -> {}, 9))
                        .isOne();
            }
        }
    }

    /** It kept the right to write to the way back, which was then somebody else's. */
    @Test
    void shouldConnectOnceWhatKeptItFromGreetingIsGone() throws IOException {
        final Path hellos = Files.writeString(folder.resolve(TOPIC.name() + "+hello"), "a file");
        assertThatThrownBy(() -> chronicle.exchange(channel(), TOPIC, ExchangeSide.CONNECT, 3))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("it is a file");
        Files.delete(hellos);

        try (Exchange connected = chronicle.exchange(channel(), TOPIC, ExchangeSide.CONNECT, 3)) {
            assertThat(connected.publication().offer(message, 0, 64)).isPositive();
        }
    }

    private ChannelUri unnamed() {
        return ChannelUri.parse("chronicle:?blockBytes=8388608&directory=" + folder);
    }

    @Test
    void shouldDeleteAFolderThatItMadeAndKeepOneThatIsNamed() throws IOException {
        final Publication first = chronicle.publication(unnamed(), TOPIC);
        final Path made = Path.of(first.channel().authority());
        assertThat(made).isDirectory().hasParent(folder);
        final Path left = Files.createDirectory(folder.resolve("tickmark-chronicle-left"));
        Files.createFile(left.resolve("tickmark+lock"));
        Files.createFile(left.resolve(QueueAddress.MADE_MARK));

        chronicle.publication(unnamed(), TOPIC).close();
        assertThat(left).as("of a publisher that was killed").doesNotExist();
        assertThat(made).isDirectory();
        first.close();
        assertThat(made).doesNotExist();

        chronicle.publication(channel(), TOPIC).close();
        assertThat(folder.resolve(TOPIC.name())).isDirectory();
    }

    /** It used to delete the user's folder with all that was in it. */
    @Test
    void shouldKeepAFolderOfTheUserThatIsNamedLikeOneThatItMade() throws IOException {
        final Path named = Files.createDirectory(folder.resolve("tickmark-chronicle-mine"));
        final Path note = Files.writeString(named.resolve("note.txt"), "of the user");
        final ChannelUri mine = ChannelUri.parse("chronicle://" + named + "?blockBytes=8388608");

        chronicle.publication(mine, TOPIC).close();
        chronicle.exchange(mine, TOPIC, ExchangeSide.BIND, 0).close();
        assertThat(note).as("when its publisher ends").isRegularFile();
        assertThat(named.resolve(TOPIC.name())).isDirectory();

        chronicle.publication(unnamed(), TOPIC).close();
        assertThat(note).as("when another folder is made beside it").isRegularFile();
    }

    /** The other topics name the folder that was made for the first one. */
    @Test
    void shouldDeleteAFolderThatItMadeForSeveralTopics() {
        final Exchange first = chronicle.exchange(unnamed(), TOPIC, ExchangeSide.BIND, 0);
        final Exchange second =
                chronicle.exchange(first.channel(), new Topic("other", 2), ExchangeSide.BIND, 0);
        assertThat(second.channel()).isEqualTo(first.channel());

        first.close();
        assertThat(second.publication().offer(message, 0, 64)).isPositive();
        second.close();

        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldSayThatNoStoreRuns() {
        assertThatThrownBy(() -> chronicle.durablePublication(channel(), TOPIC))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no store runs in " + folder + "; start it first");
        assertThatThrownBy(() -> chronicle.durableSubscription(channel(), TOPIC, 0))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no store runs in " + folder + "; start it first");
        assertThatThrownBy(() -> chronicle.store(channel(), folder))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--store-directory");
    }

    @Test
    void shouldNoticeThatSomebodyElseWritesToItsStore() {
        try (StoreServer store =
                chronicle.store(ChannelUri.parse("chronicle:?blockBytes=8388608"), folder)) {
            store.start();
            try (DurablePublication publication =
                    chronicle.durablePublication(store.endpoint(), TOPIC)) {
                assertThat(publication.offer(message, 0, 64)).isZero();
                final QueueAddress address = QueueAddress.of(store.endpoint());
                try (ChronicleQueue other = Queues.open(address, address.queue(TOPIC));
                        DocumentContext document = other.createAppender().writingDocument()) {
                    document.wire().bytes().writeLong(1);
                }

                assertThat(publication.offer(message, 0, 64)).isEqualTo(Publication.CLOSED);

                assertThat(publication.failure())
                        .contains("another program writes to the queue in " + folder);
                assertThat(publication.isLost()).isFalse();
                assertThat(publication.offer(message, 0, 64)).isEqualTo(Publication.CLOSED);
                assertThat(publication.stablePosition()).isZero();
            }
        }
    }

    /** Checking a message needs one of them. */
    @Test
    void shouldHandOverMessagesWithinAByteBuffer() {
        try (Publication publication = chronicle.publication(channel(), TOPIC);
                Subscription subscription = chronicle.subscription(channel(), TOPIC)) {
            for (long value = 1; value <= 20; value++) {
                message.putLong(0, value);
                publication.offer(message, 0, 64);
            }

            final long[] last = {0};
            subscription.poll(
                    (buffer, offset, length) -> {
                        final int at = buffer.wrapAdjustment() + offset;
                        assertThat(
                                        buffer.byteBuffer()
                                                .duplicate()
                                                .order(ByteOrder.nativeOrder())
                                                .getLong(at))
                                .isEqualTo(++last[0]);
                    },
                    20);
            assertThat(last[0]).isEqualTo(20);
        }
    }

    @Test
    void shouldReportNoUseToAnybody() {
        chronicle.publication(channel(), TOPIC).close();

        assertThat(AnalyticsFacade.isEnabled()).isFalse();
        assertThat(System.getProperty("chronicle.analytics.disable")).isEqualTo("true");
        assertThatThrownBy(() -> Class.forName("net.openhft.chronicle.analytics.Analytics"))
                .isInstanceOf(ClassNotFoundException.class);
    }
}
