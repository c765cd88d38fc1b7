package io.tickmark.cli;

import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.compare.CompareSettings;
import io.tickmark.lab.compare.Comparer;
import io.tickmark.lab.compare.Comparison;
import io.tickmark.lab.compare.Side;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code compare}: is one run better or worse than another? */
final class CompareCommand implements Command {
    private static final int FEWEST = 2;
    private static final int MOST = 26;

    CompareCommand() {}

    static <R extends Record> R read(final Class<R> settings, final ParseResult arguments) {
        final SettingOptions options = options(settings);
        return Settings.read(settings, options.values(arguments), options.naming(arguments));
    }

    static SettingOptions options(final Class<? extends Record> settings) {
        return new SettingOptions().add(SettingDescriptor.of(settings), Set.of());
    }

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Holds runs against the first one named: for each figure better, worse, no difference or too noisy,"
                                + " with an interval. Exit code 1 where something is worse, else 0; too noisy is 0 unless"
                                + " --strict. Repeats decide what is told: take --repeats 5 --fresh for both, or 'tickmark run"
                                + " --vs', which takes turns.");
        spec.addPositional(
                PositionalParamSpec.builder()
                        .paramLabel("RUN")
                        .arity("0..*")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .description(
                                "Result folder, or a result.json; the first is what the others are held against.")
                        .build());
        options(CompareSettings.class).addTo(spec);
        options(CompareOutput.class).addTo(spec);
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark compare results/20261120-120000_latency results/20261121-120000_latency --markdown change.md";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) {
        final List<String> paths = arguments.matchedPositionalValue(0, List.of());
        if (paths.size() < FEWEST || paths.size() > MOST) {
            throw UserError.usage(
                    "compare: name two result folders, or up to %d; it got %d."
                            .formatted(MOST, paths.size()));
        }
        final CompareSettings settings = read(CompareSettings.class, arguments);
        final CompareOutput output = read(CompareOutput.class, arguments);
        final List<Side> sides = new ArrayList<>();
        for (final String path : paths) {
            sides.add(Side.read(String.valueOf((char) ('A' + sides.size())), Path.of(path)));
        }
        final Comparison comparison =
                new EngineSheets()
                        .addTo(
                                new Comparer(settings, Installation.version())
                                        .compare(sides.getFirst(), sides.subList(1, sides.size())),
                                sides);
        return output.tell(comparison, terminal);
    }
}
