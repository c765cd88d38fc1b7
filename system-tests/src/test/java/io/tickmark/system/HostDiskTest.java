package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A host in a network namespace whose folder is on a separate small file system. */
class HostDiskTest {
    private static final int HOST = 2;
    private static final String STREAM =
            "stream --channel tcp://127.0.0.1:0 --rate 100 --idle adaptive --jvm-warm-up 50ms ";

    @TempDir private Path keys;
    @TempDir private Path folder;
    @TempDir private Path disk;

    private Namespaces namespaces;
    private SshServer server;
    private Path hosts;

    @BeforeEach
    void start() throws Exception {
        namespaces = new Namespaces(HOST);
        // before the server, whose view of file systems begins with those of now
        assumeTrue(
                sh("mount -t tmpfs -o size=8m tmpfs '" + disk + "'") == 0,
                "this machine allows no file system to be mounted");
        final Path client = SshServer.keys(keys);
        server = SshServer.start(namespaces, HOST, keys);
        hosts =
                Files.writeString(
                        folder.resolve("hosts.yaml"),
                        "schema: tickmark.hosts/1\nhosts:\n  - {name: h2, address: %s, configuration: %s, java: %s, folder: %s}\n"
                                .formatted(
                                        Namespaces.ip4(HOST),
                                        client,
                                        Path.of(System.getProperty("java.home"), "bin", "java"),
                                        disk.resolve("tickmark")));
    }

    @AfterEach
    void end() throws Exception {
        if (server != null) {
            server.close();
        }
        sh("umount -l '" + disk + "'");
        if (namespaces != null) {
            namespaces.close();
        }
    }

    private static int sh(final String command) throws IOException, InterruptedException {
        return new ProcessBuilder("/bin/sh", "-c", command + " >/dev/null 2>&1").start().waitFor();
    }

    private void fill() throws Exception {
        assertThat(sh("dd if=/dev/zero of='" + disk + "/filler' bs=4k")).as("full").isNotZero();
    }

    private Launch on(final String line) {
        return namespaces.on(
                1, Launch.tickmark(folder, line).onHosts("--hosts", hosts).and("--no-noise"));
    }

    private void shouldHaveMeasuredAndSaySo(final Launch.Outcome outcome, final String results)
            throws IOException {
        // the screen has the first remarks; lines are folded, long paths within them as well
        assertThat(
                        Files.readString(folder.resolve(results).resolve("summary.txt"))
                                .replaceAll("\\s+", " "))
                .containsPattern("On h2: /[^(]+ could not be written \\(No space left on device\\)")
                .contains(
                        "the role's files are incomplete, but the figures of the result are complete.");
        // whether a busy machine holds the rate to its end is that machine's to say
        outcome.passedOrWasSaturated();
    }

    @Test
    void shouldNotTakeABuildForWhichThereIsNoRoom() throws Exception {
        final Launch.Outcome outcome = on("latency --samples 100").run();

        assertThat(outcome.err())
                .contains("Host h2 could not store the build in " + disk)
                .contains(
                        "No space left on device; free some space there, or name another 'folder:'")
                .doesNotContain("Exception");
        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(disk.resolve("tickmark")).as("no part is left").isEmptyDirectory();
    }

    @Test
    void shouldKeepTheFiguresWhereItsDiskIsFullOrFills() throws Exception {
        assertThat(sh("mount -o remount,size=200m '" + disk + "'")).isZero();
        // long enough to write more than the last page of each file takes when the disk is full
        try (Job run = Job.start(on(STREAM + "--duration 20s --out fills"), folder)) {
            run.awaitReceived(folder.resolve("fills"));
            fill();
            shouldHaveMeasuredAndSaySo(run.await(), "fills");
        }

        fill(); // with what the run before gave back
        shouldHaveMeasuredAndSaySo(on(STREAM + "--duration 1s --out full").run(), "full");
        assertThat(folder.resolve("full/result.json")).exists();
    }
}
