package io.tickmark.kernel.role;

import io.tickmark.kernel.record.RoleFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/** Writes {@link RoleFiles#SUMMARY}: what a role was asked for and what it found out, to read. */
public final class SummaryFile {
    private SummaryFile() {}

    /**
     * Appends the summary of one trial; several repeats share a file.
     *
     * @param directory the role's folder
     * @param title such as {@code latency-pub 1, repeat 2}
     * @param settings the role's inputs, as {@link io.tickmark.kernel.settings.Settings#toMap}
     *     gives them
     * @param result what the role found out
     * @throws IOException if the file cannot be written
     */
    public static void append(
            final Path directory,
            final String title,
            final Map<String, Object> settings,
            final RoleResult result)
            throws IOException {
        Files.writeString(
                directory.resolve(RoleFiles.SUMMARY),
                SummaryText.of(title, settings, result),
                StandardCharsets.UTF_8,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }
}
