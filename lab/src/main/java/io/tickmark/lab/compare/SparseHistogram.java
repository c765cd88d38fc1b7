package io.tickmark.lab.compare;

import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/**
 * The non-empty buckets of a histogram, because a recorded second takes kilobytes.
 *
 * @param values in ns, ascending
 * @param counts of each value
 */
record SparseHistogram(long[] values, long[] counts) {
    /** Begins at the shortest: an iterator of the library goes through all empty buckets below. */
    static SparseHistogram of(final Histogram histogram) {
        final LongStream.Builder values = LongStream.builder();
        final LongStream.Builder counts = LongStream.builder();
        final long max = histogram.getMaxValue();
        for (long value = histogram.getMinValue();
                value <= max;
                value = histogram.nextNonEquivalentValue(value)) {
            final long count = histogram.getCountAtValue(value);
            if (count > 0) {
                values.add(histogram.highestEquivalentValue(value));
                counts.add(count);
            }
        }
        return new SparseHistogram(values.build().toArray(), counts.build().toArray());
    }
}
