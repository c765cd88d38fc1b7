package io.tickmark.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.PointData;
import io.tickmark.lab.control.RunEstimate;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.CachedEpochClock;
import org.junit.jupiter.api.Test;

/** When values began, which OpenTelemetry requires for sums. */
class OtlpMetricsTest {
    private final CachedEpochClock clock = new CachedEpochClock();
    private final RunMetrics metrics = new RunMetrics("my plan", "1.2", clock);
    private final OtlpPush.OtlpMetrics otlp = new OtlpPush.OtlpMetrics(metrics);

    private Collection<? extends PointData> points(final String name) {
        return otlp.now().stream()
                .filter(metric -> metric.getName().equals(name))
                .map(MetricData::getData)
                .findFirst()
                .orElseThrow()
                .getPoints();
    }

    private void shouldBegin(final String name, final long ms) {
        assertThat(points(name))
                .as(name)
                .isNotEmpty()
                .extracting(PointData::getStartEpochNanos)
                .containsOnly(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    @Test
    void shouldBeginAnewWithEachTrial() {
        metrics.runStarted(new RunEstimate(3, 1, Optional.empty()));
        clock.update(1_000);
        metrics.ticked(Seconds.beginning(1));
        clock.update(2_000);
        metrics.ticked(Seconds.sent(1, 500));
        shouldBegin("tickmark_messages", 1_000);
        shouldBegin("tickmark_latency_seconds", 1_000);
        final long run = points("tickmark_rows").iterator().next().getStartEpochNanos();

        clock.update(5_000);
        metrics.ticked(Seconds.beginning(2));
        clock.update(6_000);
        metrics.ticked(Seconds.sent(2, 100));
        clock.update(7_000);
        metrics.ticked(Seconds.sent(2, 600));

        shouldBegin("tickmark_messages", 5_000);
        shouldBegin("tickmark_latency_seconds", 5_000);
        assertThat(points("tickmark_rows"))
                .as("rows add up over the run")
                .extracting(PointData::getStartEpochNanos)
                .containsOnly(run);
    }

    @Test
    void shouldBeginAnewWhereAWarmUpIsNotCounted() {
        clock.update(1_000);
        metrics.ticked(Seconds.beginning(1));
        metrics.ticked(Seconds.sent(1, 500));
        clock.update(3_000);
        metrics.ticked(Seconds.sent(1, 20));

        assertThat(points("tickmark_messages"))
                .extracting(point -> point.getAttributes() + " " + point.getStartEpochNanos())
                .anyMatch(each -> each.contains("stream-pub") && each.endsWith(" 3000000000"))
                .anyMatch(each -> each.contains("stream-sub") && each.endsWith(" 1000000000"));
        shouldBegin("tickmark_latency_seconds", 1_000);
    }
}
