package io.tickmark.cli.command;

import io.tickmark.cli.option.SettingOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.output.Wrapped;
import io.tickmark.cli.run.Installation;
import io.tickmark.kernel.settings.NearestWord;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.report.text.Printable;
import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * {@code engines}: the transports on the class path on one screen, and why one cannot be used; of
 * one of them, or of all, the parameters.
 */
final class EnginesCommand implements Command {
    private static final int NAME_COLUMNS = 8;
    private static final String VERBOSE = "--verbose";

    /** What an engine is, in a line of the list. */
    private static final int WIDEST_SUMMARY = 52;

    EnginesCommand() {}

    /** How much of an engine can be used here. */
    private enum State {
        READY("ready"),
        IN_PART("in part"),
        MISSING("missing"),
        NOT_INSTALLED("not installed");

        private final String word;

        State(final String word) {
            this.word = word;
        }
    }

    /**
     * A line of the list.
     *
     * @param reason why it cannot be used, or not all of it; empty where it can
     */
    private record Engine(String name, String summary, State state, String reason) {
        static Engine of(final String scheme, final Transport transport) {
            final String what = shortened(transport.summary());
            return transport
                    .absence()
                    .map(reason -> new Engine(scheme, what, State.MISSING, reason))
                    .or(() ->
                            transport
                                    .missing()
                                    .map(piece ->
                                            new Engine(scheme, what, State.IN_PART, piece + ".")))
                    .orElseGet(() -> new Engine(scheme, what, State.READY, ""));
        }

        /** Until its first pause. */
        private static String shortened(final String summary) {
            return Printable.withoutMiddle(
                    summary.replaceFirst("[:;,] .*", "").replaceFirst("[.]$", ""), WIDEST_SUMMARY);
        }
    }

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Lists the engines that can be measured here, and what others need; of one engine also the"
                                + " parameters that its channels take after the question mark.");
        spec.addPositional(
                PositionalParamSpec.builder()
                        .paramLabel("NAME")
                        .arity("0..1")
                        .type(String.class)
                        .description("One engine, with its parameters: the scheme of its channels.")
                        .build());
        spec.addOption(
                OptionSpec.builder(VERBOSE)
                        .description(
                                "Print the parameters of all engines; show the stack traces of errors.")
                        .build());
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark engines";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) {
        final Map<String, Transport> engines = new TreeMap<>(new Transports().all());
        final Map<String, String> packs = new TreeMap<>(new Installation().packs());
        packs.keySet().removeAll(engines.keySet());
        final String name = arguments.matchedPositionalValue(0, "");
        final StringBuilder text = new StringBuilder();
        if (!name.isEmpty()) {
            describe(text, name.replaceFirst(":.*", ""), engines, packs);
        } else if (arguments.hasMatchedOption(VERBOSE)) {
            engines.forEach((scheme, transport) -> add(text, scheme, transport));
            packs.forEach((pack, sentence) -> add(text, pack, sentence));
        } else {
            text.append(list(engines, packs));
        }
        terminal.out().print(Wrapped.to(text.toString(), terminal.textColumns(), NAME_COLUMNS + 2));
        return 0;
    }

    private static void describe(
            final StringBuilder text,
            final String name,
            final Map<String, Transport> engines,
            final Map<String, String> packs) {
        if (engines.containsKey(name)) {
            add(text, name, engines.get(name));
        } else if (packs.containsKey(name)) {
            add(text, name, packs.get(name));
        } else {
            throw UserError.usage(
                    "'%s' is no engine; %s"
                            .formatted(
                                    name,
                                    NearestWord.to(name, List.copyOf(engines.keySet()))
                                            .map(nearest -> "did you mean " + nearest + "?")
                                            .orElse("'tickmark engines' lists them.")));
        }
    }

    /** A line for each engine, and below what is missing and how to get it, each reason once. */
    static String list(final Map<String, Transport> engines, final Map<String, String> packs) {
        final StringBuilder text = new StringBuilder();
        final List<Engine> all = new ArrayList<>();
        engines.forEach((scheme, transport) -> all.add(Engine.of(scheme, transport)));
        packs.forEach((pack, sentence) ->
                all.add(new Engine(pack, "in a separate pack", State.NOT_INSTALLED, sentence)));
        final int names = all.stream().mapToInt(each -> each.name().length()).max().orElse(0);
        final int summaries =
                all.stream().mapToInt(each -> each.summary().length()).max().orElse(0);
        final String line = "%%-%ds  %%-%ds  %%s%%n".formatted(names, summaries);
        all.forEach(each ->
                text.append(line.formatted(each.name(), each.summary(), each.state().word)));
        final Map<String, List<String>> missing = new LinkedHashMap<>();
        all.stream()
                .filter(each -> each.state() != State.READY)
                .forEach(each ->
                        missing.computeIfAbsent(each.reason(), key -> new ArrayList<>())
                                .add(each.name()));
        if (!missing.isEmpty()) {
            text.append('\n').append("What is missing\n");
            missing.forEach((reason, where) ->
                    text.append("  %s: %s%n".formatted(String.join(", ", where), reason)));
        }
        return text.append(
                        "\n'tickmark engines NAME' lists the parameters of an engine's channels.\n")
                .toString();
    }

    private static void add(final StringBuilder text, final String pack, final String sentence) {
        text.append(
                "%s%n  not installed: it is in a separate pack. %s%n".formatted(pack, sentence));
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
