package io.tickmark.report.rows;

import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.verdict.Labels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
        final Map<Key, Map<Integer, List<TrialResult>>> found = new LinkedHashMap<>();
        for (final TrialResult trial : run.trials()) {
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
