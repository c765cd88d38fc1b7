package io.tickmark.engines.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.stream.Codec;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.Message;
import com.rabbitmq.stream.MessageBuilder;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Producer;
import com.rabbitmq.stream.codec.QpidProtonCodec;
import io.tickmark.kernel.host.FreePort;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Waiting;
import io.tickmark.transport.broker.BrokerStoreTransport;
import io.tickmark.transport.broker.SharedStore;
import io.tickmark.transport.broker.SilentServer;
import io.tickmark.transport.broker.Standstill;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.StoreServer;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Messages to the user, servers that stop and restart, and what other clients do and see. */
@ExtendWith(StreamServer.class)
class StreamChannelTest extends GivenServerTests {
    private final RabbitmqStreamTransport streams = new RabbitmqStreamTransport();

    @Override
    protected BrokerStoreTransport<?> transport() {
        return streams;
    }

    @Test
    void shouldSayThatNobodyAnswers() throws IOException {
        final int port = FreePort.tcp(InetAddress.getLoopbackAddress());

        assertThat(refused(ChannelUri.parse("rabbitmq-stream://127.0.0.1:" + port)))
                .hasMessageContaining(
                        "no RabbitMQ stream server (plugin rabbitmq_stream, port 5552)")
                .hasMessageContaining("Connection refused")
                .hasMessageContaining("?start");
    }

    /** It takes the connection and says nothing. */
    @Test
    void shouldSayWithinSecondsThatSomethingElseListens() throws IOException {
        final Consumer<UserError> sentence =
                said ->
                        assertThat(said)
                                .hasMessageContaining(
                                        "answers there: what listens does not speak its protocol, or stands still")
                                .hasMessageContaining("(no answer within 10 s)")
                                .hasMessageContaining("?start");
        try (SilentServer silent = new SilentServer()) {
            silent.refuses(streams, "", folder, sentence);
        }
    }

    /** It may have just started, on a busy machine. */
    @Test
    void shouldWaitLongerForAServerOfOurs() {
        assertThat(longestConnecting("rabbitmq-stream:")).hasSeconds(30);
        assertThat(longestConnecting("rabbitmq-stream://127.0.0.1:5552?start")).hasSeconds(30);
        assertThat(longestConnecting("rabbitmq-stream://127.0.0.1:5552")).hasSeconds(10);
    }

    private Duration longestConnecting(final String channel) {
        return StreamClient.longestConnecting(streams.channel(ChannelUri.parse(channel)));
    }

    @Test
    void shouldSayThatTheUserIsNotLetIn() throws IOException {
        final Path file = Files.writeString(folder.resolve("password"), "wrong\n");

        assertThat(refused(StreamServer.given().with("passwordFile", file.toString())))
                .hasMessageContaining("refuses the user 'guest'")
                .hasMessageContaining("?passwordFile=")
                .message()
                .doesNotContain("wrong");
    }

    @Test
    void shouldSayThatTheVirtualHostIsNotThere() {
        assertThat(refused(StreamServer.given().with("virtualHost", "elsewhere")))
                .hasMessageContaining("no virtual host 'elsewhere'")
                .hasMessageContaining("?virtualHost=");
    }

    @Test
    void shouldSayThatAStreamHasOtherSettings() {
        final ChannelUri channel = StreamServer.given();
        streams.publication(channel, Topic.DEFAULT).close();

        assertThat(refused(channel.with("keepBytes", "20000000")))
                .hasFieldOrPropertyWithValue("kind", UserError.Kind.ENVIRONMENT)
                .hasMessageContaining(".tickmark' exists with other settings")
                .hasMessageContaining("?prefix=");
    }

    @Test
    void shouldEndAStreamWhoseMessagesAreTooLongForTheServer() throws Exception {
        final ChannelUri channel = StreamServer.given().with("maxPayloadBytes", "3000000");
        final UnsafeBuffer longer = new UnsafeBuffer(new byte[2_000_000]);
        try (DurablePublication publication = streams.durablePublication(channel, Topic.DEFAULT)) {
            until(() -> {
                publication.offer(longer, 0, longer.capacity());
                return !publication.failure().isEmpty();
            });

            assertThat(publication.offer(message, 0, 100)).isEqualTo(Publication.CLOSED);
            assertThat(publication.isLost()).isFalse();
            assertThat(publication.failure())
                    .contains("accepts no message of this length")
                    .contains("?maxPayloadBytes=");
        }
        try (Publication plain = streams.publication(channel, Topic.DEFAULT)) {
            until(() -> plain.offer(longer, 0, longer.capacity()) == Publication.TOO_LONG);

            assertThat(plain.engineErrors())
                    .get()
                    .asString()
                    .contains("accepts no message of this length", "?maxPayloadBytes=");
        }
    }

    @Test
    void shouldDeleteTheStreamsOfAStoreAtAServerThatIsNotOurs() throws Exception {
        final ChannelUri used;
        try (StoreServer store = streams.store(StreamServer.given(), folder)) {
            store.start();
            used = store.endpoint();
            try (DurablePublication publication = streams.durablePublication(used, Topic.DEFAULT)) {
                publication.offer(message, 0, 100);
                until(() -> publication.stablePosition() == 0);
            }
            assertThat(store.verify(Topic.DEFAULT))
                    .isEqualTo(new StoreServer.Verification(1, 0, 0));
            assertThat(store.readBack(Topic.DEFAULT, 0, (buffer, offset, length) -> {})).isOne();
        }

        try (DurablePublication publication = streams.durablePublication(used, Topic.DEFAULT)) {
            assertThat(publication.nextOrdinal()).as("a new stream").isZero();
        }
    }

    /** As of a server that stands still once it has taken the mark. */
    @Test
    void shouldSayThatStreamsAreLeftWhereTheirListIsNotSentToItsEnd() {
        final ChannelUri channel = StreamServer.given();
        final String prefix = channel.parameters().get("prefix");
        streams.durablePublication(channel, Topic.DEFAULT).close();
        try (StreamClient client = new StreamClient(streams.channel(channel))) {
            final StreamStore store = new StreamStore(streams.channel(channel));

            assertThat(checked(() -> store.deleteUpTo(client, "=never sent")))
                    .hasMessageContaining("delete those there whose names begin with '%s.'", prefix)
                    .hasMessageContaining("has sent nothing for 10 s");
            assertThat(client.exists(prefix + ".stored")).isTrue();
            assertThat(client.exists(prefix + ".tickmark.stored")).isTrue();

            store.deleteAll();

            assertThat(client.exists(prefix + ".stored")).isFalse();
            assertThat(client.exists(prefix + ".tickmark.stored")).isFalse();
        }
    }

    /**
     * A server writes a frame to the segment, then lists it in the index, then confirms it. One
     * that is killed between the first two cuts the frame off when it opens the stream, for which
     * it has to be waited: it opens the streams that are older first.
     */
    @Test
    void shouldHaveCutOffWhatWasNotConfirmedOnceItHasRestarted() throws Exception {
        final int older = 30;
        final ChannelUri channel =
                ChannelUri.parse(
                        "rabbitmq-stream:?maxPayloadBytes=%d&prefix=%s"
                                .formatted(StreamServer.MOST_BYTES, StreamServer.prefix()));
        try (StoreServer store = StreamServer.transport().store(channel, folder)) {
            store.start();
            for (int stream = 0; stream < older; stream++) {
                streams.durablePublication(
                                store.endpoint(), new Topic("older-" + stream, 2 + stream))
                        .close();
            }
            try (DurablePublication publication =
                    streams.durablePublication(store.endpoint(), Topic.DEFAULT)) {
                write(publication, LENGTH);
                for (int more = 0; more < 32; more++) {
                    publication.offer(message, 0, LENGTH);
                }
                until(() -> publication.stablePosition() == 32);
            }
            assertThat(store.verify(Topic.DEFAULT))
                    .isEqualTo(new StoreServer.Verification(33, 0, 0));
            SharedStore.store().kill(1);
            final Path index = index(channel);
            Files.write(index, Arrays.copyOf(Files.readAllBytes(index), 8 + 29));
            final StoreServer.Verification listed = store.verify(Topic.DEFAULT);
            assertThat(listed.messages()).isOne();
            assertThat(listed.tornBytes()).isPositive();

            SharedStore.store().restart(1);

            assertThat(store.verify(Topic.DEFAULT))
                    .isEqualTo(new StoreServer.Verification(1, 0, 0));
            assertThat(store.readBack(Topic.DEFAULT, 0, (buffer, offset, length) -> {})).isOne();
            try (DurablePublication publication =
                    streams.durablePublication(store.endpoint(), Topic.DEFAULT)) {
                assertThat(publication.nextOrdinal()).isOne();
            }
        }
    }

    /** Such a server accepts no producer, so that it cannot be asked for its number of messages. */
    @Test
    void shouldBeReadyAndReadFilesThoughTheServerIsLowOnDisk() throws Exception {
        final ChannelUri channel =
                ChannelUri.parse("rabbitmq-stream:?prefix=" + StreamServer.prefix());
        try (StoreServer store = StreamServer.transport().store(channel, folder)) {
            store.start();
            try (DurablePublication publication =
                    streams.durablePublication(store.endpoint(), Topic.DEFAULT)) {
                write(publication, LENGTH);
            }
            try {
                keepFree("1000000000000000");
                Waiting.until("the alarm is on", () -> !acceptsProducers(store.endpoint()));
                new StreamStore(
                                streams.channel(
                                        ChannelUri.parse(
                                                "rabbitmq-stream://%s?start"
                                                        .formatted(store.endpoint().authority()))))
                        .awaitReady(() -> {});

                final List<Integer> read = new ArrayList<>();
                assertThat(
                                checked(() ->
                                        store.readBack(
                                                Topic.DEFAULT,
                                                0,
                                                (buffer, at, length) -> read.add(length))))
                        .hasMessageContaining("the files were read as they are");
                assertThat(read).containsExactly(LENGTH);
            } finally {
                keepFree("50000000");
                Waiting.until("the alarm is over", () -> acceptsProducers(store.endpoint()));
            }
        }
    }

    /** It reads nothing more from those who publish, and tells them nothing. */
    @Test
    void shouldPushBackWhileTheServerIsLowOnDiskAndStoreAllOnceThereIsRoom() throws Exception {
        final ChannelUri channel =
                ChannelUri.parse("rabbitmq-stream:?prefix=" + StreamServer.prefix());
        final ChannelUri other = StreamServer.given();
        try (DurablePublication written = streams.durablePublication(other, Topic.DEFAULT)) {
            write(written, LENGTH);
        }
        try (StoreServer store = StreamServer.transport().store(channel, folder)) {
            store.start();
            try (DurablePublication publication =
                    streams.durablePublication(
                            store.endpoint().with("sendPendingBytes", "262144"), Topic.DEFAULT)) {
                write(publication, LENGTH);
                final long sent;
                try {
                    keepFree("1000000000000000");
                    Waiting.until("the alarm is on", () -> !acceptsProducers(other));
                    until(() ->
                            publication.offer(message, 0, 65_536) == Publication.BACK_PRESSURED);
                    sent = publication.nextOrdinal();
                    assertThat(publication.stablePosition()).isLessThan(sent - 1);
                    assertThat(publication.isLost()).isFalse();
                } finally {
                    keepFree("50000000");
                }

                until(() -> publication.stablePosition() == sent - 1);
                assertThat(store.readBack(Topic.DEFAULT, 0, (buffer, offset, length) -> {}))
                        .isEqualTo(sent);
            }
        }
    }

    private static void keepFree(final String bytes) throws Exception {
        ErlangCall.make(
                StreamServer.folder(),
                "rabbit_disk_monitor set_disk_free_limit [%s]".formatted(bytes));
    }

    private boolean acceptsProducers(final ChannelUri channel) {
        try (DurablePublication publication = streams.durablePublication(channel, Topic.DEFAULT)) {
            return publication.nextOrdinal() > 0;
        } catch (final UserError e) {
            return false;
        }
    }

    @Test
    void shouldNotReadFilesBackAsCompleteWhereTheServerHasMore() throws Exception {
        final ChannelUri channel =
                ChannelUri.parse("rabbitmq-stream:?prefix=" + StreamServer.prefix());
        try (StoreServer store = StreamServer.transport().store(channel, folder)) {
            store.start();
            try (DurablePublication publication =
                    streams.durablePublication(store.endpoint(), Topic.DEFAULT)) {
                write(publication, LENGTH);
                write(publication, LENGTH);
            }
            final Path index = index(channel);
            Files.write(index, Arrays.copyOf(Files.readAllBytes(index), 8 + 29));

            assertThat(checked(() -> store.readBack(Topic.DEFAULT, 0, (buffer, at, length) -> {})))
                    .hasMessageContaining("reports 2 messages, and its files show 1");
        }
    }

    private static Path index(final ChannelUri channel) throws IOException {
        try (Stream<Path> files = Files.walk(StreamServer.folder().resolve("data"))) {
            return files.filter(file ->
                            file.toString()
                                    .matches(
                                            ".*__%s_tickmark_stored_\\d+/.*\\.index"
                                                    .formatted(channel.parameters().get("prefix"))))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void shouldLeaveOutWhatAnotherProducerWrites() throws Exception {
        final ChannelUri channel = StreamServer.given();
        final String stream = channel.parameters().get("prefix") + ".tickmark.stored";
        try (DurablePublication publication = streams.durablePublication(channel, Topic.DEFAULT);
                DurableSubscription subscription =
                        streams.durableSubscription(channel, Topic.DEFAULT, 0);
                StreamClient other = new StreamClient(streams.channel(channel));
                var producer = other.producer(stream).build()) {
            producer.send(
                    producer.messageBuilder().addData("strange".getBytes()).build(), status -> {});
            publication.offer(message, 0, 100);

            until(() -> subscription.poll((buffer, offset, length) -> {}, 1) > 0);
            until(() ->
                    subscription.poll((buffer, offset, length) -> {}, 1) == 0
                            && subscription.engineErrors().isPresent());
            assertThat(subscription.ordinal()).isZero();
            assertThat(subscription.engineErrors().orElseThrow()).contains("no test has written");
        }
    }

    /** Writes a text, as other programs do, whatever it is given. */
    private static final class TextCodec implements Codec {
        private static final byte[] TEXT = {0, 0x53, 0x77, (byte) 0xa1, 2, 'h', 'i'};

        @Override
        public EncodedMessage encode(final Message any) {
            return new EncodedMessage(TEXT.length, TEXT);
        }

        @Override
        public Message decode(final byte[] any) {
            throw new UnsupportedOperationException("it only writes");
        }

        @Override
        public MessageBuilder messageBuilder() {
            return new QpidProtonCodec().messageBuilder();
        }
    }

    /** The client does not give it as bytes: it was lost without a word. */
    @Test
    void shouldLeaveOutAndReportTextThatAnotherProgramWrites() throws Exception {
        final ChannelUri channel = StreamServer.given();
        final String name = channel.parameters().get("prefix") + ".tickmark";
        final HostPort server = streams.channel(channel).address();
        final List<Integer> lengths = new ArrayList<>();
        try (DurablePublication publication = streams.durablePublication(channel, Topic.DEFAULT);
                DurableSubscription subscription =
                        streams.durableSubscription(channel, Topic.DEFAULT, 0);
                Subscription plain = streams.subscription(channel, Topic.DEFAULT);
                Environment other =
                        Environment.builder()
                                .host(server.address().getHostAddress())
                                .port(server.port())
                                .codec(new TextCodec())
                                .compressionCodecFactory(none -> null)
                                .build()) {
            for (final String stream : List.of(name, name + ".stored")) {
                final AtomicBoolean isConfirmed = new AtomicBoolean();
                try (Producer producer = other.producerBuilder().stream(stream).build()) {
                    producer.send(
                            producer.messageBuilder().addData(new byte[1]).build(),
                            status -> isConfirmed.set(status.isConfirmed()));
                    until(isConfirmed::get);
                }
            }
            publication.offer(message, 0, 100);

            until(() -> subscription.poll((buffer, offset, length) -> {}, 1) > 0);
            assertThat(subscription.ordinal()).isZero();
            assertThat(subscription.engineErrors().orElseThrow()).contains("no test has written");
            until(() -> plain.poll((buffer, offset, length) -> lengths.add(length), 1) > 0);
            assertThat(lengths).as("it is passed on as no message of ours").containsExactly(0);
        }
    }

    /** The server keeps ten segments of a tenth each, and deletes the oldest. */
    @Test
    void shouldCountWhatTheServerHadDeletedBeforeItWasRead() {
        final ChannelUri channel = StreamServer.given().with("keepBytes", "10000000");
        assertThat(streams.traits(channel).reliable()).isFalse();
        try (Publication publication = streams.publication(channel, Topic.DEFAULT);
                Subscription subscription = streams.subscription(channel, Topic.DEFAULT)) {
            for (long sent = 0; sent < 8000; sent++) {
                message.putLong(0, sent);
                until(() -> publication.offer(message, 0, 10_000) > 0);
            }
            final long[] read = {0, -1};
            until(() -> {
                read[0] +=
                        subscription.poll(
                                (buffer, offset, length) -> read[1] = buffer.getLong(offset), 10);
                return read[1] == 7999;
            });

            until(() -> subscription.lost() == 8000 - read[0]);
            assertThat(subscription.lost()).isPositive();
            assertThat(subscription.facts()).containsEntry("deletedUnread", subscription.lost());
            assertThat(subscription.engineErrors().orElseThrow())
                    .contains("had deleted %d message".formatted(subscription.lost()))
                    .contains("?keepBytes=");
        }
    }

    /** By whole segments, once the next one is begun. */
    @Test
    void shouldSayWhereAStreamBeginsOfWhichAPolicyOfTheServerHasDeleted() throws Exception {
        final int count = 600;
        try (StoreServer store = streams.store(StreamServer.given(), folder)) {
            store.start();
            ErlangCall.evaluate(
                    StreamServer.folder(),
                    """
                    rabbit_policy:parse_set(<<"/">>, <<"short">>, <<"^%s[.]">>,
                        <<"{\\"max-length-bytes\\":2000000,\\"stream-max-segment-size-bytes\\":500000}">>,
                        0, <<"all">>, <<"test">>).
                    """
                            .formatted(store.endpoint().parameters().get("prefix")),
                    "ok");
            try (DurablePublication publication =
                    streams.durablePublication(store.endpoint(), Topic.DEFAULT)) {
                write(publication, LENGTH);
            }
            assertThat(store.firstOrdinal(Topic.DEFAULT)).isZero();
            try (DurablePublication publication =
                    streams.durablePublication(store.endpoint(), Topic.DEFAULT)) {
                for (long sent = 1; sent < count; sent++) {
                    final long ordinal = sent;
                    message.putLong(0, ordinal);
                    until(() -> publication.offer(message, 0, 10_000) == ordinal);
                }
                until(() -> publication.stablePosition() == count - 1);
            }

            until(() -> store.firstOrdinal(Topic.DEFAULT) > 0);
            final List<Long> read = new ArrayList<>();
            store.readBack(
                    Topic.DEFAULT, 0, (buffer, offset, length) -> read.add(buffer.getLong(offset)));
            assertThat(read.getFirst()).isPositive();
            assertThat(read.getLast()).isEqualTo(count - 1);
        }
    }

    /** They take offsets of the stream ("Server-Side Offset Tracking" of RabbitMQ's streams). */
    @Test
    void shouldNotCallDeletedWhatOffsetsOfAnotherConsumerTake() throws Exception {
        final ChannelUri channel = StreamServer.given();
        final String stream = channel.parameters().get("prefix") + ".tickmark";
        final List<Long> offsets = new CopyOnWriteArrayList<>();
        try (Publication publication = streams.publication(channel, Topic.DEFAULT);
                Subscription subscription = streams.subscription(channel, Topic.DEFAULT);
                StreamClient other = new StreamClient(streams.channel(channel));
                var tracking =
                        other.consumer(stream, OffsetSpecification.next())
                                .name("another")
                                .manualTrackingStrategy()
                                .builder()
                                .messageHandler((context, body) -> offsets.add(context.offset()))
                                .build()) {
            for (int sent = 1; sent <= 5; sent++) {
                until(() -> publication.offer(message, 0, 100) > 0);
                until(() -> subscription.poll((buffer, offset, length) -> {}, 1) == 1);
                final int all = sent;
                until(() -> offsets.size() == all);
                tracking.store(offsets.getLast());
                until(() -> tracking.storedOffset() == offsets.getLast());
            }

            assertThat(offsets.getLast()).as("gaps between messages").isGreaterThan(4);
            until(() -> subscription.engineErrors().isEmpty()); // it has looked
            assertThat(subscription.lost()).isZero();
            assertThat(subscription.facts()).containsEntry("deletedUnread", 0L);
        }
    }

    /** In the middle of a run, too: it may still answer. */
    @Test
    void shouldSayOfAGapThatIsLookedAtThatTheServerHasNotAnsweredYet() throws Exception {
        final ChannelUri channel = StreamServer.given();
        final String stream = channel.parameters().get("prefix") + ".tickmark";
        final List<Long> offsets = new CopyOnWriteArrayList<>();
        try (Publication publication = streams.publication(channel, Topic.DEFAULT);
                Subscription subscription = streams.subscription(channel, Topic.DEFAULT);
                StreamClient other = new StreamClient(streams.channel(channel));
                var tracking =
                        other.consumer(stream, OffsetSpecification.next())
                                .name("another")
                                .manualTrackingStrategy()
                                .builder()
                                .messageHandler((context, body) -> offsets.add(context.offset()))
                                .build()) {
            until(() -> publication.offer(message, 0, LENGTH) > 0);
            until(() -> subscription.poll((buffer, offset, length) -> {}, 1) == 1);
            until(() -> !offsets.isEmpty());
            tracking.store(offsets.getLast());
            until(() -> tracking.storedOffset() == offsets.getLast());
            until(() -> publication.offer(message, 0, LENGTH) > 0);

            Optional<String> said = Optional.empty();
            while (said.isEmpty()) { // until the one behind the gap had come before the standstill
                try (Standstill _ = new Standstill()) {
                    subscription.await(100_000_000);
                    if (subscription.poll((buffer, offset, length) -> {}, 1) == 1) {
                        said = subscription.engineErrors();
                        assertThat(said).as("it is being looked at").isPresent();
                    }
                }
            }

            assertThat(said)
                    .contains(
                            "Whether the server had deleted messages before the last ones were read was not known when this"
                                    + " was noted: it had not answered yet.");
            until(() -> subscription.engineErrors().isEmpty());
            assertThat(subscription.lost()).isZero();
        }
    }

    /** The client confirms none of them, whether or not they were stored. */
    @Test
    void shouldCountWhatWasInFlightWhenTheServerWasKilledAndGoOn() throws Exception {
        final ChannelUri channel = StreamServer.given().with("maxFlight", "64");
        try (Publication publication = streams.publication(channel, Topic.DEFAULT);
                Subscription subscription = streams.subscription(channel, Topic.DEFAULT)) {
            final Thread killer;
            try (Standstill _ = new Standstill()) {
                for (int sent = 0; sent < 64; sent++) {
                    assertThat(publication.offer(message, 0, LENGTH)).isPositive();
                }
                assertThat(publication.offer(message, 0, LENGTH))
                        .isEqualTo(Publication.BACK_PRESSURED);
                // it waits for a shell that stands still, too
                killer = Thread.ofPlatform().start(() -> SharedStore.store().kill(1));
                until(() -> publication.facts().get("sendFailures").equals(64L));
            }
            killer.join();
            assertThat(publication.engineErrors().orElseThrow())
                    .contains("64 messages that the client had accepted were not confirmed");
            assertThat(publication.offer(message, 0, LENGTH)).isEqualTo(Publication.NOT_CONNECTED);

            SharedStore.store().restart(1);

            untilMessagesPass(publication, subscription);
        }
    }

    /** As a server that has just started says that it has no such stream. */
    @Test
    void shouldGoOnWithAStreamThatWasNotThereForAMoment() throws Exception {
        final ChannelUri channel = StreamServer.given();
        final String stream = channel.parameters().get("prefix") + ".tickmark";
        try (Publication publication = streams.publication(channel, Topic.DEFAULT);
                Subscription subscription = streams.subscription(channel, Topic.DEFAULT);
                StreamClient other = new StreamClient(streams.channel(channel))) {
            untilMessagesPass(publication, subscription);
            other.delete(stream);
            until(() -> publication.offer(message, 0, 100) == Publication.NOT_CONNECTED);
            until(() -> !subscription.isConnected());
            while (subscription.poll((buffer, offset, length) -> {}, 100) > 0) {
                Thread.sleep(1); // what came before
            }

            other.declare(stream, true);

            until(subscription::isConnected);
            untilMessagesPass(publication, subscription);
        }
    }
}
