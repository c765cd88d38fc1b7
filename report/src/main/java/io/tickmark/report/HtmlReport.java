package io.tickmark.report;

import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.json.Json;
import io.tickmark.lab.result.ResultFolder;
import io.tickmark.lab.result.RoleFolders;
import io.tickmark.report.page.HtmlFile;
import io.tickmark.report.page.PageBuilder;
import io.tickmark.report.page.PlanText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes {@code report.html}: one file that shows a run without network or server. */
public final class HtmlReport {
    private HtmlReport() {}

    /**
     * Writes the report of a result folder into it. The report names what is missing or damaged
     * there.
     *
     * @param resultFolder of a run, possibly an interrupted one
     * @return the file written
     * @throws UserError if it is not a result folder, or cannot be written to
     */
    public static Path write(final Path resultFolder) {
        final List<String> missing = new ArrayList<>();
        return write(resultFolder, LostResult.read(resultFolder, missing), missing);
    }

    /**
     * Writes the report of a run that is already in memory.
     *
     * @param resultFolder with the roles' files
     * @param run its result
     * @return the file written
     * @throws UserError if the folder cannot be written to
     */
    public static Path write(final Path resultFolder, final RunResult run) {
        return write(resultFolder, run, List.of());
    }

    private static Path write(
            final Path resultFolder, final RunResult run, final List<String> known) {
        final List<String> missing = new ArrayList<>(known);
        final Optional<PlanText> plan = PlanText.read(resultFolder);
        if (plan.isEmpty()) {
            missing.add("The plan: plan.yaml is missing.");
        }
        final String json =
                Json.line()
                        .writeValueAsString(
                                new PageBuilder(
                                                run,
                                                new RoleFolders(resultFolder),
                                                plan.orElse(new PlanText("", "")),
                                                missing)
                                        .build());
        final String plain = new RunTables(RunTables.DEFAULT_WIDTH, false).render(run);
        return WholeFile.write(
                resultFolder.resolve(ResultFolder.REPORT),
                HtmlFile.of("tickmark: " + run.plan(), json, plain));
    }
}
