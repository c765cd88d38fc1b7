package io.tickmark.cli.run;

import io.tickmark.cli.option.MeasureOptions;
import io.tickmark.cli.output.RunProgress;
import io.tickmark.cli.output.Terminal;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.compare.CompareSettings;
import io.tickmark.lab.compare.Comparer;
import io.tickmark.lab.compare.Comparison;
import io.tickmark.lab.compare.Outcome;
import io.tickmark.lab.compare.Side;
import io.tickmark.lab.control.InterleavedRun;
import io.tickmark.lab.control.InterleavedRun.End;
import io.tickmark.lab.control.InterleavedRun.Variant;
import io.tickmark.lab.control.RunListener;
import io.tickmark.lab.json.Json;
import io.tickmark.lab.place.Placements;
import io.tickmark.lab.tail.TailReader;
import io.tickmark.report.ReportFiles;
import io.tickmark.report.compare.CompareMarkdown;
import io.tickmark.report.compare.ComparePage;
import io.tickmark.report.compare.CompareTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Runs plans that take turns, each into a separate folder below one, and compares them: on the
 * terminal, in that folder, as exit code.
 */
public final class InterleavedMeasurement {
    /** Page, Markdown and all of it as JSON, in the folder of the run. */
    static final String PAGE = "comparison.html";

    static final String MARKDOWN = "comparison.md";
    static final String JSON = "comparison.json";

    /** Exit code where nothing is shown to be worse, but the machine could not have detected it. */
    public static final int UNDECIDED = 4;

    private static final int REASONS_TOLD = 3;

    private final Terminal terminal;
    private final MeasureOptions options;
    private final CompareSettings settings;
    private final boolean isVersus;
    private final double mustSee;

    /**
     * A measurement that has not started.
     *
     * @param terminal to print to
     * @param options of the command
     * @param settings of the comparison
     * @param isVersus whether the first plan is as the user named it and the second is under test;
     *     otherwise they are combinations of equal rank
     * @param mustSee degradation that has to be detected, as a part; the last run is then the first
     *     one's plan again. 0 where no gate is requested
     */
    public InterleavedMeasurement(
            final Terminal terminal,
            final MeasureOptions options,
            final CompareSettings settings,
            final boolean isVersus,
            final double mustSee) {
        this.terminal = terminal;
        this.options = options;
        this.settings = settings;
        this.isVersus = isVersus;
        this.mustSee = mustSee;
    }

    /**
     * Runs and compares.
     *
     * @param runs the others are compared with the first
     * @param folder of all of them
     * @return the process's exit code: that of a run that could not be measured, otherwise 1 where
     *     something is worse, otherwise {@link #UNDECIDED} where a gate cannot decide
     */
    public int run(final List<Variant> runs, final Path folder) {
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        final boolean silent = options.quiet() || options.json();
        final RunProgress progress =
                new RunProgress(terminal, options.verbose(), SystemNanoClock.INSTANCE);
        try (LiveOutput live = LiveOutput.open(options, terminal, runs.getFirst().plan().name())) {
            final InterleavedRun run =
                    new InterleavedRun(runs, live.listener(silent ? RunListener.SILENT : progress));
            // everything is printed, and machines are released, before a signal may end the process
            try (Interruption _ = new Interruption(run::stop, terminal.err(), false);
                    Placements _ = runs.getFirst().options().placements()) {
                return conclude(ends(run, progress), folder, startNs);
            }
        }
    }

    private static List<End> ends(final InterleavedRun run, final RunProgress progress) {
        try (progress) {
            return run.run();
        }
    }

    int conclude(final List<End> ends, final Path folder, final long startNs) {
        final List<Side> sides = new ArrayList<>();
        int exitCode = 0;
        for (final End end : ends) {
            final Path own = end.outcome().folder().orElseThrow();
            if (!reports(own, end)) {
                exitCode = Math.max(exitCode, UserError.Kind.ENVIRONMENT.exitCode());
            }
            sides.add(Side.read(end.name(), own));
            if (end.outcome().exitCode() > 1) {
                exitCode = end.outcome().exitCode();
            }
        }
        if (isVersus) {
            enter(ends.getFirst());
        }
        final List<String> reasons = reasons(ends);
        reasons.stream()
                .limit(REASONS_TOLD)
                .forEach(reason -> terminal.err().println("tickmark: " + reason));
        if (reasons.size() > REASONS_TOLD) {
            terminal.err()
                    .println(
                            "tickmark: and %s, in the result.json of the runs."
                                    .formatted(
                                            Plural.of(
                                                    reasons.size() - REASONS_TOLD, "more reason")));
        }
        if (mustSee > 0 && exitCode == 0) {
            final Optional<String> why = whyUndecided(sides);
            if (why.isPresent()) {
                terminal.err().println("tickmark: " + why.get());
                write(folder.resolve(MARKDOWN), CompareMarkdown.undecided(why.get()));
                return UNDECIDED;
            }
        }
        final Comparison comparison;
        try {
            comparison = mustSee > 0 ? gated(sides, !isVoid(ends), startNs) : compared(sides);
        } catch (final UserError e) {
            if (exitCode == 0 && reasons.isEmpty()) {
                throw e;
            }
            terminal.err()
                    .println("tickmark: " + e.getMessage()); // it was ended too early for that
            return Math.max(exitCode, 1);
        }
        print(comparison, sides.subList(0, comparison.sides().size()), tails(ends), folder);
        if (exitCode > 0) {
            return exitCode;
        }
        if (comparison.gate() != null) {
            return switch (comparison.gate().verdict()) {
                case PASSED -> 0;
                case WORSE -> 1;
                case UNDECIDED -> UNDECIDED;
            };
        }
        // of combinations, one is always slower than another
        return isVersus && comparison.count(Outcome.WORSE) > 0 ? 1 : failed(ends);
    }

    private Comparison compared(final List<Side> sides) {
        return new EngineSheets()
                .addTo(compared(sides.getFirst(), sides.subList(1, sides.size())), sides);
    }

    private Comparison compared(final Side first, final List<Side> others) {
        return new Comparer(settings, Installation.version()).compare(first, others);
    }

    /** Without the last side, the first one again, which only the judgement uses. */
    private Comparison gated(
            final List<Side> sides, final boolean areAllMeasured, final long startNs) {
        return compared(sides.subList(0, sides.size() - 1))
                .judged(
                        compared(sides.getFirst(), List.of(sides.getLast())),
                        mustSee,
                        SystemNanoClock.INSTANCE.nanoTime() - startNs,
                        areAllMeasured);
    }

    private static boolean isVoid(final List<End> ends) {
        return ends.stream().anyMatch(end -> end.outcome().result().verdict() == Verdict.VOID);
    }

    /** Combinations fail by their criteria; a run that was not measured always fails. */
    private int failed(final List<End> ends) {
        return isVoid(ends)
                        || !isVersus && ends.stream().anyMatch(end -> end.outcome().exitCode() > 0)
                ? 1
                : 0;
    }

    /** Why a gate has nothing to judge by: of the change, or of the first run measured again. */
    private static Optional<String> whyUndecided(final List<Side> sides) {
        return sides.stream()
                .skip(1)
                .flatMap(side -> Comparer.whyUndecided(sides.getFirst(), side).stream())
                .findFirst();
    }

    /** Why something was not measured, once for all. */
    private static List<String> reasons(final List<End> ends) {
        return ends.stream()
                .map(end -> end.outcome().result())
                .filter(result -> result.verdict() == Verdict.VOID)
                .flatMap(result -> result.reasons().stream())
                .distinct()
                .toList();
    }

    /** The named plan is a run like any other; what it was compared with is not. */
    private void enter(final End first) {
        if (!options.noHistory()) {
            first.outcome()
                    .folder()
                    .flatMap(folder ->
                            HistoryPlace.enter(
                                    options.history(),
                                    first.outcome().result(),
                                    folder,
                                    !options.out().isEmpty()))
                    .ifPresent(sentence -> terminal.err().println("tickmark: " + sentence));
        }
    }

    /**
     * A report that cannot be written is reported and changes the exit code, but does not lose the
     * comparison.
     */
    private boolean reports(final Path folder, final End end) {
        try {
            ReportFiles.write(folder, end.outcome().result(), end.outcome().tails());
            return true;
        } catch (final UserError e) {
            terminal.err().println("tickmark: " + e.getMessage());
            return false;
        }
    }

    private static List<TailReader> tails(final List<End> ends) {
        return ends.stream().map(end -> end.outcome().tails()).toList();
    }

    private void print(
            final Comparison comparison,
            final List<Side> sides,
            final List<TailReader> tails,
            final Path folder) {
        if (options.json()) {
            terminal.out().print(Json.text(comparison));
        } else {
            final CompareTables tables =
                    new CompareTables(terminal.textColumns(), terminal.boldOut());
            terminal.out()
                    .print(
                            options.quiet()
                                    ? tables.conclusion(comparison)
                                    : options.verbose()
                                            ? tables.render(comparison)
                                            : tables.screen(comparison));
        }
        write(folder.resolve(JSON), Json.text(comparison));
        write(folder.resolve(MARKDOWN), CompareMarkdown.of(comparison));
        write(folder.resolve(PAGE), ComparePage.of(comparison, sides, tails));
        if (!options.quiet() && !options.json()) {
            terminal.out().println("Comparison: " + folder.resolve(PAGE));
        }
        terminal.out().flush();
    }

    private static void write(final Path file, final String text) {
        try {
            Files.writeString(file, text);
        } catch (final IOException e) {
            throw UserError.environment(
                    "%s cannot be written (%s); make room or allow writing there, or name another folder with --out."
                            .formatted(file, IoReason.of(e)),
                    e);
        }
    }
}
