package io.tickmark.report.rows;

import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TailSummary.Band;
import io.tickmark.kernel.result.TailSummary.Charge;
import io.tickmark.kernel.result.TailSummary.NotTraced;
import io.tickmark.kernel.result.TailSummary.Ran;
import io.tickmark.kernel.result.TailSummary.Stages;
import io.tickmark.kernel.result.TailSummary.Undisturbed;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.lab.tail.Pauses;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.report.rows.SideTable.Part;
import io.tickmark.report.rows.SideTable.Stack;
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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where the latency above the median comes from, all steps and repeats of a block added up.
 *
 * @param fromPercentile the messages are those above it
 * @param aboveMedianNs latency of the messages above the median
 * @param charges parts of it, the largest first; one for each owner, cause and way
 * @param restNs the part not due to stalls of watched threads
 */
public record TailFigures(
        double fromPercentile, long aboveMedianNs, List<Charge> charges, long restNs) {
    /** The part that is neither a stall nor a backlog of one. */
    public static final String REST = "engine, kernel path or unseen";

    private static final double SLOWEST = 99;
    private static final double SLOW = 90;

    /** Of the slowest tenth; as many may lack times without a word. */
    private static final double MOST_UNKNOWN = 0.1;

    private static final double LEAST_PART_SHOWN = 0.01;
    private static final int MOST_NAMES = 10;

    /** Copies the list. */
    public TailFigures {
        charges = List.copyOf(charges);
    }

    /**
     * The slowest hundredth of the messages of each block, added up; the slowest tenth where a
     * hundredth is too few messages in all of them.
     *
     * @param blocks any
     * @return empty where it was not examined, or there were too few messages
     */
    public static Optional<TailFigures> slowest(final List<Block> blocks) {
        return above(blocks, SLOWEST).or(() -> above(blocks, SLOW));
    }

    private static Optional<TailFigures> above(final List<Block> blocks, final double percentile) {
        final List<Band> bands =
                blocks.stream()
                        .flatMap(TailFigures::tails)
                        .flatMap(tail -> tail.bands().stream())
                        .filter(band -> band.fromPercentile() >= percentile)
                        .toList();
        return bands.isEmpty() ? Optional.empty() : Optional.of(sum(percentile, bands));
    }

    /**
     * Which messages these are.
     *
     * @return {@code the slowest 1 %}
     */
    public String which() {
        return "the slowest " + Math.round(100 - fromPercentile) + " %";
    }

    /**
     * Up to which percentiles the machine's part is more than a tenth of the latency above the
     * median, all repeats added up.
     *
     * @param row with all its repeats
     * @return of 90, 99, 99.9 and 100 those
     */
    public static List<Double> disturbed(final MergedRow row) {
        return row.repeats().stream()
                .map(TrialResult::tail)
                .filter(Objects::nonNull)
                .flatMap(tail -> tail.bands().stream())
                .collect(
                        Collectors.groupingBy(
                                Band::toPercentile, TreeMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .filter(band -> sum(band.getValue()).machineDisturbed())
                .map(Map.Entry::getKey)
                .toList();
    }

    private boolean machineDisturbed() {
        return new Band(0, 0, 0, aboveMedianNs, charges, restNs).machineDisturbed();
    }

    /**
     * The part of one owner.
     *
     * @param owner {@link TailSummary#MACHINE} or another of its owners
     * @return ns
     */
    public long ns(final String owner) {
        return charges.stream()
                .filter(charge -> charge.owner().equals(owner))
                .mapToLong(Charge::ns)
                .sum();
    }

    /**
     * The largest cause of an owner.
     *
     * @param owner as above
     * @return in words; empty where it has none
     */
    public String cause(final String owner) {
        return charges.stream()
                .filter(charge -> charge.owner().equals(owner))
                .collect(Collectors.groupingBy(Charge::cause, Collectors.summingLong(Charge::ns)))
                .entrySet()
                .stream()
                .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey)
                .orElse("");
    }

    /**
     * What ran while watched threads were stalled, all repeats added up.
     *
     * @param blocks any
     * @return the longest first, {@link Ran#OTHERS} last; empty where nothing was found
     */
    public static List<Ran> ranInstead(final List<Block> blocks) {
        return Ran.longest(
                blocks.stream()
                        .flatMap(TailFigures::tails)
                        .flatMap(tail -> tail.ranInstead().stream())
                        .collect(Collectors.groupingBy(Ran::name, Collectors.summingLong(Ran::ns))),
                MOST_NAMES);
    }

    /**
     * The operation for which a JVM paused its threads.
     *
     * @param ran a name of {@link Ran}
     * @return empty where it is the name of a task or an interrupt
     */
    public static Optional<String> operation(final String ran) {
        return ran.startsWith(Pauses.OPERATION)
                ? Optional.of(ran.substring(Pauses.OPERATION.length()))
                : Optional.empty();
    }

    /**
     * Other threads that may have been stalled, with the reason.
     *
     * @param blocks any
     * @return sentences, each once
     */
    public static List<String> notSeen(final List<Block> blocks) {
        return blocks.stream()
                .flatMap(TailFigures::tails)
                .filter(tail -> tail.whyNotAttributed().isEmpty() || !tail.stages().isEmpty())
                .flatMap(tail ->
                        Stream.concat(
                                tail.notWatched().stream(),
                                tail.notTraced().stream().map(TailFigures::sentence)))
                .distinct()
                .toList();
    }

    private static String sentence(final NotTraced each) {
        return each.role() + " " + each.index() + ", " + each.thread() + ": " + each.sentence();
    }

    /**
     * What the kernel did not let itself be asked for, of any thread.
     *
     * @param blocks any
     * @return in their order
     */
    public static List<NotTraced> notTraced(final List<Block> blocks) {
        return blocks.stream()
                .flatMap(TailFigures::tails)
                .flatMap(tail -> tail.notTraced().stream())
                .toList();
    }

    /**
     * Why a row has no stages of latency although they were asked for.
     *
     * @param row with all its repeats
     * @return sentences, each once; empty where it has them, or nobody asked
     */
    public static List<String> whyNoStages(final MergedRow row) {
        return row.repeats().stream()
                .map(TrialResult::tail)
                .filter(Objects::nonNull)
                .map(TailSummary::whyNoStages)
                .filter(why -> !why.isEmpty())
                .distinct()
                .map(why -> "kernelTimes=true shows no stages: " + why + ".")
                .toList();
    }

    /**
     * Whether it is known of a repeat where its latency comes from.
     *
     * @param row with all its repeats
     * @return false where nothing can say what delayed its messages
     */
    public static boolean isAttributed(final MergedRow row) {
        return row.repeats().stream()
                .map(TrialResult::tail)
                .anyMatch(tail -> tail != null && tail.whyNotAttributed().isEmpty());
    }

    /**
     * Why it is not known where the latency of a row comes from; not where that is in its labels.
     *
     * @param row with all its repeats
     * @return clauses, each once; empty where it is known
     */
    public static List<String> whyNotAttributed(final MergedRow row) {
        return row.repeats().stream()
                .filter(trial -> trial.tail() != null && !trial.latencies().isEmpty())
                .filter(trial -> !trial.labels().contains(Labels.AS_FAST_AS_POSSIBLE))
                .map(trial -> trial.tail().whyNotAttributed())
                .filter(why -> !why.isEmpty())
                .distinct()
                .toList();
    }

    /**
     * How many of the slowest messages of a block have stages, where that is not nearly all, and
     * why the others have none.
     *
     * @param block with all its repeats
     * @return a sentence; empty where nearly all have stages, or none, or nobody asked
     */
    public static Optional<String> fewStages(final Block block) {
        final List<Stages> slow =
                tails(block)
                        .flatMap(tail -> tail.stages().stream())
                        .filter(band -> band.fromPercentile() >= SLOW)
                        .toList();
        final long known = slow.stream().mapToLong(Stages::messages).sum();
        final long unknown = slow.stream().mapToLong(Stages::unknown).sum();
        if (unknown == 0 || unknown <= MOST_UNKNOWN * (known + unknown)) {
            return Optional.empty();
        }
        final long notDeparted = slow.stream().mapToLong(Stages::notDeparted).sum();
        final long notArrived = slow.stream().mapToLong(Stages::notArrived).sum();
        final List<String> why = new ArrayList<>();
        if (notDeparted > 0) {
            why.add("it did not say when %s left".formatted(Figures.count(notDeparted)));
        }
        if (notArrived > 0) {
            why.add("it did not say when %s arrived".formatted(Figures.count(notArrived)));
        }
        if (unknown > notDeparted + notArrived) {
            why.add(
                    "times of %s cannot be right"
                            .formatted(Figures.count(unknown - notDeparted - notArrived)));
        }
        return Optional.of(
                ("kernelTimes=true: of the slowest tenth, %s messages, the kernel gave both times of %s: %s. Messages that"
                                + " leave or are read together with the next have no times of their own, as over TCP and in"
                                + " batches; the means say nothing about them.")
                        .formatted(
                                Figures.count(known + unknown),
                                Figures.count(known),
                                String.join(", ", why)));
    }

    private static Stream<TailSummary> tails(final Block block) {
        return block.rows().stream()
                .flatMap(row -> row.repeats().stream())
                .map(TrialResult::tail)
                .filter(Objects::nonNull);
    }

    private record Key(String owner, String cause, String evidence, boolean backlog) {}

    private static TailFigures sum(final List<Band> bands) {
        return sum(bands.getFirst().fromPercentile(), bands);
    }

    private static TailFigures sum(final double fromPercentile, final List<Band> bands) {
        final Map<Key, Long> sums = new HashMap<>();
        bands.stream()
                .flatMap(band -> band.charges().stream())
                .forEach(charge ->
                        sums.merge(
                                new Key(
                                        charge.owner(),
                                        charge.cause(),
                                        charge.evidence(),
                                        charge.backlog()),
                                charge.ns(),
                                Long::sum));
        return new TailFigures(
                fromPercentile,
                bands.stream().mapToLong(Band::aboveMedianNs).sum(),
                sums.entrySet().stream()
                        .map(each ->
                                new Charge(
                                        each.getKey().owner(),
                                        each.getKey().cause(),
                                        each.getKey().evidence(),
                                        each.getKey().backlog(),
                                        each.getValue()))
                        .sorted(
                                Comparator.comparingLong(Charge::ns)
                                        .reversed()
                                        .thenComparing(Charge::cause))
                        .toList(),
                bands.stream().mapToLong(Band::restNs).sum());
    }

    /** The tables of a test: the bands' shares, and the figures without the machine's part. */
    static List<SideTable> of(final List<Block> test) {
        return Stream.of(
                        shares(test),
                        causes(test),
                        stagesTable(test),
                        ran(test),
                        notSeenTable(test),
                        undisturbed(test))
                .flatMap(Optional::stream)
                .toList();
    }

    /** By their names, those that a test has: of a one-way message nothing comes back. */
    private static Map<String, ToLongFunction<Stages>> stages(final List<Block> test) {
        final List<Stages> all =
                test.stream()
                        .flatMap(TailFigures::tails)
                        .flatMap(tail -> tail.stages().stream())
                        .toList();
        final boolean hasEcho = all.stream().anyMatch(band -> band.atEcho().messages() > 0);
        final Map<String, ToLongFunction<Stages>> stages = new LinkedHashMap<>();
        stages.put("until sent", Stages::untilSentNs);
        stages.put("in the send call", band -> band.inSendNs() - band.queued().ns());
        if (all.stream().anyMatch(band -> band.queued().messages() > 0)) {
            stages.put("queueing discipline", band -> band.queued().ns());
        }
        final boolean hasCard = all.stream().anyMatch(band -> band.card().messages() > 0);
        if (hasCard) {
            stages.put("card and driver, both ways", band -> band.card().ns());
        }
        if (hasEcho && hasCard) {
            // the card's stamps do not say how much of its time was on which way
            stages.put(
                    "network, both ways",
                    band ->
                            band.atEcho().toEchoNs()
                                    + band.atEcho().fromEchoNs()
                                    - band.card().ns());
        } else if (hasEcho) {
            stages.put("to the echo", band -> band.atEcho().toEchoNs());
        }
        if (hasEcho) {
            stages.put("until the echo had it", band -> band.atEcho().untilTakenNs());
            stages.put("at the echo", band -> band.atEcho().untilEchoedNs());
        }
        if (hasEcho && !hasCard) {
            stages.put("back", band -> band.atEcho().fromEchoNs());
        }
        if (all.stream().anyMatch(band -> band.atEcho().messages() < band.messages())) {
            stages.put(
                    test.stream().anyMatch(Block::isStream)
                            ? "on the way"
                            : hasEcho ? "network and echo, undivided" : "network and echo",
                    band ->
                            band.onTheWayNs()
                                    - band.atEcho().sumNs()
                                    - (hasEcho ? 0 : band.card().ns()));
        }
        stages.put("until received", Stages::untilReceivedNs);
        return stages;
    }

    /** The stages of all steps and repeats of a block, by bands of percentiles. */
    private static Optional<SideTable> stagesTable(final List<Block> test) {
        final Map<String, ToLongFunction<Stages>> stages = stages(test);
        final List<List<String>> rows = new ArrayList<>();
        final List<Stack> pictures = new ArrayList<>();
        for (final Block block : test) {
            final Map<Range, List<Stages>> bands = new TreeMap<>();
            tails(block)
                    .flatMap(tail -> tail.stages().stream())
                    .forEach(each ->
                            bands.computeIfAbsent(
                                            new Range(each.fromPercentile(), each.toPercentile()),
                                            key -> new ArrayList<>())
                                    .add(each));
            bands.values().forEach(band -> stages(block, band, stages, rows, pictures));
        }
        final List<String> columns = new ArrayList<>(List.of("channel", "percentiles", "messages"));
        columns.addAll(stages.keySet());
        columns.addAll(List.of("latency", "without times"));
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new SideTable(
                                "Where messages were, by the kernel's times (means)",
                                2,
                                2,
                                columns,
                                rows,
                                pictures));
    }

    private static void stages(
            final Block block,
            final List<Stages> bands,
            final Map<String, ToLongFunction<Stages>> stages,
            final List<List<String>> rows,
            final List<Stack> pictures) {
        final long messages = bands.stream().mapToLong(Stages::messages).sum();
        final List<Part> parts = new ArrayList<>();
        stages.forEach((name, stage) ->
                parts.add(
                        new Part(name, (double) bands.stream().mapToLong(stage).sum() / messages)));
        final String percentiles =
                percentiles(bands.getFirst().fromPercentile(), bands.getFirst().toPercentile());
        final List<String> row = new ArrayList<>();
        row.add(Printable.of(block.channel()));
        row.add(percentiles);
        row.add(Figures.count(messages));
        parts.forEach(part -> row.add(time(part.ns(), messages)));
        row.add(time(parts.stream().mapToDouble(Part::ns).sum(), messages));
        row.add(Figures.count(bands.stream().mapToLong(Stages::unknown).sum()));
        rows.add(row);
        if (messages == 0) {
            return;
        }
        pictures.add(new Stack(Printable.of(block.channel()) + ", " + percentiles, parts));
    }

    private static String time(final double ns, final long messages) {
        return messages == 0 ? "n/a" : Figures.ASCII.time(ns);
    }

    private static String percentiles(final double from, final double to) {
        return Figures.digits(from) + " to " + Figures.digits(to) + " %";
    }

    private static Optional<SideTable> notSeenTable(final List<Block> test) {
        final List<List<String>> rows =
                test.stream()
                        .flatMap(block ->
                                notSeen(List.of(block)).stream()
                                        .map(sentence ->
                                                List.of(
                                                        Printable.of(block.channel()),
                                                        Printable.of(sentence))))
                        .toList();
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new SideTable(
                                "What may have delayed messages unseen",
                                1,
                                2,
                                List.of("channel", "what"),
                                rows));
    }

    private static Optional<SideTable> ran(final List<Block> test) {
        final List<List<String>> rows = new ArrayList<>();
        for (final Block block : test) {
            final List<Ran> all = ranInstead(List.of(block));
            final long sum = all.stream().mapToLong(Ran::ns).sum();
            for (final Ran each : all) {
                rows.add(
                        List.of(
                                Printable.of(block.channel()),
                                Printable.of(each.name()),
                                Figures.ASCII.time(each.ns()),
                                Figures.share(each.ns(), sum)));
            }
        }
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new SideTable(
                                "What ran while watched threads were stalled",
                                2,
                                2,
                                List.of("channel", "what", "time", "share"),
                                rows));
    }

    /**
     * The bands' shares of blocks, by all messages that were examined.
     *
     * @param test blocks of one test
     * @return empty where none was examined
     */
    public static Optional<SideTable> shares(final List<Block> test) {
        final List<List<String>> rows = new ArrayList<>();
        final List<Stack> pictures = new ArrayList<>();
        for (final Block block : test) {
            bands(block).values().forEach(band -> share(block, band, rows, pictures));
        }
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new SideTable(
                                "Where the latency above the median comes from",
                                2,
                                3,
                                List.of(
                                        "channel",
                                        "percentiles",
                                        "most of it",
                                        "machine",
                                        "the test itself",
                                        "stall, cause unknown",
                                        REST,
                                        "dated"),
                                rows,
                                pictures));
    }

    private static void share(
            final Block block,
            final List<Band> bands,
            final List<List<String>> rows,
            final List<Stack> pictures) {
        final TailFigures sum = sum(bands);
        final long all = sum.aboveMedianNs();
        final Map<String, Long> parts = new LinkedHashMap<>();
        parts.put("machine", sum.ns(TailSummary.MACHINE));
        parts.put("the test itself", sum.ns(TailSummary.SYSTEM) + sum.ns(TailSummary.BENCH));
        parts.put("stall, cause unknown", sum.ns(TailSummary.UNKNOWN));
        parts.put(REST, sum.restNs());
        final String channel = Printable.of(block.channel());
        final String percentiles =
                percentiles(bands.getFirst().fromPercentile(), bands.getFirst().toPercentile());
        final List<String> row = new ArrayList<>(List.of(channel, percentiles, sum.largest()));
        parts.values().forEach(ns -> row.add(Figures.share(ns, all)));
        row.add(Figures.share(bands.stream().mapToLong(Band::datedNs).sum(), all));
        rows.add(row);
        final double messages = bands.stream().mapToLong(Band::messages).sum();
        pictures.add(
                new Stack(
                        channel + ", " + percentiles,
                        parts.entrySet().stream()
                                .map(part -> new Part(part.getKey(), part.getValue() / messages))
                                .toList()));
    }

    /** Each cause of a hundredth or more of a band, and how it is known. */
    private static Optional<SideTable> causes(final List<Block> test) {
        final List<List<String>> rows = new ArrayList<>();
        for (final Block block : test) {
            bands(block)
                    .values()
                    .forEach(band -> {
                        final TailFigures sum = sum(band);
                        for (final Charge charge : sum.charges()) {
                            if (charge.ns() >= LEAST_PART_SHOWN * sum.aboveMedianNs()) {
                                rows.add(
                                        List.of(
                                                Printable.of(block.channel()),
                                                percentiles(
                                                        band.getFirst().fromPercentile(),
                                                        band.getFirst().toPercentile()),
                                                Printable.of(charge.owner()),
                                                (charge.backlog() ? "waited behind others: " : "")
                                                        + Printable.of(charge.cause()),
                                                Printable.of(charge.evidence()),
                                                Figures.share(charge.ns(), sum.aboveMedianNs())));
                            }
                        }
                    });
        }
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new SideTable(
                                "What stalled the threads that messages passed",
                                2,
                                5,
                                List.of(
                                        "channel",
                                        "percentiles",
                                        "owner",
                                        "cause",
                                        "known",
                                        "share"),
                                rows));
    }

    /** The percentiles of a band; steps of few messages have fewer and wider ones. */
    private record Range(double from, double to) implements Comparable<Range> {
        @Override
        public int compareTo(final Range other) {
            return Comparator.comparingDouble(Range::from)
                    .thenComparingDouble(Range::to)
                    .compare(this, other);
        }
    }

    private static Map<Range, List<Band>> bands(final Block block) {
        return tails(block)
                .flatMap(tail -> tail.bands().stream())
                .collect(
                        Collectors.groupingBy(
                                band -> new Range(band.fromPercentile(), band.toPercentile()),
                                TreeMap::new,
                                Collectors.toList()));
    }

    private String largest() {
        if (charges.isEmpty() || charges.getFirst().ns() <= restNs) {
            return REST;
        }
        final Charge first = charges.getFirst();
        return (first.backlog() ? "queued behind delayed messages: " : "") + first.cause();
    }

    private static Optional<SideTable> undisturbed(final List<Block> test) {
        final List<List<String>> rows = new ArrayList<>();
        for (final Block block : test) {
            for (final MergedRow row : block.rows()) {
                final List<Undisturbed> all =
                        row.repeats().stream()
                                .map(TrialResult::tail)
                                .filter(Objects::nonNull)
                                .filter(tail -> tail.whyNotAttributed().isEmpty())
                                .map(TailSummary::undisturbed)
                                .toList();
                if (!all.isEmpty()) {
                    rows.add(undisturbed(block, row, all));
                }
            }
        }
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new SideTable(
                                "Undisturbed: messages due while the machine delayed no thread (medians of repeats)",
                                2,
                                3,
                                List.of(
                                        "channel",
                                        "step",
                                        "remark",
                                        "left out",
                                        "50 %",
                                        "99 %",
                                        "99.9 %"),
                                rows));
    }

    private static List<String> undisturbed(
            final Block block, final MergedRow row, final List<Undisturbed> all) {
        final List<LatencySummary> latencies =
                all.stream().map(Undisturbed::latency).filter(Objects::nonNull).toList();
        final Set<String> refused =
                all.stream()
                        .map(Undisturbed::refused)
                        .filter(reason -> !reason.isEmpty())
                        .collect(Collectors.toCollection(LinkedHashSet::new));
        final double leftOut =
                all.stream().mapToDouble(Undisturbed::leftOutPart).average().orElse(0);
        return List.of(
                Printable.of(block.channel()),
                block.stepName(row, Figures.ASCII),
                latencies.size() == all.size()
                        ? ""
                        : "refused in "
                                + Plural.of(all.size() - latencies.size(), "repeat")
                                + ": "
                                + Printable.of(String.join("; ", refused)),
                Figures.digits(100 * leftOut) + " %",
                median(latencies.stream().map(LatencySummary::p50).toList()),
                median(latencies.stream().map(LatencySummary::p99).toList()),
                median(latencies.stream().map(LatencySummary::p999).toList()));
    }

    private static String median(final List<OptionalLong> figures) {
        final long[] known =
                figures.stream()
                        .filter(OptionalLong::isPresent)
                        .mapToLong(OptionalLong::getAsLong)
                        .sorted()
                        .toArray();
        if (known.length == 0 || known.length < figures.size()) {
            return "n/a";
        }
        return Figures.ASCII.time(
                known.length % 2 == 1
                        ? known[known.length / 2]
                        : (known[known.length / 2 - 1] + known[known.length / 2]) / 2.0);
    }
}
