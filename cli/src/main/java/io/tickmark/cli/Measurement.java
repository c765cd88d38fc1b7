package io.tickmark.cli;

import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kubernetes.KubernetesHosts;
import io.tickmark.lab.control.RunControl;
import io.tickmark.lab.control.RunListener;
import io.tickmark.lab.control.RunOptions;
import io.tickmark.lab.control.RunOutcome;
import io.tickmark.lab.hosts.Hosts;
import io.tickmark.lab.place.Placements;
import io.tickmark.lab.plan.HostsPlan;
import io.tickmark.lab.plan.KubernetesPlan;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.result.ResultJson;
import io.tickmark.report.ReportFiles;
import io.tickmark.report.RunTables;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Hands a plan to the lab, and tells what came out: on the terminal, in the folder, as exit code.
 */
final class Measurement {
    private static final Path RESULTS = Path.of("results");

    private final Terminal terminal;
    private final MeasureOptions options;

    Measurement(final Terminal terminal, final MeasureOptions options) {
        this.terminal = terminal;
        this.options = options;
    }

    /**
     * Runs the plan to its end or to a signal.
     *
     * @param plan to run
     * @return the process's exit code
     */
    int run(final Plan plan) {
        return run(plan, result -> "");
    }

    /**
     * Runs the plan, and says something more about what came out.
     *
     * @param plan to run
     * @param afterword made from the result, lines with line ends; not said with --json and --quiet
     * @return the process's exit code
     */
    int run(final Plan plan, final Function<RunResult, String> afterword) {
        return run(plan, afterword, RunControl::run);
    }

    /**
     * Runs the plan in one way or another, and says something more about what came out.
     *
     * @param plan to run
     * @param afterword made from the result, lines with line ends; not said with --json and --quiet
     * @param way the tests one after the other, or in turns
     * @return the process's exit code
     */
    int run(
            final Plan plan,
            final Function<RunResult, String> afterword,
            final Function<RunControl, RunOutcome> way) {
        return placed(options, terminal, run -> run(plan, run, afterword, way));
    }

    private int run(
            final Plan plan,
            final RunOptions run,
            final Function<RunResult, String> afterword,
            final Function<RunControl, RunOutcome> way) {
        final boolean silent = options.quiet() || options.json();
        final RunProgress progress =
                new RunProgress(terminal, options.verbose(), SystemNanoClock.INSTANCE);
        // machines are let go before a signal may end the process
        try (LiveOutput live = LiveOutput.open(options, terminal, plan.name())) {
            final RunControl control =
                    new RunControl(
                            plan, run, live.listener(silent ? RunListener.SILENT : progress));
            try (Interruption _ = new Interruption(control::stop, terminal.err(), false);
                    Placements _ = run.placements()) {
                return tell(outcome(control, way, progress), afterword);
            }
        }
    }

    /**
     * Does something with the machines that the options name.
     *
     * @param options of the command
     * @param terminal told how hosts are prepared
     * @param work with how runs are done there
     * @return the process's exit code
     */
    static int placed(
            final MeasureOptions options,
            final Terminal terminal,
            final ToIntFunction<RunOptions> work) {
        if (options.elsewhere().isEmpty()) {
            return work.applyAsInt(here(options));
        }
        try (Placements machines = machines(options, terminal)) {
            return work.applyAsInt(here(options).on(machines));
        }
    }

    private static Placements machines(final MeasureOptions options, final Terminal terminal) {
        final Consumer<String> progress =
                sentence -> {
                    if (!options.quiet() && !options.json()) {
                        terminal.err().println(sentence);
                    }
                };
        return options.hosts().isEmpty()
                ? KubernetesHosts.open(KubernetesPlan.read(Path.of(options.kubernetes())), progress)
                : Hosts.open(HostsPlan.read(Path.of(options.hosts())), progress);
    }

    private static RunOptions here(final MeasureOptions options) {
        return here(
                options.out().isEmpty() ? Optional.empty() : Optional.of(Path.of(options.out())));
    }

    /**
     * How runs are done on this machine.
     *
     * @param out folder of the run; empty for a new one
     * @return options
     */
    static RunOptions here(final Optional<Path> out) {
        final Installation installation = new Installation();
        return RunOptions.local(
                RESULTS,
                out,
                installation::modules,
                Installation.version(),
                installation.libraries());
    }

    /** Nothing is printed before the progress line is gone. */
    private static RunOutcome outcome(
            final RunControl control,
            final Function<RunControl, RunOutcome> way,
            final RunProgress progress) {
        try (progress) {
            return way.apply(control);
        }
    }

    private int tell(final RunOutcome outcome, final Function<RunResult, String> afterword) {
        final List<String> problems = new ArrayList<>(outcome.problems());
        final Optional<Path> report =
                outcome.folder().flatMap(folder -> report(folder, outcome.result(), problems));
        if (!options.noHistory()) {
            outcome.folder()
                    .flatMap(folder ->
                            HistoryPlace.enter(
                                    options.history(),
                                    outcome.result(),
                                    folder,
                                    !options.out().isEmpty()))
                    .ifPresent(sentence -> terminal.err().println("tickmark: " + sentence));
        }
        if (options.json()) {
            terminal.out().print(ResultJson.write(outcome.result()));
        } else {
            final RunTables tables = new RunTables(terminal.textColumns(), terminal.boldOut());
            terminal.out()
                    .print(
                            options.quiet()
                                    ? tables.conclusion(outcome.result())
                                    : tables.render(outcome.result()));
            if (!options.quiet()) {
                terminal.out().print(afterword.apply(outcome.result()));
            }
            report.filter(page -> !options.quiet())
                    .ifPresent(page -> terminal.out().println("Report: " + page));
        }
        terminal.out().flush();
        problems.forEach(problem -> terminal.err().println("tickmark: " + problem));
        return problems.size() > outcome.problems().size() && outcome.exitCode() == 0
                ? FrontDoor.ENVIRONMENT
                : outcome.exitCode();
    }

    /** A report that cannot be written costs a sentence, not the result. */
    private static Optional<Path> report(
            final Path folder, final RunResult result, final List<String> problems) {
        try {
            return Optional.of(ReportFiles.write(folder, result));
        } catch (final UserError e) {
            problems.add(e.getMessage());
            return Optional.empty();
        }
    }
}
