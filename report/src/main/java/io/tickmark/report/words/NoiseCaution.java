package io.tickmark.report.words;

import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.report.rows.MergedRow;

/**
 * Whether the machine's own gaps could explain a tail. A gap of the noise floor delays a message by
 * at most its length, so it can explain the tail where it is at least as long as the way from the
 * median to the 99.99th percentile; and a tail that stays within twice the median needs no
 * explanation.
 */
public final class NoiseCaution {
    private NoiseCaution() {}

    /**
     * Whether to warn.
     *
     * @param row of a run
     * @return true where noise could explain the tail, or where the run itself was labelled noisy
     */
    public static boolean appliesTo(final MergedRow row) {
        return row.labels().contains("noisy")
                || row.headline()
                        .flatMap(row::latency)
                        .map(latency -> explains(row.noiseMaxNs(), latency))
                        .orElse(false);
    }

    /**
     * The rule itself.
     *
     * @param noiseMaxNs longest gap seen
     * @param latency measured beside it
     * @return true where the gap is long enough to make the tail
     */
    public static boolean explains(final long noiseMaxNs, final LatencySummary latency) {
        final long tailNs = latency.p9999() - latency.p50();
        return tailNs > latency.p50() && noiseMaxNs >= tailNs;
    }
}
