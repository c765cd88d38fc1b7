package io.tickmark.kernel.role;

import io.tickmark.kernel.stall.StallWatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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
            case ADAPTIVE -> new AdaptiveIdle(clock);
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
    static long backNs(final Waker waker, final long beganNs, final long timeoutNs) {
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
}
