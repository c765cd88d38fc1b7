package io.tickmark.kernel.result;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What one role counted and recorded in one step of a trial. The controller adds up the steps of
 * all roles: counts are summed, histograms of the same name are added, tight sends take the
 * largest, rates and the duration come from the roles that send.
 *
 * @param step number of the step, from 0; the key by which roles' results are joined
 * @param label of the step where size and rate do not distinguish it from the others ({@code
 *     startup}); empty where they do
 * @param payloadBytes message length, stamp included
 * @param counts by {@link Counts} name; a value that a role does not know is absent, never 0
 * @param durationNs first to last message of the step as this role saw it; to the end of the step
 *     where it could send nothing any more
 * @param offeredRatePerSecond the rate of the schedule; 0 where the role has no schedule (closed
 *     loop, as fast as possible)
 * @param achievedRatePerSecond what was sent; 0 where the role does not send
 * @param latencies full histograms in ns by name ({@link Latencies})
 * @param reasons sentences that affect the verdict ("did not hold its rate: ..."), empty when there
 *     is no problem
 */
public record StepResult(
        int step,
        String label,
        int payloadBytes,
        Map<String, Long> counts,
        long durationNs,
        double offeredRatePerSecond,
        double achievedRatePerSecond,
        Map<String, Histogram> latencies,
        List<String> reasons) {
    private static final double NS_PER_SECOND = 1e9;

    /** Copies maps and list. */
    public StepResult {
        counts = Collections.unmodifiableMap(new LinkedHashMap<>(counts));
        latencies = Collections.unmodifiableMap(new LinkedHashMap<>(latencies));
        reasons = List.copyOf(reasons);
    }

    /**
     * A step of a role that sends: its achieved rate is that of {@link Counts#SENT} over the
     * duration.
     *
     * @param step as in the record
     * @param label as in the record
     * @param payloadBytes as in the record
     * @param counts as in the record, with those of {@link Counts#ofSender}
     * @param durationNs as in the record
     * @param offeredRatePerSecond as in the record
     * @param latencies as in the record
     * @return the step, with no reasons
     */
    public static StepResult sent(
            final int step,
            final String label,
            final int payloadBytes,
            final Map<String, Long> counts,
            final long durationNs,
            final double offeredRatePerSecond,
            final Map<String, Histogram> latencies) {
        return new StepResult(
                step,
                label,
                payloadBytes,
                counts,
                durationNs,
                offeredRatePerSecond,
                durationNs > 0 ? counts.get(Counts.SENT) * NS_PER_SECOND / durationNs : 0,
                latencies,
                List.of());
    }

    /**
     * A step of a role that sends nothing at a rate of its own: it has neither of the two rates.
     *
     * @param step as in the record
     * @param label as in the record
     * @param payloadBytes as in the record
     * @param counts as in the record
     * @param durationNs as in the record
     * @param latencies as in the record
     * @return the step, with no reasons
     */
    public static StepResult received(
            final int step,
            final String label,
            final int payloadBytes,
            final Map<String, Long> counts,
            final long durationNs,
            final Map<String, Histogram> latencies) {
        return new StepResult(
                step, label, payloadBytes, counts, durationNs, 0, 0, latencies, List.of());
    }

    /**
     * The same step with other counts.
     *
     * @param newCounts by {@link Counts} name
     * @return the step
     */
    public StepResult withCounts(final Map<String, Long> newCounts) {
        return new StepResult(
                step,
                label,
                payloadBytes,
                newCounts,
                durationNs,
                offeredRatePerSecond,
                achievedRatePerSecond,
                latencies,
                reasons);
    }

    /**
     * The same step with other reasons.
     *
     * @param sentences that affect the verdict
     * @return the step
     */
    public StepResult because(final List<String> sentences) {
        return new StepResult(
                step,
                label,
                payloadBytes,
                counts,
                durationNs,
                offeredRatePerSecond,
                achievedRatePerSecond,
                latencies,
                sentences);
    }
}
