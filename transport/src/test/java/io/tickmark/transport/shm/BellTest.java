package io.tickmark.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BellTest {
    private static final long MINUTES_NS = TimeUnit.MINUTES.toNanos(10);

    private final UnsafeBuffer file = new UnsafeBuffer(ByteBuffer.allocateDirect(64));
    private final Bell reader = new Bell(file, 8);
    private final Bell writer = new Bell(file, 8);

    @Test
    void shouldWakeWhoSleepsForLong() throws InterruptedException {
        assumeTrue(Bell.isAvailable());
        final CountDownLatch isAboutToSleep = new CountDownLatch(1);
        final Thread sleeper =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            reader.await(Bell.FIRST_SLEEP_NS, () -> true);
                            reader.await(
                                    MINUTES_NS,
                                    () -> {
                                        isAboutToSleep.countDown();
                                        return true;
                                    });
                        });
        isAboutToSleep.await();
        writer.ring(); // before it sleeps or while it does: it must wake up
        sleeper.join();

        assertThat(file.getInt(8)).isZero();
    }

    /** One reader reads the message of the ring and sets the word again while the other is late. */
    @Test
    void shouldNotSleepOverARingThatAnotherReaderHasAnswered() {
        assumeTrue(Bell.isAvailable());
        final Bell other = new Bell(file, 8);
        reader.await(Bell.FIRST_SLEEP_NS, () -> true);

        reader.await(
                MINUTES_NS,
                () -> {
                    writer.ring();
                    other.await(MINUTES_NS, () -> false);
                    return true;
                });

        assertThat(file.getInt(8)).as("and it did not take ten minutes").isOne();
    }

    /** What another reader has set a moment ago says nothing of how long it has been set. */
    @Test
    void shouldSleepShortWhereAnotherReaderHasSetTheWord() {
        assumeTrue(Bell.isAvailable());
        final Bell other = new Bell(file, 8);
        reader.await(Bell.FIRST_SLEEP_NS, () -> true);
        writer.ring();
        other.await(MINUTES_NS, () -> false);

        reader.await(MINUTES_NS, () -> true);

        assertThat(file.getInt(8)).as("and it did not take ten minutes").isOne();
    }

    @Test
    void shouldSleepShortUntilTheWordHasStoodForAWhile() {
        assumeTrue(Bell.isAvailable());

        reader.await(MINUTES_NS, () -> true);
        writer.ring();
        reader.await(MINUTES_NS, () -> true);

        assertThat(file.getInt(8)).as("and none of both took ten minutes").isOne();
    }

    @Test
    void shouldNotSleepWhereAMessageHasCome() {
        for (int i = 0; i < 3; i++) {
            reader.await(MINUTES_NS, () -> false);
        }

        assertThat(file.getInt(8)).isEqualTo(Bell.isAvailable() ? 1 : 0);
    }

    @Test
    void shouldTouchNothingWhereNobodySleeps() {
        writer.ring();

        assertThat(file.getInt(8)).isZero();
    }
}
