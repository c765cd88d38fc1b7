package io.tickmark.cli.run;

import io.tickmark.cli.output.Terminal;
import io.tickmark.kernel.host.Environment;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.lab.result.ResultFolder;
import io.tickmark.lab.result.ResultJson;
import io.tickmark.lab.verdict.RunVerdict;
import io.tickmark.lab.verdict.TrialFacts;
import io.tickmark.lab.verdict.TrialMerge;
import io.tickmark.report.RunTables;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of one role run by hand, as a run of one trial: the same tables and JSON as a plan's.
 *
 * @param <S> the role's settings
 */
public final class ManualResult<S extends Record> {
    /** Users of DDS latency tests expect these terms at the publisher. */
    private static final String SAYS_SUCCESSFUL = "latency pub";

    private final String command;
    private final RoleFactory<S> factory;
    private final S settings;

    /**
     * For a role that has not ended.
     *
     * @param command that runs it
     * @param factory of the role
     * @param settings of the role
     */
    public ManualResult(final String command, final RoleFactory<S> factory, final S settings) {
        this.command = command;
        this.factory = factory;
        this.settings = settings;
    }

    /**
     * The folder of the role's files.
     *
     * @param folder of the run
     * @return the created folder, where reports look for it
     * @throws io.tickmark.kernel.settings.UserError if it cannot be created
     */
    public Path files(final ResultFolder folder) {
        return folder.role(test(), factory.channel(settings), factory.name() + "-1");
    }

    /**
     * Prints it.
     *
     * @param result of the run
     * @param json whether as JSON
     * @param terminal where to
     * @return the process's exit code
     */
    public int print(final RunResult result, final boolean json, final Terminal terminal) {
        if (json) {
            terminal.out().print(ResultJson.write(result));
        } else {
            terminal.out()
                    .print(
                            new RunTables(terminal.textColumns(), terminal.boldOut())
                                    .render(result));
        }
        if (!json && result.verdict() == Verdict.PASS && command.equals(SAYS_SUCCESSFUL)) {
            terminal.out().println("Test successful!");
        }
        terminal.out().flush();
        return result.verdict().exitCode();
    }

    private String test() {
        return command.replace(' ', '-');
    }

    /**
     * The result of the role, as a run.
     *
     * @param startedAt when the role was started
     * @param role what it returned
     * @param isInterrupted whether a signal stopped it early
     * @return of one trial, judged
     */
    public RunResult of(
            final OffsetDateTime startedAt, final RoleResult role, final boolean isInterrupted) {
        final TrialMerge merge = new TrialMerge();
        role.steps().forEach(step -> merge.add(factory.name() + "-1", alone(step)));
        final List<String> voids = new ArrayList<>();
        if (isInterrupted) {
            voids.add(RunVerdict.INTERRUPTED);
        }
        if (!role.failure().isEmpty()) {
            voids.add(role.failure());
        }
        return RunResult.ofRows(
                Installation.version(),
                startedAt,
                test(),
                merge.rows(facts(role, voids)),
                Environment.describe(Path.of(""), new Installation().libraries()));
    }

    /** A receiver by itself knows from the sequence how many were sent. */
    private static StepResult alone(final StepResult step) {
        final Long received = step.counts().get(Counts.RECEIVED);
        if (received == null
                || step.counts().containsKey(Counts.SENT)
                || step.counts().containsKey(Counts.EXPECTED)) {
            return step;
        }
        final Map<String, Long> counts = new LinkedHashMap<>(step.counts());
        counts.put(
                Counts.SENT,
                received
                        + step.counts().getOrDefault(Counts.LOST, 0L)
                        + step.counts().getOrDefault(Counts.CORRUPTED, 0L));
        return step.withCounts(counts);
    }

    private TrialFacts facts(final RoleResult role, final List<String> voids) {
        return TrialFacts.ofOneRole(
                test(),
                factory.workload(),
                factory.channel(settings),
                factory.hotThreads(settings, 1, 1).size(),
                voids,
                new RoleSummary(factory.name(), 1, role.metrics(), role.warnings()));
    }
}
