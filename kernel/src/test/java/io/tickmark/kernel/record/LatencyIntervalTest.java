package io.tickmark.kernel.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
        final LatencySum added = new LatencySum();
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
        long inBuckets = 0;
        for (int i = 0; i < sum.buckets().length; i += 2) {
            inBuckets += sum.buckets()[i + 1];
        }
        assertThat(inBuckets).isEqualTo(10_000);
        assertThat(sum.maxNs()).isEqualTo(whole.getMaxValue());
        assertThat((double) sum.p50Ns() / whole.getValueAtPercentile(50)).isBetween(0.999, 1.101);
        assertThat((double) sum.p99Ns() / whole.getValueAtPercentile(99)).isBetween(0.999, 1.101);
        assertThat((double) sum.sumNs() / (whole.getMean() * 10_000)).isBetween(0.999, 1.001);
    }

    @Test
    void shouldKeepASingleIntervalAsItIsAndBeginAnew() {
        final Histogram histogram = new Histogram(1, LatencyRecorder.HIGHEST_NS, 3);
        histogram.recordValue(1234);
        final LatencyInterval interval = LatencyInterval.of(histogram);
        final LatencySum sum = new LatencySum();
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

    @ParameterizedTest
    @CsvSource({"'1'", "'1,0'", "'5,1,5,1'", "'5,1,4,1'", "'-1,1'", "'1301,1'"})
    void shouldRefuseBucketsThatAreNone(final String buckets) {
        final long[] pairs = Arrays.stream(buckets.split(",")).mapToLong(Long::parseLong).toArray();
        assertThatThrownBy(() -> new LatencyInterval(1, 1, 1, 1, 1, 1, pairs))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
