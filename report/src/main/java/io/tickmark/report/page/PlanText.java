package io.tickmark.report.page;

import io.tickmark.lab.result.ResultFolder;
import io.tickmark.report.text.Printable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The plan as it was run.
 *
 * @param text of plan.yaml, empty where it is missing
 * @param description the plan's sentence, empty where it has none
 */
public record PlanText(String text, String description) {
    private static final long MAX_BYTES = 1L << 20;

    /**
     * The line that the plan's writer makes of it; a plan in another form is shown nevertheless.
     */
    private static final Pattern DESCRIPTION =
            Pattern.compile("^description:[ \\t]*(['\"]?)(.*?)\\1[ \\t]*$", Pattern.MULTILINE);

    /**
     * Reads the plan of a result folder.
     *
     * @param resultFolder where it should be
     * @return empty where it is missing or too large to be one
     */
    public static Optional<PlanText> read(final Path resultFolder) {
        final Path file = resultFolder.resolve(ResultFolder.PLAN);
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > MAX_BYTES) {
                return Optional.empty();
            }
            final String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            final Matcher description = DESCRIPTION.matcher(text);
            return Optional.of(
                    new PlanText(
                            text, description.find() ? Printable.of(description.group(2)) : ""));
        } catch (final IOException e) {
            return Optional.empty();
        }
    }
}
