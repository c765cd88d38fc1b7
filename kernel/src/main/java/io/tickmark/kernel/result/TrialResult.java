package io.tickmark.kernel.result;

import java.util.List;
import java.util.Map;

/**
 * One row of a run: one step (one size, one rate) of one repeat of one test on one channel, all
 * roles merged.
 *
 * @param test name of the test in the plan
 * @param workload {@code latency} or {@code stream} or another workload's word
 * @param channel as the plan has it
 * @param repeat from 1
 * @param step number within the repeat, from 0
 * @param payloadBytes message length, stamp included
 * @param subscribers roles that received
 * @param sent messages sent, warm-up apart
 * @param expected sent x subscribers
 * @param received messages received, duplicates apart, summed over subscribers
 * @param lost expected minus received
 * @param duplicated received more than once
 * @param reordered received late
 * @param counts every count by {@link Counts} name, those above included
 * @param durationNs of the step
 * @param offeredRatePerSecond what the schedule asked for; 0 where there is none
 * @param achievedRatePerSecond what was sent
 * @param maxTightSends most messages sent in a row without waiting for the schedule
 * @param hotThreads of all roles
 * @param cores the roles could use
 * @param roundTripNs closed loop; null where it does not apply
 * @param responseNs open loop, from the intended time; null where it does not apply
 * @param serviceNs open loop, from the actual send; null where it does not apply
 * @param sendNs time inside the send call; null where it was not asked for
 * @param noiseBefore noise floor before the trial; null where it was not measured
 * @param noiseAfter noise floor after the trial; null where it was not measured
 * @param labels words that qualify the figures: {@code closed-loop}, {@code saturated}, {@code
 *     as-fast-as-possible}, {@code noisy}
 * @param verdict of this row
 * @param reasons of the verdict, sentences
 * @param roles what each role reported
 */
public record TrialResult(
        String test,
        String workload,
        String channel,
        int repeat,
        int step,
        int payloadBytes,
        int subscribers,
        long sent,
        long expected,
        long received,
        long lost,
        long duplicated,
        long reordered,
        Map<String, Long> counts,
        long durationNs,
        double offeredRatePerSecond,
        double achievedRatePerSecond,
        long maxTightSends,
        int hotThreads,
        int cores,
        LatencySummary roundTripNs,
        LatencySummary responseNs,
        LatencySummary serviceNs,
        LatencySummary sendNs,
        NoiseSummary noiseBefore,
        NoiseSummary noiseAfter,
        List<String> labels,
        Verdict verdict,
        List<String> reasons,
        List<RoleSummary> roles) {

    /**
     * What one role reported of the trial.
     *
     * @param role its name
     * @param index from 1
     * @param metrics its figures by name, units in the names: its own, then cpuPercent and
     *     residentBytes as min, mean and max
     * @param warnings sentences
     */
    public record RoleSummary(
            String role, int index, Map<String, Object> metrics, List<String> warnings) {}
}
