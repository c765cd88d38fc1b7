package io.tickmark.transport;

import io.tickmark.kernel.result.TrialResult.RoleSummary;
import java.util.Map;

/**
 * Whether the kernel stamps the messages of an end.
 *
 * @param areAsked whether the user asked for it
 * @param whyNot why it does not although it was asked to, a clause; empty where it does
 */
public record KernelStamps(boolean areAsked, String whyNot) {
    /** Nobody asked. */
    public static final KernelStamps NOT_ASKED = new KernelStamps(false, "");

    /** It does. */
    public static final KernelStamps KEPT = new KernelStamps(true, "");

    /**
     * It does not.
     *
     * @param why a clause
     * @return asked for and not received
     */
    public static KernelStamps missing(final String why) {
        return new KernelStamps(true, why);
    }

    /**
     * Whether there are any.
     *
     * @return true where they were asked for and come
     */
    public boolean areKept() {
        return areAsked && whyNot.isEmpty();
    }

    /**
     * Of what needs the stamps of two ends.
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
