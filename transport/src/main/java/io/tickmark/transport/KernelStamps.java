package io.tickmark.transport;

import io.tickmark.kernel.result.TrialResult.RoleSummary;
import java.util.Map;

/**
 * Whether the kernel notes when the messages of one end leave or arrive.
 *
 * @param areAsked whether the user asked for these times
 * @param whyNot why there are none although the user asked for them, a clause; empty where there
 *     are some, or nobody asked
 */
public record KernelStamps(boolean areAsked, String whyNot) {
    /** The user did not ask for stamps. */
    public static final KernelStamps NOT_ASKED = new KernelStamps(false, "");

    /** The user asked for stamps, and the kernel gives them. */
    public static final KernelStamps KEPT = new KernelStamps(true, "");

    /**
     * The user asked for stamps, and there are none.
     *
     * @param why a clause
     * @return stamps that are missing
     */
    public static KernelStamps missing(final String why) {
        return new KernelStamps(true, why);
    }

    /**
     * Whether there are stamps to read.
     *
     * @return true where the user asked for them and the kernel gives them
     */
    public boolean areKept() {
        return areAsked && whyNot.isEmpty();
    }

    /**
     * The stamps of something that needs those of two ends.
     *
     * @param other end
     * @return this one where its stamps are missing, otherwise the other
     */
    public KernelStamps and(final KernelStamps other) {
        return whyNot.isEmpty() && other.areAsked ? other : this;
    }

    /**
     * Reports them as a role's metric, where they were asked for.
     *
     * @param metrics of the role
     */
    public void addTo(final Map<String, Object> metrics) {
        if (areAsked) {
            metrics.put(RoleSummary.KERNEL_TIMES, whyNot.isEmpty() ? true : whyNot);
        }
    }
}
