package io.tickmark.lab.verdict;

import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.NoiseSummary;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * When a latency may be due to the machine and not to the engine. A message sent at any moment
 * meets a gap with a probability of about the part of the time that is lost in gaps. So the 99.9th
 * percentile and all above it may be noise when, before or after the trial, on one core, both hold:
 *
 * <ul>
 *   <li>gaps above 10 us took at least 0.1 % of the time: one message in a thousand meets one;
 *   <li>the longest gap was at least as long as the 99.9th percentile, or as the maximum where
 *       there are too few latencies for that percentile: one gap can explain it.
 * </ul>
 */
public final class NoiseRule {
    /** Why a row is void whose latency noise may explain. */
    public static final String TOO_NOISY = "The noise floor may explain it: too noisy to tell.";

    private static final double TAIL_PART = 0.001;

    private NoiseRule() {}

    /**
     * Applies the rule.
     *
     * @param headline latency of the row, null where it has none
     * @param before noise floor before the trial, null where it was not measured
     * @param after noise floor after the trial, null where it was not measured
     * @return whether the tail may be noise
     */
    public static boolean isNoisy(
            final LatencySummary headline, final NoiseSummary before, final NoiseSummary after) {
        return headline != null
                && Stream.of(Optional.ofNullable(before), Optional.ofNullable(after))
                        .flatMap(Optional::stream)
                        .flatMap(noise -> noise.cores().stream())
                        .anyMatch(core ->
                                core.stolenPart() >= TAIL_PART
                                        && core.maxNs() >= headline.p999().orElse(headline.max()));
    }
}
