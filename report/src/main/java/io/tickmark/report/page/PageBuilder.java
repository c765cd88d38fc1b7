package io.tickmark.report.page;

import io.tickmark.kernel.host.HostChecks;
import io.tickmark.kernel.result.Answer;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.result.RoleFolders;
import io.tickmark.lab.tail.TailReader;
import io.tickmark.lab.verdict.Headline;
import io.tickmark.report.page.PageData.Fact;
import io.tickmark.report.page.PageData.Group;
import io.tickmark.report.page.PageData.TimeLineData;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.LatencyColumn;
import io.tickmark.report.rows.MergedRow;
import io.tickmark.report.rows.OneWayFigures;
import io.tickmark.report.rows.OverviewColumn;
import io.tickmark.report.rows.ReferenceFigures;
import io.tickmark.report.rows.RoleFigures;
import io.tickmark.report.rows.RunCsv;
import io.tickmark.report.rows.SideTable;
import io.tickmark.report.rows.SlowestMessages;
import io.tickmark.report.rows.TailFigures;
import io.tickmark.report.series.BlockSeries;
import io.tickmark.report.series.MeanLine;
import io.tickmark.report.series.RepeatSeries;
import io.tickmark.report.series.TimeLine;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Printable;
import io.tickmark.report.words.Cautions;
import io.tickmark.report.words.Circumstances;
import io.tickmark.report.words.KeyFigures;
import io.tickmark.report.words.RunSentences;
import io.tickmark.report.words.VerdictWords;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Composes the data of the page. For one use, single-threaded. */
public final class PageBuilder {
    private static final Figures FIGURES = Figures.TYPOGRAPHIC;

    /** Lists of slowest messages in a card: each is 3 kB, and takes as long as a tail to find. */
    private static final int MOST_LISTS = 5;

    private final RunResult run;
    private final RoleFolders folders;
    private final TailReader tails;
    private final PlanText plan;
    private final List<String> missing;

    /**
     * A builder for one page.
     *
     * @param run the result
     * @param folders of its roles
     * @param tails reads what they noted of stalls, as far as it has not read it yet
     * @param plan as it was run
     * @param missing what is already known to be missing, sentences
     */
    public PageBuilder(
            final RunResult run,
            final RoleFolders folders,
            final TailReader tails,
            final PlanText plan,
            final List<String> missing) {
        this.run = run;
        this.folders = folders;
        this.tails = tails;
        this.plan = plan;
        this.missing = new ArrayList<>(missing);
    }

    /**
     * Reads the roles' files and composes the data.
     *
     * @return the page's data
     */
    public PageData build() {
        final List<PageData.Test> tests = tests();
        final VerdictWords words = VerdictWords.of(run);
        return new PageData(
                Printable.of(run.plan()),
                plan.description(),
                Printable.of(run.startedAt()),
                Printable.of(run.tickmark()),
                EnvironmentGroups.line(run.environment()),
                new PageData.Words(words.kind(), words.word(), words.sentence(), words.reasons()),
                run.answer() == null ? RunSentences.first(run, FIGURES) : List.of(),
                run.answer() == null ? List.of() : notes(run.answer()),
                KeyFigures.of(run, FIGURES),
                Cautions.of(run, FIGURES),
                missing,
                tests,
                run.searches(),
                ReferenceFigures.of(run).orElse(null),
                run.noise(),
                HostChecks.of(run.environment()).stream()
                        .map(check -> new PageData.Check(lower(check.severity()), check.sentence()))
                        .toList(),
                EnvironmentGroups.of(run.environment()),
                plan.text(),
                new PageData.Table(RunCsv.columns(run), RunCsv.rows(run)));
    }

    /** The answer's headline stands in place of the verdict. */
    private static List<Answer.Note> notes(final Answer answer) {
        return answer.notes().stream()
                .map(note ->
                        new Answer.Note(
                                Printable.of(note.title()),
                                note.sentences().stream().map(Printable::of).toList()))
                .toList();
    }

    private List<PageData.Test> tests() {
        final Map<String, List<Block>> byTest = new LinkedHashMap<>();
        for (final Block block : Block.of(run)) {
            byTest.computeIfAbsent(block.test(), test -> new ArrayList<>()).add(block);
        }
        final boolean isOnlyTest = byTest.size() == 1 && run.searches().isEmpty();
        final List<PageData.Test> tests = new ArrayList<>();
        byTest.forEach((name, blocks) ->
                tests.add(
                        new PageData.Test(
                                Printable.of(name),
                                loop(blocks),
                                isOnlyTest ? "" : RunSentences.test(run, name, FIGURES),
                                Circumstances.of(blocks, FIGURES) + ".",
                                LatencyColumn.ALL,
                                OverviewColumn.ALL,
                                SideTable.of(blocks),
                                slowest(blocks),
                                blocks.stream().map(this::block).toList())));
        return tests;
    }

    /** A step of a channel. */
    private record Place(Block block, MergedRow row) {
        long longestNs() {
            return row.headline().flatMap(row::latency).map(LatencySummary::max).orElse(0L);
        }
    }

    private PageData.Slowest slowest(final List<Block> blocks) {
        final List<Place> places =
                blocks.stream()
                        .flatMap(block -> block.rows().stream().map(row -> new Place(block, row)))
                        .filter(place -> !place.row().latencies().isEmpty())
                        .toList();
        final List<Place> attributed =
                places.stream()
                        .filter(place -> TailFigures.isAttributed(place.row()))
                        .sorted(Comparator.comparingLong(Place::longestNs).reversed())
                        .toList();
        final List<SlowestMessages> lists = new ArrayList<>();
        final List<String> notes = new ArrayList<>();
        int looked = 0;
        for (final Place place : attributed) {
            if (lists.size() == MOST_LISTS) {
                break;
            }
            looked++;
            try {
                SlowestMessages.of(place.block(), place.row(), tails, folders, SlowestMessages.ROWS)
                        .ifPresent(lists::add);
            } catch (final UserError e) {
                notes.add(Printable.of(e.getMessage()));
            }
        }
        missing.addAll(notes);
        if (looked < attributed.size()) {
            notes.add(
                    "These are the %d of %d steps and channels with the longest latencies; ./tickmark why lists the others."
                            .formatted(lists.size(), attributed.size()));
        }
        if (lists.isEmpty() && notes.isEmpty() && !places.isEmpty()) {
            notes.add(SlowestMessages.none("This test"));
        }
        return new PageData.Slowest(SlowestMessages.COLUMNS, lists, notes);
    }

    private static String loop(final List<Block> blocks) {
        if (blocks.getFirst().isStream()) {
            return "stream";
        }
        if (blocks.getFirst().isGeneral()) {
            return "general";
        }
        return blocks.stream().allMatch(Block::isClosedLoop) ? "closed" : "open";
    }

    private PageData.Block block(final Block block) {
        final BlockSeries series = BlockSeries.read(block, folders);
        series.missing().map(Printable::of).ifPresent(missing::add);
        return new PageData.Block(
                Printable.of(block.channel()),
                block.noiseMaxNs(),
                block.rows().stream().map(row -> row(block, row, series)).toList(),
                TimeLines.of(block, series, FIGURES),
                block.isGeneral()
                        ? RoleFigures.of(block).stream().flatMap(PageBuilder::role).toList()
                        : List.of(),
                OneWayFigures.of(run, block).stream()
                        .map(each -> new PageData.OneWay(each.title(), each.steps()))
                        .toList());
    }

    /** One row for numbers, and one for each text that stays apart from the next. */
    private static Stream<PageData.RoleFigure> role(final RoleFigures figures) {
        final String role = Printable.of(figures.role());
        final String metric = Printable.of(figures.metric());
        if (figures.isNumber()) {
            return Stream.of(new PageData.RoleFigure(role, metric, "", figures.spread()));
        }
        return figures.texts().stream()
                .map(text -> new PageData.RoleFigure(role, metric, Printable.of(text), null));
    }

    private static PageData.Row row(
            final Block block, final MergedRow row, final BlockSeries series) {
        final Map<String, LatencySummary> latencies = new LinkedHashMap<>();
        for (final String name : row.latencies()) {
            row.latency(name).ifPresent(latency -> latencies.put(name, latency));
        }
        return new PageData.Row(
                row.any().step(),
                block.stepName(row, FIGURES),
                row.any().payloadBytes(),
                lower(row.verdict()),
                row.labels().stream().map(Printable::of).toList(),
                row.isNoisy(),
                TailFigures.disturbed(row),
                counts(row),
                row.median(TrialResult::offeredRatePerSecond),
                row.median(TrialResult::echoedRatePerSecond),
                latencies,
                series.curves(row.any().step()));
    }

    private static Map<String, Long> counts(final MergedRow row) {
        final Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("sent", row.sum(TrialResult::sent));
        counts.put("expected", row.sum(TrialResult::expected));
        counts.put("received", row.sum(TrialResult::received));
        if (!row.isForeignEcho()) {
            counts.put("lost", row.sum(TrialResult::lost)); // such a service does not report it
        }
        counts.put("notEchoed", row.sum(TrialResult::notEchoed));
        counts.put("duplicated", row.sum(TrialResult::duplicated));
        counts.put("reordered", row.sum(TrialResult::reordered));
        counts.put("notTimed", row.sum(TrialResult::notTimed));
        counts.put("maxTightSends", row.max(TrialResult::maxTightSends));
        counts.put("hotThreads", row.max(TrialResult::hotThreads));
        counts.put("cores", row.max(TrialResult::cores));
        return counts;
    }

    private static String lower(final Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }

    /** The time lines of a block as the page shows them. */
    private static final class TimeLines {
        private static final double MS_PER_S = 1e3;
        private static final double MIB = 1 << 20;
        private static final MathContext DIGITS = new MathContext(5);

        /** Most latencies of a repeat, each a chart. */
        private static final int MOST_LATENCIES = 12;

        private final List<String> latencies = new ArrayList<>();
        private final Set<String> allLatencies;
        private final Map<Integer, String> stepNames = new LinkedHashMap<>();

        private TimeLines(final Block block, final BlockSeries series, final Figures figures) {
            allLatencies = series.latencies();
            Headline.nameOf(series.latencies()).ifPresent(latencies::add);
            series.latencies().stream()
                    .filter(name -> !latencies.contains(name))
                    .limit(MOST_LATENCIES - latencies.size())
                    .forEach(latencies::add);
            for (final MergedRow row : block.rows()) {
                stepNames.put(row.any().step(), block.stepName(row, figures));
            }
        }

        static List<TimeLineData> of(
                final Block block, final BlockSeries series, final Figures figures) {
            final TimeLines lines = new TimeLines(block, series, figures);
            return series.repeats().stream().map(lines::of).toList();
        }

        private TimeLineData of(final RepeatSeries series) {
            final long originMs = series.startMs();
            final Map<String, PageData.LatencyLine> latencyLines = new LinkedHashMap<>();
            for (final String name : latencies) {
                final List<TimeLine.Point> points = series.latency(name);
                if (!points.isEmpty()) {
                    latencyLines.put(name, latency(points, originMs));
                }
            }
            final Map<String, PageData.Line> rates = new LinkedHashMap<>();
            series.rates()
                    .forEach((name, points) ->
                            rates.put(Printable.of(name), line(points, originMs, 1)));
            return new TimeLineData(
                    series.repeat(),
                    series.steps().stream()
                            .map(span ->
                                    new PageData.Span(
                                            span.step(),
                                            stepNames.getOrDefault(span.step(), ""),
                                            seconds(span.startMs() - originMs),
                                            seconds(span.endMs() - originMs)))
                            .toList(),
                    latencyLines,
                    rates,
                    series.roles().stream()
                            .map(role ->
                                    new PageData.RoleLines(
                                            Printable.of(role.role()),
                                            line(role.cpuPercent(), originMs, 1),
                                            line(role.residentBytes(), originMs, MIB)))
                            .toList(),
                    series.roleCount(),
                    (int)
                            allLatencies.stream()
                                    .filter(name -> !series.latency(name).isEmpty())
                                    .count(),
                    series.rateCount());
        }

        private static PageData.LatencyLine latency(
                final List<TimeLine.Point> points, final long originMs) {
            return new PageData.LatencyLine(
                    points.stream().map(point -> seconds(point.startMs() - originMs)).toList(),
                    points.stream().map(TimeLine.Point::step).toList(),
                    points.stream().map(TimeLine.Point::p50Ns).toList(),
                    points.stream().map(TimeLine.Point::p99Ns).toList(),
                    points.stream().map(TimeLine.Point::maxNs).toList());
        }

        private static PageData.Line line(
                final List<MeanLine.Point> points, final long originMs, final double unit) {
            return new PageData.Line(
                    points.stream().map(point -> seconds(point.startMs() - originMs)).toList(),
                    points.stream().map(point -> rounded(point.value() / unit)).toList());
        }

        private static double rounded(final double value) {
            return BigDecimal.valueOf(value).round(DIGITS).doubleValue();
        }

        private static double seconds(final long ms) {
            return ms / MS_PER_S;
        }
    }

    /** The environment record as tables of text, and the machine on one line. */
    private static final class EnvironmentGroups {
        private static final String BYTES = "Bytes";
        private static final double KIB = 1024;
        private static final double FEW = 10 * KIB;

        private EnvironmentGroups() {}

        static List<Group> of(final Map<String, Map<String, Object>> environment) {
            final List<Group> groups = new ArrayList<>();
            environment.forEach((name, facts) -> {
                final List<Fact> shown = new ArrayList<>();
                facts.forEach((key, value) -> shown.add(fact(key, value)));
                if (!shown.isEmpty() && !name.equals("checks")) {
                    groups.add(new Group(Printable.of(name), shown));
                }
            });
            return groups;
        }

        private static Fact fact(final String key, final Object value) {
            return value instanceof final Number number && key.endsWith(BYTES)
                    ? new Fact(
                            Printable.of(key.substring(0, key.length() - BYTES.length())),
                            bytes(number.doubleValue()))
                    : new Fact(Printable.of(key), text(value));
        }

        private static String text(final Object value) {
            return switch (value) {
                case null -> "";
                case final Boolean flag -> flag ? "yes" : "no";
                case final Integer number -> Integer.toString(number);
                case final Long number -> Long.toString(number);
                case final Double number -> Figures.digits(number);
                case final Collection<?> list ->
                        list.stream()
                                .map(EnvironmentGroups::text)
                                .collect(Collectors.joining(", "));
                case final Map<?, ?> map ->
                        map.entrySet().stream()
                                .map(entry -> entry(entry.getKey().toString(), entry.getValue()))
                                .collect(Collectors.joining(", "));
                default -> Printable.of(value.toString());
            };
        }

        private static String entry(final String key, final Object value) {
            final Fact fact = fact(key, value);
            return fact.name() + " " + fact.value();
        }

        private static String bytes(final double bytes) {
            if (bytes < FEW) {
                return Figures.digits(bytes) + " B"; // an MTU of 1,500 is not shown as 1.46 KiB
            }
            if (bytes < KIB * KIB) {
                return Figures.digits(bytes / KIB) + " KiB";
            }
            return bytes < KIB * KIB * KIB
                    ? Figures.digits(bytes / KIB / KIB) + " MiB"
                    : Figures.digits(bytes / KIB / KIB / KIB) + " GiB";
        }

        /** Host, processor, kernel and JVM, as far as they are known. */
        static String line(final Map<String, Map<String, Object>> environment) {
            return Stream.of(
                            value(environment, "host", "name"),
                            value(environment, "cpu", "model"),
                            cores(environment),
                            named("Linux ", number(value(environment, "kernel", "release"))),
                            named("JDK ", value(environment, "jvm", "version")))
                    .filter(part -> !part.isBlank())
                    .collect(Collectors.joining(" · "));
        }

        /** Of a kernel; the name of its build is among the facts below. */
        private static String number(final String release) {
            return release.replaceFirst("^([0-9]+([.][0-9]+)*).*", "$1");
        }

        private static String named(final String what, final String value) {
            return value.isEmpty() ? "" : what + value;
        }

        private static String cores(final Map<String, Map<String, Object>> environment) {
            final String logical = value(environment, "cpu", "logicalCores");
            return logical.isEmpty() ? "" : logical + " cores";
        }

        private static String value(
                final Map<String, Map<String, Object>> environment,
                final String group,
                final String key) {
            return text(environment.getOrDefault(group, Map.of()).get(key));
        }
    }
}
