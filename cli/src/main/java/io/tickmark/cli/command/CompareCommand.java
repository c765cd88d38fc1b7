package io.tickmark.cli.command;

import io.tickmark.cli.option.SettingOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.run.EngineSheets;
import io.tickmark.cli.run.Installation;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.compare.CompareSettings;
import io.tickmark.lab.compare.Comparer;
import io.tickmark.lab.compare.Comparison;
import io.tickmark.lab.compare.Outcome;
import io.tickmark.lab.compare.Side;
import io.tickmark.lab.json.Json;
import io.tickmark.report.compare.CompareJunit;
import io.tickmark.report.compare.CompareMarkdown;
import io.tickmark.report.compare.ComparePage;
import io.tickmark.report.compare.CompareTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code compare}: whether one run is better or worse than another. */
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
                        "Compares runs with the first one named: for each figure better, worse, no difference or too noisy, "
                                + "with an interval. Exit code 1 if something is worse, else 0; too noisy counts only with "
                                + "--strict. The more repeats, the smaller the differences that can be detected: measure "
                                + "both with --repeats 5 --fresh, or use 'tickmark run --vs', which takes turns.");
        spec.addPositional(
                PositionalParamSpec.builder()
                        .paramLabel("RUN")
                        .arity("0..*")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .description(
                                "Result folder, one that was packed (report --zip), or a result.json; the others are"
                                        + " compared with the first.")
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
                    "compare: name 2 to %d result folders; got %d.".formatted(MOST, paths.size()));
        }
        final CompareSettings settings = read(CompareSettings.class, arguments);
        final CompareOutput output = read(CompareOutput.class, arguments);
        final List<Side> sides = new ArrayList<>();
        for (final String path : paths) {
            sides.add(Side.read(String.valueOf((char) ('A' + sides.size())), Path.of(path)));
        }
        final Comparer comparer = new Comparer(settings, Installation.version());
        final Comparison comparison =
                new EngineSheets()
                        .addTo(
                                comparer.compareAnyway(
                                        sides.getFirst(), sides.subList(1, sides.size())),
                                sides);
        final int exitCode = output.print(comparison, sides, terminal);
        if (comparison.comparesNothing()) {
            throw comparer.whyNothing(); // whoever waits for the files has them
        }
        return exitCode;
    }

    /**
     * The outputs of a comparison.
     *
     * @param html file for the page with the intervals and what each run measured; empty for none
     * @param markdown file for the description of a pull request; empty for none
     * @param junit file for a build server; empty for none
     * @param json whether only the comparison is written to standard output, as JSON
     * @param quiet whether only the conclusion is printed
     * @param verbose whether all figures are printed, though they do not fit one screen
     * @param strict whether a figure that is too noisy gives exit code 1
     */
    private record CompareOutput(
            @Setting(
                            help =
                                    "Write a page with the intervals and both runs' charts to this file.",
                            label = "FILE")
                    String html,
            @Setting(help = "Write Markdown for a pull request to this file.", label = "FILE")
                    String markdown,
            @Setting(help = "Write JUnit XML for a build server to this file.", label = "FILE")
                    String junit,
            @Setting(help = "Print the comparison as JSON to standard output, and nothing else.")
                    boolean json,
            @Setting(help = "No tables; the conclusion only.") boolean quiet,
            @Setting(
                            help =
                                    "Print all figures and intervals also where they do not fit one screen; show the stack"
                                            + " traces of errors.")
                    boolean verbose,
            @Setting(help = "Also exit with 1 where a figure is too noisy to tell.")
                    boolean strict) {

        /**
         * Prints, unless nothing was compared, and writes.
         *
         * @param comparison to print
         * @param sides the runs compared
         * @param terminal where to print
         * @return the process's exit code
         */
        int print(final Comparison comparison, final List<Side> sides, final Terminal terminal) {
            if (json) {
                terminal.out().print(Json.text(comparison));
            } else if (!comparison.comparesNothing()) {
                final CompareTables tables =
                        new CompareTables(terminal.textColumns(), terminal.boldOut());
                terminal.out()
                        .print(
                                quiet
                                        ? tables.conclusion(comparison)
                                        : verbose
                                                ? tables.render(comparison)
                                                : tables.screen(comparison));
            }
            terminal.out().flush();
            write(html, "--html", () -> ComparePage.of(comparison, sides));
            write(markdown, "--markdown", () -> CompareMarkdown.of(comparison));
            write(junit, "--junit", () -> CompareJunit.of(comparison));
            return exitCode(comparison);
        }

        private int exitCode(final Comparison comparison) {
            final boolean fails =
                    comparison.count(Outcome.WORSE) > 0
                            || strict && comparison.count(Outcome.TOO_NOISY) > 0;
            return fails ? 1 : 0;
        }

        private static void write(
                final String file, final String option, final Supplier<String> text) {
            if (file.isEmpty()) {
                return;
            }
            try {
                Files.writeString(Path.of(file), text.get());
            } catch (final IOException e) {
                throw UserError.environment(
                        "%s: %s cannot be written (%s); name a file in a folder that is there."
                                .formatted(option, file, IoReason.of(e)),
                        e);
            }
        }
    }
}
