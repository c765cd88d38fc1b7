package io.tickmark.kernel.role;

import io.tickmark.kernel.settings.UserError;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

/** Decides how hot threads wait, and creates the strategies that they wait with. */
public final class IdleStrategies {
    /** Polls without a pause before a parking thread first parks. */
    private static final long SPINS_BEFORE_PARK = 10;

    private static final long YIELDS_BEFORE_PARK = 5;
    private static final long MIN_PARK_NS = TimeUnit.MICROSECONDS.toNanos(1);
    private static final long MAX_PARK_NS = TimeUnit.MICROSECONDS.toNanos(10);

    /** Long enough to leave the core to the threads that spin, short on a human scale. */
    private static final long BLOCK_NS = TimeUnit.MICROSECONDS.toNanos(50);

    /** Environment variable: on how many cores of a machine that others use too AUTO may spin. */
    private static final String SPIN_CORES = "TICKMARK_SPIN_CORES";

    /** Within this time a sleeping thread sees that it has to stop. */
    static final long LONGEST_NAP_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private IdleStrategies() {}

    /**
     * A strategy of that mode, for one thread. For BLOCK it parks for 50 us at a time: for use
     * where the engine itself cannot block.
     *
     * @param mode decided already
     * @param clock of this machine
     * @return a new strategy
     * @throws IllegalArgumentException if the mode is AUTO
     */
    public static IdleStrategy of(final IdleMode mode, final NanoClock clock) {
        return switch (mode) {
            case SPIN -> new BusySpinIdleStrategy();
            case YIELD -> new YieldingIdleStrategy();
            case PARK ->
                    new BackoffIdleStrategy(
                            SPINS_BEFORE_PARK, YIELDS_BEFORE_PARK, MIN_PARK_NS, MAX_PARK_NS);
            case BLOCK -> new SleepingIdleStrategy(BLOCK_NS);
            case ADAPTIVE -> new AdaptiveIdle(clock);
            case AUTO -> throw new IllegalArgumentException("AUTO must be decided first");
        };
    }

    /**
     * Waits for work with a known due time. A strategy that sleeps anyway sleeps without a break
     * until shortly before it: each wake-up costs a virtual machine some 20 us of a core. Any other
     * strategy idles once.
     *
     * @param strategy of this thread
     * @param waitNs until then, ns
     */
    public static void idle(final IdleStrategy strategy, final long waitNs) {
        if (strategy instanceof final AdaptiveIdle adaptive) {
            adaptive.idleUntilDue(waitNs);
        } else if (strategy instanceof SleepingIdleStrategy && waitNs > 2 * BLOCK_NS) {
            LockSupport.parkNanos(Math.min(waitNs - BLOCK_NS, LONGEST_NAP_NS));
        } else {
            strategy.idle();
        }
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
}
