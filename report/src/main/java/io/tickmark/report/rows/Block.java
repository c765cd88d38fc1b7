package io.tickmark.report.rows;

import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * One test on one channel.
 *
 * @param test name of the test
 * @param workload what kind of test it is
 * @param channel as the plan has it
 * @param rows one for each step
 */
public record Block(String test, String workload, String channel, List<MergedRow> rows) {
    /** Copies the list. */
    public Block {
        rows = List.copyOf(rows);
    }

    private record Key(String test, String workload, String channel) {}

    /**
     * The blocks of a run.
     *
     * @param run any result
     * @return in the order of the trials
     */
    public static List<Block> of(final RunResult run) {
        return of(run.trials());
    }

    /**
     * The blocks of some rows.
     *
     * @param trials of a run
     * @return in their order
     */
    public static List<Block> of(final List<TrialResult> trials) {
        final Map<Key, Map<Integer, List<TrialResult>>> found = new LinkedHashMap<>();
        for (final TrialResult trial : trials) {
            found.computeIfAbsent(
                            new Key(trial.test(), trial.workload(), trial.channel()),
                            key -> new LinkedHashMap<>())
                    .computeIfAbsent(trial.step(), step -> new ArrayList<>())
                    .add(trial);
        }
        final List<Block> blocks = new ArrayList<>();
        found.forEach((key, steps) ->
                blocks.add(
                        new Block(
                                key.test(),
                                key.workload(),
                                key.channel(),
                                steps.values().stream().map(MergedRow::of).toList())));
        return blocks;
    }

    private static final Set<String> LATENCY_TESTS = Set.of("latency", "calibrate");

    /**
     * Where it was measured.
     *
     * @return test and channel; the test alone where the workload has no channels
     */
    public String place() {
        return place(test, channel);
    }

    /**
     * Where something was measured.
     *
     * @param test its name
     * @param channel as the plan has it; empty where there is none
     * @return for a sentence
     */
    public static String place(final String test, final String channel) {
        return Printable.of(test) + (channel.isEmpty() ? "" : " on " + Printable.of(channel));
    }

    /**
     * What distinguishes a step of the test from the others.
     *
     * @param row one of the block's
     * @param figures how to write rates
     * @return its label, otherwise its message size, with the rate where several have that size;
     *     empty where it has neither
     */
    public String stepName(final MergedRow row, final Figures figures) {
        final TrialResult any = row.any();
        if (!any.label().isEmpty()) {
            return Printable.of(any.label());
        }
        if (any.payloadBytes() == 0) {
            return "";
        }
        final String size = Plural.of(any.payloadBytes(), "byte");
        final boolean severalRates =
                rows.stream()
                                .filter(each -> each.any().payloadBytes() == any.payloadBytes())
                                .map(each -> each.any().offeredRatePerSecond())
                                .distinct()
                                .count()
                        > 1;
        return severalRates ? size + " at " + rate(any, figures) : size;
    }

    private static String rate(final TrialResult trial, final Figures figures) {
        return trial.offeredRatePerSecond() > 0
                ? figures.rate(trial.offeredRatePerSecond())
                : "full speed";
    }

    /**
     * A step in a sentence that has named the block already.
     *
     * @param row one of the block's
     * @param figures how to write rates
     * @return a comma and the step's name, or empty
     */
    public String commaStep(final MergedRow row, final Figures figures) {
        final String name = stepName(row, figures);
        return name.isEmpty() ? "" : ", " + name;
    }

    /**
     * Whether it is of a workload with counts, latencies and metrics of its own, which are shown as
     * they are named.
     *
     * @return true for all but {@code latency}, {@code calibrate} and {@code stream}
     */
    public boolean isGeneral() {
        return !isStream() && !LATENCY_TESTS.contains(workload);
    }

    /**
     * Whether its figures are shown the way of a streaming test.
     *
     * @return true for {@code stream}
     */
    public boolean isStream() {
        return "stream".equals(workload);
    }

    /**
     * Whether a message waits for the echo of the one before.
     *
     * @return true where there is a round trip and no response time
     */
    public boolean isClosedLoop() {
        return rows.stream()
                .allMatch(row ->
                        row.headline()
                                .map(Latencies.ROUND_TRIP_NS::equals)
                                .orElse(row.labels().contains(Labels.CLOSED_LOOP)));
    }

    /**
     * The roles of its trials; a trial's are repeated in each of its rows, and are here once.
     *
     * @return those of each repeat, in the order of the repeats
     */
    List<List<RoleSummary>> roles() {
        final Map<Integer, List<RoleSummary>> byRepeat = new TreeMap<>();
        for (final MergedRow row : rows) {
            for (final TrialResult trial : row.repeats()) {
                if (trial.roles() != null) {
                    byRepeat.putIfAbsent(trial.repeat(), trial.roles());
                }
            }
        }
        return List.copyOf(byRepeat.values());
    }

    /**
     * How often the test was done.
     *
     * @return repeats with a result, void ones included
     */
    public int repeats() {
        return rows.stream().mapToInt(row -> row.repeats().size() + row.voids()).max().orElse(0);
    }

    /**
     * The longest gap of the noise floors around its trials.
     *
     * @return ns, 0 where it was not measured
     */
    public long noiseMaxNs() {
        return rows.stream().mapToLong(MergedRow::noiseMaxNs).max().orElse(0);
    }
}
