package io.tickmark.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Clients in Python, with the packages of config/test-python.txt: what another make sees. */
public final class ForeignClient {
    private static final String INTERPRETER = "TICKMARK_TEST_PYTHON";
    private static final long LONGEST_SECONDS = 60;

    private ForeignClient() {}

    /** Skips the test where there is no Python with these packages, and says so. */
    public static void need() {
        assumeTrue(
                System.getenv(INTERPRETER) != null,
                "no Python environment for counterparts: " + INTERPRETER + " is not set");
    }

    /**
     * Runs a script to its end, which has to be a success.
     *
     * @param script in Python
     * @return what it printed
     * @throws IOException if it cannot be started
     * @throws InterruptedException if the test is interrupted
     */
    public static String run(final String script) throws IOException, InterruptedException {
        final Path out = Files.createTempFile("tickmark-client", ".out");
        final Process process =
                new ProcessBuilder(System.getenv(INTERPRETER), "-c", script)
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile()) // a pipe would be read without a limit
                        .start();
        try {
            final boolean hasEnded = process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS);
            final String said = Files.readString(out).strip();
            assertThat(hasEnded).as("ends in time: " + said).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
            return said;
        } finally {
            process.destroyForcibly();
            Files.delete(out);
        }
    }
}
