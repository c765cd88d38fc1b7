package io.tickmark.report;

import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.json.Json;
import io.tickmark.lab.result.ResultFolder;
import io.tickmark.lab.result.ResultJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;

/** Reads a run's result, or what is known about a run that lost it. */
final class LostResult {
    /** As in the name of a result folder: {@code 20261120-093000_default}. */
    private static final Pattern NAME =
            Pattern.compile("(\\d{4})(\\d\\d)(\\d\\d)-(\\d\\d)(\\d\\d)(\\d\\d)_(.+)");

    private LostResult() {}

    /**
     * The result of a folder.
     *
     * @param folder to read
     * @param missing receives sentences about what is missing
     * @return the result; a void one without rows where {@code result.json} is missing or damaged
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
                    folder, "result.json is missing: the run ended before it was written", missing);
        }
        try {
            return ResultJson.read(folder.resolve(ResultFolder.RESULT));
        } catch (final UserError e) {
            return lost(folder, e.getMessage(), missing);
        }
    }

    private static RunResult lost(final Path folder, final String why, final List<String> missing) {
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
