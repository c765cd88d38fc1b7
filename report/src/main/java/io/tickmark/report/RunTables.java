package io.tickmark.report;

import io.tickmark.kernel.result.Aggregate;
import io.tickmark.kernel.result.Answer;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.SearchSummary;
import io.tickmark.kernel.result.SearchSummary.SearchTrial;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.LatencyColumn;
import io.tickmark.report.rows.MergedRow;
import io.tickmark.report.rows.OneWayFigures;
import io.tickmark.report.rows.ReferenceFigures;
import io.tickmark.report.rows.RoleFigures;
import io.tickmark.report.rows.SideTable;
import io.tickmark.report.rows.Sides;
import io.tickmark.report.rows.SuiteLines;
import io.tickmark.report.rows.TailFigures;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Ink;
import io.tickmark.report.text.LatencyTitle;
import io.tickmark.report.text.Paragraph;
import io.tickmark.report.text.Printable;
import io.tickmark.report.text.TextTable;
import io.tickmark.report.words.Cautions;
import io.tickmark.report.words.Circumstances;
import io.tickmark.report.words.RunSentences;
import io.tickmark.report.words.VerdictWords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A run as text: a table for each test and channel, the outcome, the cautions, and the verdict. The
 * same run, width and colour give the same text. Immutable, any thread.
 */
public final class RunTables {
    /** Width of {@code summary.txt} and of terminals that do not report theirs. */
    public static final int DEFAULT_WIDTH = 80;

    /**
     * What is printed without being asked for more has at most so many lines; those of the two
     * files that are named below it are not counted.
     */
    public static final int SCREEN_LINES = 38;

    private static final int FEWEST_ROWS = 6;

    /** Tests and channels that are named, whatever else there is to say. */
    private static final int NAMED_ROWS = 20;

    /** Heading, names of columns, rule, letters, and what was left out, twice. */
    private static final int LINES_BESIDE_ROWS = 6;

    private static final int NARROWEST = 20;
    private static final int REASONS_SHOWN = 20;

    /** Cautions, and reasons of the verdict; fewer where they are long. */
    private static final int SENTENCES_ON_A_SCREEN = 4;

    /** Fewer where a test that passed has tables of its own that people look for. */
    private static final int GENERAL_SENTENCES_ON_A_SCREEN = 2;

    /** Of a table that is begun where it does not fit as a whole. */
    private static final int FEWEST_LINES_OF_A_TABLE = 6;

    /** Of the sentence that names what has no room, with the empty lines around it. */
    private static final int LINES_LEFT_OUT = 4;

    /** The counts that latency and stream tests show in separate tables. */
    private static final Set<String> OWN_TABLES =
            Set.of(
                    Latencies.ROUND_TRIP_NS,
                    Latencies.RESPONSE_NS,
                    Latencies.SERVICE_NS,
                    Latencies.SEND_NS);

    private final int width;
    private final Ink ink;

    /**
     * Tables for a terminal.
     *
     * @param width columns of the terminal
     * @param colour whether to colour
     */
    public RunTables(final int width, final boolean colour) {
        this.width = Math.max(NARROWEST, width);
        this.ink = colour ? Ink.ANSI : Ink.PLAIN;
    }

    /**
     * The whole run.
     *
     * @param run any result
     * @return lines with line ends
     */
    public String render(final RunResult run) {
        return answer(run) + tables(run) + withAllCautions(run);
    }

    /**
     * The run on one screen: a line for each test, channel and step, the bounds of searches without
     * their trials, and what to know besides. A run of one test on one channel has as many of its
     * tables below as fit.
     *
     * @param run any result
     * @return lines with line ends
     */
    public String screen(final RunResult run) {
        return screen(run, 0);
    }

    /**
     * The same where the screen has further output.
     *
     * @param run any result
     * @param otherLines how many lines are printed besides
     * @return lines with line ends, as many fewer as far as they can be left out
     */
    public String screen(final RunResult run, final int otherLines) {
        final int most = Math.max(FEWEST_ROWS + LINES_BESIDE_ROWS, SCREEN_LINES - otherLines);
        final List<Block> blocks = Block.of(run);
        if (!run.searches().isEmpty()) {
            return searchScreen(run, blocks, most);
        }
        final boolean isSingle = blocks.size() < 2;
        if (isSingle) {
            final Optional<String> fitting = singleScreen(run, blocks, most);
            if (fitting.isPresent()) {
                return fitting.get();
            }
        }
        final int fewest = Math.clamp(blocks.size(), FEWEST_ROWS, NAMED_ROWS);
        final String answer = answer(run);
        final long room = most - LINES_BESIDE_ROWS - fewest - answer.lines().count();
        final String end =
                blocks.isEmpty()
                        ? shortEnd(run, room, RunSentences.of(run, Figures.ASCII))
                        : endBesideOverview(run, room);
        final List<String> lines = new ArrayList<>();
        if (!blocks.isEmpty()) {
            final long rows = Math.max(FEWEST_ROWS, room - end.lines().count() + fewest);
            lines.addAll(OverviewTable.lines(blocks, width, ink, (int) rows));
        }
        if (isSingle) {
            final long left = most - answer.lines().count() - end.lines().count() - 1;
            SideTable.of(blocks).forEach(side -> addWhereItFits(side, left, lines));
        }
        if (!lines.isEmpty()) {
            lines.add("");
        }
        return answer + text(lines) + end;
    }

    /** The only test, if there is one: its line, then all of its tables, or as many as fit. */
    private Optional<String> singleScreen(
            final RunResult run, final List<Block> blocks, final int most) {
        if (!blocks.isEmpty() && blocks.getFirst().isGeneral()) {
            return generalScreen(run, blocks.getFirst(), most);
        }
        final String line =
                blocks.isEmpty() ? "" : text(OverviewTable.lines(blocks, width, ink, most)) + "\n";
        return Stream.of(false, true)
                .map(isBrief -> answer(run) + line + tables(run, isBrief) + withAllCautions(run))
                .filter(screen -> isWithin(screen, most))
                .findFirst();
    }

    /**
     * A test of roles with figures of their own: its line, what was sent and received, then as many
     * of its tables as fit, and the names of those that do not. Empty where that is too much.
     */
    private Optional<String> generalScreen(final RunResult run, final Block block, final int most) {
        final boolean hasLatency =
                block.rows().stream().anyMatch(row -> row.headline().isPresent());
        final List<String> first = new ArrayList<>();
        if (hasLatency) {
            first.addAll(OverviewTable.lines(List.of(block), width, ink, FEWEST_ROWS));
            first.add("");
        } else {
            heading(block.place(), first);
        }
        final List<String> sentences =
                hasLatency
                        ? RunSentences.besideOverview(run, Figures.ASCII)
                        : RunSentences.of(run, Figures.ASCII);
        final String allRemarks =
                conclusion(run, sentences, Cautions.of(run, Figures.ASCII), REASONS_SHOWN);
        for (final boolean isBrief : new boolean[] {false, true}) {
            final List<String> lines = new ArrayList<>(first);
            belowHeading(block, isBrief, lines);
            final String all = answer(run) + text(lines) + allRemarks;
            if (isWithin(all, most)) {
                return Optional.of(all);
            }
        }
        final List<String> lines = new ArrayList<>(first);
        counts(block, lines);
        RoleTables.byRole(block, RoleTables::isInOtherWords, width, ink)
                .values()
                .forEach(lines::addAll);
        remarks(block, lines);
        final String end =
                end(
                        run,
                        run.verdict() == Verdict.PASS
                                ? GENERAL_SENTENCES_ON_A_SCREEN
                                : SENTENCES_ON_A_SCREEN,
                        sentences);
        final long room = most - answer(run).lines().count() - end.lines().count() - LINES_LEFT_OUT;
        final Map<String, List<String>> tables = new LinkedHashMap<>();
        latencies(block)
                .forEach(name -> {
                    final List<String> table = new ArrayList<>();
                    table(block, name, LatencyTitle.of(name), table);
                    tables.put(LatencyTitle.of(name), table);
                });
        tables.putAll(
                RoleTables.byRole(
                        block,
                        figures -> figures.isNumber() && !figures.isOfProcess(),
                        width,
                        ink));
        tables.values()
                .removeIf(table -> {
                    final boolean fits = lines.size() + table.size() <= room;
                    if (fits) {
                        lines.addAll(table);
                    }
                    return fits;
                });
        final List<String> leftOut = new ArrayList<>();
        tables.forEach((title, table) -> {
            final int left = (int) (room - lines.size());
            final boolean isBegun = left >= FEWEST_LINES_OF_A_TABLE;
            if (isBegun) {
                lines.addAll(table.subList(0, left));
            }
            leftOut.add(isBegun ? "the rest of " + title : title);
        });
        lines.addAll(leftOut(leftOut));
        lines.add("");
        return Optional.of(answer(run) + text(lines) + end)
                .filter(screen -> isWithin(screen, most));
    }

    /**
     * The bounds of searches, those that did not pass before others; the lines of their tests and
     * figures of another source as far as there is room; and the names of what is left out.
     */
    private String searchScreen(final RunResult run, final List<Block> blocks, final int most) {
        final String answer = answer(run);
        final int fewest = Math.clamp(run.searches().size(), FEWEST_ROWS, NAMED_ROWS);
        final long room =
                most - LINES_BESIDE_ROWS - LINES_LEFT_OUT - fewest - answer.lines().count();
        final String end = shortEnd(run, room, RunSentences.besideOverview(run, Figures.ASCII));
        final long rows = Math.max(FEWEST_ROWS, room - end.lines().count() + fewest);
        final List<String> lines = new ArrayList<>();
        heading(SearchTables.TITLE, lines);
        lines.addAll(SearchTables.brief(run, (int) rows, width, ink));
        final List<String> leftOut = new ArrayList<>();
        final long left = most - answer.lines().count() - end.lines().count() - LINES_LEFT_OUT;
        final long tests = left - lines.size() - 1 - LINES_BESIDE_ROWS;
        if (!blocks.isEmpty() && tests >= Math.min(blocks.size(), FEWEST_ROWS)) {
            lines.add("");
            lines.addAll(OverviewTable.lines(blocks, width, ink, (int) tests));
        } else if (!blocks.isEmpty()) {
            leftOut.add("the latencies of the tests");
        }
        leftOut.add("the trials of each search");
        final Optional<SideTable> references = ReferenceFigures.of(run);
        if (references.isPresent() && !addWhereItFits(references.get(), left, lines)) {
            leftOut.add("figures of another source beside these");
        }
        lines.addAll(leftOut(leftOut));
        lines.add("");
        return answer + text(lines) + end;
    }

    /** Names what a screen has no room for. */
    private List<String> leftOut(final List<String> names) {
        if (names.isEmpty()) {
            return List.of();
        }
        final List<String> lines = new ArrayList<>(List.of(""));
        lines.addAll(wrap("Also in summary.txt: " + String.join(", ", names) + "."));
        return lines;
    }

    /** What is below the lines of a screen, with fewer sentences where they are long. */
    private String shortEnd(final RunResult run, final long room, final List<String> sentences) {
        String end = end(run, SENTENCES_ON_A_SCREEN, sentences);
        for (int most = SENTENCES_ON_A_SCREEN - 1; most > 0 && end.lines().count() > room; most--) {
            end = end(run, most, sentences);
        }
        return end;
    }

    /** The same, without who is responsible for the tail where that would take lines of tests. */
    private String endBesideOverview(final RunResult run, final long room) {
        final String end = shortEnd(run, room, RunSentences.besideOverview(run, Figures.ASCII));
        return end.lines().count() <= room
                ? end
                : shortEnd(run, room, RunSentences.leastBesideOverview(run));
    }

    /** What is below the lines of a screen: of cautions and of reasons this many at most. */
    private String end(final RunResult run, final int most, final List<String> sentences) {
        final boolean isAnswered = run.answer() != null;
        return conclusion(
                run,
                isAnswered ? List.of() : sentences,
                first(
                        isAnswered
                                ? Cautions.besideAnswer(run, Figures.ASCII)
                                : Cautions.of(run, Figures.ASCII),
                        most,
                        "more remark",
                        "summary.txt"),
                most);
    }

    private static boolean isWithin(final String text, final int most) {
        return text.lines().count() <= most;
    }

    /** Whether it was added. */
    private boolean addWhereItFits(
            final SideTable side, final long most, final List<String> lines) {
        final List<String> more = new ArrayList<>();
        sideTable(side, more);
        final boolean fits = lines.size() + more.size() <= most;
        if (fits) {
            lines.addAll(more);
        }
        return fits;
    }

    /**
     * Only the tables.
     *
     * @param run any result
     * @return lines with line ends; empty where nothing was measured
     */
    public String tables(final RunResult run) {
        return tables(run, false);
    }

    /**
     * Brief tables leave out what processes used and how they were started, the line of each trial
     * of a stream, and programmed figures that were met.
     */
    private String tables(final RunResult run, final boolean isBrief) {
        final List<String> lines = new ArrayList<>();
        final Map<String, List<Block>> streams = new LinkedHashMap<>();
        final List<Block> blocks = Block.of(run);
        for (final Block block : blocks) {
            if (block.isStream()) {
                streams.computeIfAbsent(block.test(), test -> new ArrayList<>()).add(block);
            }
        }
        for (final Block block : blocks) {
            if (block.isGeneral()) {
                general(block, isBrief, lines);
            } else if (!block.isStream()) {
                latency(run, block, isBrief, lines);
            } else if (streams.containsKey(block.test())) {
                stream(streams.remove(block.test()), isBrief, lines);
            }
        }
        SearchTables.bounds(run).ifPresent(bounds -> searches(run, bounds, lines));
        return text(lines);
    }

    private void bounds(final RunResult run, final TextTable bounds, final List<String> lines) {
        heading(SearchTables.TITLE, lines);
        lines.addAll(bounds.lines(width, ink));
        if (run.searches().stream().anyMatch(SearchSummary::boundsAreUnconfirmed)) {
            lines.addAll(wrap(SearchTables.UNCONFIRMED));
        }
        ReferenceFigures.of(run).ifPresent(references -> sideTable(references, lines));
    }

    /** What the searches found; the trials of each below, because they are the evidence. */
    private void searches(final RunResult run, final TextTable bounds, final List<String> lines) {
        bounds(run, bounds, lines);
        for (final SearchSummary search : run.searches()) {
            lines.add("");
            lines.addAll(wrap("Trials of " + search.test() + " on " + search.channel()));
            lines.addAll(SearchTables.trials(search).lines(width, ink));
        }
        lines.add("");
    }

    /**
     * The outcome, the cautions and the verdict.
     *
     * @param run any result
     * @return lines with line ends
     */
    public String conclusion(final RunResult run) {
        return answer(run) + withAllCautions(run);
    }

    /** What the command was asked to find out comes first. */
    private String answer(final RunResult run) {
        if (run.answer() == null) {
            return "";
        }
        final List<String> lines = new ArrayList<>();
        heading(run.answer().headline(), lines);
        lines.add("");
        return text(lines);
    }

    private String withAllCautions(final RunResult run) {
        return conclusion(
                run,
                RunSentences.of(run, Figures.ASCII),
                Cautions.of(run, Figures.ASCII),
                REASONS_SHOWN);
    }

    private String conclusion(
            final RunResult run,
            final List<String> sentences,
            final List<String> cautions,
            final int mostReasons) {
        final List<String> lines = new ArrayList<>();
        sentences.forEach(sentence -> lines.addAll(wrap(sentence)));
        if (!sentences.isEmpty()) {
            lines.add("");
        }
        section(ink.careful("Keep in mind"), cautions, lines);
        if (run.answer() != null) {
            for (final Answer.Note note : run.answer().notes()) {
                section(ink.strong(Printable.of(note.title())), note.sentences(), lines);
            }
        }
        if (run.answer() == null || run.verdict() != Verdict.PASS) {
            verdict(run, mostReasons, lines);
        }
        return text(lines);
    }

    /** The first sentences, and how many more there are in this file. */
    private static List<String> first(
            final List<String> sentences, final int most, final String noun, final String file) {
        if (sentences.size() <= most) {
            return sentences;
        }
        final List<String> first = new ArrayList<>(sentences.subList(0, most));
        first.add("and %s in %s.".formatted(Plural.of(sentences.size() - most, noun), file));
        return first;
    }

    private void section(
            final String title, final List<String> sentences, final List<String> lines) {
        if (!sentences.isEmpty()) {
            lines.add(title);
            sentences.forEach(sentence -> lines.addAll(item(Printable.of(sentence))));
            lines.add("");
        }
    }

    private void verdict(final RunResult run, final int most, final List<String> lines) {
        final VerdictWords words = VerdictWords.of(run);
        final String word = words.word() + ".";
        final List<String> verdict = wrap(word + " " + words.sentence());
        verdict.set(0, verdict.getFirst().replaceFirst("^\\w+\\.", paint(words.verdict(), word)));
        lines.addAll(verdict);
        first(words.reasons(), most, "more reason", "result.json")
                .forEach(reason -> lines.addAll(item(reason)));
    }

    private String paint(final Verdict verdict, final String word) {
        return java.util.regex.Matcher.quoteReplacement(
                verdict == Verdict.PASS ? ink.good(word) : ink.bad(word));
    }

    /**
     * The counts of a workload, each latency that it named, and the figures that its roles report.
     */
    private void general(final Block block, final boolean isBrief, final List<String> lines) {
        heading(block.place(), lines);
        belowHeading(block, isBrief, lines);
    }

    private void belowHeading(final Block block, final boolean isBrief, final List<String> lines) {
        counts(block, lines);
        latencies(block).forEach(name -> table(block, name, LatencyTitle.of(name), lines));
        RoleTables.byRole(block, isBrief, width, ink).values().forEach(lines::addAll);
        remarks(block, lines);
        lines.add("");
    }

    private void counts(final Block block, final List<String> lines) {
        lines.addAll(wrap(Circumstances.of(List.of(block), Figures.ASCII)));
        lines.addAll(CountTable.of(block).lines(width, ink));
    }

    private static List<String> latencies(final Block block) {
        return block.rows().stream().flatMap(row -> row.latencies().stream()).distinct().toList();
    }

    private void latency(
            final RunResult run,
            final Block block,
            final boolean isBrief,
            final List<String> lines) {
        heading(block.place(), lines);
        final boolean closed = block.isClosedLoop();
        lines.addAll(wrap(Circumstances.of(List.of(block), Figures.ASCII)));
        final Optional<TextTable> programmed = ProgrammedTable.of(block, isBrief);
        if (programmed.isPresent()) {
            lines.addAll(programmed.get().lines(width, ink));
        } else if (closed) {
            table(block, Latencies.ROUND_TRIP_NS, "", lines);
        } else {
            table(block, Latencies.RESPONSE_NS, "Response time (from the intended send)", lines);
            table(block, Latencies.SERVICE_NS, "Service time (from the actual send)", lines);
            table(block, Latencies.ROUND_TRIP_NS, "Round trip", lines);
        }
        table(block, Latencies.SEND_NS, LatencyTitle.of(Latencies.SEND_NS), lines);
        observed(block, lines);
        remarks(block, lines);
        sideTables(List.of(block), lines);
        for (final OneWayFigures oneWay : OneWayFigures.of(run, block)) {
            lines.add("");
            lines.addAll(wrap(oneWay.title()));
            lines.addAll(OneWayTable.of(oneWay).lines(width, ink));
        }
        lines.add("");
    }

    /** Further facts about a test. */
    private void sideTables(final List<Block> test, final List<String> lines) {
        SideTable.of(test).forEach(side -> sideTable(side, lines));
    }

    /** Rows of sentences that are wider than the terminal are wrapped, each for itself. */
    private void sideTable(final SideTable side, final List<String> lines) {
        lines.add("");
        lines.addAll(wrap(side.title()));
        final boolean isText = side.texts() == side.columns().size();
        if (isText
                && side.text().lines(width, Ink.PLAIN).stream()
                        .anyMatch(line -> line.length() > width)) {
            side.rows()
                    .forEach(
                            row -> lines.addAll(item(String.join(": ", row).replace(":: ", ": "))));
        } else {
            lines.addAll(side.text().lines(width, ink));
        }
    }

    /** Latencies measured by observers: those of a capture. */
    private void observed(final Block block, final List<String> lines) {
        latencies(block).stream()
                .filter(name -> !OWN_TABLES.contains(name))
                .forEach(name -> table(block, name, LatencyTitle.of(name), lines));
    }

    private void table(
            final Block block, final String name, final String title, final List<String> lines) {
        final Optional<TextTable> table = LatencyTable.of(block.rows(), name);
        if (table.isPresent()) {
            if (!title.isEmpty()) {
                lines.add("");
                lines.addAll(wrap(title));
            }
            lines.addAll(table.get().lines(width, ink));
            LatencyTable.mark(block.rows(), name).ifPresent(mark -> lines.addAll(wrap(mark)));
        }
    }

    private void stream(final List<Block> test, final boolean isBrief, final List<String> lines) {
        heading(test.getFirst().test(), lines);
        lines.addAll(wrap(Circumstances.of(test, Figures.ASCII)));
        lines.addAll(StreamTable.of(test).lines(width, ink));
        for (final Block block : test) {
            observed(block, lines);
            remarks(block, lines);
        }
        sideTables(test, lines);
        for (final Block block : isBrief ? List.<Block>of() : test) {
            for (final MergedRow row : block.rows()) {
                for (final TrialResult trial : row.repeats()) {
                    if (trial.sent() == 0 && trial.received() == 0) {
                        continue; // void before anything was measured
                    }
                    lines.add("");
                    lines.addAll(wrap(place(block, trial)));
                    lines.add(SuiteLines.ofStream(trial)); // in one piece: scripts look for it
                    StreamTable.application(trial).ifPresent(text -> lines.addAll(wrap(text)));
                    StreamTable.sendTimes(trial).ifPresent(text -> lines.addAll(wrap(text)));
                }
            }
        }
        lines.add("");
    }

    private static String place(final Block block, final TrialResult trial) {
        return Printable.of(trial.channel())
                + ", "
                + Plural.of(trial.payloadBytes(), "byte")
                + (block.repeats() > 1 ? ", repeat " + trial.repeat() : "")
                + ":";
    }

    /** What qualifies single rows; closed loops and streams without a rate are named above. */
    private void remarks(final Block block, final List<String> lines) {
        for (final MergedRow row : block.rows()) {
            final List<String> remarks = new ArrayList<>(row.labels());
            remarks.removeAll(OverviewTable.NO_REMARK);
            if (row.verdict() != Verdict.PASS) {
                remarks.addFirst(row.verdict().name().toLowerCase(java.util.Locale.ROOT));
            }
            final long lost = row.sum(TrialResult::lost);
            if (lost > 0 && !block.isStream() && !block.isGeneral()) {
                remarks.add(Figures.count(lost) + " lost");
            }
            final long notEchoed = row.sum(TrialResult::notEchoed);
            if (notEchoed > lost && !block.isStream()) {
                remarks.add(Figures.count(notEchoed) + " without an echo in time");
            }
            if (!remarks.isEmpty()) {
                final String where =
                        block.isStream()
                                ? Printable.of(block.channel())
                                        + block.commaStep(row, Figures.ASCII)
                                : block.stepName(row, Figures.ASCII);
                final String remark =
                        (where.isEmpty() ? "" : where + ": ")
                                + Printable.of(String.join(", ", remarks));
                Paragraph.lines(remark.replace(":: ", ": "), width, "* ", "  ")
                        .forEach(line -> lines.add(ink.careful(line)));
            }
        }
    }

    private void heading(final String title, final List<String> lines) {
        Paragraph.lines(Printable.of(title), width).forEach(line -> lines.add(ink.strong(line)));
    }

    private List<String> wrap(final String text) {
        return Paragraph.lines(text, width);
    }

    private List<String> item(final String text) {
        return Paragraph.lines(text, width, "- ", "  ");
    }

    private static String text(final List<String> lines) {
        return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
    }

    /** Derived one-way latencies, means and medians. */
    private static final class OneWayTable {
        private static final double NS_PER_US = 1e3;

        private OneWayTable() {}

        static TextTable of(final OneWayFigures figures) {
            final TextTable table =
                    new TextTable(
                            List.of(
                                    new TextTable.Column("bytes", false),
                                    new TextTable.Column("ave us", false),
                                    new TextTable.Column("50% us", false)),
                            1);
            for (final OneWayFigures.Step step : figures.steps()) {
                table.add(
                        List.of(
                                Integer.toString(step.payloadBytes()),
                                micros(step.meanNs()),
                                micros(step.p50Ns())));
            }
            return table;
        }

        private static String micros(final double ns) {
            return String.format(Locale.ROOT, "%.3f", ns / NS_PER_US);
        }
    }

    /** What was sent and received in each step of a workload of any kind. */
    private static final class CountTable {
        private static final double NS_PER_S = 1e9;

        /** A column that is omitted where no row has a value in it. */
        private record Figure(
                String name, Predicate<MergedRow> said, Function<MergedRow, String> text) {}

        private static final List<Figure> FIGURES =
                List.of(
                        new Figure(
                                "seconds",
                                row -> row.any().durationNs() > 0,
                                row ->
                                        Figures.digits(
                                                row.median(TrialResult::durationNs) / NS_PER_S)),
                        new Figure(
                                "offered/s",
                                row -> row.any().offeredRatePerSecond() > 0,
                                row -> whole(row.median(TrialResult::offeredRatePerSecond))),
                        new Figure(
                                "achieved/s",
                                row -> row.any().achievedRatePerSecond() > 0,
                                row -> whole(row.median(TrialResult::achievedRatePerSecond))),
                        counted("sent", TrialResult::sent),
                        new Figure(
                                "expected",
                                CountTable::isLossKnown,
                                row -> Figures.count(row.sum(TrialResult::expected))),
                        counted("received", TrialResult::received),
                        new Figure(
                                "lost",
                                CountTable::isLossKnown,
                                row -> Figures.count(row.sum(TrialResult::lost))),
                        counted("duplicated", TrialResult::duplicated),
                        counted("reordered", TrialResult::reordered),
                        counted("not timed", TrialResult::notTimed));

        private CountTable() {}

        private static Figure counted(
                final String name, final java.util.function.ToLongFunction<TrialResult> count) {
            return new Figure(
                    name, row -> row.sum(count) > 0, row -> Figures.count(row.sum(count)));
        }

        /** Where no receiver has reported, the loss is unknown. */
        private static boolean isLossKnown(final MergedRow row) {
            return Sides.isReceiverKnown(row.any()) && row.any().expected() > 0;
        }

        private static String whole(final double perSecond) {
            return Figures.count(Math.round(perSecond));
        }

        /**
         * One row for each step.
         *
         * @param block test and channel
         * @return the table
         */
        static TextTable of(final Block block) {
            final List<Figure> shown =
                    FIGURES.stream()
                            .filter(figure -> block.rows().stream().anyMatch(figure.said()))
                            .toList();
            final List<TextTable.Column> columns = new ArrayList<>();
            columns.add(new TextTable.Column("step", true));
            shown.forEach(figure -> columns.add(new TextTable.Column(figure.name(), false)));
            final TextTable table = new TextTable(columns, 1);
            for (final MergedRow row : block.rows()) {
                final List<String> cells = new ArrayList<>();
                final String name = block.stepName(row, Figures.ASCII);
                cells.add(name.isEmpty() ? "all" : name);
                shown.forEach(figure ->
                        cells.add(figure.said().test(row) ? figure.text().apply(row) : "0"));
                table.add(cells);
            }
            return table;
        }
    }

    /**
     * Figures that a role knows before it measures them, as in a calibration: metrics that come in
     * pairs, {@code <name>.programmed} with {@code <name>.measured}, or both ending in {@code Ns}.
     */
    private static final class ProgrammedTable {
        private static final String PROGRAMMED = ".programmed";
        private static final String MEASURED = ".measured";
        private static final double NS_PER_US = 1e3;

        private ProgrammedTable() {}

        /**
         * One row for each pair; of several repeats the last.
         *
         * @param block of a test
         * @param isBrief whether figures that are exactly as programmed are left out
         * @return the table, empty where no role has such pairs
         */
        static Optional<TextTable> of(final Block block, final boolean isBrief) {
            final TextTable table =
                    new TextTable(
                            List.of(
                                    new TextTable.Column("figure", true),
                                    new TextTable.Column("programmed", false),
                                    new TextTable.Column("measured", false),
                                    new TextTable.Column("off", false)),
                            1);
            boolean found = false;
            if (!block.rows().isEmpty()) {
                final TrialResult row = block.rows().getFirst().any();
                for (final RoleSummary role : row.roles()) {
                    for (final String name : role.metrics().keySet()) {
                        found |= add(table, role, name, isBrief);
                    }
                }
            }
            return found ? Optional.of(table) : Optional.empty();
        }

        private static boolean add(
                final TextTable table,
                final RoleSummary role,
                final String name,
                final boolean isBrief) {
            final int at = name.lastIndexOf(PROGRAMMED);
            if (at < 1) {
                return false;
            }
            final String unit = name.substring(at + PROGRAMMED.length());
            final String figure = name.substring(0, at);
            if (!(role.metrics().get(name) instanceof final Number programmed)
                    || !(role.metrics().get(figure + MEASURED + unit)
                            instanceof final Number measured)) {
                return false;
            }
            if (isBrief && programmed.doubleValue() == measured.doubleValue()) {
                return true;
            }
            final boolean isTime = unit.equals("Ns");
            table.add(
                    List.of(
                            isTime ? figure + " us" : figure,
                            text(programmed, isTime),
                            text(measured, isTime),
                            off(programmed.doubleValue(), measured.doubleValue())));
            return true;
        }

        private static String text(final Number value, final boolean isTime) {
            return isTime
                    ? String.format(Locale.ROOT, "%.2f", value.doubleValue() / NS_PER_US)
                    : Figures.count(value.longValue());
        }

        private static String off(final double programmed, final double measured) {
            if (programmed == measured) {
                return "0";
            }
            return programmed == 0
                    ? "n/a"
                    : String.format(Locale.ROOT, "%+.2f%%", (measured / programmed - 1) * 100);
        }
    }

    /**
     * The figures that the roles of a test report, a table for each kind: the median over roles and
     * repeats and the range, then values that are not numbers.
     */
    private static final class RoleTables {
        private RoleTables() {}

        /** Of the further lines of a text. */
        private static final String INDENT = "  ";

        /** The lines of each role by its name. */
        static Map<String, List<String>> byRole(
                final Block block, final boolean isBrief, final int width, final Ink ink) {
            return byRole(
                    block,
                    figures ->
                            !isBrief
                                    || isInOtherWords(figures)
                                    || figures.isNumber() && !figures.isOfProcess(),
                    width,
                    ink);
        }

        /**
         * Whether it is in the words of the tool whose work the role does: its users look for it.
         */
        static boolean isInOtherWords(final RoleFigures figures) {
            return figures.metric().equals(SuiteLines.FIGURES);
        }

        /** The same for those of its figures that are wanted. */
        static Map<String, List<String>> byRole(
                final Block block,
                final Predicate<RoleFigures> wanted,
                final int width,
                final Ink ink) {
            final Map<String, List<RoleFigures>> byRole = new LinkedHashMap<>();
            RoleFigures.of(block).stream()
                    .filter(wanted)
                    .forEach(figures ->
                            byRole.computeIfAbsent(figures.role(), role -> new ArrayList<>())
                                    .add(figures));
            final Map<String, List<String>> tables = new LinkedHashMap<>();
            byRole.forEach((role, figures) -> {
                final List<String> lines = new ArrayList<>();
                final List<RoleFigures> numbers =
                        figures.stream().filter(RoleFigures::isNumber).toList();
                if (!numbers.isEmpty()) {
                    lines.add("");
                    lines.addAll(table(role, numbers).lines(width, ink));
                }
                figures.stream()
                        .filter(each -> !each.isNumber())
                        .forEach(each -> texts(each, width, lines));
                tables.put(role, lines);
            });
            return tables;
        }

        private static void texts(
                final RoleFigures figures, final int width, final List<String> lines) {
            for (final String text : figures.texts()) {
                lines.addAll(
                        Paragraph.lines(
                                Printable.of(figures.metric() + ": " + text),
                                width - INDENT.length(),
                                "",
                                INDENT));
            }
        }

        private static TextTable table(final String role, final List<RoleFigures> numbers) {
            final boolean several = numbers.stream().anyMatch(each -> each.values().size() > 1);
            final List<TextTable.Column> columns = new ArrayList<>();
            columns.add(new TextTable.Column(role, true));
            columns.add(new TextTable.Column(several ? "median" : "value", false));
            if (several) {
                columns.add(new TextTable.Column("min", false));
                columns.add(new TextTable.Column("max", false));
            }
            final TextTable table = new TextTable(columns, 1);
            for (final RoleFigures each : numbers) {
                final Aggregate.Spread spread = each.spread();
                table.add(
                        several
                                ? List.of(
                                        each.metric(),
                                        number(spread.median()),
                                        number(spread.min()),
                                        number(spread.max()))
                                : List.of(each.metric(), number(spread.median())));
            }
            return table;
        }

        private static String number(final double value) {
            return value == Math.rint(value) && Math.abs(value) < 1e15
                    ? Figures.count((long) value)
                    : Figures.digits(value);
        }
    }

    /** The bounds that searches for the highest rate found, and the trials that led there. */
    private static final class SearchTables {
        private static final double NS_PER_S = 1e9;
        private static final double PERCENT = 100;

        /** Note below a table with unconfirmed bounds. */
        static final String UNCONFIRMED =
                "* Best bound so far, unconfirmed: the search was ended before it had an answer.";

        /** Above the bounds. */
        static final String TITLE = "Highest rate that holds";

        private static final int WIDEST_PLACE = 38;
        private static final int NARROWEST_PLACE = 24;

        /** Ranks of columns: the higher, the sooner one is left out where not all fit. */
        private static final int ALWAYS = 0;

        private static final int SOAKED = 1;
        private static final int LABELS = 2;
        private static final int LATENCY = 3;
        private static final int INTERVAL = 4;
        private static final int EFFORT = 5;

        private SearchTables() {}

        /** A column of a table with a row for each search. */
        private record RankedColumn(
                String title, boolean isText, int rank, Function<SearchSummary, String> text) {
            static RankedColumn number(
                    final String title,
                    final int rank,
                    final Function<SearchSummary, String> text) {
                return new RankedColumn(title, false, rank, text);
            }

            static RankedColumn remark(final int rank, final Function<SearchSummary, String> text) {
                return new RankedColumn("", true, rank, text);
            }
        }

        private static List<RankedColumn> figures(final RunResult run) {
            return List.of(
                    RankedColumn.number(
                            "held/s",
                            ALWAYS,
                            search -> bound(search, search.lowerBoundPerSecond())),
                    RankedColumn.number(
                            "not held/s",
                            ALWAYS,
                            search -> bound(search, search.upperBoundPerSecond())),
                    RankedColumn.number(
                            "%.0f %% from/s"
                                    .formatted(PERCENT * run.searches().getFirst().confidence()),
                            INTERVAL,
                            search -> rate(search.lowPerSecond())),
                    RankedColumn.number("to/s", INTERVAL, search -> rate(search.highPerSecond())),
                    RankedColumn.number(
                            "soaked/s", SOAKED, search -> rate(search.strictRatePerSecond())),
                    RankedColumn.number(
                            "trials", EFFORT, search -> Figures.count(search.trials().size())),
                    RankedColumn.number(
                            "search s",
                            EFFORT,
                            search -> Figures.digits(search.searchNs() / NS_PER_S)));
        }

        /**
         * One row for each search.
         *
         * @param run any result
         * @return the table, empty where nothing was searched
         */
        static Optional<TextTable> bounds(final RunResult run) {
            if (run.searches().isEmpty()) {
                return Optional.empty();
            }
            final List<RankedColumn> columns = new ArrayList<>();
            columns.add(new RankedColumn("test", true, ALWAYS, SearchSummary::test));
            columns.add(new RankedColumn("channel", true, ALWAYS, SearchSummary::channel));
            columns.addAll(figures(run));
            return Optional.of(table(columns, 2, run.searches()));
        }

        private static TextTable table(
                final List<RankedColumn> columns,
                final int keys,
                final List<SearchSummary> searches) {
            final TextTable table =
                    new TextTable(
                            columns.stream()
                                    .map(column ->
                                            new TextTable.Column(column.title(), column.isText()))
                                    .toList(),
                            keys);
            for (final SearchSummary search : searches) {
                table.add(columns.stream().map(column -> column.text().apply(search)).toList());
            }
            return table;
        }

        /**
         * A line for each search, with what fits beside its bounds, and how many more there are.
         * Where there are too many, those that did not pass stay.
         *
         * @param run with searches
         * @param most lines of searches
         * @param width of the terminal
         * @param ink for headings
         * @return lines without line ends
         */
        static List<String> brief(
                final RunResult run, final int most, final int width, final Ink ink) {
            final List<SearchSummary> shown = new ArrayList<>(run.searches());
            for (final boolean isPassed : new boolean[] {true, false}) {
                for (int i = shown.size() - 1; i >= 0 && shown.size() > most; i--) {
                    if ((shown.get(i).verdict() == Verdict.PASS) == isPassed) {
                        shown.remove(i);
                    }
                }
            }
            final List<String> lines = new ArrayList<>(oneLineEach(run, shown, width, ink));
            if (shown.stream().anyMatch(SearchSummary::boundsAreUnconfirmed)) {
                lines.addAll(Paragraph.lines(UNCONFIRMED, width));
            }
            final int more = run.searches().size() - shown.size();
            if (more > 0) {
                lines.add(ink.faint(Plural.of(more, "more line") + " in summary.txt"));
            }
            return lines;
        }

        private static List<String> oneLineEach(
                final RunResult run,
                final List<SearchSummary> shown,
                final int width,
                final Ink ink) {
            final List<Block> blocks = Block.of(run);
            final List<RankedColumn> figures = new ArrayList<>(figures(run));
            figures.add(
                    RankedColumn.number(
                            "99 %",
                            LATENCY,
                            search ->
                                    row(blocks, search)
                                            .flatMap(row -> row.headline().flatMap(row::latency))
                                            .map(LatencySummary::p99)
                                            .map(OverviewTable::time)
                                            .orElse("")));
            figures.add(
                    RankedColumn.remark(
                            ALWAYS,
                            search ->
                                    search.verdict() == Verdict.PASS
                                            ? ""
                                            : word(search.verdict())));
            figures.add(RankedColumn.remark(LABELS, search -> labels(blocks, search)));
            figures.removeIf(column -> shown.stream().map(column.text()).allMatch(String::isEmpty));
            int rank = EFFORT;
            List<String> lines = oneLineEach(figures, rank, shown, width, ink);
            while (rank > ALWAYS && lines.size() > shown.size() + 2) { // folded
                rank--;
                lines = oneLineEach(figures, rank, shown, width, ink);
            }
            return lines;
        }

        /** With the columns up to a rank, and names of places as long as there is room for. */
        private static List<String> oneLineEach(
                final List<RankedColumn> figures,
                final int rank,
                final List<SearchSummary> shown,
                final int width,
                final Ink ink) {
            for (int place = WIDEST_PLACE; ; place--) {
                final int widest = place;
                final List<RankedColumn> columns = new ArrayList<>();
                columns.add(
                        new RankedColumn(
                                "test and channel",
                                true,
                                ALWAYS,
                                search ->
                                        Printable.withoutMiddle(
                                                Block.place(search.test(), search.channel()),
                                                widest)));
                figures.stream().filter(column -> column.rank() <= rank).forEach(columns::add);
                final List<String> lines = table(columns, 1, shown).lines(width, ink);
                if (lines.size() <= shown.size() + 2 || place == NARROWEST_PLACE) {
                    return lines;
                }
            }
        }

        private static Optional<MergedRow> row(
                final List<Block> blocks, final SearchSummary search) {
            return blocks.stream()
                    .filter(block ->
                            block.test().equals(search.test())
                                    && block.channel().equals(search.channel()))
                    .flatMap(block -> block.rows().stream())
                    .findFirst();
        }

        private static String labels(final List<Block> blocks, final SearchSummary search) {
            return row(blocks, search).stream()
                    .flatMap(row -> row.labels().stream())
                    .filter(label -> !OverviewTable.NO_REMARK.contains(label))
                    .collect(Collectors.joining(", "));
        }

        /**
         * One row for each trial of a search.
         *
         * @param search to show
         * @return the table
         */
        static TextTable trials(final SearchSummary search) {
            final TextTable table =
                    new TextTable(
                            List.of(
                                    new TextTable.Column("trial", false),
                                    new TextTable.Column("for", true),
                                    new TextTable.Column("seconds", false),
                                    new TextTable.Column("offered/s", false),
                                    new TextTable.Column("achieved/s", false),
                                    new TextTable.Column("outcome", true),
                                    new TextTable.Column("tail", true)),
                            2);
            int number = 0;
            for (final SearchTrial trial : search.trials()) {
                number++;
                table.add(
                        List.of(
                                Integer.toString(number),
                                word(trial.purpose()),
                                Figures.digits(trial.durationNs() / NS_PER_S),
                                trial.ratePerSecond() > 0
                                        ? Figures.count(Math.round(trial.ratePerSecond()))
                                        : "max",
                                Figures.count(Math.round(trial.achievedPerSecond())),
                                word(trial.outcome())
                                        + (trial.perhapsTaken() ? ", perhaps taken" : ""),
                                trial.notExamined()
                                        ? "not examined"
                                        : trial.disturbed() ? "disturbed" : ""));
            }
            return table;
        }

        /** The best bounds of a stopped search have a star, which {@link #UNCONFIRMED} explains. */
        private static String bound(final SearchSummary search, final double perSecond) {
            return rate(perSecond) + (perSecond > 0 && search.boundsAreUnconfirmed() ? "*" : "");
        }

        private static String rate(final double perSecond) {
            return perSecond > 0 ? Figures.count(Math.round(perSecond)) : "n/a";
        }

        private static String word(final Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT);
        }
    }

    /** One latency of one test and channel in the columns that are usual in this field. */
    private static final class LatencyTable {
        private static final double NS_PER_US = 1e3;
        private static final String MARK =
                "! More than a tenth of the latency above the median is the machine's there.";

        private static final List<LatencyColumn> PRINTED =
                LatencyColumn.ALL.stream().filter(LatencyColumn::isPrinted).toList();

        private LatencyTable() {}

        /**
         * The table.
         *
         * @param rows of one test and channel
         * @param name of the latency
         * @return empty where no row has it
         */
        static Optional<TextTable> of(final List<MergedRow> rows, final String name) {
            final List<MergedRow> shown =
                    rows.stream().filter(row -> row.latency(name).isPresent()).toList();
            if (shown.isEmpty()) {
                return Optional.empty();
            }
            // rows that differ only in rate need the rate to be distinguished
            final boolean rates =
                    shown.stream().mapToDouble(LatencyTable::offered).distinct().count() > 1;
            final boolean labels = shown.stream().anyMatch(row -> !row.any().label().isEmpty());
            final TextTable table = new TextTable(columns(labels, rates), rates ? 2 : 1);
            final int decimals = decimals(shown, name);
            for (final MergedRow row : shown) {
                final List<String> cells = new ArrayList<>();
                cells.add(labels ? row.any().label() : bytes(row.any().payloadBytes()));
                if (rates) {
                    cells.add(Figures.count(Math.round(offered(row))));
                }
                final boolean isExamined = row.headline().filter(name::equals).isPresent();
                cells.addAll(
                        cells(
                                row.latency(name).orElseThrow(),
                                decimals,
                                isExamined ? TailFigures.disturbed(row) : List.of()));
                table.add(cells);
            }
            return Optional.of(table);
        }

        /** There is no length to show for messages of various lengths, or for none. */
        private static String bytes(final int payloadBytes) {
            return payloadBytes == 0 ? "" : Integer.toString(payloadBytes);
        }

        private static double offered(final MergedRow row) {
            return row.median(TrialResult::offeredRatePerSecond);
        }

        private static List<TextTable.Column> columns(final boolean labels, final boolean rates) {
            final List<TextTable.Column> columns = new ArrayList<>();
            columns.add(new TextTable.Column(labels ? "step" : "bytes", labels));
            if (rates) {
                columns.add(new TextTable.Column("offered/s", false));
            }
            for (final LatencyColumn column : PRINTED) {
                columns.add(new TextTable.Column(column.title().replace(" ", "") + " us", false));
            }
            return columns;
        }

        /** Figures that the machine disturbed have a mark, which {@link #MARK} explains. */
        private static List<String> cells(
                final LatencySummary latency, final int decimals, final List<Double> disturbed) {
            final List<String> cells = new ArrayList<>();
            for (final LatencyColumn column : PRINTED) {
                cells.add(
                        cell(
                                column.figure().applyAsDouble(latency),
                                decimals,
                                disturbed.contains(column.band())));
            }
            return cells;
        }

        private static String cell(final double ns, final int decimals, final boolean isDisturbed) {
            return Double.isNaN(ns)
                    ? "n/a"
                    : String.format(Locale.ROOT, "%." + decimals + "f", ns / NS_PER_US)
                            + (isDisturbed ? "!" : "");
        }

        /**
         * What the mark means.
         *
         * @param rows of one test and channel
         * @param name of the latency
         * @return a sentence; empty where no figure has it
         */
        static Optional<String> mark(final List<MergedRow> rows, final String name) {
            return rows.stream()
                            .filter(row -> row.headline().filter(name::equals).isPresent())
                            .allMatch(row -> TailFigures.disturbed(row).isEmpty())
                    ? Optional.empty()
                    : Optional.of(MARK);
        }

        /** As many decimals as the smallest time needs for three digits. */
        private static int decimals(final List<MergedRow> rows, final String name) {
            final long smallest =
                    rows.stream()
                            .mapToLong(row -> row.latency(name).orElseThrow().min())
                            .min()
                            .orElse(0);
            return smallest < 1_000 ? 3 : smallest < 100_000 ? 2 : 1;
        }
    }
}
