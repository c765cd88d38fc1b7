package io.tickmark.transport.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.ForeignClient;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every store has to do: ordinals without holes, stable messages that survive a kill, torn and
 * corrupted records that are detected. An engine is tested by a subclass.
 */
public abstract class DurableContractTest extends DurableFixture {
    private static final int LONGEST_LIFE_MS = 1000;
    private static final int MOST_IN_A_LIFE = 1000;
    private static final long PAUSE_NS = 200_000;

    /** Payloads begin with their ordinals. */
    private static final String CHECK_IN_PYTHON =
            """
            import struct
            expected = %d
            read = 0
            def take(payload):
                global read
                assert struct.unpack('=q', payload[:8])[0] == read, (read, payload)
                read += 1
            """;

    /** For subclasses. */
    protected DurableContractTest() {}

    /**
     * A reader of another make, in Python: it calls {@code take(payload)} for each message of the
     * stored topic {@link Topic#DEFAULT} in order, and ends after {@code expected} of them.
     *
     * @param endpoint of the store
     * @return the script; empty by default, where there is no such client
     */
    protected String readerInPython(final ChannelUri endpoint) {
        return "";
    }

    @Test
    void shouldNumberMessagesFromZeroAndSayWhenTheyAreStable() {
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

    /**
     * Clients find it where it was. A publisher with a full flight offers nothing, and must still
     * notice that it is lost, also once the store is back.
     */
    @Test
    void shouldKeepWhatWasStableAndItsEndpointAndTellItsPublisherWhenItIsKilled() {
        final ChannelUri before = store.endpoint();
        final long stable;
        try (DurablePublication publication = publication()) {
            for (long ordinal = 0; ordinal < 57; ordinal++) {
                offer(publication, ordinal);
            }
            stable = publication.stablePosition();
            assertThat(publication.isLost()).isFalse();
            killAll();
            untilLost(publication);
            untilRefused(publication);
            restartAll();

            untilLost(publication);
            assertThat(publication.offer(message, 0, LENGTH)).isEqualTo(Publication.NOT_CONNECTED);
            assertThat(publication.failure()).as("what was stored is known by its place").isEmpty();
            assertThat(publication.stablePosition()).isGreaterThanOrEqualTo(stable);
        }
        assertThat(store.endpoint()).isEqualTo(before);
        assertThat(transport().guarantees(before))
                .isEqualTo(transport().guarantees(channel(false)));

        try (DurablePublication publication = publication()) {
            final long kept = publication.nextOrdinal();
            assertThat(kept).isGreaterThan(stable);
            assertThat(readBack(0)).isEqualTo(kept);
            assertThat(read).containsExactlyElementsOf(ordinals(0, kept));
            assertThat(offer(publication, kept)).isEqualTo(kept);
        }
    }

    /**
     * Kills at drawn moments while messages are written. How often, the property {@code
     * tickmark.test.kills} says; {@code tickmark.test.seed} repeats the moments of another run.
     */
    @Test
    @Timeout(value = 5, unit = TimeUnit.HOURS)
    void shouldKeepWhatWasStableWheneverItIsKilled() throws IOException, InterruptedException {
        final long seed = Long.getLong("tickmark.test.seed", new Random().nextLong());
        final Random random = new Random(seed);
        long kept = 0;
        for (int kill = 1; kill <= Integer.getInteger("tickmark.test.kills", 1); kill++) {
            final long stable = writeUntilKilled(kept, random.nextInt(LONGEST_LIFE_MS));
            restartAll();
            read.clear();
            kept = readBack(0);
            assertThat(kept).as("kept after kill %d, seed %d", kill, seed).isGreaterThan(stable);
            assertThat(read).as("seed %d", seed).containsExactlyElementsOf(ordinals(0, kept));
        }
        try (DurablePublication publication = publication()) {
            assertThat(publication.nextOrdinal()).as("seed %d", seed).isEqualTo(kept);
        }
        final String reader = readerInPython(store.endpoint());
        if (!reader.isEmpty()) {
            ForeignClient.need();
            assertThat(
                            ForeignClient.run(
                                    CHECK_IN_PYTHON.formatted(kept) + reader + "\nprint(read)"))
                    .endsWith("" + kept);
        }
    }

    /** The position that was stable when the store was killed. */
    private long writeUntilKilled(final long first, final int lifeMs) throws InterruptedException {
        try (DurablePublication publication = publication()) {
            assertThat(publication.nextOrdinal()).isEqualTo(first);
            final Thread killer =
                    Thread.ofPlatform()
                            .start(() -> {
                                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(lifeMs));
                                killAll();
                            });
            until(
                    "the store is lost",
                    () -> {
                        if (publication.nextOrdinal() < first + MOST_IN_A_LIFE) {
                            message.putLong(0, publication.nextOrdinal());
                            publication.offer(message, 0, LENGTH);
                        }
                        publication.doWork();
                        LockSupport.parkNanos(PAUSE_NS);
                        return publication.isLost();
                    });
            killer.join();
            return publication.stablePosition();
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
        if (damage() == Damage.TOLD) {
            final StoreServer.Verification torn = store.verify(Topic.DEFAULT);
            assertThat(torn.messages()).isEqualTo(12);
            assertThat(torn.tornBytes()).isPositive();
        }

        restartAll();

        assertThat(readBack(0)).isEqualTo(12);
        write(1);
        assertThat(store.verify(Topic.DEFAULT)).isEqualTo(new StoreServer.Verification(13, 0, 0));
    }

    @Test
    void shouldFindACorruptedMessageAndNotDeliverIt() throws IOException {
        final StoreServer.Verification damaged = new StoreServer.Verification(11, 0, 1);
        write(12);
        if (damage() == Damage.TOLD) {
            corrupt(directory, Topic.DEFAULT);
            assertThat(readBack(0)).as("from disk, whatever an engine has in memory").isEqualTo(11);
            killAll();
            read.clear();
            assertThat(store.verify(Topic.DEFAULT)).isEqualTo(damaged);
        } else {
            killAll();
            corrupt(directory, Topic.DEFAULT);
        }
        if (damage() == Damage.NOT_STARTED) {
            assertThatThrownBy(this::restartAll).isInstanceOf(UserError.class);
            return;
        }

        restartAll();

        if (damage() == Damage.NOT_SENT) {
            assertThatThrownBy(() -> readBack(0)).as("whole").isInstanceOf(UserError.class);
            assertThat(read).hasSize(11);
            assertThatThrownBy(() -> store.verify(Topic.DEFAULT)).isInstanceOf(UserError.class);
        } else {
            assertThat(readBack(0)).isEqualTo(11);
        }
        if (damage() == Damage.LEFT_OUT) {
            assertThat(store.verify(Topic.DEFAULT)).isEqualTo(damaged);
        }
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
}
