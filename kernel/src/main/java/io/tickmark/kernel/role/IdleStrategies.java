package io.tickmark.kernel.role;

import io.tickmark.kernel.settings.UserError;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.NanoClock;

/** Decides how hot threads wait, and creates what they wait with. */
public final class IdleStrategies {
    /** Long enough to leave the core to the threads that spin, short on a human scale. */
    static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);

    /** Environment variable: on how many cores of a machine that others use too AUTO may spin. */
    private static final String SPIN_CORES = "TICKMARK_SPIN_CORES";

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

    /**
     * How many cores AUTO may let threads spin on: all allowed ones, unless the environment
     * variable {@code TICKMARK_SPIN_CORES} says fewer because others use them too.
     *
     * @param allowedCores of the host
     * @return at least 1
     * @throws UserError if the variable holds anything but a whole number of at least 1
     */
    public static int coresToSpinOn(final int allowedCores) {
        return coresToSpinOn(allowedCores, System.getenv().getOrDefault(SPIN_CORES, ""));
    }

    static int coresToSpinOn(final int allowedCores, final String limit) {
        if (limit.isEmpty()) {
            return allowedCores;
        }
        if (!limit.matches("[1-9][0-9]{0,4}")) {
            throw UserError.usage(
                    SPIN_CORES + " is \"" + limit + "\"; write a number of cores from 1 to 99999.");
        }
        return Math.min(allowedCores, Integer.parseInt(limit));
    }

    /**
     * The mode of one thread. Any mode except AUTO is returned unchanged. AUTO spins while every
     * hot thread of the trial can have a core. Beyond that two spinners would hold a core for whole
     * time slices against each other: all are adaptive.
     *
     * @param wanted requested by the user
     * @param hotThreads of all roles of the trial together
     * @param cores that they may use
     * @return a mode, never AUTO
     * @throws IllegalArgumentException if there is no thread or no core
     */
    public static IdleMode decide(final IdleMode wanted, final int hotThreads, final int cores) {
        if (hotThreads < 1 || cores < 1) {
            throw new IllegalArgumentException(
                    "hotThreads " + hotThreads + " and cores " + cores + " must be at least 1");
        }
        if (wanted != IdleMode.AUTO) {
            return wanted;
        }
        return hotThreads <= cores ? IdleMode.SPIN : IdleMode.ADAPTIVE;
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

        Block(final long pauseNs) {
            this.pauseNs = pauseNs;
        }

        @Override
        public IdleMode mode() {
            return IdleMode.BLOCK;
        }

        @Override
        public void await(final Waker waker, final long untilDueNs) {
            final long slackNs = waker.slackNs();
            final long sleepNs = untilDueNs - slackNs;
            if (sleepNs > slackNs) {
                waker.await(Math.min(sleepNs, LONGEST_WAIT_NS));
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
                LockSupport.parkNanos(Math.min(untilDueNs - PAUSE_NS, LONGEST_WAIT_NS));
            } else {
                idle();
            }
        }

        @Override
        public void idle() {
            LockSupport.parkNanos(pauseNs);
        }

        @Override
        public void reset() {
            // nothing is kept
        }
    }
}
