package io.tickmark.workloads.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class BucketsTest {
    @Test
    void shouldCountEachBucketAndWhatLiesAbove() {
        final Histogram recorded = new Histogram(1, 3_600_000_000_000L, 3);
        for (final long ns : new long[] {1, 99, 100, 250, 300, 5000}) {
            recorded.recordValue(ns);
        }

        assertThat(Buckets.text(recorded, List.of(4, 100)))
                .isEqualTo("0-100ns=2 100-200ns=1 200-300ns=1 300-400ns=1 above=1");
    }
}
