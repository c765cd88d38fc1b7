package io.tickmark.lab.verdict;

import static java.lang.Double.NaN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tickmark.kernel.result.Aggregate;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.lab.plan.Criteria;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class OneWayTest {
    private static TrialResult row(
            final String test, final int subscribers, final String echo, final long roundTripNs) {
        return row(
                test,
                subscribers,
                roundTripNs,
                List.of(new RoleSummary("latency-pub", 1, Map.of("echo", echo), List.of())));
    }

    private static TrialResult row(
            final String test,
            final int subscribers,
            final long roundTripNs,
            final List<RoleSummary> roles) {
        final Histogram histogram = new Histogram(1, 3_600_000_000_000L, 3);
        histogram.recordValueWithCount(roundTripNs, 20); // fewer have no median
        final TrialMerge merge = new TrialMerge();
        merge.add(
                "pub-1",
                new StepResult(
                        0,
                        "",
                        64,
                        Map.of(Counts.SENT, 1L),
                        1,
                        0,
                        1,
                        Map.of(Latencies.ROUND_TRIP_NS, histogram),
                        List.of()));
        for (int i = 1; i <= subscribers; i++) {
            merge.add(
                    "sub-" + i,
                    new StepResult(
                            0, "", 64, Map.of(Counts.RECEIVED, 1L), 1, 0, 0, Map.of(), List.of()));
        }
        return merge.rows(
                        new TrialFacts(
                                test,
                                "latency",
                                "mcast:",
                                1,
                                2,
                                2,
                                null,
                                null,
                                Criteria.DEFAULT,
                                false,
                                List.of(),
                                List.of(),
                                roles))
                .getFirst();
    }

    private static double median(final Aggregate aggregate, final String figure) {
        return aggregate.figures().get(figure).median();
    }

    @Test
    void shouldHalveTheRoundTripToOneSubscriber() {
        final List<Aggregate> all = Aggregates.of(List.of(row("one", 1, "subscriber", 1_000)));

        assertThat(median(all.getFirst(), "oneWayNs.p50")).isCloseTo(500, within(1.0));
        assertThat(median(all.getFirst(), "oneWayNs.mean")).isCloseTo(500, within(1.0));
        assertThat(all.getFirst().figures()).doesNotContainKey("oneWayToLastNs.p50");
    }

    @Test
    void shouldDeriveNothingBetweenTwoHosts() {
        assertThat(oneWay(on("h2"), on("h2"))).isCloseTo(500, within(1.0));
        assertThat(oneWay(on("h2"), on("h3"))).isNaN();
        assertThat(oneWay(on("h2"), on(""))).as("the controller's machine and h2").isNaN();
    }

    private static RoleSummary on(final String host) {
        return new RoleSummary(
                "latency",
                1,
                host.isEmpty()
                        ? Map.of("echo", "subscriber")
                        : Map.of("echo", "subscriber", RoleSummary.HOST, host),
                List.of());
    }

    private static double oneWay(final RoleSummary... roles) {
        final Aggregate only =
                Aggregates.of(List.of(row("one", 1, 1_000, List.of(roles)))).getFirst();
        return only.figures().containsKey("oneWayNs.p50") ? median(only, "oneWayNs.p50") : NaN;
    }

    @Test
    void shouldTakeTheWayBackFromTheOneToOneTestOfTheSameRun() {
        final List<Aggregate> all =
                Aggregates.of(
                        List.of(
                                row("many", 4, "subscriber", 1_600),
                                row("one", 1, "subscriber", 1_000)));

        assertThat(median(all.getFirst(), "oneWayToLastNs.p50")).isCloseTo(1_100, within(2.0));
        assertThat(all.getFirst().figures()).doesNotContainKey("oneWayNs.p50");
    }

    @Test
    void shouldDeriveNothingToTheLastWithoutAOneToOneTest() {
        final List<Aggregate> all = Aggregates.of(List.of(row("many", 4, "subscriber", 1_600)));

        assertThat(all.getFirst().figures().keySet()).noneMatch(name -> name.startsWith("oneWay"));
    }

    @Test
    void shouldDeriveNothingFromAForeignEchoWhoseHostIsNotKnown() {
        final List<Aggregate> all = Aggregates.of(List.of(row("one", 1, "external", 1_000)));

        assertThat(all.getFirst().figures().keySet()).noneMatch(name -> name.startsWith("oneWay"));
    }
}
