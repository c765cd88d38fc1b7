package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A results disk without room: nothing already measured is lost. */
class FullDiskTest {
    private static final String TICKMARK = "'" + Launch.ROOT.resolve("tickmark") + "'";
    private static final String SHORT =
            " --sizes 64 --samples 200 --warm-up 50ms --ping-timeout 20s";

    @TempDir private Path folder;

    @Test
    void shouldPrintWhatItCannotKeep() throws IOException {
        final Launch.Outcome outcome = onADiskOf16KiB("");
        assertThat(outcome.out()).contains("50% us", "\n   64 ", "Passed.");
        assertThat(outcome.err())
                .contains("small/result/result.json cannot be written (No space left on device)");
        assertThat(outcome.exitCode()).isEqualTo(3);
    }

    @Test
    void shouldGiveAScriptItsDocumentAllTheSame() throws IOException {
        final Launch.Outcome outcome = onADiskOf16KiB(" --json");
        assertThat(ResultDocument.parse(outcome.out()).trial().path("received").asInt())
                .isEqualTo(200);
        assertThat(outcome.errLines())
                .allMatch(line -> line.startsWith("tickmark: "))
                .anyMatch(line -> line.contains("No space left on device"));
        assertThat(outcome.exitCode()).isEqualTo(3);
    }

    @Test
    void shouldNotCallASideByHandWellWhoseResultIsNotKept() throws IOException {
        final String channel = " --channel shm://" + folder.getFileName();
        final Launch.Outcome outcome =
                onADiskOf16KiB(
                        TICKMARK + " latency sub --quiet" + channel + " > sub.txt 2>&1 &",
                        "latency pub" + SHORT + channel);
        assertThat(outcome.out()).contains("Passed.");
        assertThat(outcome.err())
                .contains("small/result/result.json cannot be written (No space left on device)");
        assertThat(outcome.exitCode()).isEqualTo(3);
    }

    private Launch.Outcome onADiskOf16KiB(final String options) throws IOException {
        return onADiskOf16KiB("", "latency --channel null: --no-noise" + SHORT + options);
    }

    /** A separate file system in its own mount namespace, which needs no rights. */
    private Launch.Outcome onADiskOf16KiB(final String before, final String command)
            throws IOException {
        final Path disk = Files.createDirectory(folder.resolve("small"));
        final String mount = "mount -t tmpfs -o size=16k tmpfs '" + disk + "' && ";
        assumeTrue(
                inNamespace(mount + "true").run().exitCode() == 0,
                "this machine allows no mount namespace to try a full disk in");
        final Launch.Outcome outcome =
                inNamespace(
                                mount
                                        + "{ "
                                        + before
                                        + " exec "
                                        + TICKMARK
                                        + " "
                                        + command
                                        + " --out small/result; }")
                        .with("JAVA_HOME", System.getProperty("java.home"))
                        .with("TICKMARK_BUILD", "never")
                        .run();
        assertThat(disk).isEmptyDirectory();
        return outcome;
    }

    private Launch inNamespace(final String script) {
        return Launch.of(Path.of("/usr/bin/unshare"), "-rm", "/bin/sh", "-c", script).in(folder);
    }
}
