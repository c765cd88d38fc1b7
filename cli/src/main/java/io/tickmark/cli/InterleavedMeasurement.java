package io.tickmark.cli;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.compare.CompareSettings;
import io.tickmark.lab.compare.Comparer;
import io.tickmark.lab.compare.Comparison;
import io.tickmark.lab.compare.Outcome;
import io.tickmark.lab.compare.Side;
import io.tickmark.lab.control.InterleavedRun;
import io.tickmark.lab.control.InterleavedRun.Arm;
import io.tickmark.lab.control.InterleavedRun.End;
import io.tickmark.lab.control.RunListener;
import io.tickmark.lab.json.Json;
import io.tickmark.report.ReportFiles;
import io.tickmark.report.compare.CompareMarkdown;
import io.tickmark.report.compare.ComparePage;
import io.tickmark.report.compare.CompareTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Runs plans that take turns, each into a folder of its own below one, and compares them: on the
 * terminal, in that folder, as exit code.
 */
final class InterleavedMeasurement {
    /** Page, Markdown and all of it as JSON, in the folder of the run. */
    static final String PAGE = "comparison.html";

    static final String MARKDOWN = "comparison.md";
    static final String JSON = "comparison.json";

    private final Terminal terminal;
    private final MeasureOptions options;
    private final CompareSettings settings;

    InterleavedMeasurement(
            final Terminal terminal, final MeasureOptions options, final CompareSettings settings) {
        this.terminal = terminal;
        this.options = options;
        this.settings = settings;
    }

    /**
     * Runs and compares.
     *
     * @param arms the first is what the others are held against
     * @param folder of all of them
     * @return the process's exit code: that of a run that could not be measured, else 1 where
     *     something is worse
     */
    int run(final List<Arm> arms, final Path folder) {
        final boolean silent = options.quiet() || options.json();
        final RunProgress progress =
                new RunProgress(terminal, options.verbose(), SystemNanoClock.INSTANCE);
        final List<End> ends;
        try (LiveOutput live = LiveOutput.open(options, terminal, arms.getFirst().plan().name())) {
            final InterleavedRun run =
                    new InterleavedRun(arms, live.listener(silent ? RunListener.SILENT : progress));
            try (Interruption _ = new Interruption(run::stop, terminal.err());
                    progress) {
                ends = run.run();
            }
        }
        final List<Side> sides = new ArrayList<>();
        int exitCode = 0;
        for (final End end : ends) {
            final Path own = end.outcome().folder().orElseThrow();
            reports(own, end);
            sides.add(Side.read(end.name(), own));
            if (end.outcome().exitCode() > 1) {
                exitCode = end.outcome().exitCode();
            }
        }
        final Comparison comparison =
                new EngineSheets()
                        .addTo(
                                new Comparer(settings, Installation.version())
                                        .compare(sides.getFirst(), sides.subList(1, sides.size())),
                                sides);
        tell(comparison, folder);
        if (exitCode > 0) {
            return exitCode;
        }
        // of two, the second is on trial; of many, one is always slower than another
        return arms.size() == 2 && comparison.count(Outcome.WORSE) > 0 ? 1 : failed(ends);
    }

    /** Of many, those that broke their criteria fail the whole. */
    private static int failed(final List<End> ends) {
        return ends.size() > 2 && ends.stream().anyMatch(end -> end.outcome().exitCode() > 0)
                ? 1
                : 0;
    }

    private void reports(final Path folder, final End end) {
        try {
            ReportFiles.write(folder, end.outcome().result());
        } catch (final UserError e) {
            terminal.err().println("tickmark: " + e.getMessage());
        }
    }

    private void tell(final Comparison comparison, final Path folder) {
        if (options.json()) {
            terminal.out().print(Json.text(comparison));
        } else {
            final CompareTables tables =
                    new CompareTables(terminal.textColumns(), terminal.boldOut());
            terminal.out()
                    .print(
                            options.quiet()
                                    ? tables.conclusion(comparison)
                                    : tables.render(comparison));
        }
        write(folder.resolve(JSON), Json.text(comparison));
        write(folder.resolve(MARKDOWN), CompareMarkdown.of(comparison));
        write(folder.resolve(PAGE), ComparePage.of(comparison));
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
                    "%s cannot be written (%s); free space on its disk or name another folder with --out."
                            .formatted(file, IoReason.of(e)),
                    e);
        }
    }
}
