package io.tickmark.report.series;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads a role's {@code stats.csv}; invalid lines are skipped. */
public final class StatsLog {
    private static final long MAX_BYTES = 256L << 20;
    private static final String HEADER = "time,";

    private StatsLog() {}

    /**
     * Reads a file.
     *
     * @param file to read
     * @param each receives the rows one by one
     * @return what is wrong with the file, as a clause; empty where it is intact
     */
    public static Optional<String> read(final Path file, final Consumer<StatsRow> each) {
        try {
            if (!Files.isRegularFile(file)) {
                return Optional.of("is missing");
            }
            if (Files.size(file) > MAX_BYTES) {
                return Optional.of("is larger than " + (MAX_BYTES >> 20) + " MiB");
            }
            // every byte is a character of Latin-1, so that a torn line does not end the reading
            try (BufferedReader lines =
                    Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
                List<String> header = List.of();
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith(HEADER)) {
                        header = StatsRow.split(line);
                    } else if (!header.isEmpty()) {
                        each.accept(StatsRow.of(header, line));
                    }
                }
            }
            return Optional.empty();
        } catch (final IOException e) {
            return Optional.of("cannot be read (" + e.getClass().getSimpleName() + ")");
        }
    }
}
