package io.tickmark.lab.compare;

import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * The non-empty buckets of a histogram, because a recorded second takes kilobytes.
 *
 * @param values in ns, ascending
 * @param counts of each value
 */
record SparseHistogram(long[] values, long[] counts) {
    static SparseHistogram of(final Histogram histogram) {
        final LongStream.Builder values = LongStream.builder();
        final LongStream.Builder counts = LongStream.builder();
        for (final HistogramIterationValue each : histogram.recordedValues()) {
            values.add(each.getValueIteratedTo());
            counts.add(each.getCountAddedInThisIterationStep());
        }
        return new SparseHistogram(values.build().toArray(), counts.build().toArray());
    }
}
