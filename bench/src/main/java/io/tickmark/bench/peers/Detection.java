package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contest;
import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.Goal;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.bench.contest.Row;
import io.tickmark.bench.contest.Unit;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.compare.CompareSettings;
import io.tickmark.lab.compare.Comparer;
import io.tickmark.lab.compare.Comparison;
import io.tickmark.lab.compare.Comparison.ComparedFigure;
import io.tickmark.lab.compare.Outcome;
import io.tickmark.lab.compare.Side;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.result.ResultJson;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * How well a comparison tells builds apart on this machine: pairs of runs of the same build, taking
 * turns, compared as they are (every difference is a false alarm), and again with the second one's
 * medians made 5 % and its 99th percentiles 10 % longer (every one that is not found is missed). So
 * the spread is the machine's, and the difference is known.
 *
 * @param frontDoor to run it
 * @param settings of the run
 */
record Detection(PlanRunner frontDoor, SideBySideSettings settings) implements Contestant {
    static final String NAME = "detection";

    private static final int REPEATS = 5;
    private static final int SIDES = 2;
    private static final int WARM_UP_SECONDS = 2;
    private static final Duration SLACK = Duration.ofMinutes(5);
    private static final double MEDIAN_LONGER = 1.05;
    private static final double TAIL_LONGER = 1.10;
    private static final int FEWEST_FOR_A_SPREAD = 3;
    private static final String REFUSED = "refused";
    private static final String ALARMS = "alarms";
    private static final String MEDIANS = "medians found";
    private static final String TAILS = "tails found";
    private static final String UNDISTURBED = "undisturbed ";
    private static final String SPREAD = "spread";
    private static final String UNDISTURBED_NS = "undisturbedNs";
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** Its figures and their goals. */
    Contest contest() {
        final List<Row> rows = new ArrayList<>();
        final String pairs = "%d pairs of %d s".formatted(settings.pairs(), settings.pairSeconds());
        for (final String by : List.of("", UNDISTURBED)) {
            rows.add(row("A against A, %sfalse alarms, " + pairs, by, ALARMS, new Goal.AtMost(5)));
            rows.add(row("A + 5 %% at p50, %sfound", by, MEDIANS, new Goal.AtLeast(90)));
            rows.add(row("A + 10 %% at p99, %sfound", by, TAILS, new Goal.AtLeast(90)));
        }
        rows.add(
                row(
                        "pairs in which %sfigures were refused",
                        UNDISTURBED, REFUSED, new Goal.Shown()));
        rows.add(
                Row.figure(
                        "spread of p99 between repeats, undisturbed against measured",
                        SPREAD,
                        name(),
                        Unit.TIMES,
                        new Goal.AtMost(1.0 / 3)));
        return new Contest(NAME, List.of(this), rows);
    }

    private Row row(final String what, final String by, final String figure, final Goal goal) {
        return Row.figure(what.formatted(by), by + figure, name(), Unit.PERCENT, goal);
    }

    @Override
    public String name() {
        return "tickmark run --vs";
    }

    @Override
    public Map<String, Double> measure() {
        final Map<String, List<Boolean>> seen = new HashMap<>();
        final List<TrialResult> repeats = new ArrayList<>();
        for (int pair = 0; pair < settings.pairs(); pair++) {
            final List<Side> sides = turns();
            sides.forEach(side -> repeats.addAll(side.result().trials()));
            final Side slower = slower(sides.getLast());
            for (final boolean isUndisturbed : List.of(false, true)) {
                final String by = isUndisturbed ? UNDISTURBED : "";
                final String latency = isUndisturbed ? UNDISTURBED_NS : Latencies.RESPONSE_NS;
                final List<ComparedFigure> same =
                        compared(sides.getFirst(), sides.getLast(), isUndisturbed);
                final boolean isRefused =
                        same.stream().noneMatch(figure -> figure.name().startsWith(latency));
                note(seen, by + REFUSED, isRefused);
                if (isRefused) { // what is not judged raises no alarm, and finds nothing
                    note(seen, by + MEDIANS, false);
                    note(seen, by + TAILS, false);
                    continue;
                }
                note(seen, by + ALARMS, same.stream().anyMatch(Detection::differs));
                final List<ComparedFigure> longer =
                        compared(sides.getFirst(), slower, isUndisturbed);
                note(seen, by + MEDIANS, isWorse(longer, latency + ".p50"));
                note(seen, by + TAILS, isWorse(longer, latency + ".p99"));
            }
        }
        final Map<String, Double> figures = new HashMap<>();
        seen.forEach((name, all) ->
                figures.put(
                        name,
                        100.0 * all.stream().filter(Boolean::booleanValue).count() / all.size()));
        spread(repeats).ifPresent(ratio -> figures.put(SPREAD, ratio));
        return figures;
    }

    private List<Side> turns() {
        final int sideSeconds = settings.pairSeconds() / (SIDES * REPEATS) - WARM_UP_SECONDS;
        final TestPlan test =
                TestPlan.builder(NAME, "latency")
                        .channel("udp://127.0.0.1:0")
                        .setting("sizes", 64)
                        .setting("rate", 5_000)
                        .setting("warmUp", WARM_UP_SECONDS + "s")
                        .setting("duration", Math.max(1, sideSeconds) + "s")
                        .role(PlanRunner.role("latency-pub"))
                        .role(PlanRunner.role("latency-sub"))
                        .build();
        final Path folder =
                frontDoor.turns(test, REPEATS, SLACK.plusSeconds(settings.pairSeconds()));
        try {
            return List.of(
                    Side.read("A", folder.resolve("a")), Side.read("B", folder.resolve("b")));
        } catch (final UserError e) {
            throw new NotMeasured(e.getMessage(), e);
        }
    }

    private static void note(
            final Map<String, List<Boolean>> seen, final String name, final boolean isSeen) {
        seen.computeIfAbsent(name, key -> new ArrayList<>()).add(isSeen);
    }

    static List<ComparedFigure> compared(
            final Side first, final Side other, final boolean isUndisturbed) {
        final CompareSettings usual = CompareSettings.DEFAULT;
        final Comparison comparison =
                new Comparer(
                                new CompareSettings(
                                        usual.minEffect(), usual.errorRate(), isUndisturbed),
                                "bench")
                        .compare(first, List.of(other));
        return comparison.rows().stream().flatMap(row -> row.figures().stream()).toList();
    }

    static boolean differs(final ComparedFigure figure) {
        return figure.outcome() == Outcome.WORSE || figure.outcome() == Outcome.BETTER;
    }

    static boolean isWorse(final List<ComparedFigure> figures, final String name) {
        return figures.stream()
                .anyMatch(
                        figure -> figure.name().equals(name) && figure.outcome() == Outcome.WORSE);
    }

    /** The same run with longer latencies, as measured and undisturbed. */
    static Side slower(final Side side) {
        final JsonNode run = MAPPER.readTree(ResultJson.write(side.result()));
        for (final JsonNode trial : run.path("trials")) {
            lengthen(trial.path(Latencies.RESPONSE_NS));
            lengthen(trial.path("tail").path("undisturbed").path("latency"));
        }
        return new Side(
                side.name(), side.path(), ResultJson.read(run.toString(), "B"), side.folder());
    }

    private static void lengthen(final JsonNode latency) {
        if (latency instanceof final ObjectNode figures) {
            lengthen(figures, "p50", MEDIAN_LONGER);
            lengthen(figures, "p99", TAIL_LONGER);
        }
    }

    private static void lengthen(final ObjectNode figures, final String name, final double factor) {
        if (figures.path(name).isNumber()) {
            figures.put(name, Math.round(figures.path(name).asDouble() * factor));
        }
    }

    /** Standard deviations of the logarithms of both, divided; empty where too few have both. */
    static OptionalDouble spread(final List<TrialResult> repeats) {
        final List<double[]> both =
                repeats.stream()
                        .filter(row -> row.tail() != null)
                        .flatMap(row ->
                                both(
                                        row.tail().undisturbed().latency(),
                                        row.latency(Latencies.RESPONSE_NS).orElse(null)))
                        .toList();
        if (both.size() < FEWEST_FOR_A_SPREAD) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(deviation(both, 0) / deviation(both, 1));
    }

    private static Stream<double[]> both(
            final LatencySummary undisturbed, final LatencySummary measured) {
        if (Stream.of(undisturbed, measured)
                .anyMatch(each -> Objects.isNull(each) || each.p99().isEmpty())) {
            return Stream.empty();
        }
        return Stream.of(new double[] {log(undisturbed.p99()), log(measured.p99())});
    }

    private static double log(final OptionalLong ns) {
        return Math.log(ns.orElseThrow());
    }

    private static double deviation(final List<double[]> all, final int which) {
        final double mean = all.stream().mapToDouble(each -> each[which]).average().orElseThrow();
        return Math.sqrt(
                all.stream()
                        .mapToDouble(each -> (each[which] - mean) * (each[which] - mean))
                        .average()
                        .orElseThrow());
    }
}
