package io.tickmark.lab.live;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.json.Json;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the state of a run to its folder, a line a second; single-threaded. */
public final class LiveFile implements AutoCloseable {
    /** Name of the file. */
    public static final String NAME = "live.jsonl";

    private final Path path;
    private final BufferedWriter out;

    /**
     * Creates the file.
     *
     * @param folder of the run
     * @throws UserError if it cannot be written
     */
    public LiveFile(final Path folder) {
        path = folder.resolve(NAME);
        try {
            out = Files.newBufferedWriter(path);
        } catch (final IOException e) {
            throw notWritable(e);
        }
    }

    /**
     * Adds a line; concurrent readers see it at once.
     *
     * @param line to write
     * @throws UserError if it cannot be written, a full disk for example
     */
    public void write(final LiveLine line) {
        try {
            out.write(Json.line().writeValueAsString(line));
            out.write('\n');
            out.flush();
        } catch (final IOException e) {
            throw notWritable(e);
        }
    }

    private UserError notWritable(final IOException e) {
        return UserError.environment(
                path
                        + " cannot be written ("
                        + IoReason.of(e)
                        + "); the run continues, but can be neither watched nor replayed from here on.",
                e);
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (final IOException e) {
            // write errors were reported when they occurred
        }
    }
}
