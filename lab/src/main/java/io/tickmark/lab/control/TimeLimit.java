package io.tickmark.lab.control;

import io.tickmark.lab.plan.TestPlan;
import java.util.concurrent.TimeUnit;

/**
 * How long a trial may take. Where the plan does not say, it is a multiple of what the roles guess,
 * and a trial whose messages still advance then, on a very busy machine, gets more; one that stands
 * still ends there.
 *
 * @param limitNs from the start
 * @param isFirm whether the plan says it
 */
record TimeLimit(long limitNs, boolean isFirm) {
    private static final long SLACK_NS = TimeUnit.SECONDS.toNanos(30);

    /** Roles tell about once a second how far they are. */
    private static final long STANDSTILL_NS = TimeUnit.SECONDS.toNanos(5);

    private static final int MOST_EXTENSION = 5;

    /** {@code standstillNs}: how long a role may wait for what it has lost, and end by itself. */
    static TimeLimit of(final TestPlan test, final long expectedNs, final long standstillNs) {
        return test.timeout().isZero()
                ? new TimeLimit(3 * expectedNs + SLACK_NS + standstillNs, false)
                : new TimeLimit(test.timeout().toNanos(), true);
    }

    /**
     * Whether the trial is to be given up.
     *
     * @param ranNs since its start
     * @param stoodStillNs since any role that is not done told that a counter moved
     */
    boolean isOver(final long ranNs, final long stoodStillNs) {
        if (ranNs <= limitNs) {
            return false;
        }
        return isFirm || stoodStillNs > STANDSTILL_NS || ranNs > MOST_EXTENSION * limitNs;
    }

    /** The time that a trial which is given up had, in whole seconds where the plan says none. */
    long shownNs(final long ranNs) {
        final long secondNs = TimeUnit.SECONDS.toNanos(1);
        return isFirm ? limitNs : Math.max(limitNs, ranNs) / secondNs * secondNs;
    }
}
