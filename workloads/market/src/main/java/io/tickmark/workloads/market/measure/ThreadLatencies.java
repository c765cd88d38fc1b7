package io.tickmark.workloads.market.measure;

import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Latencies of several threads. Each thread records under its own name, because a recorder has one
 * writer: the first one under the plain name, the others with {@code -2}, {@code -3} behind it.
 */
public final class ThreadLatencies {
    private ThreadLatencies() {}

    /**
     * The latencies of all threads under their plain names.
     *
     * @param byThread as recorded
     * @return sums; the histograms given are taken over
     */
    public static Map<String, Histogram> joined(final Map<String, Histogram> byThread) {
        final Map<String, Histogram> joined = new LinkedHashMap<>();
        byThread.forEach((name, histogram) -> {
            final Histogram sum = joined.putIfAbsent(name.replaceFirst("-\\d+$", ""), histogram);
            if (sum != null) {
                sum.add(histogram);
            }
        });
        return joined;
    }
}
