package io.tickmark.lab.compare;

import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.stats.Summaries;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** One step of one test on one channel of a run: its repeats that are not void. */
record SideRow(Key key, List<TrialResult> repeats) {
    /** Rows with the same key are repeats of each other. */
    record Key(String test, String channel, int step, String label) {
        Key withChannel(final String other) {
            return new Key(test, other, step, label);
        }
    }

    /** The rows of a run in its order. */
    static List<SideRow> of(final Side side) {
        final Map<Key, List<TrialResult>> rows = new LinkedHashMap<>();
        for (final TrialResult trial : side.result().trials()) {
            final List<TrialResult> repeats =
                    rows.computeIfAbsent(
                            new Key(trial.test(), trial.channel(), trial.step(), trial.label()),
                            key -> new ArrayList<>());
            if (trial.verdict() != Verdict.VOID) {
                repeats.add(trial);
            }
        }
        return rows.entrySet().stream()
                .map(row -> new SideRow(row.getKey(), row.getValue()))
                .toList();
    }

    TrialResult any() {
        return repeats.getFirst();
    }

    /** As a user finds it: test, channel and step. */
    String place() {
        return key.test()
                + (key.channel().isEmpty() ? "" : " on " + key.channel())
                + (key.label().isEmpty() ? ", step " + key.step() : ", " + key.label());
    }

    /** Part of the time that gaps took on the worst core; median over repeats, 0 where unknown. */
    double stolenPart() {
        return noise(core -> core.stolenPart());
    }

    /** Longest gap in ns; median over repeats, 0 where unknown. */
    double longestGapNs() {
        return noise(core -> core.maxNs());
    }

    private double noise(final ToDoubleFunction<NoiseSummary.CoreNoise> figure) {
        final double[] worst =
                repeats.stream()
                        .mapToDouble(trial ->
                                Stream.of(trial.noiseBefore(), trial.noiseAfter())
                                        .filter(Objects::nonNull)
                                        .flatMap(noise -> noise.cores().stream())
                                        .mapToDouble(figure)
                                        .max()
                                        .orElse(0))
                        .toArray();
        return Summaries.median(worst);
    }
}
