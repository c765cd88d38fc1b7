package io.tickmark.kernel.role;

import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.settings.UserError;

/**
 * How many threads of one machine want a core at once, and how many cores there are.
 *
 * @param hotThreads of all roles of the trial together
 * @param cores that those may use
 * @param engineThreads that engines keep busy beside them, servers that they start included
 * @param allCores that hot threads and engines may use together
 * @param spinCores how many of those are free to spin on
 */
public record CoreDemand(
        int hotThreads, int cores, int engineThreads, int allCores, int spinCores) {
    /** Environment variable: on how many cores of a machine that others use too AUTO may spin. */
    private static final String SPIN_CORES = "TICKMARK_SPIN_CORES";

    /**
     * Checks that there is something to decide.
     *
     * @throws IllegalArgumentException if there is no thread or no core
     */
    public CoreDemand {
        if (hotThreads < 1 || cores < 1) {
            throw new IllegalArgumentException(
                    "hotThreads " + hotThreads + " and cores " + cores + " must be at least 1");
        }
    }

    /**
     * How many cores AUTO may let threads spin on: all allowed ones, unless the environment
     * variable {@code TICKMARK_SPIN_CORES} says fewer because others use them too.
     *
     * @param allowedCores of the host
     * @return 0 where AUTO may not spin at all
     * @throws UserError if the variable holds anything but a whole number
     */
    public static int coresToSpinOn(final int allowedCores) {
        return coresToSpinOn(allowedCores, System.getenv().getOrDefault(SPIN_CORES, ""));
    }

    /**
     * Checks the environment variable before anything is written or started.
     *
     * @throws UserError if it holds anything but a whole number
     */
    public static void checkLimit() {
        coresToSpinOn(1);
    }

    static int coresToSpinOn(final int allowedCores, final String limit) {
        if (limit.isEmpty()) {
            return allowedCores;
        }
        if (!limit.matches("0|[1-9][0-9]{0,4}")) {
            throw UserError.usage(
                    SPIN_CORES + " is \"" + limit + "\"; write a number of cores from 0 to 99999.");
        }
        return Math.min(allowedCores, Integer.parseInt(limit));
    }

    /**
     * The mode of one thread. Any mode except AUTO is returned unchanged. AUTO spins while every
     * busy thread can have a core. Beyond that two spinners would hold a core for whole time slices
     * against each other, or against a thread of the engine without which no message moves: all are
     * adaptive.
     *
     * @param wanted requested by the user
     * @return a mode, never AUTO
     */
    public IdleMode decide(final IdleMode wanted) {
        if (wanted != IdleMode.AUTO) {
            return wanted;
        }
        return isCrowded() || isCrowdedByEngines() || isLimited()
                ? IdleMode.ADAPTIVE
                : IdleMode.SPIN;
    }

    /**
     * Why a thread does not spin although the user has not chosen how it waits.
     *
     * @param wanted requested by the user
     * @return a clause for results; empty where the user has chosen or the thread spins
     */
    public String reason(final IdleMode wanted) {
        if (decide(wanted) == IdleMode.SPIN || wanted != IdleMode.AUTO) {
            return "";
        }
        if (isCrowded()) {
            return "more hot threads than cores";
        }
        return isCrowdedByEngines()
                ? "%s and %d of the engine on %s"
                        .formatted(
                                Plural.of(hotThreads, "hot thread"),
                                engineThreads,
                                Plural.of(allCores, "core"))
                : "%s leaves %s to spin on".formatted(SPIN_CORES, Plural.of(spinCores, "core"));
    }

    private boolean isCrowded() {
        return hotThreads > cores;
    }

    private boolean isCrowdedByEngines() {
        return hasNoCoreForEngines(allCores);
    }

    private boolean isLimited() {
        return hotThreads > spinCores || hasNoCoreForEngines(spinCores);
    }

    private boolean hasNoCoreForEngines(final int most) {
        return engineThreads > 0 && hotThreads + engineThreads > most;
    }
}
