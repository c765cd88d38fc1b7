package io.tickmark.kernel.role;

import io.tickmark.kernel.stall.StallWatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.NanoClock;

/** Creates what hot threads wait with, one kind for each mode. */
public final class IdleStrategies {
    /** Long enough to leave the core to the threads that spin, short on a human scale. */
    static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private IdleStrategies() {}

    /**
     * How a thread waits in that mode.
     *
     * @param mode decided already
     * @param clock of this machine
     * @return a new one, for one thread
     * @throws IllegalArgumentException if the mode is AUTO
     */
    public static Idle of(final IdleMode mode, final NanoClock clock) {
        return switch (mode) {
            case SPIN -> new Spin();
            case YIELD -> new Yield();
            case PARK -> new Park(clock);
            case BLOCK -> pausing(PAUSE_NS, clock);
            case ADAPTIVE -> new Adaptive(clock);
            case AUTO -> throw new IllegalArgumentException("AUTO must be decided first");
        };
    }

    /**
     * BLOCK with a pause of its own, for a thread that wants to find more to do at once.
     *
     * @param pauseNs how long it parks where nothing wakes it
     * @param clock of this machine
     * @return a new one, for one thread
     */
    public static Idle pausing(final long pauseNs, final NanoClock clock) {
        return new Block(pauseNs, clock);
    }

    /** By when a waker has to be back, for {@link StallWatch#waited}. */
    private static long backNs(final Waker waker, final long beganNs, final long timeoutNs) {
        final long ns = waker.sleepNs(timeoutNs);
        return ns == StallWatch.NOT_TIMED ? ns : beganNs + ns;
    }

    private static final class Spin implements Idle {
        @Override
        public IdleMode mode() {
            return IdleMode.SPIN;
        }

        @Override
        public void await(final Waker waker, final long untilDueNs) {
            Thread.onSpinWait();
        }

        @Override
        public void awaitDue(final long untilDueNs) {
            Thread.onSpinWait();
        }

        @Override
        public void reset() {
            // nothing is kept
        }
    }

    private static final class Yield implements Idle {
        @Override
        public IdleMode mode() {
            return IdleMode.YIELD;
        }

        @Override
        public void await(final Waker waker, final long untilDueNs) {
            Thread.yield();
        }

        @Override
        public void awaitDue(final long untilDueNs) {
            Thread.yield();
        }

        @Override
        public void reset() {
            // nothing is kept
        }
    }

    /** Parks so briefly that nothing has to wake it, and little is late. */
    private static final class Park implements Idle {
        /** Polls without a pause before the thread first parks. */
        private static final long SPINS = 10;

        private static final long YIELDS = 5;
        private static final long MIN_PARK_NS = TimeUnit.MICROSECONDS.toNanos(1);
        private static final long MAX_PARK_NS = TimeUnit.MICROSECONDS.toNanos(10);

        private final NanoClock clock;
        private final BackoffIdleStrategy backoff =
                new BackoffIdleStrategy(SPINS, YIELDS, MIN_PARK_NS, MAX_PARK_NS);
        private StallWatch watch = StallWatch.off();

        Park(final NanoClock clock) {
            this.clock = clock;
        }

        @Override
        public IdleMode mode() {
            return IdleMode.PARK;
        }

        @Override
        public void watch(final StallWatch newWatch) {
            watch = newWatch;
            watch.naps();
        }

        @Override
        public void await(final Waker waker, final long untilDueNs) {
            idle();
        }

        @Override
        public void awaitDue(final long untilDueNs) {
            idle();
        }

        @Override
        public void idle() {
            final long nowNs = clock.nanoTime();
            watch.look(nowNs);
            backoff.idle();
            watch.napped(nowNs + MAX_PARK_NS);
        }

        @Override
        public void reset() {
            backoff.reset();
        }
    }

    private static final class Block implements Idle {
        private final long pauseNs;
        private final NanoClock clock;
        private StallWatch watch = StallWatch.off();

        Block(final long pauseNs, final NanoClock clock) {
            this.pauseNs = pauseNs;
            this.clock = clock;
        }

        @Override
        public IdleMode mode() {
            return IdleMode.BLOCK;
        }

        @Override
        public void watch(final StallWatch newWatch) {
            watch = newWatch;
        }

        @Override
        public void await(final Waker waker, final long untilDueNs) {
            final long slackNs = waker.slackNs();
            final long sleepNs = untilDueNs - slackNs;
            if (sleepNs > slackNs) {
                final long longestNs = Math.min(sleepNs, LONGEST_WAIT_NS);
                watch.sleeps();
                final long nowNs = clock.nanoTime();
                waker.await(longestNs);
                watch.waited(backNs(waker, nowNs, longestNs));
            } else {
                Thread.onSpinWait();
            }
        }

        /**
         * Sleeps without a break until shortly before: each wake-up costs a virtual machine some 20
         * us of a core.
         */
        @Override
        public void awaitDue(final long untilDueNs) {
            if (untilDueNs > 2 * PAUSE_NS) {
                park(Math.min(untilDueNs - PAUSE_NS, LONGEST_WAIT_NS));
            } else {
                idle();
            }
        }

        @Override
        public void idle() {
            park(pauseNs);
        }

        private void park(final long ns) {
            watch.sleeps();
            final long nowNs = clock.nanoTime();
            LockSupport.parkNanos(ns);
            watch.waited(nowNs + ns);
        }

        @Override
        public void reset() {
            // nothing is kept
        }
    }

    /**
     * How a hot thread waits that shares its core: it spins as long as that has recently paid off,
     * yields a few times, then sleeps until it is woken or its next work is nearly due.
     *
     * <p>The spin time of an idle turn is adapted: where work tends to arrive within {@value
     * #MOST_SPIN_NS} ns it is doubled up to that, otherwise it is halved. A thread that something
     * wakes (a socket, a selector, a futex) sleeps {@value #LONGEST_WAIT_NS} ns at a time and costs
     * next to nothing. A thread that nothing wakes takes naps, the first of {@value
     * #SHORTEST_NAP_NS} ns, each after it twice as long up to {@value #LONGEST_NAP_NS} ns: which is
     * the most by which it sees work late. Where the next work has a due time, the sleep ends
     * before it, by the largest recent wake-up delay; the thread spins for the rest.
     *
     * <p>Single-threaded. Allocates nothing and takes no lock.
     */
    static final class Adaptive implements Idle {
        /** Longest nap of a thread that nothing wakes, ns: the latency that it adds at most. */
        static final long LONGEST_NAP_NS = 500_000;

        static final long SHORTEST_NAP_NS = 50_000;
        static final long MOST_SPIN_NS = 40_000;

        /**
         * Least spin time, so that a thread that has not spun for long can still find out that
         * spinning pays off.
         */
        static final long LEAST_SPIN_NS = 1_000;

        static final int YIELDS = 2;
        static final long MOST_MARGIN_NS = 100_000;
        static final long LEAST_MARGIN_NS = 10_000;

        /** A sleep shorter than this costs more of the core than spinning does. */
        static final long SHORTEST_SLEEP_NS = 20_000;

        private static final long WORKING = Long.MIN_VALUE;

        private final NanoClock clock;
        private final LongConsumer park;
        private long sinceNs = WORKING;
        private long spinNs = MOST_SPIN_NS;
        private long napNs = SHORTEST_NAP_NS;
        private long marginNs = MOST_MARGIN_NS / 2;
        private int yields;
        private long waits;
        private StallWatch watch = StallWatch.off();

        Adaptive(final NanoClock clock) {
            this(clock, LockSupport::parkNanos);
        }

        /** With a way to park of its own, which is given the time in ns. */
        Adaptive(final NanoClock clock, final LongConsumer park) {
            this.clock = clock;
            this.park = park;
        }

        @Override
        public IdleMode mode() {
            return IdleMode.ADAPTIVE;
        }

        @Override
        public void watch(final StallWatch newWatch) {
            watch = newWatch;
        }

        @Override
        public void await(final Waker waker, final long untilDueNs) {
            final long nowNs = clock.nanoTime();
            if (sinceNs == WORKING) {
                sinceNs = nowNs;
            }
            final long untilWakeNs = untilDueNs - marginNs;
            if (nowNs - sinceNs < spinNs || untilWakeNs < SHORTEST_SLEEP_NS) {
                Thread.onSpinWait();
            } else if (yields < YIELDS) {
                yields++;
                Thread.yield();
            } else if (wakesInTime(waker, untilDueNs)) {
                final long slackNs = Math.max(marginNs, waker.slackNs());
                final long sleepNs = Math.min(LONGEST_WAIT_NS, untilDueNs - slackNs);
                waits++;
                watch.sleeps();
                waker.await(sleepNs);
                watch.waited(backNs(waker, nowNs, sleepNs));
                slept(nowNs, sleepNs, sleepNs == untilWakeNs);
            } else {
                nap(nowNs, untilWakeNs);
            }
        }

        private boolean wakesInTime(final Waker waker, final long untilDueNs) {
            return waker.wakesOnArrival() && untilDueNs - waker.slackNs() > waker.slackNs();
        }

        /** It does not sleep on what would wake it: that may be coarser than a nap. */
        @Override
        public void awaitDue(final Waker waker, final long untilDueNs) {
            awaitDue(untilDueNs);
        }

        @Override
        public void awaitDue(final long untilDueNs) {
            final long untilWakeNs = untilDueNs - marginNs;
            if (untilWakeNs < SHORTEST_SLEEP_NS) {
                Thread.onSpinWait();
            } else {
                nap(clock.nanoTime(), untilWakeNs);
            }
        }

        private void nap(final long nowNs, final long untilWakeNs) {
            final long sleepNs = Math.min(napNs, untilWakeNs);
            waits++;
            watch.sleeps();
            park.accept(sleepNs);
            watch.waited(nowNs + sleepNs);
            napNs = Math.min(2 * napNs, LONGEST_NAP_NS);
            slept(nowNs, sleepNs, sleepNs == untilWakeNs);
        }

        private void slept(final long beganNs, final long sleepNs, final boolean isForDue) {
            if (!isForDue) {
                return;
            }
            final long lateNs = clock.nanoTime() - beganNs - sleepNs;
            if (lateNs >= 0) { // or it was woken before
                marginNs =
                        Math.clamp(
                                Math.max(lateNs + lateNs / 4, marginNs - marginNs / 16),
                                LEAST_MARGIN_NS,
                                MOST_MARGIN_NS);
            }
        }

        @Override
        public void restart() {
            sinceNs = WORKING;
            yields = 0;
            napNs = SHORTEST_NAP_NS;
        }

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
        }

        /** How often it has slept: naps and waits together. */
        long waits() {
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
}
