package io.tickmark.report;

import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.json.Json;
import io.tickmark.lab.result.ResultFolder;
import io.tickmark.lab.result.ResultJson;
import io.tickmark.lab.result.RoleFolders;
import io.tickmark.lab.tail.TailReader;
import io.tickmark.report.page.HtmlFile;
import io.tickmark.report.page.PageBuilder;
import io.tickmark.report.page.PlanText;
import io.tickmark.report.rows.RunCsv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;

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
        return write(resultFolder, run, new TailReader());
    }

    /**
     * Writes the same files of a run that has just ended.
     *
     * @param resultFolder with the roles' files
     * @param run its result
     * @param tails has read what the roles noted of stalls
     * @return the page
     * @throws UserError if the folder cannot be written to
     */
    public static Path write(final Path resultFolder, final RunResult run, final TailReader tails) {
        return write(resultFolder, run, tails, List.of());
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
        return write(
                resultFolder, LostResult.read(resultFolder, missing), new TailReader(), missing);
    }

    private static Path write(
            final Path resultFolder,
            final RunResult run,
            final TailReader tails,
            final List<String> known) {
        final String plain = new RunTables(RunTables.DEFAULT_WIDTH, false).render(run);
        WholeFile.write(resultFolder.resolve(SUMMARY), plain);
        WholeFile.write(resultFolder.resolve(STATS), RunCsv.of(run));
        return WholeFile.write(
                resultFolder.resolve(ResultFolder.REPORT),
                HtmlFile.of(
                        "tickmark: " + run.plan(), page(resultFolder, run, tails, known), plain));
    }

    /** The page names what is missing or damaged in the folder. */
    private static String page(
            final Path resultFolder,
            final RunResult run,
            final TailReader tails,
            final List<String> known) {
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
                                        tails,
                                        plan.orElse(new PlanText("", "")),
                                        missing)
                                .build());
    }

    /** Writes a file completely or not at all. */
    private static final class WholeFile {
        private WholeFile() {}

        /**
         * Writes beside the target and moves it there.
         *
         * @param target replaced where it exists
         * @param text its content
         * @return the target
         */
        static Path write(final Path target, final String text) {
            final Path part = target.resolveSibling(target.getFileName() + ".part");
            try {
                Files.writeString(part, text);
                return Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
            } catch (final IOException e) {
                try {
                    Files.deleteIfExists(part);
                } catch (final IOException alsoFailed) {
                    e.addSuppressed(alsoFailed);
                }
                throw UserError.environment(
                        target
                                + " could not be written ("
                                + IoReason.of(e)
                                + "); make room or allow writing there, then run tickmark report "
                                + target.getParent()
                                + ".",
                        e);
            }
        }
    }

    /** Reads a run's result, or what is known about a run that lost it. */
    private static final class LostResult {
        /** As in the name of a result folder: {@code 20261120-093000_default}. */
        private static final Pattern NAME =
                Pattern.compile("(\\d{4})(\\d\\d)(\\d\\d)-(\\d\\d)(\\d\\d)(\\d\\d)_(.+)");

        private LostResult() {}

        /**
         * The result of a folder.
         *
         * @param folder to read
         * @param missing receives sentences about what is missing
         * @return the result; a void one without rows where {@code result.json} is missing or
         *     damaged
         */
        static RunResult read(final Path folder, final List<String> missing) {
            final boolean hasResult = Files.isRegularFile(folder.resolve(ResultFolder.RESULT));
            if (!hasResult
                    && !Files.isRegularFile(folder.resolve(ResultFolder.PLAN))
                    && !Files.isDirectory(folder.resolve(ResultFolder.ROLES))) {
                throw UserError.usage(
                        folder
                                + (Files.isDirectory(folder)
                                        ? " is not a result folder: it holds no result.json, plan.yaml or roles"
                                        : " is not a folder")
                                + "; name one of those that tickmark run left in results/.");
            }
            if (!hasResult) {
                return lost(
                        folder,
                        "result.json is missing: the run ended before it was written",
                        missing);
            }
            try {
                return ResultJson.read(folder.resolve(ResultFolder.RESULT));
            } catch (final UserError e) {
                return lost(folder, e.getMessage(), missing);
            }
        }

        private static RunResult lost(
                final Path folder, final String why, final List<String> missing) {
            missing.add("All figures: without result.json there are only the roles' own files.");
            final String name = folder.toAbsolutePath().normalize().getFileName().toString();
            final Matcher parts = NAME.matcher(name);
            final boolean named = parts.matches();
            return new RunResult(
                    RunResult.SCHEMA,
                    "",
                    named ? parts.replaceFirst("$1-$2-$3T$4:$5:$6") : "",
                    named ? parts.group(7) : name,
                    Verdict.VOID,
                    List.of(why),
                    List.of(),
                    List.of(),
                    List.of(),
                    null,
                    environment(folder),
                    null);
        }

        private static Map<String, Map<String, Object>> environment(final Path folder) {
            try {
                return Json.line()
                        .readValue(
                                folder.resolve(ResultFolder.ENVIRONMENT).toFile(),
                                new TypeReference<Map<String, Map<String, Object>>>() {});
            } catch (final JacksonException e) {
                return Map.of(); // missing or damaged as well
            }
        }
    }
}
