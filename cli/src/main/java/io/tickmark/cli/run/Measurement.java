package io.tickmark.cli.run;

import io.tickmark.cli.option.MeasureOptions;
import io.tickmark.cli.output.RunProgress;
import io.tickmark.cli.output.Terminal;
import io.tickmark.kernel.result.Answer;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.compare.CompareSettings;
import io.tickmark.lab.compare.Comparer;
import io.tickmark.lab.compare.Comparison;
import io.tickmark.lab.compare.Side;
import io.tickmark.lab.control.RunControl;
import io.tickmark.lab.control.RunListener;
import io.tickmark.lab.control.RunOutcome;
import io.tickmark.lab.place.Placements;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.result.ResultFolder;
import io.tickmark.lab.result.ResultJson;
import io.tickmark.lab.tail.TailReader;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.report.ReportFiles;
import io.tickmark.report.RunTables;
import io.tickmark.report.compare.CompareTables;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Passes a plan to the lab, and reports the outcome: on the terminal, in the folder, as exit code.
 */
public final class Measurement {
    private final Terminal terminal;
    private final MeasureOptions options;
    private final Function<RunControl, RunOutcome> way;
    private final Function<RunResult, Optional<Answer>> question;
    private final Function<RunResult, String> afterword;

    /**
     * One test after the other.
     *
     * @param terminal to print to
     * @param options of the command
     */
    public Measurement(final Terminal terminal, final MeasureOptions options) {
        this(terminal, options, RunControl::run, result -> Optional.empty(), result -> "");
    }

    private Measurement(
            final Terminal terminal,
            final MeasureOptions options,
            final Function<RunControl, RunOutcome> way,
            final Function<RunResult, Optional<Answer>> question,
            final Function<RunResult, String> afterword) {
        this.terminal = terminal;
        this.options = options;
        this.way = way;
        this.question = question;
        this.afterword = afterword;
    }

    /**
     * The same, run in another way.
     *
     * @param other than {@link RunControl#run}
     * @return a new one
     */
    public Measurement runBy(final Function<RunControl, RunOutcome> other) {
        return new Measurement(terminal, options, other, question, afterword);
    }

    /**
     * The same with an answer derived from the result, which is printed and kept with it.
     *
     * @param asked gives the answer; empty where nothing was measured that answers
     * @return a new one
     */
    public Measurement withAnswer(final Function<RunResult, Optional<Answer>> asked) {
        return new Measurement(terminal, options, way, asked, afterword);
    }

    /**
     * The same with further text about the result.
     *
     * @param more derived from the result, lines with line ends; not printed with --json and
     *     --quiet
     * @return a new one
     */
    public Measurement withText(final Function<RunResult, String> more) {
        return new Measurement(terminal, options, way, question, more);
    }

    /**
     * Runs the plan to its end or to a signal, on the machines that the options name.
     *
     * @param plan to run
     * @return the process's exit code
     */
    public int run(final Plan plan) {
        final boolean isSilent = options.quiet() || options.json();
        final RunProgress progress =
                new RunProgress(terminal, options.verbose(), SystemNanoClock.INSTANCE);
        try (Machines machines = Machines.open(options, terminal);
                LiveOutput live = LiveOutput.open(options, terminal, plan.name())) {
            final RunControl control =
                    new RunControl(
                            plan,
                            machines.runs(),
                            live.listener(isSilent ? RunListener.SILENT : progress));
            // everything is printed, and machines are released, before a signal may end the process
            try (Interruption _ = new Interruption(control::stop, terminal.err(), false);
                    Placements _ = machines.runs().placements()) {
                final RunOutcome outcome;
                try (progress) { // nothing is printed until the progress line is cleared
                    outcome = way.apply(control);
                }
                return print(outcome);
            }
        }
    }

    private int print(final RunOutcome outcome) {
        final List<String> problems = new ArrayList<>(outcome.problems());
        final RunResult result =
                question.apply(outcome.result())
                        .map(answer -> kept(outcome, answer, problems))
                        .orElse(outcome.result());
        final Optional<Path> report =
                outcome.folder()
                        .flatMap(folder -> report(folder, result, outcome.tails(), problems));
        if (!options.noHistory()) {
            outcome.folder()
                    .flatMap(folder ->
                            HistoryPlace.enter(
                                    options.history(), result, folder, !options.out().isEmpty()))
                    .ifPresent(sentence -> terminal.err().println("tickmark: " + sentence));
        }
        if (options.json()) {
            terminal.out().print(ResultJson.write(result));
        } else {
            final RunTables tables = new RunTables(terminal.textColumns(), terminal.boldOut());
            final String below = options.quiet() ? "" : below(outcome, result);
            final int linesBelow = (int) below.lines().count() + (namesQuick(result) ? 1 : 0);
            terminal.out()
                    .print(
                            options.quiet()
                                    ? tables.conclusion(result)
                                    : options.verbose() || report.isEmpty()
                                            ? tables.render(result)
                                            : tables.screen(result, linesBelow));
            terminal.out().print(below);
            report.filter(page -> !options.quiet())
                    .ifPresent(page -> {
                        terminal.out().println("Report: " + page);
                        if (!options.verbose()) {
                            terminal.out()
                                    .println("Tables: " + page.resolveSibling(ReportFiles.SUMMARY));
                        }
                    });
        }
        if (namesQuick(result)) {
            terminal.out().println("What this machine can resolve: ./tickmark quick");
        }
        terminal.out().flush();
        problems.forEach(problem -> terminal.err().println("tickmark: " + problem));
        return problems.size() > outcome.problems().size() && outcome.exitCode() == 0
                ? UserError.Kind.ENVIRONMENT.exitCode()
                : outcome.exitCode();
    }

    /** What the command adds, and the outcome beside that of the run before. */
    private String below(final RunOutcome outcome, final RunResult result) {
        return afterword.apply(result)
                + outcome.folder()
                        .filter(folder -> !options.noHistory())
                        .map(folder -> againstTheRunBefore(result, folder))
                        .orElse("");
    }

    private String againstTheRunBefore(final RunResult result, final Path folder) {
        final Optional<Path> before = HistoryPlace.before(options.history(), result, folder);
        if (before.isEmpty()) {
            return "";
        }
        final Path here = Path.of("").toAbsolutePath();
        final Path other =
                before.get().startsWith(here) ? here.relativize(before.get()) : before.get();
        try {
            final Comparison comparison =
                    new Comparer(CompareSettings.DEFAULT, Installation.version())
                            .compare(
                                    Side.read(other.getFileName().toString(), other),
                                    List.of(Side.read("This run", folder)));
            return new CompareTables(terminal.textColumns(), terminal.boldOut())
                            .conclusion(comparison)
                    + "Compare: ./tickmark compare %s %s\n\n".formatted(other, folder);
        } catch (final RuntimeException e) {
            // whatever an older run holds: what was measured now is still to be printed
            terminal.err()
                    .println(
                            "tickmark: the run before, "
                                    + other
                                    + ", is not compared: "
                                    + (e instanceof UserError ? e.getMessage() : e));
            return "";
        }
    }

    /** Whether the last line says how to find out what this machine can resolve. */
    private boolean namesQuick(final RunResult result) {
        return !options.json()
                && !options.quiet()
                && result.answer() == null
                && result.trials().stream()
                        .anyMatch(row ->
                                row.labels().contains(Labels.NOISY)
                                        || row.labels().contains(Labels.DISTURBED));
    }

    /** Written again, with the answer. */
    private static RunResult kept(
            final RunOutcome outcome, final Answer answer, final List<String> problems) {
        final RunResult result = outcome.result().with(answer);
        try {
            outcome.folder()
                    .map(ResultFolder::of)
                    .ifPresent(
                            folder -> folder.write(ResultFolder.RESULT, ResultJson.write(result)));
        } catch (final UserError e) {
            problems.add(e.getMessage());
        }
        return result;
    }

    /** A report that cannot be written is reported, but does not lose the result. */
    private static Optional<Path> report(
            final Path folder,
            final RunResult result,
            final TailReader tails,
            final List<String> problems) {
        try {
            return Optional.of(ReportFiles.write(folder, result, tails));
        } catch (final UserError e) {
            problems.add(e.getMessage());
            return Optional.empty();
        }
    }
}
