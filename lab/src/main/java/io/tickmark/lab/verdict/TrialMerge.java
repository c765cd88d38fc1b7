package io.tickmark.lab.verdict;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.lab.verdict.Judge.ClockBound;
import io.tickmark.lab.verdict.Judge.Judgement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Merges the steps of one trial as roles report them, and creates its rows. A role that received in
 * one step is a subscriber in all: if it received nothing in another step, it has lost all of it.
 */
public final class TrialMerge {
    private final TreeMap<Integer, StepMerge> steps = new TreeMap<>();
    private final Set<String> receivers = new HashSet<>();

    /** Labels of steps that may have no latency, as roles of the trial declare. */
    private final Set<String> untimed = new HashSet<>();

    /** A trial without reports yet. */
    public TrialMerge() {}

    /**
     * Adds what a role reported of a step; takes ownership of its histograms.
     *
     * @param role of the trial, with its index
     * @param result of that role
     */
    public void add(final String role, final StepResult result) {
        stepOf(role, result).add(result);
    }

    /**
     * The same, with what its kind declares: by the latencies of an observer no criterion is
     * judged.
     *
     * @param role of the trial, with its index
     * @param kind of the role
     * @param result of that role
     */
    public void add(final String role, final RoleFactory<?> kind, final StepResult result) {
        untimed.addAll(kind.untimedSteps());
        final StepMerge step = stepOf(role, result);
        if (kind.isObserver()) {
            step.addObserved(result);
        } else {
            step.add(result);
        }
    }

    private StepMerge stepOf(final String role, final StepResult result) {
        if (result.counts().containsKey(Counts.RECEIVED)) {
            receivers.add(role);
        }
        return steps.computeIfAbsent(result.step(), step -> new StepMerge(step, receivers));
    }

    /**
     * Adds counts of the trial's controller to a step that roles have reported; to the one before
     * where it was not reported, and to none where there is none.
     *
     * @param step number, -1 for the first
     * @param counts by name
     */
    public void addToStep(final int step, final Map<String, Long> counts) {
        if (!steps.isEmpty()) {
            final Map.Entry<Integer, StepMerge> reported =
                    steps.floorEntry(Math.max(step, steps.firstKey()));
            reported.getValue()
                    .add(
                            new StepResult(
                                    reported.getKey(),
                                    "",
                                    0,
                                    counts,
                                    0,
                                    0,
                                    0,
                                    Map.of(),
                                    List.of()));
        }
    }

    /**
     * The rows, one for each step; one empty row where nothing was reported, so that a void trial
     * is visible.
     *
     * @param facts of the trial
     * @return rows by step
     */
    public List<TrialResult> rows(final TrialFacts facts) {
        if (steps.isEmpty()) {
            return List.of(row(facts, new StepMerge(0, receivers), false));
        }
        // Where no step has a latency, a criterion on it has judged nothing.
        final boolean isTimed = steps.values().stream().anyMatch(step -> headline(step) != null);
        return steps.values().stream()
                .map(step -> row(facts, step, isTimed && untimed.contains(step.label())))
                .toList();
    }

    /** The latency by which a step is judged; null where it has none. */
    private static LatencySummary headline(final StepMerge step) {
        return headlineName(step).map(summaries(step)::get).orElse(null);
    }

    private static Optional<String> headlineName(final StepMerge step) {
        return Headline.nameOf(
                summaries(step).keySet().stream().filter(step::isOfParticipants).toList());
    }

    /** By how much the headline may be wrong because it is read from the clocks of two hosts. */
    private static ClockBound clockBound(final TrialFacts facts, final StepMerge step) {
        return new ClockBound(
                headlineName(step)
                        .filter(name -> HostClockRule.isOneWay(facts.workload(), name))
                        .map(_ -> TrialResult.clockBoundNs(facts.roles()))
                        .orElse(0L),
                !facts.isSearched());
    }

    private static TrialResult row(
            final TrialFacts facts, final StepMerge step, final boolean mayBeUntimed) {
        final Map<String, LatencySummary> latencies = summaries(step);
        final LatencySummary headline = headline(step);
        final boolean isNoisy =
                NoiseRule.isNoisy(headline, facts.noiseBefore(), facts.noiseAfter());
        final Judgement judgement =
                facts.voids().isEmpty()
                        ? new Judge(
                                        facts.criteria(),
                                        step,
                                        headline,
                                        clockBound(facts, step),
                                        mayBeUntimed,
                                        isAllKept(facts),
                                        isServerGone(facts))
                                .judge(isNoisy && !facts.isSearched())
                        : new Judgement(Verdict.VOID, allOf(facts.voids(), step));
        return new TrialResult(
                facts.test(),
                facts.workload(),
                facts.channel(),
                facts.repeat(),
                step.step(),
                step.label(),
                step.payloadBytes(),
                step.subscribers(),
                step.count(Counts.SENT),
                step.expected(),
                step.count(Counts.RECEIVED),
                Judge.lost(step),
                step.count(Counts.DUPLICATED),
                step.count(Counts.REORDERED),
                step.counts(),
                step.durationNs(),
                step.offeredRatePerSecond(),
                step.achievedRatePerSecond(),
                step.count(Counts.MAX_TIGHT_SENDS),
                facts.hotThreads(),
                facts.cores(),
                latencies,
                facts.noiseBefore(),
                facts.noiseAfter(),
                labels(facts, step, latencies.containsKey(Latencies.ROUND_TRIP_NS), isNoisy),
                judgement.verdict(),
                judgement.reasons(),
                facts.roles(),
                null);
    }

    private static Map<String, LatencySummary> summaries(final StepMerge step) {
        final Map<String, LatencySummary> summaries = new LinkedHashMap<>();
        step.latencies()
                .forEach((name, histogram) -> {
                    if (histogram.getTotalCount() > 0) {
                        summaries.put(name, LatencySummary.of(histogram));
                    }
                });
        return summaries;
    }

    /** Metric name under which roles report their pace. */
    private static boolean sleeps(final TrialFacts facts) {
        return facts.roles().stream()
                .anyMatch(role -> "sleep".equals(role.metrics().get(RoleSummary.PACE)));
    }

    /** Metric name under which roles at a store report when it deletes messages. */
    private static boolean isAllKept(final TrialFacts facts) {
        return facts.roles().stream()
                .anyMatch(role -> "kept".equals(role.metrics().get(RoleSummary.DELETION)));
    }

    private static boolean isServerGone(final TrialFacts facts) {
        return facts.roles().stream()
                .anyMatch(role -> Boolean.TRUE.equals(role.metrics().get(RoleSummary.SERVER_GONE)));
    }

    private static List<String> labels(
            final TrialFacts facts,
            final StepMerge step,
            final boolean isRoundTrip,
            final boolean isNoisy) {
        final List<String> labels = new ArrayList<>(facts.labels());
        if (step.offeredRatePerSecond() == 0 && step.achievedRatePerSecond() > 0) {
            labels.add(
                    isRoundTrip
                            ? Labels.CLOSED_LOOP
                            : sleeps(facts)
                                    ? Labels.PACED_BY_SLEEPING
                                    : Labels.AS_FAST_AS_POSSIBLE);
        }
        if (Judge.isSaturated(step, facts.criteria()) && !isServerGone(facts)) {
            labels.add(Labels.SATURATED);
        }
        if (isNoisy) {
            labels.add(Labels.NOISY);
        }
        if (facts.hotThreads() > facts.cores()) {
            labels.add(Labels.OVERSUBSCRIBED);
        }
        return List.copyOf(labels);
    }

    /** What made the trial void, and what else its roles reported about the step. */
    private static List<String> allOf(final List<String> voids, final StepMerge step) {
        return Stream.concat(voids.stream(), step.reasons().stream()).distinct().toList();
    }
}
