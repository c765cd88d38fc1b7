package io.tickmark.cli.command;

import io.tickmark.cli.output.Terminal;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.compare.Side;
import io.tickmark.lab.result.RoleFolders;
import io.tickmark.lab.tail.TailReader;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.MergedRow;
import io.tickmark.report.rows.SlowestMessages;
import io.tickmark.report.rows.TailFigures;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Ink;
import io.tickmark.report.text.Paragraph;
import io.tickmark.report.text.TextTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code why}: the slowest messages of a run, and which threads were stalled meanwhile. */
final class WhyCommand implements Command {
    private static final int MOST_LINES = 10_000;
    private static final String WHY = SlowestMessages.COLUMNS.getLast();

    /** The others: figures, none of them text. */
    private static final List<TextTable.Column> COLUMNS =
            SlowestMessages.COLUMNS.stream()
                    .filter(name -> !name.equals(WHY))
                    .map(name -> new TextTable.Column(name, false))
                    .toList();

    WhyCommand() {}

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Lists the slowest messages of a run; messages that one stall delayed share a line. A line shows when the"
                                + " slowest of them was intended, sent and received, how much of its latency came from stalls or"
                                + " from waiting behind delayed messages, and the rest (engine, kernel path, or not observed)."
                                + " Below it are the three places and causes that delayed it most, as far as they are known.",
                        "",
                        "It looks at all messages that roles noted: a table says for those between two percentiles how much of "
                                + "what they took above the median was the machine's, the test's own, unknown or the engine's. "
                                + "It lists the slowest "
                                + Figures.count(SlowestMessages.MOST_MESSAGES)
                                + " per repeat, and none below the median. docs/measuring.md says how stalls are seen and "
                                + "charged.");
        spec.addPositional(
                ReportCommand.folder("A result folder, or one that was packed (report --zip)."));
        spec.addOption(
                OptionSpec.builder("--test")
                        .paramLabel("NAME")
                        .type(String.class)
                        .description("Only this test of the run.")
                        .build());
        spec.addOption(
                OptionSpec.builder("--lines")
                        .paramLabel("N")
                        .type(Integer.class)
                        .defaultValue(String.valueOf(SlowestMessages.ROWS))
                        .description(
                                "Lines for each step of a test (default: "
                                        + SlowestMessages.ROWS
                                        + ").")
                        .build());
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark why results/20261120-120000_latency";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) {
        final Path named = arguments.matchedPositional(0).getValue();
        final int lines = arguments.matchedOptionValue("--lines", SlowestMessages.ROWS);
        if (lines < 1 || lines > MOST_LINES) {
            throw UserError.usage("--lines takes 1 to %,d; got %d.".formatted(MOST_LINES, lines));
        }
        final Side side = Side.read("the run", named);
        final RunResult run = side.result();
        final String test = arguments.matchedOptionValue("--test", (String) null);
        final List<Block> blocks =
                Block.of(run).stream()
                        .filter(block -> test == null || block.test().equals(test))
                        .toList();
        if (blocks.isEmpty()) {
            throw UserError.usage(
                    "--test %s: %s has no such test; it has %s."
                            .formatted(
                                    test,
                                    named,
                                    String.join(
                                            ", ",
                                            run.trials().stream()
                                                    .map(TrialResult::test)
                                                    .distinct()
                                                    .toList())));
        }
        final RoleFolders folders = new RoleFolders(side.folder().orElse(named));
        final TailReader tails = new TailReader();
        boolean isExplained = false;
        for (final Block block : blocks) {
            shares(block, terminal);
            TailFigures.fewStages(block)
                    .ifPresent(few -> say(block.place() + ": " + few, terminal));
            for (final MergedRow row : block.rows()) {
                final Optional<SlowestMessages> slowest =
                        SlowestMessages.of(block, row, tails, folders, lines);
                slowest.ifPresent(list -> list(list, terminal));
                isExplained |= slowest.isPresent();
                Stream.concat(
                                TailFigures.whyNotAttributed(row).stream()
                                        .map(why ->
                                                "where the tail comes from is not known: "
                                                        + why
                                                        + "."),
                                TailFigures.whyNoStages(row).stream())
                        .forEach(why ->
                                say(
                                        block.place()
                                                + block.commaStep(row, Figures.ASCII)
                                                + ": "
                                                + why,
                                        terminal));
            }
        }
        if (!isExplained) {
            throw UserError.usage(SlowestMessages.none(named));
        }
        return 0;
    }

    private static void shares(final Block block, final Terminal terminal) {
        TailFigures.shares(List.of(block))
                .ifPresent(table -> {
                    terminal.out().println(table.title());
                    print(table.text(), terminal);
                    terminal.out().println();
                });
    }

    private static void print(final TextTable table, final Terminal terminal) {
        table.lines(terminal.textColumns(), ink(terminal)).forEach(terminal.out()::println);
    }

    private static Ink ink(final Terminal terminal) {
        return terminal.boldOut() ? Ink.ANSI : Ink.PLAIN;
    }

    private static void say(final String sentence, final Terminal terminal) {
        Paragraph.lines(sentence, terminal.textColumns()).forEach(terminal.out()::println);
    }

    private static void list(final SlowestMessages slowest, final Terminal terminal) {
        say(slowest.title(), terminal);
        lines(slowest.rows(), terminal.textColumns(), ink(terminal))
                .forEach(terminal.out()::println);
        final int more = slowest.all() - slowest.rows().size();
        if (more > 0) {
            say(
                    "... and %s more; --lines %d shows them"
                            .formatted(Figures.count(more), Math.min(MOST_LINES, slowest.all())),
                    terminal);
        }
        terminal.out().println();
    }

    /**
     * Figures of messages, and below them for each why.
     *
     * @param width that no line exceeds
     */
    static List<String> lines(final List<List<String>> rows, final int width, final Ink ink) {
        final TextTable table = new TextTable(COLUMNS, 1);
        rows.forEach(row -> table.add(row.subList(0, COLUMNS.size())));
        final List<String> lines = new ArrayList<>(table.lines(width, ink));
        final String key = COLUMNS.getFirst().name();
        final int keyWidth =
                Math.max(
                        key.length(),
                        rows.stream().mapToInt(row -> row.getFirst().length()).max().orElse(0));
        final List<String> whys = new ArrayList<>();
        for (final List<String> row : rows) {
            final String first = row.getFirst();
            whys.addAll(
                    Paragraph.lines(
                            row.getLast(),
                            width,
                            " ".repeat(keyWidth - first.length()) + first + "  ",
                            " ".repeat(keyWidth + 2)));
        }
        final int widest = whys.stream().mapToInt(String::length).max().orElse(width);
        lines.add(ink.strong(key + " ".repeat(keyWidth - key.length()) + "  " + WHY));
        lines.add(ink.faint("-".repeat(keyWidth) + "  " + "-".repeat(widest - keyWidth - 2)));
        lines.addAll(whys);
        return lines;
    }
}
