package io.tickmark.report.words;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.SearchSummary;
import io.tickmark.kernel.result.SearchSummary.SearchTrial;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TailSummary.WatchedThread;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.settings.NameList;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.LossFigures;
import io.tickmark.report.rows.MergedRow;
import io.tickmark.report.rows.TailFigures;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** What to keep in mind when reading the figures, each stated once. */
public final class Cautions {
    private static final int CHANNELS_NAMED = 4;

    /** What is less would be shown as nothing. */
    private static final double LEAST_PERCENT = 0.5;

    private final RunResult run;
    private final List<Block> blocks;
    private final Figures figures;

    private Cautions(final RunResult run, final Figures figures) {
        this.run = run;
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
        return new Cautions(run, figures).sentences().stream().map(Sentence::plain).toList();
    }

    /**
     * The cautions beside an answer: those for which its rows may be worth nothing. Noise, a tail
     * and a rate that is not held are what such a run was to find.
     *
     * @param run any result
     * @param figures how to write times and rates
     * @return sentences, none twice
     */
    public static List<String> besideAnswer(final RunResult run, final Figures figures) {
        final Cautions cautions = new Cautions(run, figures);
        final Set<String> sentences = new LinkedHashSet<>();
        cautions.perhapsTaken(sentences);
        cautions.voidRepeats(sentences);
        cautions.notTimed(sentences);
        cautions.notKept(sentences);
        return sentences.stream().map(Sentence::plain).toList();
    }

    private List<String> sentences() {
        final Set<String> sentences = new LinkedHashSet<>();
        saturated(sentences);
        repaired(sentences);
        noise(sentences);
        disturbed(sentences);
        perhapsTaken(sentences);
        disturbedBounds(sentences);
        unseen(sentences);
        notAttributed(sentences);
        noStages(sentences);
        oversubscribed(sentences);
        voidRepeats(sentences);
        notTimed(sentences);
        notKept(sentences);
        notRecovered(sentences);
        clocks(sentences);
        roles(sentences);
        return List.copyOf(sentences);
    }

    private void saturated(final Set<String> sentences) {
        for (final Block block : blocks) {
            for (final MergedRow row : block.rows()) {
                if (row.isSaturated()) {
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
                + block.commaStep(row, figures)
                + (block.stepName(row, figures).isEmpty() ? "" : ",")
                + " was saturated"
                + held
                + "; its latency shows how long a queue had grown, not how fast messages travel.";
    }

    /** The engine's own losses, which may be why a tail is long or a rate is not held. */
    private void repaired(final Set<String> sentences) {
        final List<String> places = new ArrayList<>();
        for (final Block block : blocks) {
            final long times = LossFigures.repaired(block);
            if (times > 0) {
                places.add("%s %s".formatted(where(block), Plural.of(times, "time")));
            }
        }
        if (!places.isEmpty()) {
            sentences.add(
                    "The engine repaired losses on the way, warm-up included: "
                            + named(places)
                            + ". The latencies include the time of those in the measurement. On one host this happens where a"
                            + " receiver's socket buffer is full; a larger one avoids it.");
        }
    }

    private void noise(final Set<String> sentences) {
        final Map<String, List<Block>> byTest = new LinkedHashMap<>();
        blocks.forEach(
                block -> byTest.computeIfAbsent(block.test(), t -> new ArrayList<>()).add(block));
        final List<String> places = new ArrayList<>();
        long gapNs = 0;
        long tailNs = 0;
        long longestNs = 0;
        for (final Map.Entry<String, List<Block>> test : byTest.entrySet()) {
            final List<Block> noisy = test.getValue().stream().filter(Cautions::isNoisy).toList();
            if (!noisy.isEmpty()) {
                places.add(
                        noisy.getFirst().channel().isEmpty()
                                ? noisy.getFirst().place()
                                : Printable.of(test.getKey())
                                        + " on "
                                        + channels(noisy, test.getValue()));
                gapNs = Math.max(gapNs, worst(noisy, MergedRow::noiseMaxNs));
                tailNs = Math.max(tailNs, worst(noisy, row -> tail(row, LatencySummary::p999)));
                longestNs =
                        Math.max(longestNs, worst(noisy, row -> tail(row, Cautions::onlyLongest)));
            }
        }
        if (!places.isEmpty()) {
            sentences.add(
                    "Noise could explain the tail (99.9 % and above) of "
                            + named(places, "; of ")
                            + ": the machine itself stalled for up to "
                            + figures.time(gapNs)
                            + (tailNs == 0
                                    ? ""
                                    : ", and the 99.9th percentile there is at most "
                                            + figures.time(tailNs))
                            + (longestNs == 0
                                    ? ""
                                    : ", and the longest latency of fewer than 10,000 is "
                                            + figures.time(longestNs))
                            + ".");
        }
    }

    /** A search judges by what was measured: what the machine took may look like the limit. */
    private void disturbedBounds(final Set<String> sentences) {
        for (final SearchSummary search : run.searches()) {
            final List<SearchTrial> refuting = search.refuting();
            final String of =
                    " of the %s of %s that did not hold at %s or below"
                            .formatted(
                                    Plural.of(refuting.size(), "trial"),
                                    Block.place(search.test(), search.channel()),
                                    figures.rate(search.upperBoundPerSecond()));
            final String meaning =
                    ": what this search found may be a limit of the machine's other work; search again on a quieter one.";
            final long disturbed = refuting.stream().filter(SearchTrial::disturbed).count();
            if (disturbed > 0) {
                sentences.add("The machine disturbed " + disturbed + of + meaning);
            }
            final long taken = refuting.stream().filter(SearchTrial::perhapsTaken).count();
            if (taken > 0) {
                sentences.add(
                        "Another task perhaps had a core of the test in " + taken + of + meaning);
            }
            final long notExamined = refuting.stream().filter(SearchTrial::notExamined).count();
            if (notExamined > 0) {
                sentences.add(
                        "It is not known whether the machine disturbed "
                                + notExamined
                                + of
                                + ": the search ended before that was looked into.");
            }
        }
    }

    /** What {@code --explain} was not permitted to trace. */
    private void unseen(final Set<String> sentences) {
        TailFigures.notTraced(blocks)
                .forEach(each -> sentences.add("--explain is incomplete: " + each.sentence()));
    }

    /** Why it is not known where tails come from, each reason once. */
    private void notAttributed(final Set<String> sentences) {
        final Map<String, List<String>> places = new LinkedHashMap<>();
        for (final Block block : blocks) {
            block.rows().stream()
                    .flatMap(row -> TailFigures.whyNotAttributed(row).stream())
                    .distinct()
                    .forEach(why ->
                            places.computeIfAbsent(why, key -> new ArrayList<>())
                                    .add(block.place()));
        }
        places.forEach((why, where) ->
                sentences.add(
                        "Where the tail comes from is unknown for %s: %s."
                                .formatted(named(where), why)));
    }

    /** Why there are no stages of latency where they were asked for, or few of the slowest. */
    private void noStages(final Set<String> sentences) {
        for (final Block block : blocks) {
            block.rows().stream()
                    .flatMap(row -> TailFigures.whyNoStages(row).stream())
                    .forEach(why -> sentences.add(where(block) + ": " + why));
            TailFigures.fewStages(block).ifPresent(few -> sentences.add(where(block) + ": " + few));
        }
    }

    /** Who is responsible for the tail, where a part of it is due to the machine. */
    private void disturbed(final Set<String> sentences) {
        final Map<Block, TailFigures> disturbed = new LinkedHashMap<>();
        for (final Block block : blocks) {
            final boolean isDisturbed =
                    block.rows().stream().anyMatch(row -> row.labels().contains(Labels.DISTURBED));
            if (isDisturbed) {
                TailFigures.slowest(List.of(block)).ifPresent(tail -> disturbed.put(block, tail));
            }
        }
        if (disturbed.isEmpty()) {
            return;
        }
        final TailFigures first = disturbed.values().iterator().next();
        final String cause =
                disturbed.values().stream()
                        .map(tail -> tail.cause(TailSummary.MACHINE))
                        .distinct()
                        .collect(Collectors.joining("; "));
        if (disturbed.size() == 1) {
            sentences.add(
                    "The machine accounts for "
                            + part(first)
                            + " of the time that "
                            + first.which()
                            + " of "
                            + where(disturbed.keySet().iterator().next())
                            + " took above the median ("
                            + cause
                            + "); "
                            + Figures.share(first.restNs(), first.aboveMedianNs())
                            + " is "
                            + TailFigures.REST
                            + ".");
            return;
        }
        final List<String> parts =
                disturbed.entrySet().stream()
                        .sorted(Comparator.comparingDouble(each -> -machinePart(each.getValue())))
                        .map(each ->
                                where(each.getKey())
                                        + " "
                                        + part(each.getValue())
                                        + " of "
                                        + each.getValue().which())
                        .toList();
        sentences.add(
                "The machine accounts for a part of the time that the slowest took above the median ("
                        + cause
                        + "): "
                        + NameList.of(parts, CHANNELS_NAMED)
                        + ".");
    }

    private static double machinePart(final TailFigures tail) {
        return (double) tail.ns(TailSummary.MACHINE) / tail.aboveMedianNs();
    }

    /** A thread that may have lost its core, and why that is not known. */
    private record PerhapsTaken(String thread, String why) {}

    /** A row that may be worth nothing keeps its verdict: of each thread, the worst. */
    private void perhapsTaken(final Set<String> sentences) {
        final Map<PerhapsTaken, List<String>> places = new LinkedHashMap<>();
        final Map<PerhapsTaken, WatchedThread> worst = new HashMap<>();
        for (final Block block : blocks) {
            block.rows().stream()
                    .flatMap(row -> row.repeats().stream())
                    .filter(row -> row.labels().contains(Labels.PERHAPS_TAKEN))
                    .flatMap(row -> row.tail().threads().stream())
                    .max(Comparator.comparingDouble(WatchedThread::mostTakenPart))
                    .ifPresent(thread -> {
                        final PerhapsTaken perhaps =
                                new PerhapsTaken(
                                        "%s %d, %s"
                                                .formatted(
                                                        thread.role(),
                                                        thread.index(),
                                                        thread.thread()),
                                        thread.whyUnattributed());
                        places.computeIfAbsent(perhaps, key -> new ArrayList<>()).add(where(block));
                        worst.merge(
                                perhaps,
                                thread,
                                (one, other) ->
                                        one.mostTakenPart() < other.mostTakenPart() ? other : one);
                    });
        }
        places.forEach((perhaps, where) ->
                sentences.add(
                        "%s: for up to %s cannot be told, because %s."
                                .formatted(
                                        named(where),
                                        perhapsTaken(worst.get(perhaps), perhaps.thread()),
                                        perhaps.why())));
    }

    /** What the machine had for certain, and what cannot be told of the rest. */
    private static String perhapsTaken(final WatchedThread thread, final String name) {
        final double takenPercent = 100 * thread.takenPart();
        final boolean isCertain = thread.hasNotedAll();
        return (takenPercent < LEAST_PERCENT
                        ? "%.0f %% of the time another task %s the core of %s"
                                .formatted(
                                        100 * thread.unattributedPart(),
                                        isCertain ? "ran on" : "may have run on",
                                        name)
                        : ("%.0f %% of the time other tasks or the hypervisor used the core of %s, and for %.0f %% more"
                                        + " another task %s it")
                                .formatted(
                                        takenPercent,
                                        name,
                                        100 * thread.unattributedPart(),
                                        isCertain ? "ran on" : "may have run on"))
                + (isCertain
                        ? "; whether it was one of the test's own"
                        : "; whether one did, and whether that was one of the test's own,");
    }

    private static String part(final TailFigures tail) {
        return Figures.share(tail.ns(TailSummary.MACHINE), tail.aboveMedianNs());
    }

    private static boolean isNoisy(final Block block) {
        return block.rows().stream().anyMatch(MergedRow::isNoisy);
    }

    /** Of the latency that counts first; 0 where that has no such figure. */
    private static long tail(
            final MergedRow row, final Function<LatencySummary, OptionalLong> figure) {
        return row.headline()
                .flatMap(row::latency)
                .map(latency -> figure.apply(latency).orElse(0))
                .orElse(0L);
    }

    /** The maximum where there are too few values for a 99.9th percentile. */
    private static OptionalLong onlyLongest(final LatencySummary latency) {
        return latency.p999().isPresent() ? OptionalLong.empty() : OptionalLong.of(latency.max());
    }

    private static long worst(final List<Block> noisy, final ToLongFunction<MergedRow> figure) {
        return noisy.stream()
                .flatMap(block -> block.rows().stream())
                .filter(MergedRow::isNoisy)
                .mapToLong(figure)
                .max()
                .orElse(0);
    }

    private static String channels(final List<Block> noisy, final List<Block> all) {
        if (noisy.size() > 1 && noisy.size() == all.size()) {
            return "all " + all.size() + " channels";
        }
        return named(noisy.stream().map(Block::channel).toList());
    }

    private void oversubscribed(final Set<String> sentences) {
        final Map<String, Set<String>> tests = new LinkedHashMap<>();
        for (final Block block : blocks) {
            for (final MergedRow row : block.rows()) {
                final TrialResult trial = row.any();
                final boolean hasFigures = !row.isVoid() || row.headline().isPresent();
                if (hasFigures && trial.cores() > 0 && trial.hotThreads() > trial.cores()) {
                    tests.computeIfAbsent(
                                    trial.hotThreads()
                                            + " hot threads shared "
                                            + Plural.of(trial.cores(), "core"),
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
                                + Plural.of(voids, "void repeat")
                                + " left out of the figures.");
            }
        }
    }

    /** Those that are too short for the clocks are missing at the low end. */
    private void notTimed(final Set<String> sentences) {
        for (final Block block : blocks) {
            for (final MergedRow row : block.rows()) {
                final long missing = row.sum(TrialResult::notTimed);
                if (missing > 0) {
                    sentences.add(
                            where(block)
                                    + block.commaStep(row, figures)
                                    + ": "
                                    + Plural.of(missing, "latency was", "latencies were")
                                    + " zero, negative or above an hour, so no figure has "
                                    + (missing == 1 ? "it" : "them")
                                    + ": the clocks disagree, or the time stamps are too coarse.");
                }
            }
        }
    }

    /** Those that were in flight for longest are missing. */
    private void notKept(final Set<String> sentences) {
        for (final Block block : blocks) {
            for (final MergedRow row : block.rows()) {
                final long missing = row.sum(trial -> count(trial, Counts.SEND_TIME_NOT_KEPT));
                if (missing > 0) {
                    sentences.add(
                            where(block)
                                    + block.commaStep(row, figures)
                                    + ": "
                                    + Plural.of(missing, "ping has", "pings have")
                                    + " no service time: more were in flight than send times are kept for.");
                }
            }
        }
    }

    private void notRecovered(final Set<String> sentences) {
        for (final Block block : blocks) {
            final long faults =
                    block.rows().stream()
                            .mapToLong(row -> row.sum(trial -> count(trial, Counts.NOT_RECOVERED)))
                            .sum();
            if (faults > 0) {
                sentences.add(
                        where(block)
                                + ": after "
                                + Plural.of(faults, "planned fault")
                                + " at least one receiver got no more messages, or none on one of its streams.");
            }
        }
    }

    private static long count(final TrialResult trial, final String name) {
        return trial.counts().getOrDefault(name, 0L);
    }

    /** One-way times between hosts are no better than their clocks. */
    private void clocks(final Set<String> sentences) {
        final Map<String, Long> bounds = new LinkedHashMap<>();
        final Map<String, String> keepers = new LinkedHashMap<>();
        blocks.stream()
                .flatMap(block -> block.rows().stream())
                .flatMap(row -> row.repeats().stream())
                .map(TrialResult::roles)
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .forEach(role -> {
                    final Map<String, Object> metrics = role.metrics();
                    if (metrics.get(RoleSummary.CLOCK_BOUND_NS) instanceof final Number bound) {
                        final String host = Printable.of(role.host());
                        bounds.merge(host, bound.longValue(), Math::max);
                        keepers.put(
                                host,
                                Printable.of(
                                        String.valueOf(metrics.getOrDefault("clockKeptBy", ""))));
                    }
                });
        if (!bounds.isEmpty()) {
            sentences.add(
                    "The clocks of the hosts agree within "
                            + bounds.entrySet().stream()
                                    .map(bound ->
                                            figures.time(bound.getValue())
                                                    + " ("
                                                    + bound.getKey()
                                                    + keeper(keepers.get(bound.getKey()))
                                                    + ")")
                                    .collect(Collectors.joining(", "))
                            + " with that of the controller; a one-way time between two of them is no better than the sum"
                            + " of their bounds.");
        }
    }

    private static String keeper(final String name) {
        return name.isEmpty() ? "" : ", clock daemon: " + name;
    }

    private void roles(final Set<String> sentences) {
        blocks.stream()
                .flatMap(block -> block.rows().stream())
                .flatMap(row -> row.repeats().stream())
                .map(TrialResult::roles)
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .flatMap(role -> role.warnings().stream().map(warning -> placed(role, warning)))
                .forEach(warning -> sentences.add(Sentence.closed(warning)));
    }

    private static String placed(final RoleSummary role, final String warning) {
        return role.host().isEmpty() ? warning : "On " + Printable.of(role.host()) + ": " + warning;
    }

    private static String where(final Block block) {
        return block.place();
    }

    private static String named(final List<String> names) {
        return named(names, ", ");
    }

    private static String named(final List<String> names, final String between) {
        return NameList.of(
                names.stream().distinct().map(Printable::of).toList(), CHANNELS_NAMED, between);
    }
}
