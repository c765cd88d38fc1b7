package io.tickmark.report.words;

import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.MergedRow;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** What to keep in mind when reading the figures, each thing said once. */
public final class Cautions {
    private static final int CHANNELS_NAMED = 4;

    private final List<Block> blocks;
    private final Figures figures;

    private Cautions(final RunResult run, final Figures figures) {
        this.blocks = Block.of(run);
        this.figures = figures;
    }

    /**
     * The cautions of a run.
     *
     * @param run any result
     * @param figures how to write times and rates
     * @return sentences, none twice
     */
    public static List<String> of(final RunResult run, final Figures figures) {
        return new Cautions(run, figures).sentences();
    }

    private List<String> sentences() {
        final Set<String> sentences = new LinkedHashSet<>();
        saturated(sentences);
        noise(sentences);
        oversubscribed(sentences);
        voidRepeats(sentences);
        roles(sentences);
        return List.copyOf(sentences);
    }

    private void saturated(final Set<String> sentences) {
        for (final Block block : blocks) {
            for (final MergedRow row : block.rows()) {
                if (row.labels().contains("saturated")) {
                    sentences.add(saturated(block, row));
                }
            }
        }
    }

    private String saturated(final Block block, final MergedRow row) {
        final double offered = row.median(TrialResult::offeredRatePerSecond);
        final double achieved = row.median(TrialResult::achievedRatePerSecond);
        final String held =
                offered > 0
                        ? ": "
                                + figures.rate(achieved)
                                + " of the "
                                + figures.rate(offered)
                                + " it was asked for"
                        : "";
        return where(block)
                + ", "
                + Figures.plural(row.any().payloadBytes(), "byte")
                + ", was saturated"
                + held
                + "; its latency is the length of a queue, not a latency.";
    }

    private void noise(final Set<String> sentences) {
        final Map<String, List<Block>> byTest = new LinkedHashMap<>();
        for (final Block block : blocks) {
            if (block.rows().stream().anyMatch(NoiseCaution::appliesTo)) {
                byTest.computeIfAbsent(block.test(), test -> new ArrayList<>()).add(block);
            }
        }
        byTest.forEach((test, noisy) -> sentences.add(noise(test, noisy)));
    }

    private String noise(final String test, final List<Block> noisy) {
        final long gapNs = noisy.stream().mapToLong(Block::noiseMaxNs).max().orElse(0);
        final long tailNs =
                noisy.stream()
                        .flatMap(block -> block.rows().stream())
                        .filter(NoiseCaution::appliesTo)
                        .flatMap(row -> row.headline().flatMap(row::latency).stream())
                        .mapToLong(LatencySummary::p9999)
                        .max()
                        .orElse(0);
        return "Noise could explain the tail of "
                + Printable.of(test)
                + " on "
                + named(noisy.stream().map(Block::channel).toList())
                + ": the machine itself stood still for up to "
                + figures.time(gapNs)
                + ", and the 99.99th percentile is at most "
                + figures.time(tailNs)
                + ".";
    }

    private void oversubscribed(final Set<String> sentences) {
        final Map<String, Set<String>> tests = new LinkedHashMap<>();
        for (final Block block : blocks) {
            for (final MergedRow row : block.rows()) {
                final TrialResult trial = row.any();
                if (trial.cores() > 0 && trial.hotThreads() > trial.cores()) {
                    tests.computeIfAbsent(
                                    trial.hotThreads()
                                            + " hot threads shared "
                                            + Figures.plural(trial.cores(), "core"),
                                    key -> new LinkedHashSet<>())
                            .add(where(block));
                }
            }
        }
        tests.forEach((threads, places) ->
                sentences.add(
                        "Oversubscribed: "
                                + threads
                                + " in "
                                + named(List.copyOf(places))
                                + "; waiting for a core is part of those figures."));
    }

    private void voidRepeats(final Set<String> sentences) {
        for (final Block block : blocks) {
            final int voids = block.rows().stream().mapToInt(MergedRow::voids).max().orElse(0);
            if (voids > 0) {
                sentences.add(
                        where(block)
                                + ": "
                                + Figures.plural(voids, "void repeat")
                                + " left out of the figures.");
            }
        }
    }

    private void roles(final Set<String> sentences) {
        blocks.stream()
                .flatMap(block -> block.rows().stream())
                .flatMap(row -> row.repeats().stream())
                .map(TrialResult::roles)
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .flatMap(role -> role.warnings().stream())
                .forEach(warning -> sentences.add(Sentence.closed(warning)));
    }

    private static String where(final Block block) {
        return Printable.of(block.test()) + " on " + Printable.of(block.channel());
    }

    private static String named(final List<String> names) {
        final List<String> distinct = names.stream().distinct().map(Printable::of).toList();
        final String first =
                distinct.stream().limit(CHANNELS_NAMED).collect(Collectors.joining(", "));
        return distinct.size() > CHANNELS_NAMED
                ? first + " and " + (distinct.size() - CHANNELS_NAMED) + " more"
                : first;
    }
}
