package io.tickmark.cli.command;

import io.tickmark.cli.option.SettingOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.output.Wrapped;
import io.tickmark.cli.run.Installation;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code engines}: the transports on the class path, and why one cannot be used. */
final class EnginesCommand implements Command {
    private static final int NAME_COLUMNS = 8;

    EnginesCommand() {}

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Lists the engines that can be measured here, why others cannot, and the parameters that their"
                                + " channels take after the question mark.");
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark engines";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) {
        final StringBuilder text = new StringBuilder();
        final Map<String, Transport> engines = new TreeMap<>(new Transports().all());
        engines.forEach((scheme, transport) -> add(text, scheme, transport));
        new TreeMap<>(new Installation().packs())
                .forEach((name, sentence) -> {
                    if (!engines.containsKey(name)) {
                        text.append(
                                "%s%n  not installed: it is in a separate pack. %s%n"
                                        .formatted(name, sentence));
                    }
                });
        terminal.out().print(Wrapped.to(text.toString(), terminal.textColumns(), NAME_COLUMNS + 2));
        return 0;
    }

    private static void add(
            final StringBuilder text, final String scheme, final Transport transport) {
        final String gap = " ".repeat(Math.max(1, NAME_COLUMNS - scheme.length()));
        text.append(scheme).append(gap).append(transport.summary()).append('\n');
        transport
                .absence()
                .ifPresent(reason -> text.append("  not here: ").append(reason).append('\n'));
        transport
                .missing()
                .ifPresent(piece -> text.append("  missing: ").append(piece).append(".\n"));
        for (final SettingDescriptor parameter : SettingDescriptor.of(transport.parameters())) {
            text.append(
                    "  ?%s=%s  %s%n"
                            .formatted(
                                    parameter.key(),
                                    SettingOptions.label(parameter),
                                    SettingOptions.help(parameter)));
        }
        text.append('\n');
    }
}
