package io.tickmark.cli.command;

import io.tickmark.cli.option.SettingOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.run.Installation;
import io.tickmark.cli.run.Interruption;
import io.tickmark.kernel.host.Environment;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.role.SummaryFile;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.result.ResultFolder;
import io.tickmark.lab.result.ResultJson;
import io.tickmark.lab.verdict.TrialFacts;
import io.tickmark.lab.verdict.TrialMerge;
import io.tickmark.report.ReportFiles;
import io.tickmark.report.RunTables;
import io.tickmark.wire.SessionsFile;
import io.tickmark.wire.WireContext;
import io.tickmark.wire.WireReader;
import io.tickmark.wire.WireResult;
import io.tickmark.wire.WireRoleResult;
import io.tickmark.wire.WireSettings;
import io.tickmark.wire.WireText;
import io.tickmark.wire.capture.CaptureFacts;
import io.tickmark.wire.match.ApplicationLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code wire}: latency on the wire, read from a capture file. */
final class WireCommand implements Command {
    private static final String SKIP = "skip";

    /**
     * Options in addition to those of the reader.
     *
     * @param latencies logs of the application
     * @param out result folder
     * @param json whether {@code result.json} is written to standard output
     * @param quiet whether only the verdict is printed
     * @param verbose whether all tables are printed, though a file has them
     */
    record Output(
            @Setting(
                            help =
                                    "What the application measured of the same messages: latency.csv"
                                            + " of a run with --log-latencies.",
                            label = "FILE,...")
                    List<String> latencies,
            @Setting(
                            help =
                                    "Result folder, new or empty: report with time line, one row for each session.",
                            label = "DIR")
                    String out,
            @Setting(help = "Print result.json to standard output, and nothing else.") boolean json,
            @Setting(help = "No tables; the verdict only.") boolean quiet,
            @Setting(
                            help =
                                    "Print all tables, which with --out otherwise are in summary.txt only; show the stack traces"
                                            + " of errors.")
                    boolean verbose) {}

    WireCommand() {}

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Reads a capture (pcap or pcapng) and reports how long messages take from the wire into a gateway to "
                                + "the wire out of it: FIX messages and each of their copies, or stamped messages of "
                                + "tickmark and their echoes.");
        spec.addPositional(
                PositionalParamSpec.builder()
                        .paramLabel("FILE")
                        .index("0")
                        .arity("1")
                        .required(true)
                        .type(Path.class)
                        .description("A capture file.")
                        .build());
        spec.addPositional(
                PositionalParamSpec.builder()
                        .paramLabel("SKIP")
                        .index("1")
                        .arity("0..1")
                        .type(String.class)
                        .description("The same as --skip.")
                        .build());
        reading().addTo(spec);
        output().addTo(spec);
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark wire tcpdump.pcap 1000";
    }

    private static SettingOptions reading() {
        return new SettingOptions().add(SettingDescriptor.of(WireSettings.class), Set.of());
    }

    private static SettingOptions output() {
        return new SettingOptions().add(SettingDescriptor.of(Output.class), Set.of());
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) {
        final Path file = arguments.matchedPositionalValue(0, (Path) null);
        final WireSettings settings = settings(arguments);
        final Output output =
                Settings.read(Output.class, output().values(arguments), output().naming(arguments));
        final WireFolder folder = WireFolder.of(output.out(), file);
        final AtomicBoolean stopped = new AtomicBoolean();
        try (Interruption _ = new Interruption(() -> stopped.set(true), terminal.err(), false)) {
            final WireResult wire =
                    new WireReader(settings, known(file, output, folder), stopped::get).read(file);
            folder.role()
                    .ifPresent(role ->
                            wire.fix()
                                    .ifPresent(fix -> SessionsFile.write(role, 1, fix.sessions())));
            final RoleResult result = WireRoleResult.of(wire, true);
            final String shortReport = output.json() || output.quiet() ? "" : WireText.of(wire);
            terminal.out().print(shortReport);
            return folder.print(
                    result, settings, output, terminal, (int) shortReport.lines().count());
        }
    }

    private static WireSettings settings(final ParseResult arguments) {
        final Map<String, Object> values = new LinkedHashMap<>(reading().values(arguments));
        final UnaryOperator<String> naming = reading().naming(arguments);
        final String skip = arguments.matchedPositionalValue(1, "");
        if (skip.isEmpty()) {
            return Settings.read(WireSettings.class, values, naming);
        }
        if (values.putIfAbsent(SKIP, skip) != null) {
            throw UserError.usage(
                    "SKIP " + skip + ": it is also given with --skip; leave one out.");
        }
        return Settings.read(
                WireSettings.class, values, key -> key.equals(SKIP) ? "SKIP" : naming.apply(key));
    }

    private static WireContext known(
            final Path file, final Output output, final WireFolder folder) {
        final Optional<CaptureFacts> facts = CaptureFacts.of(file);
        final OptionalLong dropped =
                facts.map(found -> found.counts().dropped())
                        .filter(count -> count >= 0)
                        .map(OptionalLong::of)
                        .orElse(OptionalLong.empty());
        Optional<ApplicationLog> log = Optional.empty();
        if (!output.latencies().isEmpty()) {
            final ApplicationLog all = new ApplicationLog(0);
            output.latencies().forEach(each -> all.add(Path.of(each)));
            log = Optional.of(all);
        }
        return new WireContext(
                folder.role(),
                1,
                0,
                facts.flatMap(CaptureFacts::offset),
                log,
                dropped,
                WireContext.NONE.kept());
    }

    /**
     * The result of reading a capture as a run of one trial, with the folder and the report of a
     * run where requested.
     *
     * @param folder of the result, empty where none was requested
     * @param role folder for the time line
     * @param name of the capture file
     * @param startedAt when its reading began
     */
    private record WireFolder(
            Optional<ResultFolder> folder,
            Optional<Path> role,
            String name,
            OffsetDateTime startedAt) {
        private static final String TEST = "wire";
        private static final String ROLE = "wire";

        static WireFolder of(final String out, final Path capture) {
            final String name = String.valueOf(capture.getFileName());
            final Optional<ResultFolder> folder =
                    out.isEmpty() ? Optional.empty() : Optional.of(ResultFolder.at(Path.of(out)));
            return new WireFolder(
                    folder,
                    folder.map(made -> made.role(TEST, name, ROLE + "-1")),
                    name,
                    OffsetDateTime.now());
        }

        /**
         * Prints the result, and writes it.
         *
         * @return the process's exit code
         */
        int print(
                final RoleResult read,
                final WireSettings settings,
                final WireCommand.Output output,
                final Terminal terminal,
                final int linesAbove) {
            final RunResult run = run(read);
            final Optional<Path> report = folder.map(made -> keep(made, run, read, settings));
            final RunTables tables = new RunTables(terminal.textColumns(), terminal.boldOut());
            if (output.json()) {
                terminal.out().print(ResultJson.write(run));
            } else if (output.quiet()) {
                terminal.out().print(tables.conclusion(run));
            } else {
                terminal.out().println();
                final boolean isAll = report.isEmpty() || output.verbose();
                terminal.out()
                        .print(isAll ? tables.render(run) : tables.screen(run, linesAbove + 1));
                report.ifPresent(page -> {
                    terminal.out().println("Report: " + page);
                    if (!isAll) {
                        terminal.out()
                                .println("Tables: " + page.resolveSibling(ReportFiles.SUMMARY));
                    }
                });
            }
            terminal.out().flush();
            return run.verdict().exitCode();
        }

        private Path keep(
                final ResultFolder made,
                final RunResult run,
                final RoleResult read,
                final WireSettings settings) {
            made.write(ResultFolder.RESULT, ResultJson.write(run));
            try {
                SummaryFile.append(
                        role.orElseThrow(), "wire " + name, Settings.toMap(settings), read);
            } catch (final IOException e) {
                throw UserError.environment(
                        role.orElseThrow() + " cannot be written (" + IoReason.of(e) + ").", e);
            }
            return ReportFiles.write(made.path(), run);
        }

        private RunResult run(final RoleResult read) {
            final TrialMerge merge = new TrialMerge();
            read.steps().forEach(step -> merge.add(ROLE + "-1", step));
            return RunResult.ofRows(
                    Installation.version(),
                    startedAt,
                    TEST,
                    merge.rows(facts(read)),
                    Environment.describe(Path.of(""), new Installation().libraries()));
        }

        private TrialFacts facts(final RoleResult read) {
            return TrialFacts.ofOneRole(
                    TEST,
                    TEST,
                    name,
                    0,
                    read.failure().isEmpty() ? List.of() : List.of(read.failure()),
                    new RoleSummary(ROLE, 1, read.metrics(), read.warnings()));
        }
    }
}
