package io.tickmark.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SparseHistogramTest {
    /** From what a histogram keeps exactly to what it keeps in wide buckets. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2047, 2048, 1_000_003, 3_600_000_000_000L})
    void shouldHoldEveryBucketThatTheLibraryIteratesOver(final long shortest) {
        final Histogram histogram = new Histogram(3);
        for (final long above : new long[] {0, 1, 1, 5_000, 70_000_000}) {
            histogram.recordValue(shortest + above);
        }

        final SparseHistogram sparse = SparseHistogram.of(histogram);

        int bucket = 0;
        for (final HistogramIterationValue each : histogram.recordedValues()) {
            assertThat(sparse.values()[bucket]).isEqualTo(each.getValueIteratedTo());
            assertThat(sparse.counts()[bucket]).isEqualTo(each.getCountAddedInThisIterationStep());
            bucket++;
        }
        assertThat(sparse.values()).hasSize(bucket);
        assertThat(sparse.counts()).hasSize(bucket);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldHoldNothingOfAnEmptyOne(final boolean wasUsed) {
        final Histogram histogram = new Histogram(3);
        if (wasUsed) {
            histogram.recordValue(50_000);
            histogram.reset();
        }

        assertThat(SparseHistogram.of(histogram).values()).isEmpty();
    }
}
