package io.tickmark.report.rows;

import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.stats.Summaries;
import io.tickmark.lab.verdict.Headline;
import io.tickmark.lab.verdict.Labels;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * One step of a test on a channel over its repeats: medians of what varies, sums of what is
 * counted, the extremes of minima and maxima. Void repeats are skipped as long as there are others.
 *
 * @param repeats included, at least one
 * @param voids how many were skipped
 */
public record MergedRow(List<TrialResult> repeats, int voids) {
    private static final double HELD_PART = 0.99;

    private static final List<String> KNOWN =
            List.of(
                    Latencies.ROUND_TRIP_NS,
                    Latencies.RESPONSE_NS,
                    Latencies.SERVICE_NS,
                    Latencies.SEND_NS);

    /**
     * Merges the repeats of one step.
     *
     * @param all at least one, of the same test, channel and step
     * @return their row
     */
    public static MergedRow of(final List<TrialResult> all) {
        final List<TrialResult> valid =
                all.stream().filter(trial -> trial.verdict() != Verdict.VOID).toList();
        return valid.isEmpty()
                ? new MergedRow(List.copyOf(all), 0)
                : new MergedRow(valid, all.size() - valid.size());
    }

    /**
     * A repeat that represents what is the same in all.
     *
     * @return the first
     */
    public TrialResult any() {
        return repeats.getFirst();
    }

    /**
     * Whether nothing in it is a measurement.
     *
     * @return true when every repeat was void
     */
    public boolean isVoid() {
        return any().verdict() == Verdict.VOID;
    }

    /**
     * Whether its latency is that of a queue, and not a headline.
     *
     * @return true where a repeat is labelled so
     */
    public boolean isSaturated() {
        return labels().contains(Labels.SATURATED);
    }

    /**
     * Whether the echo service is not a role of the plan: what it received is not known, only what
     * came back.
     *
     * @return true where a role says so
     */
    public boolean isForeignEcho() {
        return Objects.requireNonNullElse(any().roles(), List.<RoleSummary>of()).stream()
                .anyMatch(role ->
                        RoleSummary.FOREIGN_ECHO.equals(role.metrics().get(RoleSummary.ECHO)));
    }

    /**
     * Whether the requested rate was sent, and echoed where that is asked for, whatever a plan's
     * criteria tolerate.
     *
     * @return false where less than 99 % of it was, or a repeat is labelled so
     */
    public boolean isRateHeld() {
        return !isSaturated()
                && median(TrialResult::echoedRatePerSecond)
                        >= HELD_PART * median(TrialResult::offeredRatePerSecond);
    }

    /**
     * One latency over the repeats.
     *
     * @param name of {@link Latencies}, or the workload's own
     * @return medians of mean, deviation and percentiles (those that each repeat has), smallest
     *     min, largest max; empty where no repeat has it
     */
    public Optional<LatencySummary> latency(final String name) {
        final List<LatencySummary> all =
                repeats.stream().flatMap(trial -> trial.latency(name).stream()).toList();
        if (all.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new LatencySummary(
                        all.stream().mapToLong(LatencySummary::count).sum(),
                        all.stream().mapToLong(LatencySummary::min).min().orElseThrow(),
                        median(all, LatencySummary::mean),
                        median(all, LatencySummary::stdev),
                        medianIfAll(all, LatencySummary::p50),
                        medianIfAll(all, LatencySummary::p90),
                        medianIfAll(all, LatencySummary::p95),
                        medianIfAll(all, LatencySummary::p99),
                        medianIfAll(all, LatencySummary::p999),
                        medianIfAll(all, LatencySummary::p9999),
                        all.stream().mapToLong(LatencySummary::max).max().orElseThrow()));
    }

    /**
     * Which latencies the row has.
     *
     * @return names, those that all workloads know first
     */
    public List<String> latencies() {
        final Set<String> named = new LinkedHashSet<>();
        repeats.forEach(trial -> named.addAll(trial.latencies().keySet()));
        return Stream.concat(KNOWN.stream().filter(named::contains), named.stream())
                .distinct()
                .toList();
    }

    /**
     * The latency by which the row is judged.
     *
     * @return its name, empty where the row has none
     * @see Headline
     */
    public Optional<String> headline() {
        return Headline.nameOf(latencies());
    }

    /**
     * A figure that varies from repeat to repeat.
     *
     * @param figure of a repeat
     * @return the median
     */
    public double median(final ToDoubleFunction<TrialResult> figure) {
        return median(repeats, figure);
    }

    /**
     * A count.
     *
     * @param count of a repeat
     * @return the sum of all repeats
     */
    public long sum(final ToLongFunction<TrialResult> count) {
        return repeats.stream().mapToLong(count).sum();
    }

    /**
     * A worst case.
     *
     * @param figure of a repeat
     * @return the largest of all repeats
     */
    public long max(final ToLongFunction<TrialResult> figure) {
        return repeats.stream().mapToLong(figure).max().orElse(0);
    }

    /**
     * The longest gap that the noise floor showed before or after one of the repeats.
     *
     * @return ns, 0 where it was not measured
     */
    public long noiseMaxNs() {
        return repeats.stream()
                .flatMap(trial -> Stream.of(trial.noiseBefore(), trial.noiseAfter()))
                .filter(Objects::nonNull)
                .mapToLong(NoiseSummary::maxNs)
                .max()
                .orElse(0);
    }

    /**
     * Words that qualify the figures, of any repeat.
     *
     * @return each once, in order
     */
    public List<String> labels() {
        return repeats.stream()
                .map(TrialResult::labels)
                .filter(Objects::nonNull)
                .flatMap(Collection::stream)
                .distinct()
                .toList();
    }

    /**
     * Whether noise could explain the tail, as the run itself judged it.
     *
     * @return true where one of the repeats is labelled so
     */
    public boolean isNoisy() {
        return labels().contains(Labels.NOISY);
    }

    /**
     * The worst verdict of the repeats in it.
     *
     * @return the verdict
     */
    public Verdict verdict() {
        return repeats.stream().map(TrialResult::verdict).reduce(Verdict.PASS, Verdict::worse);
    }

    /** A percentile that one of the repeats lacks is not shown for all of them. */
    private static OptionalLong medianIfAll(
            final List<LatencySummary> all, final Function<LatencySummary, OptionalLong> figure) {
        return all.stream().map(figure).allMatch(OptionalLong::isPresent)
                ? OptionalLong.of((long) median(all, latency -> figure.apply(latency).getAsLong()))
                : OptionalLong.empty();
    }

    private static <T> double median(final List<T> all, final ToDoubleFunction<T> figure) {
        return Summaries.median(all.stream().mapToDouble(figure).toArray());
    }
}
