package io.tickmark.report;

import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.json.Json;
import io.tickmark.lab.result.ResultFolder;
import io.tickmark.lab.result.RoleFolders;
import io.tickmark.report.page.HtmlFile;
import io.tickmark.report.page.PageBuilder;
import io.tickmark.report.page.PlanText;
import io.tickmark.report.rows.RunCsv;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
     * @throws UserError if the folder cannot be written to
     */
    public static Path write(final Path resultFolder, final RunResult run) {
        return write(resultFolder, run, List.of());
    }

    /**
     * Writes the same files again from the content of a result folder.
     *
     * @param resultFolder of a run, possibly an interrupted one
     * @return the page
     * @throws UserError if it is not a result folder, or cannot be written to
     */
    public static Path rewrite(final Path resultFolder) {
        final List<String> missing = new ArrayList<>();
        return write(resultFolder, LostResult.read(resultFolder, missing), missing);
    }

    private static Path write(
            final Path resultFolder, final RunResult run, final List<String> known) {
        final String plain = new RunTables(RunTables.DEFAULT_WIDTH, false).render(run);
        WholeFile.write(resultFolder.resolve(SUMMARY), plain);
        WholeFile.write(resultFolder.resolve(STATS), RunCsv.of(run));
        return WholeFile.write(
                resultFolder.resolve(ResultFolder.REPORT),
                HtmlFile.of("tickmark: " + run.plan(), page(resultFolder, run, known), plain));
    }

    /** The page names what is missing or damaged in the folder. */
    private static String page(
            final Path resultFolder, final RunResult run, final List<String> known) {
        final List<String> missing = new ArrayList<>(known);
        final Optional<PlanText> plan = PlanText.read(resultFolder);
        if (plan.isEmpty()) {
            missing.add("The plan: plan.yaml is missing.");
        }
        return Json.line()
                .writeValueAsString(
                        new PageBuilder(
                                        run,
                                        new RoleFolders(resultFolder),
                                        plan.orElse(new PlanText("", "")),
                                        missing)
                                .build());
    }
}
