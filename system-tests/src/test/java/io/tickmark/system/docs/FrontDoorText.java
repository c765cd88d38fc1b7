package io.tickmark.system.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What the front door prints, from a process of its own. */
final class FrontDoorText {
    private static final long LONGEST_SECONDS = 60;

    private FrontDoorText() {}

    /** Standard output of a command that ends by itself. */
    static String of(final String... arguments) {
        try {
            final List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.add("-XX:TieredStopAtLevel=1");
            command.add("-jar");
            command.add(jar().toString());
            command.addAll(List.of(arguments));
            final Process process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            process.getOutputStream().close();
            final String out =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new AssertionError("tickmark " + String.join(" ", arguments) + " failed");
            }
            return out;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        } catch (final InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** What the launcher would start; its manifest names the class path. */
    private static Path jar() throws IOException {
        try (Stream<Path> files = Files.list(Repository.ROOT.resolve("cli/target/dist/lib"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("tickmark-cli-"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** As a block of code in a page. */
    static String block(final String... arguments) {
        return "```text\n" + of(arguments).stripTrailing() + "\n```\n";
    }
}
