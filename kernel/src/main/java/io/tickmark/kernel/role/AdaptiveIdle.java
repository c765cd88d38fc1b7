package io.tickmark.kernel.role;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;

/**
 * How a hot thread waits that shares its core: it spins as long as that has recently paid off,
 * yields a few times, then sleeps until it is woken or its next work is nearly due.
 *
 * <p>The spin time of an idle turn is adapted: where work tends to arrive within {@value
 * #MOST_SPIN_NS} ns it is doubled up to that, otherwise it is halved. A thread that something wakes
 * (a socket, a selector, a futex) sleeps {@value #LONGEST_WAIT_NS} ns at a time and costs next to
 * nothing. A thread that nothing wakes takes naps, the first of {@value #SHORTEST_NAP_NS} ns, each
 * after it twice as long up to {@value #LONGEST_NAP_NS} ns: which is the most by which it sees work
 * late. Where the next work has a due time, the sleep ends before it, by the largest recent wake-up
 * delay; the thread spins for the rest.
 *
 * <p>Single-threaded. Allocates nothing and takes no lock.
 */
public final class AdaptiveIdle implements IdleStrategy {
    /** Longest nap of a thread that nothing wakes, ns: the latency that it adds at most. */
    public static final long LONGEST_NAP_NS = 500_000;

    /**
     * Longest sleep of a thread that something wakes, ns: within this time it sees that it has to
     * stop.
     */
    public static final long LONGEST_WAIT_NS = 10_000_000;

    static final long SHORTEST_NAP_NS = 50_000;
    static final long MOST_SPIN_NS = 40_000;

    /**
     * Least spin time, so that a thread that has not spun for long can still find out that spinning
     * pays off.
     */
    static final long LEAST_SPIN_NS = 1_000;

    static final int YIELDS = 2;
    static final long MOST_MARGIN_NS = 100_000;
    static final long LEAST_MARGIN_NS = 10_000;

    /** A sleep shorter than this costs more of the core than spinning does. */
    static final long SHORTEST_SLEEP_NS = 20_000;

    /** No work has a due time. */
    public static final long NEVER_DUE = TimeUnit.DAYS.toNanos(1);

    /** What a thread waits for. */
    @FunctionalInterface
    public interface Wake {
        /**
         * Returns as soon as there may be something to do, or when the time is over.
         *
         * @param longestNs longest wait
         */
        void await(long longestNs);
    }

    /** For a thread that nothing wakes: it takes naps. */
    public static final Wake NONE = LockSupport::parkNanos;

    private static final long WORKING = Long.MIN_VALUE;

    private final NanoClock clock;
    private final Wake park;
    private long sinceNs = WORKING;
    private long spinNs = MOST_SPIN_NS;
    private long napNs = SHORTEST_NAP_NS;
    private long marginNs = MOST_MARGIN_NS / 2;
    private int yields;
    private long waits;

    /**
     * The waiting of one thread.
     *
     * @param clock of this machine
     */
    public AdaptiveIdle(final NanoClock clock) {
        this(clock, NONE);
    }

    AdaptiveIdle(final NanoClock clock, final Wake park) {
        this.clock = clock;
        this.park = park;
    }

    /**
     * To be called when there is nothing to do, nothing is due, and nothing would wake the thread.
     */
    @Override
    public void idle() {
        turn(NONE, NEVER_DUE);
    }

    @Override
    public void idle(final int workCount) {
        if (workCount > 0) {
            reset();
        } else {
            turn(NONE, NEVER_DUE);
        }
    }

    /**
     * To be called when there is nothing to do before the next work is due, and nothing else is
     * expected before: only the last microseconds are worth spinning.
     *
     * @param untilDueNs until then, ns
     */
    public void idleUntilDue(final long untilDueNs) {
        final long sleepNs = Math.min(napNs, untilDueNs - marginNs);
        if (sleepNs < SHORTEST_SLEEP_NS) {
            Thread.onSpinWait();
        } else {
            sleep(NONE, clock.nanoTime(), sleepNs, sleepNs == untilDueNs - marginNs);
        }
    }

    /**
     * To be called when there is nothing to do until the thread is woken, or its next work is due.
     *
     * @param wake what it sleeps on, {@link #NONE} where nothing wakes it
     * @param untilDueNs until the next work is due, ns; {@link #NEVER_DUE} where none is
     */
    public void idle(final Wake wake, final long untilDueNs) {
        turn(wake, untilDueNs);
    }

    private void turn(final Wake wake, final long untilDueNs) {
        final long nowNs = clock.nanoTime();
        if (sinceNs == WORKING) {
            sinceNs = nowNs;
        }
        final long sleepNs =
                Math.min(wake == NONE ? napNs : LONGEST_WAIT_NS, untilDueNs - marginNs);
        if (nowNs - sinceNs < spinNs || sleepNs < SHORTEST_SLEEP_NS) {
            Thread.onSpinWait();
        } else if (yields < YIELDS) {
            yields++;
            Thread.yield();
        } else {
            sleep(wake, nowNs, sleepNs, sleepNs == untilDueNs - marginNs);
        }
    }

    private void sleep(
            final Wake wake, final long nowNs, final long sleepNs, final boolean isForDue) {
        waits++;
        if (wake == NONE) {
            park.await(sleepNs);
            napNs = Math.min(2 * napNs, LONGEST_NAP_NS);
        } else {
            wake.await(sleepNs);
        }
        if (isForDue) {
            final long lateNs = clock.nanoTime() - nowNs - sleepNs;
            if (lateNs >= 0) { // or it was woken before
                marginNs =
                        Math.clamp(
                                Math.max(lateNs + lateNs / 4, marginNs - marginNs / 16),
                                LEAST_MARGIN_NS,
                                MOST_MARGIN_NS);
            }
        }
    }

    /**
     * To be called when due work is done. Its time was known, so the wait for it says nothing about
     * spinning: the wait for the next work starts now.
     */
    public void restart() {
        sinceNs = WORKING;
        yields = 0;
    }

    /** To be called when work has arrived. */
    @Override
    public void reset() {
        if (sinceNs == WORKING) {
            return;
        }
        spinNs =
                clock.nanoTime() - sinceNs <= MOST_SPIN_NS
                        ? Math.min(2 * spinNs, MOST_SPIN_NS)
                        : Math.max(spinNs / 2, LEAST_SPIN_NS);
        restart();
        napNs = SHORTEST_NAP_NS;
    }

    /**
     * How often it has slept.
     *
     * @return naps and waits together
     */
    public long waits() {
        return waits;
    }

    /** How long it spins now before it yields. */
    long spinNs() {
        return spinNs;
    }

    /** How long before its next work is due it wakes up. */
    long marginNs() {
        return marginNs;
    }
}
