package io.tickmark.transport.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the tests of a store share: what an engine declares about itself, a store, and waiting for
 * it.
 */
public abstract class DurableFixture {
    static final int LENGTH = 100;
    private static final int MOST_LOSSES = 5;
    private static final int YIELDS = 200;
    private static final long LATER_NS = 100_000;

    final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
    final List<Long> read = new ArrayList<>();

    @TempDir Path directory;
    StoreServer store;

    /** For subclasses. */
    protected DurableFixture() {}

    /**
     * The transport under test.
     *
     * @return as the ServiceLoader would make it
     */
    protected abstract DurableTransport transport();

    /**
     * The channel of a separate store.
     *
     * @param receiverPaced whether acknowledged messages are to be deleted
     * @return with the store's parameters
     */
    protected abstract ChannelUri channel(boolean receiverPaced);

    /**
     * Writes the beginning of a record after the last one, as a crash would.
     *
     * @param data directory of the store, which is not running
     * @param topic whose records they are
     * @throws IOException if it cannot be written
     */
    protected abstract void tearTail(Path data, Topic topic) throws IOException;

    /**
     * Changes one byte of a stored message.
     *
     * @param data directory of the store, to which nothing is written
     * @param topic whose message it is
     * @throws IOException if it cannot be written
     */
    protected abstract void corrupt(Path data, Topic topic) throws IOException;

    /** {@return whether what was deleted stays so after a kill, which no guarantee requires} */
    protected boolean deletionSurvivesKill() {
        return true;
    }

    /** What happens to messages that are torn or damaged in a store's files. */
    protected enum Damage {
        /** We read the files: damage is reported, whether or not the engine runs. */
        TOLD,
        /** Only the engine reads them: damaged messages are skipped, by it or by us. */
        LEFT_OUT,
        /**
         * Only the engine reads them, and sends a damaged one no more than a slow engine would: the
         * others are passed on, and then reading fails.
         */
        NOT_SENT,
        /** The engine continues after a torn record, and does not start with a damaged one. */
        NOT_STARTED
    }

    /** {@return what happens to damaged messages; none is ever delivered} */
    protected Damage damage() {
        return Damage.TOLD;
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
        return Duration.ofMinutes(2);
    }

    @BeforeEach
    void startStore() {
        startStore(false);
    }

    void startStore(final boolean receiverPaced) {
        store = transport().store(channel(receiverPaced), directory);
        store.start();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    void killAll() {
        for (int member = 1; member <= store.members(); member++) {
            store.kill(member);
        }
    }

    void restartAll() {
        for (int member = 1; member <= store.members(); member++) {
            store.restart(member);
        }
    }

    DurablePublication publication() {
        return transport().durablePublication(store.endpoint(), Topic.DEFAULT);
    }

    DurableSubscription subscription(final long fromOrdinal) {
        return transport().durableSubscription(store.endpoint(), Topic.DEFAULT, fromOrdinal);
    }

    /**
     * Where an engine lost its connection, for example on an overloaded machine, another
     * publication takes over.
     */
    void write(final int messages) {
        DurablePublication publication = publication();
        try {
            final long last = publication.stablePosition() + messages;
            for (int losses = 0; publication.stablePosition() < last; ) {
                if (!writeNext(publication)) {
                    assertThat(++losses).as(publication.trouble()).isLessThan(MOST_LOSSES);
                    publication.close();
                    publication = publication();
                }
            }
        } finally {
            publication.close();
        }
    }

    /** False where the publication is lost. */
    private boolean writeNext(final DurablePublication publication) {
        final long ordinal = publication.stablePosition() + 1;
        until(
                "message " + ordinal + " is stable",
                () -> {
                    if (publication.nextOrdinal() == ordinal) {
                        message.putLong(0, ordinal);
                        publication.offer(message, 0, LENGTH);
                    }
                    publication.doWork();
                    return publication.isLost() || publication.stablePosition() >= ordinal;
                });
        return !publication.isLost();
    }

    /** Offers a message that holds its ordinal until it is taken. */
    long offer(final DurablePublication publication, final long ordinal) {
        final long[] taken = {-1};
        until(
                "message " + ordinal + " is taken",
                () -> {
                    assertThat(publication.isLost()).as(publication.trouble()).isFalse();
                    message.putLong(0, ordinal);
                    taken[0] = publication.offer(message, 0, LENGTH);
                    if (taken[0] < 0) {
                        publication.doWork();
                    }
                    return taken[0] >= 0;
                });
        return taken[0];
    }

    /** An engine may accept a few more messages before it notices; none of them becomes stable. */
    void untilRefused(final DurablePublication publication) {
        until(
                "a message is refused",
                () -> {
                    publication.doWork();
                    message.putLong(0, publication.nextOrdinal()); // it may be stored nevertheless
                    final long code = publication.offer(message, 0, LENGTH);
                    return code == Publication.NOT_CONNECTED || code == Publication.CLOSED;
                });
    }

    void untilLost(final DurablePublication publication) {
        until(
                "it tells that it is lost",
                () -> {
                    publication.doWork();
                    return publication.isLost();
                });
    }

    void untilStable(final DurablePublication publication, final long ordinal) {
        until(
                "message " + ordinal + " is stable",
                () -> {
                    publication.doWork();
                    return publication.stablePosition() >= ordinal;
                });
        assertThat(publication.stablePosition()).isEqualTo(ordinal);
    }

    void untilRead(final DurableSubscription subscription, final int count) {
        until(
                count + " messages are read",
                () -> {
                    subscription.poll(
                            (buffer, offset, length) -> read.add(buffer.getLong(offset)), 10);
                    return read.size() >= count;
                });
    }

    long readBack(final long fromOrdinal) {
        return store.readBack(
                Topic.DEFAULT,
                fromOrdinal,
                (buffer, offset, length) -> read.add(buffer.getLong(offset)));
    }

    static List<Long> ordinals(final long from, final long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    void until(final String what, final BooleanSupplier condition) {
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        for (long tries = 0; !condition.getAsBoolean(); tries++) {
            if (SystemNanoClock.INSTANCE.nanoTime() - startNs > patience().toNanos()) {
                fail("not within %s: %s; the store says %s", patience(), what, store.troubles());
            }
            if (tries < YIELDS) {
                Thread.yield();
            } else { // a server that starts again needs the core more
                LockSupport.parkNanos(LATER_NS);
            }
        }
    }
}
