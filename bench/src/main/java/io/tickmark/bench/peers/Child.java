package io.tickmark.bench.peers;

import io.tickmark.bench.contest.NotMeasured;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** A process with its output in files; ended at the latest when it is closed. */
final class Child implements AutoCloseable {
    private static final int MOST_OUTPUT_BYTES = 64 << 20;
    private static final int MOST_REASON_CHARS = 300;

    private final String name;
    private final Process process;
    private final Duration patience;
    private final Path output;
    private final Path errors;

    Child(
            final String name,
            final Process process,
            final Duration patience,
            final Path output,
            final Path errors) {
        this.name = name;
        this.process = process;
        this.patience = patience;
        this.output = output;
        this.errors = errors;
    }

    /**
     * Waits for its end.
     *
     * @param limit after which it is ended
     * @param goodCodes exit codes with which its output counts
     * @return its standard output
     */
    String await(final Duration limit, final List<Integer> goodCodes) {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new NotMeasured(
                        "%s took more than %d s; see %s."
                                .formatted(
                                        name,
                                        limit.toSeconds(),
                                        errors.getParent()
                                                .getFileName()
                                                .resolve(errors.getFileName())));
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotMeasured("interrupted while waiting for " + name + ".", e);
        }
        if (!goodCodes.contains(process.exitValue())) {
            throw new NotMeasured(
                    name + " ended with exit code " + process.exitValue() + ": " + reason());
        }
        return output();
    }

    /** The end of what it said, on one line. */
    String reason() {
        final String said = read(errors).strip();
        final String reason = said.isEmpty() ? output().strip() : said;
        return reason.substring(Math.max(0, reason.length() - MOST_REASON_CHARS))
                .replaceAll("\\s+", " ");
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** What it has written so far. */
    String output() {
        return read(output);
    }

    private static String read(final Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MOST_OUTPUT_BYTES), StandardCharsets.UTF_8);
        } catch (final IOException e) {
            throw new NotMeasured(file + " cannot be read: " + e.getMessage() + ".", e);
        }
    }

    /** Asks it to end, gives it and all it started the time to, and makes them when they do not. */
    @Override
    public void close() {
        final List<ProcessHandle> all =
                Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
        process.destroy();
        leave(all);
        all.forEach(ProcessHandle::destroyForcibly);
        leave(all);
    }

    private void leave(final List<ProcessHandle> all) {
        final CompletableFuture<?>[] exits =
                all.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(exits).get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (final TimeoutException | ExecutionException e) {
            return; // the next step does not ask
        }
    }
}
