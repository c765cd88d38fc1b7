package io.tickmark.kernel.role;

import io.tickmark.kernel.stall.StallWatch;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.IdleStrategy;

/**
 * How a hot loop waits when it has found nothing to do; there is one implementation for each {@link
 * IdleMode}. The loop says what it is waiting for: what may arrive, what would wake it, and when
 * its next work is due. Whether to spin, to yield or to sleep is decided here. Each call is one
 * turn of waiting, after which the loop looks again whether there is something to do; it may return
 * before anything has arrived or is due.
 *
 * <p>For one thread. Waiting allocates nothing and takes no lock.
 */
public interface Idle extends IdleStrategy {
    /** No work has a due time. */
    long NEVER_DUE = TimeUnit.DAYS.toNanos(1);

    /** No turn is longer: within this time a thread sees that it has to stop. */
    long LONGEST_WAIT_NS = 10_000_000;

    /**
     * What this is called in options and results.
     *
     * @return never AUTO
     */
    IdleMode mode();

    /**
     * Reports the sleeps of the thread to its watch, so that it knows which of the time that the
     * thread did not run was meant. To be called before the watch begins; where it is not, and in a
     * mode in which the thread does not sleep, nothing is reported.
     *
     * @param watch of the same thread
     */
    default void watch(final StallWatch watch) {
        // for those that sleep
    }

    /**
     * Waits for something to arrive, or for the next work to be due.
     *
     * @param waker what the thread may sleep on, {@link Waker#NONE} where nothing wakes it
     * @param untilDueNs until the next work is due, ns; {@link #NEVER_DUE} where none is
     */
    void await(Waker waker, long untilDueNs);

    /**
     * Waits for the next work to be due, where something may arrive before but nothing is expected:
     * nothing but the last microseconds is worth spinning for.
     *
     * @param waker what the thread may sleep on, {@link Waker#NONE} where nothing wakes it
     * @param untilDueNs until the next work is due, ns
     */
    default void awaitDue(final Waker waker, final long untilDueNs) {
        await(waker, untilDueNs);
    }

    /**
     * Waits for the next work to be due, where nothing can arrive before.
     *
     * @param untilDueNs until then, ns
     */
    void awaitDue(long untilDueNs);

    /** Waits for something to arrive of which nothing would tell the thread. */
    @Override
    default void idle() {
        await(Waker.NONE, NEVER_DUE);
    }

    @Override
    default void idle(final int workCount) {
        if (workCount > 0) {
            reset();
        } else {
            idle();
        }
    }

    /** To be called when something has arrived. */
    @Override
    void reset();

    /**
     * To be called when due work is done. Its time was known, so the wait for it says nothing about
     * how long to spin; the wait for the next work starts now.
     */
    default void restart() {
        // for those that learn from their waits
    }
}
