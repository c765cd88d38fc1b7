package io.tickmark.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.tickmark.kernel.record.LatencyBuckets;
import io.tickmark.kernel.record.LatencyInterval;
import java.util.Arrays;

/**
 * Latencies added up in the buckets of a Prometheus histogram: 1, 2 and 5 of each power of ten,
 * from 100 ns to 10 s. These are bounds of {@link LatencyBuckets}, so nothing is counted on the
 * wrong side.
 */
final class LatencyTotal {
    private static final double NS_PER_S = 1e9;
    private static final long FIRST_NS = 100;
    private static final long LAST_NS = 10_000_000_000L;
    private static final long[] BOUNDS_NS = boundsNs();

    private final long[] counts = new long[BOUNDS_NS.length + 1];
    private double sumNs;

    private static long[] boundsNs() {
        final long[] bounds = new long[25];
        int next = 0;
        for (long decade = FIRST_NS; decade < LAST_NS; decade *= 10) {
            bounds[next++] = decade;
            bounds[next++] = 2 * decade;
            bounds[next++] = 5 * decade;
        }
        bounds[next] = LAST_NS;
        return bounds;
    }

    void add(final LatencyInterval interval) {
        sumNs += interval.sumNs();
        interval.forEachBucket((bucket, count) -> {
            final int found = Arrays.binarySearch(BOUNDS_NS, LatencyBuckets.upperNs(bucket));
            counts[found < 0 ? -found - 1 : found] += count;
        });
    }

    HistogramDataPointSnapshot point(final Labels labels, final long startedMs) {
        final double[] bounds = new double[counts.length];
        for (int i = 0; i < BOUNDS_NS.length; i++) {
            bounds[i] = BOUNDS_NS[i] / NS_PER_S;
        }
        bounds[BOUNDS_NS.length] = Double.POSITIVE_INFINITY;
        return HistogramDataPointSnapshot.builder()
                .labels(labels)
                .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, counts))
                .sum(sumNs / NS_PER_S)
                .createdTimestampMillis(startedMs)
                .build();
    }
}
