package io.tickmark.report;

import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.SearchSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.MergedRow;
import io.tickmark.report.rows.OneWayFigures;
import io.tickmark.report.rows.ReferenceFigures;
import io.tickmark.report.rows.SideTable;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Ink;
import io.tickmark.report.text.LatencyTitle;
import io.tickmark.report.text.Paragraph;
import io.tickmark.report.text.Printable;
import io.tickmark.report.text.TextTable;
import io.tickmark.report.words.Cautions;
import io.tickmark.report.words.Circumstances;
import io.tickmark.report.words.Story;
import io.tickmark.report.words.VerdictWords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A run as text: a table for each test and channel, what came out, what to keep in mind, and the
 * verdict. The same run, width and colour give the same text. Immutable, any thread.
 */
public final class RunTables {
    /** Width of {@code summary.txt} and of terminals that do not tell theirs. */
    public static final int DEFAULT_WIDTH = 80;

    private static final int NARROWEST = 20;
    private static final int REASONS_SHOWN = 20;

    /** Those that latency and stream tests show in tables of their own. */
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
        return tables(run) + conclusion(run);
    }

    /**
     * The tables alone.
     *
     * @param run any result
     * @return lines with line ends; empty where nothing was measured
     */
    public String tables(final RunResult run) {
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
                general(block, lines);
            } else if (!block.isStream()) {
                latency(run, block, lines);
            } else if (streams.containsKey(block.test())) {
                stream(streams.remove(block.test()), lines);
            }
        }
        SearchTables.bounds(run).ifPresent(bounds -> searches(run, bounds, lines));
        return text(lines);
    }

    /** What the searches found; the trials of each below, because they are the evidence. */
    private void searches(final RunResult run, final TextTable bounds, final List<String> lines) {
        heading("Highest rate that holds", lines);
        lines.addAll(bounds.lines(width, ink));
        if (run.searches().stream().anyMatch(SearchSummary::boundsAreUnconfirmed)) {
            lines.addAll(wrap(SearchTables.UNCONFIRMED));
        }
        ReferenceFigures.of(run).ifPresent(references -> sideTable(references, lines));
        for (final SearchSummary search : run.searches()) {
            lines.add("");
            lines.addAll(wrap("Trials of " + search.test() + " on " + search.channel()));
            lines.addAll(SearchTables.trials(search).lines(width, ink));
        }
        lines.add("");
    }

    /**
     * What came out, the cautions and the verdict.
     *
     * @param run any result
     * @return lines with line ends
     */
    public String conclusion(final RunResult run) {
        final List<String> lines = new ArrayList<>();
        Story.of(run, Figures.ASCII).forEach(sentence -> lines.addAll(wrap(sentence)));
        lines.add("");
        final List<String> cautions = Cautions.of(run, Figures.ASCII);
        if (!cautions.isEmpty()) {
            lines.add(ink.careful("Keep in mind"));
            cautions.forEach(caution -> lines.addAll(item(caution)));
            lines.add("");
        }
        final VerdictWords words = VerdictWords.of(run);
        final String word = words.word() + ".";
        final List<String> verdict = wrap(word + " " + words.sentence());
        verdict.set(0, verdict.getFirst().replaceFirst("^\\w+\\.", paint(words.verdict(), word)));
        lines.addAll(verdict);
        words.reasons().stream().limit(REASONS_SHOWN).forEach(reason -> lines.addAll(item(reason)));
        final int more = words.reasons().size() - REASONS_SHOWN;
        if (more > 0) {
            lines.addAll(item("and " + Figures.plural(more, "more reason") + " in result.json."));
        }
        return text(lines);
    }

    private String paint(final Verdict verdict, final String word) {
        return java.util.regex.Matcher.quoteReplacement(
                verdict == Verdict.PASS ? ink.good(word) : ink.bad(word));
    }

    /**
     * What a workload counted, each latency that it named, and what its roles say of themselves.
     */
    private void general(final Block block, final List<String> lines) {
        heading(block.place(), lines);
        lines.addAll(wrap(Circumstances.of(List.of(block), Figures.ASCII)));
        lines.addAll(CountTable.of(block).lines(width, ink));
        block.rows().stream()
                .flatMap(row -> row.latencies().stream())
                .distinct()
                .forEach(name -> table(block, name, LatencyTitle.of(name), lines));
        lines.addAll(RoleTables.lines(block, width, ink));
        remarks(block, lines);
        lines.add("");
    }

    private void latency(final RunResult run, final Block block, final List<String> lines) {
        heading(block.place(), lines);
        final boolean closed = block.isClosedLoop();
        lines.addAll(wrap(Circumstances.of(List.of(block), Figures.ASCII)));
        final Optional<TextTable> programmed = ProgrammedTable.of(block);
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

    /** What else there is to know of a test. */
    private void sideTables(final List<Block> test, final List<String> lines) {
        SideTable.of(test).forEach(side -> sideTable(side, lines));
    }

    private void sideTable(final SideTable side, final List<String> lines) {
        lines.add("");
        lines.addAll(wrap(side.title()));
        final List<TextTable.Column> columns = new ArrayList<>();
        for (final String column : side.columns()) {
            columns.add(new TextTable.Column(column, columns.size() < side.texts()));
        }
        final TextTable table = new TextTable(columns, side.keys());
        side.rows().forEach(table::add);
        lines.addAll(table.lines(width, ink));
    }

    /** Latencies that roles measured who watched the others: those of a capture. */
    private void observed(final Block block, final List<String> lines) {
        block.rows().stream()
                .flatMap(row -> row.latencies().stream())
                .distinct()
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
        }
    }

    private void stream(final List<Block> test, final List<String> lines) {
        heading(test.getFirst().test(), lines);
        lines.addAll(wrap(Circumstances.of(test, Figures.ASCII)));
        lines.addAll(StreamTable.of(test).lines(width, ink));
        for (final Block block : test) {
            observed(block, lines);
            remarks(block, lines);
        }
        sideTables(test, lines);
        for (final Block block : test) {
            for (final MergedRow row : block.rows()) {
                for (final TrialResult trial : row.repeats()) {
                    if (trial.sent() == 0 && trial.received() == 0) {
                        continue; // void before anything was measured
                    }
                    lines.add("");
                    lines.addAll(wrap(place(block, trial)));
                    lines.add(StreamTable.figures(trial)); // in one piece: scripts look for it
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
                + Figures.plural(trial.payloadBytes(), "byte")
                + (block.repeats() > 1 ? ", repeat " + trial.repeat() : "")
                + ":";
    }

    /** What qualifies single rows; closed loops and streams without a rate are named above. */
    private void remarks(final Block block, final List<String> lines) {
        for (final MergedRow row : block.rows()) {
            final List<String> remarks = new ArrayList<>(row.labels());
            remarks.removeAll(
                    List.of(
                            Labels.CLOSED_LOOP,
                            Labels.AS_FAST_AS_POSSIBLE,
                            Labels.PACED_BY_SLEEPING));
            if (row.verdict() != Verdict.PASS) {
                remarks.addFirst(row.verdict().name().toLowerCase(java.util.Locale.ROOT));
            }
            final long lost = row.sum(TrialResult::lost);
            if (lost > 0 && !block.isStream() && !block.isGeneral()) {
                remarks.add(Figures.count(lost) + " lost");
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
}
