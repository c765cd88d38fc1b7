package io.tickmark.kernel.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A program of the system that is asked something. */
final class Command {
    private static final int MAX_BYTES = 65_536;

    private Command() {}

    /** What it prints; empty where it is not there, fails, or takes longer. */
    static Optional<String> output(final List<String> words, final long atMostMs) {
        final Process process;
        try {
            process =
                    new ProcessBuilder(words)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
        } catch (final IOException e) {
            return Optional.empty();
        }
        try {
            process.getOutputStream().close();
            final CompletableFuture<byte[]> said =
                    CompletableFuture.supplyAsync(() -> read(process));
            final String text =
                    new String(said.get(atMostMs, TimeUnit.MILLISECONDS), StandardCharsets.UTF_8);
            return process.waitFor(atMostMs, TimeUnit.MILLISECONDS) && process.exitValue() == 0
                    ? Optional.of(text)
                    : Optional.empty();
        } catch (final IOException | ExecutionException | TimeoutException e) {
            return Optional.empty();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } finally {
            process.destroyForcibly();
        }
    }

    private static byte[] read(final Process process) {
        try {
            return process.getInputStream().readNBytes(MAX_BYTES);
        } catch (final IOException e) {
            return new byte[0];
        }
    }
}
