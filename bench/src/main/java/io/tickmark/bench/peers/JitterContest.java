package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contest;
import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.Goal;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.bench.contest.Row;
import io.tickmark.bench.contest.Unit;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.plan.TestPlan;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What is taken from a loop that reads the clock, in our JVM and in C, on the same core in turn.
 */
record JitterContest(PlanRunner frontDoor, CProgram program, SideBySideSettings settings) {
    private static final int SECONDS = 10;
    private static final String MAX = "max";
    private static final String GAPS_10US = "gaps from 10 us";
    private static final String GAPS_100US = "gaps from 100 us";

    Contest contest() {
        final Contestant ours = new Ours();
        final Contestant c = new InC();
        return new Contest(
                "jitter",
                List.of(ours, c),
                List.of(
                        Row.ratio(
                                "jitter loop, longest pass",
                                MAX,
                                ours.name(),
                                c.name(),
                                Unit.NANOSECONDS,
                                new Goal.AtMost(1.5)),
                        gaps(GAPS_10US, ours, c),
                        gaps(GAPS_100US, ours, c)));
    }

    private static Row gaps(final String figure, final Contestant ours, final Contestant c) {
        return Row.ratio(
                "jitter loop, " + figure,
                figure,
                ours.name(),
                c.name(),
                Unit.PER_SECOND,
                new Goal.Shown());
    }

    private final class Ours implements Contestant {
        @Override
        public String name() {
            return "tickmark jitter";
        }

        @Override
        public Map<String, Double> measure() {
            final TestPlan test =
                    TestPlan.builder("jitter", "jitter")
                            .setting("duration", SECONDS + "s")
                            .role(PlanRunner.role("jitter", settings.pinning().sender()))
                            .build();
            final TrialResult row =
                    frontDoor.run(test, Duration.ofSeconds(60L + SECONDS)).getFirst();
            return Map.of(
                    MAX, metric(row, "maxNs"),
                    GAPS_10US, metric(row, "gapsFrom10usPerSecond"),
                    GAPS_100US, metric(row, "gapsFrom100usPerSecond"));
        }

        private double metric(final TrialResult row, final String name) {
            return row.roles().stream()
                    .map(role -> role.metrics().get(name))
                    .filter(Number.class::isInstance)
                    .mapToDouble(figure -> ((Number) figure).doubleValue())
                    .findFirst()
                    .orElseThrow(() -> new NotMeasured(name() + " does not report " + name + "."));
        }
    }

    private final class InC implements Contestant {
        @Override
        public String name() {
            return "C jitter";
        }

        @Override
        public Map<String, Double> measure() {
            final String output = program.run(SECONDS, settings.pinning().sender());
            return Map.of(
                    MAX, FigureLine.figure(output, "max_ns"),
                    GAPS_10US, FigureLine.figure(output, "gaps_10us"),
                    GAPS_100US, FigureLine.figure(output, "gaps_100us"));
        }
    }
}
