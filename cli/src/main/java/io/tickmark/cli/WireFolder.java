package io.tickmark.cli;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.host.Environment;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.role.SummaryFile;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.result.ResultFolder;
import io.tickmark.lab.result.ResultJson;
import io.tickmark.lab.verdict.TrialFacts;
import io.tickmark.lab.verdict.TrialMerge;
import io.tickmark.report.ReportFiles;
import io.tickmark.report.RunTables;
import io.tickmark.wire.WireSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;

/**
 * What was read from a capture as a run of one trial, with the folder and the report of a run where
 * one was asked for.
 *
 * @param folder of the result, empty where none was asked for
 * @param role folder for the time line
 * @param name of the capture file
 * @param startedAt when its reading began
 */
record WireFolder(
        Optional<ResultFolder> folder, Optional<Path> role, String name, OffsetDateTime startedAt) {
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
     * Prints the result, and keeps it.
     *
     * @return the process's exit code
     */
    int tell(
            final RoleResult read,
            final WireSettings settings,
            final WireCommand.Output output,
            final Terminal terminal) {
        final RunResult run = run(read);
        final Optional<Path> report = folder.map(made -> keep(made, run, read, settings));
        final RunTables tables = new RunTables(terminal.textColumns(), terminal.boldOut());
        if (output.json()) {
            terminal.out().print(ResultJson.write(run));
        } else if (output.quiet()) {
            terminal.out().print(tables.conclusion(run));
        } else {
            terminal.out().println();
            terminal.out().print(tables.render(run));
            report.ifPresent(page -> terminal.out().println("Report: " + page));
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
            SummaryFile.append(role.orElseThrow(), "wire " + name, Settings.toMap(settings), read);
        } catch (final IOException e) {
            throw UserError.environment(
                    role.orElseThrow() + " cannot be written (" + IoReason.of(e) + ").", e);
        }
        return ReportFiles.write(made.path(), run);
    }

    private RunResult run(final RoleResult read) {
        final TrialMerge merge = new TrialMerge();
        read.steps().forEach(step -> merge.add(ROLE + "-1", step));
        final List<TrialResult> rows = merge.rows(facts(read));
        return new RunResult(
                RunResult.SCHEMA,
                Installation.version(),
                RunResult.timeOf(startedAt),
                TEST,
                rows.stream().map(TrialResult::verdict).reduce(Verdict.PASS, Verdict::worse),
                rows.stream().flatMap(row -> row.reasons().stream()).distinct().toList(),
                rows,
                List.of(),
                List.of(),
                null,
                Environment.describe(Path.of(""), new Installation().libraries()));
    }

    private TrialFacts facts(final RoleResult read) {
        return new TrialFacts(
                TEST,
                TEST,
                name,
                1,
                0,
                Affinity.allowedCores().size(),
                null,
                null,
                Criteria.DEFAULT,
                false,
                read.failure().isEmpty() ? List.of() : List.of(read.failure()),
                List.of(),
                List.of(new RoleSummary(ROLE, 1, read.metrics(), read.warnings())));
    }
}
