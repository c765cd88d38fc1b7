package io.tickmark.kernel.record;

import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What was recorded between two drains.
 *
 * @param before totals of the counters at the start, by name
 * @param totals at the end
 * @param gauges at the end, by name
 * @param latencies histograms of the interval, lent by their recorders
 */
record Interval(
        int step,
        String label,
        long startNs,
        long endNs,
        Map<String, Long> before,
        Map<String, Long> totals,
        Map<String, Long> gauges,
        Map<String, Histogram> latencies) {

    /** Events per second of a counter in this interval. */
    double rate(final String counter) {
        final long events = totals.get(counter) - before.getOrDefault(counter, 0L);
        return endNs > startNs ? events * 1e9 / (endNs - startNs) : 0;
    }
}
