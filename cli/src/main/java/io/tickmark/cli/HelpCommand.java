package io.tickmark.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code help}: the table of contents, or how to use one command. */
final class HelpCommand implements Command {
    private final Contents contents;

    HelpCommand(final Contents contents) {
        this.contents = contents;
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
            terminal.out().print(HelpText.contents(contents, terminal));
            return 0;
        }
        final String name = String.join(" ", words);
        if (contents.find(name).isEmpty() && !contents.below(name).isEmpty()) {
            terminal.out().print(HelpText.group(name, contents.below(name), terminal));
            return 0;
        }
        final Contents.Entry entry =
                contents.find(name).orElseThrow(() -> FrontDoor.unknown(name, contents));
        terminal.out()
                .print(
                        HelpText.command(
                                FrontDoor.line(entry, entry.command().get(), terminal), terminal));
        return 0;
    }
}
