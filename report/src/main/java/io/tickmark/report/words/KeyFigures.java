package io.tickmark.report.words;

import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.MergedRow;
import io.tickmark.report.rows.Sides;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.LatencyTitle;
import io.tickmark.report.text.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** The few figures of a run to see first. */
public final class KeyFigures {
    /**
     * A figure.
     *
     * @param label its name
     * @param value with its unit
     * @param note where it was measured
     */
    public record KeyFigure(String label, String value, String note) {}

    private record Place(Block block, MergedRow row) {
        Optional<LatencySummary> latency(final String name) {
            return row.latency(name);
        }

        /** Empty where there are too few latencies. */
        OptionalLong median(final String name) {
            return latency(name).map(LatencySummary::p50).orElse(OptionalLong.empty());
        }

        /** For a stream the rate matters, and the latency of a queue is not that of the engine. */
        boolean hasHeadline() {
            return !block.isStream() && !row.isSaturated();
        }

        String name(final Figures figures) {
            final String where = block.channel().isEmpty() ? block.test() : block.channel();
            return Printable.of(where) + block.commaStep(row, figures);
        }
    }

    private static final Set<String> COMMON =
            Set.of(Latencies.ROUND_TRIP_NS, Latencies.RESPONSE_NS);

    private final RunResult run;
    private final Figures figures;
    private final List<Place> places = new ArrayList<>();

    private KeyFigures(final RunResult run, final Figures figures) {
        this.run = run;
        this.figures = figures;
        for (final Block block : Block.of(run)) {
            block.rows().stream()
                    .filter(row -> !row.isVoid())
                    .forEach(row -> places.add(new Place(block, row)));
        }
    }

    /**
     * The figures of a run.
     *
     * @param run any result
     * @param figures how to write times and rates
     * @return at most six
     */
    public static List<KeyFigure> of(final RunResult run, final Figures figures) {
        final KeyFigures key = new KeyFigures(run, figures);
        final List<KeyFigure> found = new ArrayList<>();
        key.lowest("Lowest median round trip", Latencies.ROUND_TRIP_NS).ifPresent(found::add);
        key.lowest("Lowest median response time", Latencies.RESPONSE_NS).ifPresent(found::add);
        key.named().ifPresent(found::add);
        key.longest().ifPresent(found::add);
        key.fastest().ifPresent(found::add);
        key.lost().ifPresent(found::add);
        key.noise().ifPresent(found::add);
        return found;
    }

    private Optional<KeyFigure> lowest(final String label, final String name) {
        return places.stream()
                .filter(place -> place.hasHeadline() && place.median(name).isPresent())
                .min(by(place -> place.median(name).orElseThrow()))
                .map(place ->
                        new KeyFigure(
                                label,
                                figures.time(place.median(name).orElseThrow()),
                                place.name(figures)));
    }

    /** The first latency of a workload's own, where it has neither round trip nor response time. */
    private Optional<KeyFigure> named() {
        return places.stream()
                .filter(place -> place.hasHeadline() && place.block().isGeneral())
                .filter(place ->
                        place.row()
                                .headline()
                                .filter(name -> !COMMON.contains(name))
                                .filter(name -> place.median(name).isPresent())
                                .isPresent())
                .findFirst()
                .map(place -> {
                    final String name = place.row().headline().orElseThrow();
                    return new KeyFigure(
                            LatencyTitle.of(name) + ", median",
                            figures.time(place.median(name).orElseThrow()),
                            place.name(figures));
                });
    }

    private Optional<KeyFigure> longest() {
        return places.stream()
                .filter(place -> place.hasHeadline() && place.row().headline().isPresent())
                .max(by(KeyFigures::max))
                .map(place ->
                        new KeyFigure(
                                "Longest latency", figures.time(max(place)), place.name(figures)));
    }

    private static double max(final Place place) {
        return place.row().headline().flatMap(place::latency).orElseThrow().max();
    }

    private Optional<KeyFigure> fastest() {
        final List<Place> streams =
                places.stream().filter(place -> place.block().isStream()).toList();
        final List<Place> whole =
                streams.stream()
                        .filter(place -> place.row().sum(TrialResult::lostOnTheWay) == 0)
                        .toList();
        return (whole.isEmpty() ? streams : whole)
                .stream()
                        .max(by(KeyFigures::achieved))
                        .map(place ->
                                new KeyFigure(
                                        whole.isEmpty()
                                                ? "Highest rate, with losses"
                                                : "Highest rate, nothing lost",
                                        figures.rate(achieved(place)),
                                        place.name(figures)));
    }

    private static double achieved(final Place place) {
        return place.row().median(TrialResult::achievedRatePerSecond);
    }

    private Optional<KeyFigure> lost() {
        final List<TrialResult> known = run.trials().stream().filter(Sides::isLossKnown).toList();
        final long expected = known.stream().mapToLong(TrialResult::expected).sum();
        final long onTheWay = known.stream().mapToLong(TrialResult::lostOnTheWay).sum();
        final long lost =
                known.stream()
                        .mapToLong(trial -> Math.max(trial.lostOnTheWay(), trial.notEchoed()))
                        .sum();
        final long onPurpose = known.stream().mapToLong(TrialResult::lostOnPurpose).sum();
        return expected == 0
                ? Optional.empty()
                : Optional.of(
                        new KeyFigure(
                                lost > onTheWay ? "Messages lost or not echoed" : "Messages lost",
                                lost == 0 ? "none" : Figures.count(lost),
                                "of "
                                        + Figures.count(expected)
                                        + " expected"
                                        + (onPurpose == 0
                                                ? ""
                                                : ", besides "
                                                        + Figures.count(onPurpose)
                                                        + " on purpose")));
    }

    private Optional<KeyFigure> noise() {
        final long ofTrials = places.stream().mapToLong(p -> p.row().noiseMaxNs()).max().orElse(0);
        final NoiseSummary whole = run.noise();
        final long maxNs = Math.max(ofTrials, whole == null ? 0 : whole.maxNs());
        return maxNs == 0
                ? Optional.empty()
                : Optional.of(
                        new KeyFigure(
                                "Noise floor",
                                figures.time(maxNs),
                                "longest gap of the machine itself"));
    }

    private static Comparator<Place> by(final ToDoubleFunction<Place> figure) {
        return Comparator.comparingDouble(figure);
    }
}
