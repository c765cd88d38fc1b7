package io.tickmark.report;

import io.tickmark.kernel.result.RunResult;
import io.tickmark.report.rows.RunCsv;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes all readable files of a result folder: text, CSV and page. */
public final class ReportFiles {
    /** The tables and the verdict as plain text. */
    public static final String SUMMARY = "summary.txt";

    /** Every row of the run. */
    public static final String STATS = "stats.csv";

    private ReportFiles() {}

    /**
     * Writes {@code summary.txt}, {@code stats.csv} and {@code report.html} of a run.
     *
     * @param resultFolder with the roles' files
     * @param run its result
     * @return the page
     * @throws io.tickmark.kernel.settings.UserError if the folder cannot be written to
     */
    public static Path write(final Path resultFolder, final RunResult run) {
        texts(resultFolder, run);
        return HtmlReport.write(resultFolder, run);
    }

    /**
     * Writes the same files again from the content of a result folder.
     *
     * @param resultFolder of a run, possibly an interrupted one
     * @return the page
     * @throws io.tickmark.kernel.settings.UserError if it is not a result folder, or cannot be
     *     written to
     */
    public static Path rewrite(final Path resultFolder) {
        final List<String> missing = new ArrayList<>();
        texts(resultFolder, LostResult.read(resultFolder, missing));
        return HtmlReport.write(resultFolder);
    }

    private static void texts(final Path resultFolder, final RunResult run) {
        WholeFile.write(
                resultFolder.resolve(SUMMARY),
                new RunTables(RunTables.DEFAULT_WIDTH, false).render(run));
        WholeFile.write(resultFolder.resolve(STATS), RunCsv.of(run));
    }
}
