package io.tickmark.cli.command;

import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.output.Wrapped;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The command table, and the common part of the help of every command. */
final class HelpText {
    /** Picocli does not support narrower layouts. */
    private static final int NARROWEST = 55;

    private static final int WIDEST = 120;
    private static final int NAME_COLUMNS = 20;

    /** Of a line that describes an option: margin, short name, comma, and a space. */
    private static final int COLUMNS_BESIDE_NAMES = 6;

    private static final int HANGING = 2;

    private HelpText() {}

    /**
     * What {@code tickmark --help} prints.
     *
     * @param table all commands
     * @param terminal for its width and whether headings may be bold
     * @return lines
     */
    static String commands(final CommandTable table, final Terminal terminal) {
        final StringBuilder text = new StringBuilder();
        text.append(
                "tickmark measures the latency and throughput of messaging engines, and says how far to trust the figures.\n\n");
        text.append("Usage: tickmark COMMAND [OPTIONS]\n");
        table.groups()
                .forEach((heading, entries) -> {
                    text.append('\n').append(heading(heading, terminal)).append('\n');
                    entries.forEach(entry -> text.append(line(entry)));
                });
        text.append(
                """

                'tickmark COMMAND --help' shows the options of a command and an example; --version shows which version this is.
                Exit codes: 0 passed; 1 failed its criteria, void or interrupted; 2 bad usage; \
                3 something needed is missing here; 4 undecided (run --must-see).
                """);
        return Wrapped.to(text.toString(), terminal.textColumns(), NAME_COLUMNS + 2);
    }

    /** The commands that begin with a word which is not a command itself. */
    static String group(
            final String word, final List<CommandTable.Entry> below, final Terminal terminal) {
        final StringBuilder text = new StringBuilder();
        text.append("Usage: tickmark %s COMMAND [OPTIONS]\n\n".formatted(word));
        below.forEach(entry -> text.append(line(entry)));
        text.append(
                "\n'tickmark %s --help' shows the options and an example.\n"
                        .formatted(below.getFirst().name()));
        return Wrapped.to(text.toString(), terminal.textColumns(), NAME_COLUMNS + 2);
    }

    private static String line(final CommandTable.Entry entry) {
        return "  %s%s%n"
                .formatted(
                        entry.name()
                                + " ".repeat(Math.max(1, NAME_COLUMNS - entry.name().length())),
                        entry.summary());
    }

    private static String heading(final String heading, final Terminal terminal) {
        return ansi(terminal).string("@|bold " + heading + "|@");
    }

    private static Ansi ansi(final Terminal terminal) {
        return terminal.boldOut() ? Ansi.ON : Ansi.OFF;
    }

    static void describe(final CommandSpec spec, final Command command, final Terminal terminal) {
        spec.usageMessage()
                .width(Math.clamp(terminal.textColumns(), NARROWEST, WIDEST))
                .abbreviateSynopsis(true)
                .synopsisHeading("Usage: ")
                .descriptionHeading("%n")
                .parameterListHeading("%n")
                .optionListHeading("%n")
                .footerHeading("%nExample:%n")
                .footer(List.of("  " + command.example().replace("%", "%%")).toArray(String[]::new))
                .sortOptions(false);
    }

    static String command(final CommandLine line, final Terminal terminal) {
        wrap(line);
        return line.getUsageMessage(ansi(terminal));
    }

    /** Picocli would also break lines at punctuation, within addresses and keys. */
    private static void wrap(final CommandLine line) {
        final CommandSpec spec = line.getCommandSpec();
        final UsageMessageSpec usage = spec.usageMessage();
        usage.description(
                wrapped(Stream.of(usage.description()).map(String::format), usage.width(), 0));
        final Help help = line.getHelp();
        final int columns =
                usage.width()
                        - COLUMNS_BESIDE_NAMES
                        - help.calcLongOptionColumnWidth(
                                spec.options(), spec.positionalParameters(), help.colorScheme());
        for (final OptionSpec option : List.copyOf(spec.options())) {
            final String[] lines = wrapped(Stream.of(option.description()), columns, HANGING);
            spec.remove(option);
            spec.addOption(option.toBuilder().description(lines).build());
        }
        for (final PositionalParamSpec parameter : List.copyOf(spec.positionalParameters())) {
            final String[] lines = wrapped(Stream.of(parameter.description()), columns, HANGING);
            spec.remove(parameter);
            spec.addPositional(parameter.toBuilder().description(lines).build());
        }
    }

    /** Lines whose percent signs are doubled, as picocli formats them. */
    private static String[] wrapped(
            final Stream<String> texts, final int columns, final int hanging) {
        return texts.flatMap(text -> Wrapped.lines(text, columns, hanging).stream())
                .map(text -> text.replace("%", "%%"))
                .toArray(String[]::new);
    }
}
