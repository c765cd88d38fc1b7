package io.tickmark.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An archive of the classes that the front door loads: it is started some hundred times here, and
 * loading and verifying them anew would take half of the processor time of each. Where it cannot be
 * made, or does not fit, the JVM goes without it.
 */
final class FrontDoorClasses {
    /** Environment variable with flags for the JVM of the front door. */
    static final String OPTIONS = "TICKMARK_JAVA_OPTS";

    private static final String QUIET = " -Xlog:cds=off -Xlog:cds+dynamic=off -Xlog:aot=off";
    private static final long LONGEST_SECONDS = 120L * Launch.PATIENCE;

    private FrontDoorClasses() {}

    /** Flags that use the archive. */
    static String flags() {
        return Made.FLAGS;
    }

    /** Made when it is first asked for, once. */
    private static final class Made {
        private static final String FLAGS = make();

        private static String make() {
            try {
                final Path folder = Files.createTempDirectory("tickmark-classes");
                final Path archive = folder.resolve("front-door.jsa");
                folder.toFile().deleteOnExit();
                archive.toFile().deleteOnExit();
                dump(folder, archive);
                return Files.exists(archive) ? "-XX:SharedArchiveFile=" + archive + QUIET : "";
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            } catch (final InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        /** By a short run that comes by most of them. */
        private static void dump(final Path folder, final Path archive)
                throws IOException, InterruptedException {
            final ProcessBuilder builder =
                    new ProcessBuilder(
                                    Launch.ROOT.resolve("tickmark").toString(),
                                    "stream",
                                    "--channel",
                                    "shm:",
                                    "--messages",
                                    "100",
                                    "--jvm-warm-up",
                                    "0",
                                    "--no-noise",
                                    "--no-history",
                                    "--out",
                                    folder.resolve("run").toString())
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            builder.environment().put("TICKMARK_BUILD", "never");
            builder.environment().put(OPTIONS, "-XX:ArchiveClassesAtExit=" + archive + QUIET);
            final Process process = builder.start();
            if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            final Path run = folder.resolve("run");
            if (Files.exists(run)) {
                try (Stream<Path> files = Files.walk(run)) {
                    files.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
                }
            }
        }
    }
}
