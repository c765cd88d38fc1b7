package io.tickmark.console.browser;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A browser without a window, with its own profile, which is deleted when it ends. */
final class Chromium implements AutoCloseable {
    private static final List<String> FLAGS =
            List.of(
                    "--headless=new",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-quic",
                    "--no-first-run",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--disable-sync",
                    "--window-size=1440,900");
    private static final long PATIENCE_S = 5;

    /** Where it makes temporary files, among them a socket, whose path has a limit (unix(7)). */
    private static final String TEMPORARY = "TMPDIR";

    private static final int LONGEST_TEMPORARY =
            107 - "/org.chromium.Chromium.XXXXXX/SingletonSocket".length();

    private final Path profile;
    private final Process process;

    Chromium(final String program, final String address) {
        try {
            profile = Files.createTempDirectory("tickmark-chromium-");
            final List<String> command = new ArrayList<>(List.of(program));
            command.addAll(FLAGS);
            command.add("--user-data-dir=" + profile);
            command.add(address);
            final ProcessBuilder builder =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
            if (profile.toString().length() <= LONGEST_TEMPORARY) {
                builder.environment().put(TEMPORARY, profile.toString());
            }
            process = builder.start();
        } catch (final IOException e) {
            throw UserError.environment(
                    "--chromium %s: cannot be started: %s.".formatted(program, IoReason.of(e)), e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        final List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(PATIENCE_S, TimeUnit.SECONDS);
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        children.forEach(ProcessHandle::destroyForcibly);
        for (final ProcessHandle child : children) { // while they live they may write
            child.onExit().completeOnTimeout(child, PATIENCE_S, TimeUnit.SECONDS).join();
        }
        delete(profile);
    }

    private static void delete(final Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (final Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (final IOException | UncheckedIOException _) {
            // a helper of the browser still writes; the folder is in /tmp
        }
    }
}
