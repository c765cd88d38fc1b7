package io.tickmark.kernel.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyIntervalTest {
    @ParameterizedTest
    @ValueSource(
            longs = {1, 2, 9, 10, 11, 99, 100, 101, 110, 111, 1_000, 1_001, 3_600_000_000_000L})
    void shouldPutALatencyIntoTheBucketThatHoldsIt(final long ns) {
        final int bucket = LatencyBuckets.of(ns);
        assertThat(ns).isLessThanOrEqualTo(LatencyBuckets.upperNs(bucket));
        if (bucket > 0) {
            assertThat(ns).isGreaterThan(LatencyBuckets.upperNs(bucket - 1));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {100, 200, 500, 1_000, 2_000, 5_000, 10_000_000_000L})
    void shouldHaveTheBoundsOfPrometheus(final long ns) {
        assertThat(LatencyBuckets.upperNs(LatencyBuckets.of(ns))).isEqualTo(ns);
    }

    @Test
    void shouldAddUpWithinTheWidthOfABucket() {
        final SplittableRandom random = new SplittableRandom(7);
        final Histogram whole = new Histogram(1, LatencyRecorder.HIGHEST_NS, 3);
        final LatencyInterval.Sum added = new LatencyInterval.Sum();
        for (int role = 0; role < 20; role++) {
            final Histogram own = new Histogram(1, LatencyRecorder.HIGHEST_NS, 3);
            for (int i = 0; i < 500; i++) {
                final long ns = 1 + (long) Math.exp(8 + 3 * random.nextDouble());
                own.recordValue(ns);
                whole.recordValue(ns);
            }
            added.add(LatencyInterval.of(own));
        }
        final LatencyInterval sum = added.take().orElseThrow();

        assertThat(sum.count()).isEqualTo(10_000);
        final AtomicLong inBuckets = new AtomicLong();
        sum.forEachBucket((bucket, count) -> inBuckets.addAndGet(count));
        assertThat(inBuckets).hasValue(10_000);
        assertThat(sum.maxNs()).isEqualTo(whole.getMaxValue());
        assertThat((double) sum.p50Ns().orElseThrow() / whole.getValueAtPercentile(50))
                .isBetween(0.999, 1.101);
        assertThat((double) sum.p99Ns().orElseThrow() / whole.getValueAtPercentile(99))
                .isBetween(0.999, 1.101);
        assertThat((double) sum.sumNs() / (whole.getMean() * 10_000)).isBetween(0.999, 1.001);
    }

    @Test
    void shouldKeepASingleIntervalAsItIsAndBeginAnew() {
        final Histogram histogram = new Histogram(1, LatencyRecorder.HIGHEST_NS, 3);
        histogram.recordValue(1234);
        final LatencyInterval interval = LatencyInterval.of(histogram);
        final LatencyInterval.Sum sum = new LatencyInterval.Sum();
        assertThat(sum.take()).isEmpty();

        for (int second = 0; second < 2; second++) {
            sum.add(interval);
            assertThat(sum.take()).containsSame(interval);
        }
        sum.add(interval);
        sum.add(interval);

        assertThat(sum.take().orElseThrow().count()).isEqualTo(2);
        assertThat(sum.take()).isEmpty();
    }

    @Test
    void shouldReportEachBucketAndItsCount() {
        final long[] counts = new long[LatencyBuckets.LAST + 1];
        counts[0] = 1;
        counts[9] = 31;
        counts[10] = 32;
        counts[LatencyBuckets.LAST] = Long.MAX_VALUE >> 3;

        final String text = LatencyInterval.BucketText.of(counts);
        final long[] read = new long[counts.length];
        interval(text).forEachBucket((bucket, count) -> read[bucket] = count);

        assertThat(text).startsWith("BBJfBgB");
        assertThat(read).isEqualTo(counts);
        assertThat(LatencyInterval.BucketText.of(new long[3])).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"B", "BA", "AB", "B!", "\u00e9B", "B g", "gB", "2oBB", "B//////////////B"})
    void shouldRefuseBucketsThatAreNone(final String buckets) {
        assertThatThrownBy(() -> interval(buckets)).isInstanceOf(IllegalArgumentException.class);
    }

    private static LatencyInterval interval(final String buckets) {
        return new LatencyInterval(
                1, 1, OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), 1, buckets);
    }
}
