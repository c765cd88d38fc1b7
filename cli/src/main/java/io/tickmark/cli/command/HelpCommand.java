package io.tickmark.cli.command;

import io.tickmark.cli.output.Terminal;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code help}: the command table, or how to use one command. */
final class HelpCommand implements Command {
    private final CommandTable table;

    HelpCommand(final CommandTable table) {
        this.table = table;
    }

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage().description("Shows how to use a command.");
        spec.addPositional(
                PositionalParamSpec.builder()
                        .paramLabel("COMMAND")
                        .arity("0..2")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .description("For example latency, or latency pub.")
                        .build());
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark help latency pub";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) {
        final List<String> words = arguments.matchedPositionalValue(0, List.<String>of());
        if (words.isEmpty()) {
            terminal.out().print(HelpText.commands(table, terminal));
            return 0;
        }
        final String name = String.join(" ", words);
        if (table.find(name).isEmpty() && !table.below(name).isEmpty()) {
            terminal.out().print(HelpText.group(name, table.below(name), terminal));
            return 0;
        }
        final CommandTable.Entry entry =
                table.find(name).orElseThrow(() -> FrontDoor.unknown(name, table));
        terminal.out()
                .print(
                        HelpText.command(
                                FrontDoor.line(entry, entry.command().get(), terminal), terminal));
        return 0;
    }
}
