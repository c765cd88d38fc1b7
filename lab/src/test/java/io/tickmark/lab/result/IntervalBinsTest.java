package io.tickmark.lab.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.HistogramTag;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class IntervalBinsTest {
    private static final int MOST = 10;

    private final IntervalBins bins = new IntervalBins(1_000, MOST);

    private static IntervalLog.Interval second(final int number) {
        final Histogram histogram = new Histogram(3);
        histogram.recordValue(100);
        return new IntervalLog.Interval(
                new HistogramTag("roundTripNs", 1, 0), 1_000L * number, histogram);
    }

    /** All seconds of a soak had been kept, each as a histogram, until the last was read. */
    @Test
    void shouldNeverKeepMoreThanAskedFor() {
        for (int number = 0; number < 500; number++) {
            bins.add(second(number));
            assertThat(bins.bins()).hasSizeLessThanOrEqualTo(MOST);
        }

        assertThat(bins.bins()).hasSizeGreaterThanOrEqualTo(MOST / 2);
        assertThat(bins.bins().stream().mapToLong(bin -> bin.histogram().getTotalCount()).sum())
                .isEqualTo(500);
    }

    @Test
    void shouldKeepEachSecondWhereThereIsRoom() {
        for (int number = 0; number < MOST; number++) {
            bins.add(second(number));
        }

        assertThat(bins.bins()).hasSize(MOST);
        assertThat(bins.bins()).extracting(IntervalBins.Bin::startMs).contains(0L, 9_000L);
    }
}
