package io.tickmark.report.series;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.AbstractHistogram;

/**
 * A distribution as a curve over the nines. Point k stands at {@code x = k / POINTS_PER_DECADE},
 * where {@code x = log10(1 / (1 - q))}: 0 is the minimum, 1 the 90th percentile, 2 the 99th.
 *
 * @param count latencies in it; the last one stands at {@code log10(count)} and is {@code maxNs}
 * @param maxNs the longest
 * @param ns latency at each point of the grid, as far as there are latencies to tell
 */
public record PercentileCurve(long count, long maxNs, List<Long> ns) {
    /** Points for each further nine: enough for a smooth line, few enough for a small file. */
    public static final int POINTS_PER_DECADE = 20;

    /** Copies the list. */
    public PercentileCurve {
        ns = List.copyOf(ns);
    }

    /**
     * The curve of a histogram.
     *
     * @param histogram in ns, with at least one value
     * @return the curve
     */
    public static PercentileCurve of(final AbstractHistogram histogram) {
        final long count = histogram.getTotalCount();
        final List<Long> ns = new ArrayList<>();
        for (int point = 0; point <= POINTS_PER_DECADE * Math.log10(count); point++) {
            final double above = Math.pow(10, -(double) point / POINTS_PER_DECADE);
            ns.add(histogram.getValueAtPercentile(100 * (1 - above)));
        }
        return new PercentileCurve(count, histogram.getMaxValue(), ns);
    }
}
