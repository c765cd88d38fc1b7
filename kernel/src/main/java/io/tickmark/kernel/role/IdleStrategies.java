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
            case PARK -> new Park();
            case BLOCK -> pausing(PAUSE_NS);
            case ADAPTIVE -> new AdaptiveIdle(clock);
            case AUTO -> throw new IllegalArgumentException("AUTO must be decided first");
        };
    }

    /**
     * BLOCK with a pause of its own, for a thread that wants to find more to do at once.
     *
     * @param pauseNs how long it parks where nothing wakes it
     * @return a new one, for one thread
     */
    public static Idle pausing(final long pauseNs) {
        return new Block(pauseNs);
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

        private final BackoffIdleStrategy backoff =
                new BackoffIdleStrategy(SPINS, YIELDS, MIN_PARK_NS, MAX_PARK_NS);

        @Override
        public IdleMode mode() {
            return IdleMode.PARK;
        }

        @Override
        public void await(final Waker waker, final long untilDueNs) {
            backoff.idle();
        }

        @Override
        public void awaitDue(final long untilDueNs) {
            backoff.idle();
        }

        @Override
        public void reset() {
            backoff.reset();
        }
    }

    private static final class Block implements Idle {
        private final long pauseNs;
        private StallWatch watch = StallWatch.off();

        Block(final long pauseNs) {
            this.pauseNs = pauseNs;
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
                watch.sleeps();
                waker.await(Math.min(sleepNs, LONGEST_WAIT_NS));
                watch.waited(StallWatch.NOT_TIMED);
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
                watch.sleeps();
                LockSupport.parkNanos(Math.min(untilDueNs - PAUSE_NS, LONGEST_WAIT_NS));
                watch.waited(StallWatch.NOT_TIMED);
            } else {
                idle();
            }
        }

        @Override
        public void idle() {
            watch.sleeps();
            LockSupport.parkNanos(pauseNs);
            watch.waited(StallWatch.NOT_TIMED);
        }

        @Override
        public void reset() {
            // nothing is kept
        }
    }
}
