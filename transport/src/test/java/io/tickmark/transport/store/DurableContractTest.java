package io.tickmark.transport.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every store has to do: ordinals without holes, stable messages that survive a kill, torn and
 * corrupted records that are found. An engine proves itself by a subclass.
 */
public abstract class DurableContractTest {
    private static final int LENGTH = 100;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
    private final List<Long> read = new ArrayList<>();

    @TempDir Path directory;
    private StoreServer store;

    /** For subclasses. */
    protected DurableContractTest() {}

    /**
     * The transport under test.
     *
     * @return as the ServiceLoader would make it
     */
    protected abstract DurableTransport transport();

    /**
     * The channel of a store of its own.
     *
     * @param receiverPaced whether acknowledged messages are to be deleted
     * @return with the store's parameters
     */
    protected abstract ChannelUri channel(boolean receiverPaced);

    /**
     * Leaves the beginning of a record behind the last one, as a crash would.
     *
     * @param data directory of the store, which is not running
     * @param topic whose records they are
     * @throws IOException if it cannot be written
     */
    protected abstract void tearTail(Path data, Topic topic) throws IOException;

    /**
     * Changes one byte of a stored message.
     *
     * @param data directory of the store, to which nobody writes
     * @param topic whose message it is
     * @throws IOException if it cannot be written
     */
    protected abstract void corrupt(Path data, Topic topic) throws IOException;

    /** {@return whether what was deleted stays so after a kill, which no promise asks for} */
    protected boolean deletionSurvivesKill() {
        return true;
    }

    /** {@return whether it can delete what was acknowledged; if not it refuses the channel} */
    protected boolean deletesAcknowledged() {
        return true;
    }

    /**
     * How long anything at all may take before the test fails.
     *
     * @return generous: the machine may be loaded
     */
    protected Duration patience() {
        return Duration.ofSeconds(30);
    }

    @BeforeEach
    void startStore() {
        startStore(false);
    }

    private void startStore(final boolean receiverPaced) {
        store = transport().store(channel(receiverPaced), directory);
        store.start();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    @Test
    void shouldNumberMessagesFromNoughtAndSayWhenTheyAreStable() {
        try (DurablePublication publication = publication()) {
            assertThat(publication.stablePosition()).isEqualTo(DurablePublication.NONE_STABLE);
            long stableBefore = DurablePublication.NONE_STABLE;
            for (long ordinal = 0; ordinal < 50; ordinal++) {
                assertThat(offer(publication, ordinal)).isEqualTo(ordinal);
                assertThat(publication.stablePosition()).isBetween(stableBefore, ordinal);
                stableBefore = publication.stablePosition();
            }

            untilStable(publication, 49);
        }
    }

    @Test
    void shouldDeliverWhatIsStableInOrderWithItsOrdinal() {
        write(25);
        try (DurableSubscription subscription = subscription(0)) {
            assertThat(subscription.ordinal()).isEqualTo(-1);

            until(
                    "all messages come",
                    () -> {
                        subscription.poll(
                                (buffer, offset, length) -> {
                                    assertThat(length).isEqualTo(LENGTH);
                                    assertThat(buffer.getLong(offset))
                                            .isEqualTo(subscription.ordinal());
                                    read.add(buffer.getLong(offset));
                                },
                                3);
                        return read.size() == 25;
                    });
        }
        assertThat(read).containsExactlyElementsOf(ordinals(0, 25));
    }

    @Test
    void shouldDeliverFromAnOrdinalOnAndFollowWhatIsWrittenLater() {
        write(20);
        try (DurableSubscription subscription = subscription(15)) {
            untilRead(subscription, 5);
            write(3);
            untilRead(subscription, 8);
        }
        assertThat(read).containsExactlyElementsOf(ordinals(15, 23));
    }

    @Test
    void shouldReadBackFromAnOrdinal() {
        write(40);

        assertThat(readBack(30)).isEqualTo(10);
        assertThat(read).containsExactlyElementsOf(ordinals(30, 40));
        assertThat(readBack(40)).isZero();
    }

    @Test
    void shouldKeepWhatWasStableWhenItIsKilled() {
        final long stable;
        try (DurablePublication publication = publication()) {
            for (long ordinal = 0; ordinal < 57; ordinal++) {
                offer(publication, ordinal);
            }
            stable = publication.stablePosition();
            killAll();
            untilRefused(publication);
            restartAll();
            untilRefused(publication);
            assertThat(publication.stablePosition()).isGreaterThanOrEqualTo(stable);
        }

        final long kept = readBack(0);
        assertThat(kept).isGreaterThan(stable);
        assertThat(read).containsExactlyElementsOf(ordinals(0, kept));
        try (DurablePublication publication = publication()) {
            assertThat(offer(publication, kept)).isEqualTo(kept);
        }
    }

    @Test
    void shouldKeepAllWhenItIsClosed() {
        try (DurablePublication publication = publication()) {
            for (long ordinal = 0; ordinal < 33; ordinal++) {
                offer(publication, ordinal);
            }
        }
        store.close();
        store.close();

        store.start();

        assertThat(readBack(0)).isEqualTo(33);
    }

    @Test
    void shouldVerifyWhatIsWhole() {
        write(12);

        assertThat(store.verify(Topic.DEFAULT)).isEqualTo(new StoreServer.Verification(12, 0, 0));
    }

    @Test
    void shouldFindATornTailAndCutItWhenItIsStarted() throws IOException {
        write(12);
        killAll();
        tearTail(directory, Topic.DEFAULT);
        final StoreServer.Verification torn = store.verify(Topic.DEFAULT);
        assertThat(torn.messages()).isEqualTo(12);
        assertThat(torn.tornBytes()).isPositive();

        restartAll();

        assertThat(readBack(0)).isEqualTo(12);
        write(1);
        assertThat(store.verify(Topic.DEFAULT)).isEqualTo(new StoreServer.Verification(13, 0, 0));
    }

    @Test
    void shouldFindACorruptedMessageAndNotDeliverIt() throws IOException {
        write(12);
        corrupt(directory, Topic.DEFAULT);
        assertThat(readBack(0)).as("from disk, whatever an engine has in memory").isEqualTo(11);
        killAll();
        read.clear();
        assertThat(store.verify(Topic.DEFAULT)).isEqualTo(new StoreServer.Verification(11, 0, 1));

        restartAll();

        assertThat(readBack(0)).isEqualTo(11);
        assertThat(read).isSubsetOf(ordinals(0, 12));
    }

    @Test
    void shouldDeleteWhatWasAcknowledgedOnlyWhereTheReceiverSetsThePace() throws IOException {
        write(50);
        try (DurableSubscription subscription = subscription(0)) {
            subscription.acknowledge(39);
        }
        assertThat(readBack(0)).isEqualTo(50);
        store.close();
        read.clear();

        if (!deletesAcknowledged()) {
            assertThatThrownBy(() -> transport().store(channel(true), directory))
                    .isInstanceOf(UserError.class);
            return;
        }
        directory = Files.createDirectory(directory.resolve("receiver-paced"));
        startStore(true);
        write(50);
        try (DurableSubscription subscription = subscription(0)) {
            subscription.acknowledge(39);
        }
        assertThat(readBack(0)).isEqualTo(10);
        read.clear();
        if (deletionSurvivesKill()) {
            killAll();
            restartAll();
        } else {
            store.close();
            store.start();
        }

        assertThat(readBack(0)).isEqualTo(10);
        assertThat(read).containsExactlyElementsOf(ordinals(40, 50));
        try (DurablePublication publication = publication()) {
            assertThat(offer(publication, 50)).isEqualTo(50);
        }
    }

    @Test
    void shouldRefuseAMessageThatIsTooLong() {
        try (DurablePublication publication = publication()) {
            final int longest = transport().traits(channel(false)).maxPayloadBytes();
            final UnsafeBuffer huge = new UnsafeBuffer(new byte[longest + 1]);

            assertThat(publication.offer(huge, 0, longest + 1)).isEqualTo(Publication.TOO_LONG);
            assertThat(publication.offer(huge, 0, longest)).isZero();
        }
    }

    @Test
    void shouldKeepItsEndpointWhenItIsRestarted() {
        final ChannelUri before = store.endpoint();
        killAll();
        restartAll();

        assertThat(store.endpoint()).isEqualTo(before);
        assertThat(transport().guarantees(before))
                .isEqualTo(transport().guarantees(channel(false)));
    }

    private void killAll() {
        for (int member = 1; member <= store.members(); member++) {
            store.kill(member);
        }
    }

    private void restartAll() {
        for (int member = 1; member <= store.members(); member++) {
            store.restart(member);
        }
    }

    private DurablePublication publication() {
        return transport().durablePublication(store.endpoint(), Topic.DEFAULT);
    }

    private DurableSubscription subscription(final long fromOrdinal) {
        return transport().durableSubscription(store.endpoint(), Topic.DEFAULT, fromOrdinal);
    }

    private void write(final int messages) {
        try (DurablePublication publication = publication()) {
            long last = -1;
            for (int i = 0; i < messages; i++) {
                last = offer(publication, publication.stablePosition() + 1);
                untilStable(publication, last);
            }
        }
    }

    /** Offers a message that holds its ordinal until it is taken. */
    private long offer(final DurablePublication publication, final long ordinal) {
        final long[] taken = {-1};
        until(
                "message " + ordinal + " is taken",
                () -> {
                    message.putLong(0, ordinal);
                    taken[0] = publication.offer(message, 0, LENGTH);
                    if (taken[0] < 0) {
                        publication.doWork();
                    }
                    return taken[0] >= 0;
                });
        return taken[0];
    }

    /** An engine may take some messages more before it notices; none of them becomes stable. */
    private void untilRefused(final DurablePublication publication) {
        until(
                "a message is refused",
                () -> {
                    publication.doWork();
                    final long code = publication.offer(message, 0, LENGTH);
                    return code == Publication.NOT_CONNECTED || code == Publication.CLOSED;
                });
    }

    private void untilStable(final DurablePublication publication, final long ordinal) {
        until(
                "message " + ordinal + " is stable",
                () -> {
                    publication.doWork();
                    return publication.stablePosition() >= ordinal;
                });
        assertThat(publication.stablePosition()).isEqualTo(ordinal);
    }

    private void untilRead(final DurableSubscription subscription, final int count) {
        until(
                count + " messages are read",
                () -> {
                    subscription.poll(
                            (buffer, offset, length) -> read.add(buffer.getLong(offset)), 10);
                    return read.size() >= count;
                });
    }

    private long readBack(final long fromOrdinal) {
        return store.readBack(
                Topic.DEFAULT,
                fromOrdinal,
                (buffer, offset, length) -> read.add(buffer.getLong(offset)));
    }

    private static List<Long> ordinals(final long from, final long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    private void until(final String what, final BooleanSupplier condition) {
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        while (!condition.getAsBoolean()) {
            if (SystemNanoClock.INSTANCE.nanoTime() - startNs > patience().toNanos()) {
                fail("not within " + patience() + ": " + what);
            }
            Thread.yield();
        }
    }
}
