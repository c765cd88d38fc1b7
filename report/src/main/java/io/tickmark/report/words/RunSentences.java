package io.tickmark.report.words;

import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.SearchSummary;
import io.tickmark.kernel.result.SearchSummary.Purpose;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.NameList;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.MergedRow;
import io.tickmark.report.rows.Sides;
import io.tickmark.report.rows.TailFigures;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.LatencyTitle;
import io.tickmark.report.text.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was measured and the best and the worst of it, in a few sentences. */
public final class RunSentences {
    private static final int CHANNELS_NAMED = 6;

    /** A smaller part of a tail is not worth mentioning. */
    private static final double LEAST_PART_TOLD = 0.01;

    private static final int MOST_NAMES_TOLD = 3;

    private final RunResult run;
    private final List<Block> blocks;
    private final Figures figures;

    private RunSentences(final RunResult run, final Figures figures) {
        this.run = run;
        this.blocks = Block.of(run);
        this.figures = figures;
    }

    /** A row with the block it belongs to and the figure it is compared by. */
    private record Entry(Block block, MergedRow row, double figure) {}

    /**
     * Describes a run.
     *
     * @param run any result
     * @param figures how to write times and rates
     * @return sentences
     */
    public static List<String> of(final RunResult run, final Figures figures) {
        return new RunSentences(run, figures).sentences().stream().map(Sentence::plain).toList();
    }

    /**
     * What to read first of a run whose tests are described one by one elsewhere: what was
     * measured, or the outcome where there is only one test, who is responsible for the tail, and
     * what was lost.
     *
     * @param run any result
     * @param figures how to write times and rates
     * @return sentences, at most three besides one for each search
     */
    public static List<String> first(final RunResult run, final Figures figures) {
        final RunSentences about = new RunSentences(run, figures);
        return about.sentences(about.byTest().size() == 1 && run.searches().isEmpty()).stream()
                .map(Sentence::plain)
                .toList();
    }

    /**
     * What an overview of all rows does not show: how the latencies of the only test compare, who
     * is responsible for the tail, and what was lost, not echoed, duplicated or reordered.
     *
     * @param run any result
     * @param figures how to write times and rates
     * @return sentences, at most three
     */
    public static List<String> besideOverview(final RunResult run, final Figures figures) {
        final RunSentences about = new RunSentences(run, figures);
        return Stream.of(about.comparedChannels(), about.tail(), troubles(run))
                .flatMap(Optional::stream)
                .map(Sentence::plain)
                .toList();
    }

    /**
     * Of what an overview of all rows does not show as much as must not be left out: what was lost,
     * not echoed, duplicated or reordered.
     *
     * @param run any result
     * @return sentences, at most one
     */
    public static List<String> leastBesideOverview(final RunResult run) {
        return troubles(run).map(Sentence::plain).stream().toList();
    }

    private static Optional<String> troubles(final RunResult run) {
        return Optional.of(new Integrity(run))
                .filter(Integrity::hasTroubles)
                .flatMap(Integrity::sentence);
    }

    /**
     * Describes one test of a run.
     *
     * @param run its result
     * @param test its name
     * @param figures how to write times and rates
     * @return a sentence; empty where it has no figures
     */
    public static String test(final RunResult run, final String test, final Figures figures) {
        final RunSentences about = new RunSentences(run, figures);
        return about.ofTest(about.byTest().get(test)).map(Sentence::plain).orElse("");
    }

    private List<String> sentences() {
        final List<String> sentences = new ArrayList<>(sentences(false));
        if (!blocks.isEmpty()) {
            int at = 1;
            for (final List<Block> test : byTest().values()) {
                final Optional<String> sentence = ofTest(test);
                if (sentence.isPresent()) {
                    sentences.add(at++, sentence.get());
                }
            }
        }
        return sentences;
    }

    /**
     * Everything except the sentences of the tests, or that of the only test in place of what was
     * measured.
     */
    private List<String> sentences(final boolean includesTest) {
        if (blocks.isEmpty() && run.searches().isEmpty()) {
            return List.of("There are no figures in this run.");
        }
        final List<String> sentences = new ArrayList<>();
        if (!blocks.isEmpty()) {
            sentences.add(includesTest ? ofTest(blocks).orElseGet(this::measured) : measured());
        }
        run.searches().forEach(search -> sentences.add(searched(search)));
        tail().ifPresent(sentences::add);
        new Integrity(run).sentence().ifPresent(sentences::add);
        return sentences;
    }

    /**
     * Who is responsible for the tail, over all tests and channels; empty where it was not
     * examined.
     */
    private Optional<String> tail() {
        final List<Block> held =
                blocks.stream()
                        .filter(block -> block.rows().stream().noneMatch(MergedRow::isSaturated))
                        .toList();
        return TailFigures.slowest(held)
                .filter(tail -> tail.aboveMedianNs() > 0)
                .map(tail ->
                        "Of the time that "
                                + tail.which()
                                + " took above the median, "
                                + String.join(", ", owners(tail))
                                + "."
                                + instead(held));
    }

    /** The names of what ran on the cores instead, as far as the kernel named it. */
    private String instead(final List<Block> held) {
        final List<TailSummary.Ran> ran =
                TailFigures.ranInstead(held).stream()
                        .filter(each ->
                                TailFigures.operation(each.name()).isEmpty()
                                        && !each.name().equals(TailSummary.Ran.OTHERS))
                        .toList();
        return ran.isEmpty()
                ? ""
                : " While threads were stalled, their cores mostly ran "
                        + ran.stream()
                                .limit(MOST_NAMES_TOLD)
                                .map(each ->
                                        Printable.of(each.name())
                                                + " ("
                                                + figures.time(each.ns())
                                                + ")")
                                .collect(Collectors.joining(", "))
                        + ", as far as the kernel showed.";
    }

    /** The owners of parts of a tail that are worth mentioning, the largest first. */
    private static List<String> owners(final TailFigures tail) {
        final List<Owner> owners =
                new ArrayList<>(
                        List.of(
                                new Owner(
                                        tail.ns(TailSummary.MACHINE),
                                        "taken by the machine",
                                        tail.cause(TailSummary.MACHINE)),
                                new Owner(
                                        tail.ns(TailSummary.SYSTEM),
                                        "spent by the test itself",
                                        tail.cause(TailSummary.SYSTEM)),
                                new Owner(
                                        tail.ns(TailSummary.BENCH),
                                        "spent by the bench",
                                        tail.cause(TailSummary.BENCH)),
                                new Owner(
                                        tail.ns(TailSummary.UNKNOWN),
                                        "in stalls of unknown cause",
                                        ""),
                                new Owner(tail.restNs(), TailFigures.REST, "")));
        owners.removeIf(owner -> owner.ns() < LEAST_PART_TOLD * tail.aboveMedianNs());
        owners.sort(Comparator.comparingLong(Owner::ns).reversed());
        final List<String> words = new ArrayList<>();
        for (final Owner owner : owners) {
            words.add(
                    Figures.share(owner.ns(), tail.aboveMedianNs())
                            + (words.isEmpty() ? " was " : " ")
                            + owner.doing()
                            + (owner.cause().isEmpty() ? "" : " (mostly: " + owner.cause() + ")"));
        }
        return words;
    }

    private record Owner(long ns, String doing, String cause) {}

    private String searched(final SearchSummary search) {
        final String where = Block.place(search.test(), search.channel());
        if (search.boundsAreUnconfirmed()) {
            return where + " was ended early; so far, unconfirmed: " + soFar(search) + ".";
        }
        if (search.lowerBoundPerSecond() == 0) {
            return where
                    + (search.verdict() == Verdict.VOID
                            ? ": the search was ended before it found anything."
                            : ": no rate was found that can be sustained.");
        }
        final String interval =
                search.lowPerSecond() > 0
                        ? " (with %.0f %% confidence between %s and %s)"
                                .formatted(
                                        100 * search.confidence(),
                                        figures.rate(search.lowPerSecond()),
                                        figures.rate(search.highPerSecond()))
                        : "";
        final String strict =
                search.strictRatePerSecond() > 0
                        ? "; sustained for %s without a single bad moment: %s"
                                .formatted(
                                        figures.time(search.soakNs()),
                                        figures.rate(search.strictRatePerSecond()))
                        : hasSoaked(search)
                                ? "; no soak of %s passed, so this is not confirmed"
                                        .formatted(figures.time(search.soakNs()))
                                : "";
        return where
                + " held "
                + figures.rate(search.lowerBoundPerSecond())
                + interval
                + strict
                + ".";
    }

    private String soFar(final SearchSummary search) {
        final List<String> parts = new ArrayList<>();
        if (search.lowerBoundPerSecond() > 0) {
            parts.add(figures.rate(search.lowerBoundPerSecond()) + " held");
        }
        if (search.upperBoundPerSecond() > 0) {
            parts.add(figures.rate(search.upperBoundPerSecond()) + " did not");
        }
        return String.join(", ", parts);
    }

    private static boolean hasSoaked(final SearchSummary search) {
        return search.trials().stream().anyMatch(trial -> trial.purpose() == Purpose.SOAK);
    }

    private Map<String, List<Block>> byTest() {
        final Map<String, List<Block>> tests = new LinkedHashMap<>();
        blocks.forEach(
                block -> tests.computeIfAbsent(block.test(), t -> new ArrayList<>()).add(block));
        return tests;
    }

    private String measured() {
        final Set<String> channels = new LinkedHashSet<>();
        blocks.forEach(block -> channels.add(Printable.of(block.channel())));
        final int trials = blocks.stream().mapToInt(Block::repeats).sum();
        channels.remove("");
        final String named =
                channels.isEmpty() || channels.size() > CHANNELS_NAMED
                        ? ""
                        : " (" + String.join(", ", channels) + ")";
        return "Measured: "
                + Plural.of(byTest().size(), "test")
                + (channels.isEmpty() ? "" : " on " + Plural.of(channels.size(), "channel"))
                + named
                + ", "
                + Plural.of(trials, "trial")
                + " in all.";
    }

    private Optional<String> ofTest(final List<Block> test) {
        return test.getFirst().isStream() ? ofStreams(test) : ofLatencies(test);
    }

    /**
     * Empty where there are several tests, or fewer than two channels have latencies to compare.
     */
    private Optional<String> comparedChannels() {
        final boolean isComparison =
                byTest().size() == 1
                        && run.searches().isEmpty()
                        && !blocks.getFirst().isStream()
                        && sustained(latencies(blocks)).size() > 1;
        return isComparison ? ofLatencies(blocks) : Optional.empty();
    }

    /** The shortest first. */
    private static List<Entry> sustained(final List<Entry> latencies) {
        return latencies.stream()
                .filter(entry -> !entry.row().isSaturated())
                .sorted(Comparator.comparingDouble(Entry::figure))
                .toList();
    }

    private Optional<String> ofLatencies(final List<Block> test) {
        final List<Entry> all = latencies(test);
        final List<Entry> entries = sustained(all);
        if (entries.isEmpty()) {
            return all.stream().findFirst().map(this::notHeld);
        }
        final Entry best = entries.getFirst();
        final Entry worst = entries.getLast();
        final String at = step(best);
        if (entries.size() == 1) {
            return Optional.of(
                    at(best)
                            + ": median "
                            + kind(best)
                            + " "
                            + figures.time(best.figure())
                            + at
                            + nearlyAll(best, ", ", "")
                            + ", the longest "
                            + figures.time(latency(best.row()).max())
                            + ".");
        }
        return Optional.of(
                Printable.of(best.block().test())
                        + ":"
                        + at
                        + " the median "
                        + kind(best)
                        + " was lowest on "
                        + channel(best)
                        + ", "
                        + figures.time(best.figure())
                        + nearlyAll(best, " (", ")")
                        + ", and highest on "
                        + channel(worst)
                        + ", "
                        + figures.time(worst.figure())
                        + times(worst.figure(), best.figure())
                        + ".");
    }

    private List<Entry> latencies(final List<Block> test) {
        final List<Entry> entries = new ArrayList<>();
        final int step = commonStep(test);
        for (final Block block : test) {
            block.rows().stream()
                    .filter(row -> row.any().step() == step && !row.isVoid())
                    .filter(row -> row.headline().isPresent())
                    .filter(row -> latency(row).p50().isPresent())
                    .forEach(row ->
                            entries.add(new Entry(block, row, latency(row).p50().getAsLong())));
        }
        return entries;
    }

    private String notHeld(final Entry entry) {
        return Printable.of(entry.block().test())
                + ":"
                + step(entry)
                + " the rate was not sustained, so the latency is that of a growing queue.";
    }

    private String step(final Entry entry) {
        final String name = entry.block().stepName(entry.row(), figures);
        return name.isEmpty() ? "" : " at " + name;
    }

    private static String times(final double large, final double small) {
        return small > 0 && large / small >= 1.05
                ? ", " + Figures.digits(large / small) + " times as long"
                : "";
    }

    /**
     * The step that every channel of the test has, otherwise 0: the first, or the last where steps
     * have names, since those follow each other in time and the others prepare the last.
     */
    private static int commonStep(final List<Block> test) {
        final List<MergedRow> rows = test.getFirst().rows();
        return rows.stream()
                .filter(row -> test.stream().allMatch(block -> hasStep(block, row.any().step())))
                .reduce((first, later) -> later.any().label().isEmpty() ? first : later)
                .map(row -> row.any().step())
                .orElse(0);
    }

    private static boolean hasStep(final Block block, final int step) {
        return block.rows().stream().anyMatch(row -> row.any().step() == step);
    }

    private Optional<String> ofStreams(final List<Block> test) {
        final List<Entry> entries = new ArrayList<>();
        for (final Block block : test) {
            for (final MergedRow row : block.rows()) {
                if (!row.isVoid() && Sides.isSenderKnown(row.any())) {
                    entries.add(
                            new Entry(block, row, row.median(TrialResult::achievedRatePerSecond)));
                }
            }
        }
        if (entries.isEmpty()) {
            return Optional.empty();
        }
        final boolean paced =
                entries.size() > 1
                        && entries.stream().mapToDouble(RunSentences::offered).distinct().count()
                                == 1
                        && offered(entries.getFirst()) > 0;
        return Optional.of(paced ? ofPaced(entries) : ofUnpaced(entries));
    }

    private static double offered(final Entry entry) {
        return entry.row().median(TrialResult::offeredRatePerSecond);
    }

    /**
     * All had the same rate to hold: those that did not, and those that lost messages, are worth
     * mentioning.
     */
    private String ofPaced(final List<Entry> entries) {
        final Entry first = entries.getFirst();
        final List<String> news = new ArrayList<>();
        for (final Entry entry : entries) {
            final List<String> troubles = new ArrayList<>();
            if (!entry.row().isRateHeld()) {
                troubles.add("reached only " + figures.rate(entry.figure()));
            }
            if (entry.row().sum(TrialResult::lostOnTheWay) > 0) {
                troubles.add("ended with " + lost(entry.row()));
            }
            if (!troubles.isEmpty()) {
                news.add(channel(entry) + " " + String.join(" and ", troubles));
            }
        }
        final String task =
                figures.rate(offered(first))
                        + " of "
                        + Plural.of(first.row().any().payloadBytes(), "byte")
                        + " with "
                        + nothingLost(entries.stream().map(Entry::row));
        final String test = Printable.of(first.block().test()) + ": ";
        return news.isEmpty()
                ? test
                        + (entries.size() == 2 ? "both" : "all " + entries.size())
                        + " held "
                        + task
                        + "."
                : test
                        + (entries.size() - news.size())
                        + " of "
                        + entries.size()
                        + " held "
                        + task
                        + "; "
                        + String.join(", ", news)
                        + ".";
    }

    private String ofUnpaced(final List<Entry> entries) {
        entries.sort(Comparator.comparingDouble(Entry::figure).reversed());
        final Entry best = entries.getFirst();
        final Entry worst = entries.getLast();
        final String first =
                at(best)
                        + " sent "
                        + figures.rate(best.figure())
                        + " of "
                        + Plural.of(best.row().any().payloadBytes(), "byte")
                        + outcome(best.row());
        return worst == best
                ? first + "."
                : first
                        + "; least was "
                        + figures.rate(worst.figure())
                        + " on "
                        + channel(worst)
                        + outcome(worst.row())
                        + ".";
    }

    private static String outcome(final MergedRow row) {
        return Sides.isReceiverKnown(row.any())
                ? " with " + lost(row)
                : "; the subscribers report how much of it arrived";
    }

    private static String lost(final MergedRow row) {
        final long lost = row.sum(TrialResult::lostOnTheWay);
        return lost == 0
                ? nothingLost(Stream.of(row))
                : Figures.share(lost, row.sum(TrialResult::expected)) + " lost";
    }

    private static String nothingLost(final Stream<MergedRow> rows) {
        return rows.anyMatch(row -> row.sum(TrialResult::lostOnPurpose) > 0)
                ? "nothing lost except on purpose"
                : "nothing lost";
    }

    private static LatencySummary latency(final MergedRow row) {
        return row.headline().flatMap(row::latency).orElseThrow();
    }

    /** Empty where there are too few latencies. */
    private String nearlyAll(final Entry entry, final String before, final String after) {
        final OptionalLong ns = latency(entry.row()).p99();
        return ns.isPresent() ? before + "99 % within " + figures.time(ns.getAsLong()) + after : "";
    }

    private static String kind(final Entry entry) {
        return LatencyTitle.of(entry.row().headline().orElseThrow()).toLowerCase(Locale.ROOT);
    }

    private static String at(final Entry entry) {
        return entry.block().place();
    }

    private static String channel(final Entry entry) {
        return Printable.of(entry.block().channel());
    }

    /** Whether all sent messages arrived, once and in order, in a sentence. */
    private static final class Integrity {
        private static final int CHANNELS_NAMED = 6;

        private final long voids;
        private final List<TrialResult> measured;
        private final List<String> troubles = new ArrayList<>();

        Integrity(final RunResult run) {
            measured = run.trials().stream().filter(Sides::isLossKnown).toList();
            voids = run.trials().stream().filter(trial -> trial.verdict() == Verdict.VOID).count();
            trouble("were lost" + onPurpose(), TrialResult::lost);
            trouble(
                    "had no echo in time",
                    trial -> trial.notEchoed() > trial.lost() ? trial.notEchoed() : 0);
            trouble("were duplicated", TrialResult::duplicated);
            trouble("were out of order", TrialResult::reordered);
        }

        boolean hasTroubles() {
            return !troubles.isEmpty();
        }

        /** Empty where no receiver has reported. */
        Optional<String> sentence() {
            final long expected = measured.stream().mapToLong(TrialResult::expected).sum();
            if (expected == 0) {
                return Optional.empty();
            }
            final String unknown =
                    voids == 0
                            ? ""
                            : " What " + Plural.of(voids, "void row") + " lost is not known.";
            final String said =
                    troubles.isEmpty()
                            ? "Nothing was lost, duplicated or reordered in "
                                    + Plural.of(expected, "message")
                                    + "."
                            : "Of "
                                    + Plural.of(expected, "expected message")
                                    + ", "
                                    + String.join(", ", troubles)
                                    + ".";
            return Optional.of(said + unknown);
        }

        private String onPurpose() {
            final long all = measured.stream().mapToLong(TrialResult::lostOnPurpose).sum();
            return all == 0 ? "" : ", " + Figures.count(all) + " on purpose";
        }

        private void trouble(final String what, final ToLongFunction<TrialResult> count) {
            final long all = measured.stream().mapToLong(count).sum();
            if (all > 0) {
                final List<String> where =
                        measured.stream()
                                .filter(trial -> count.applyAsLong(trial) > 0)
                                .map(trial ->
                                        trial.channel().isEmpty() ? trial.test() : trial.channel())
                                .map(Printable::of)
                                .distinct()
                                .toList();
                troubles.add(
                        "%s %s (%s)"
                                .formatted(
                                        Figures.count(all),
                                        what,
                                        NameList.of(where, CHANNELS_NAMED)));
            }
        }
    }
}
