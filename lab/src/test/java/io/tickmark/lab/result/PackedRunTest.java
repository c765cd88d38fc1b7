package io.tickmark.lab.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that is passed on arrives unchanged, or not at all. */
class PackedRunTest {
    @TempDir private Path folder;
    private Path run;

    @BeforeEach
    void makeRun() throws IOException {
        run = Files.createDirectories(folder.resolve("run"));
        Files.createDirectories(run.resolve("roles/r1"));
        Files.writeString(run.resolve("result.json"), "{}");
        Files.writeString(run.resolve("roles/r1/latency.hlog"), "histogram ".repeat(1_000));
    }

    private Path packed(final String name) {
        final Path file = folder.resolve(name);
        PackedRun.write(run, file);
        return file;
    }

    @Test
    void shouldHandOnAllFilesWithTheirSums() throws Exception {
        Files.createSymbolicLink(run.resolve("link"), Path.of("/etc/passwd"));
        Files.createSymbolicLink(run.resolve("roles/r2"), run.resolve("roles/r1"));
        final Path file = folder.resolve("run.zip");
        assertThat(PackedRun.write(run, file).leftOut()).isEqualTo(2);

        final Path unpacked = folder.resolve("unpacked");
        assertThat(sh("python3 -m zipfile -e %s %s".formatted(file, unpacked))).isZero();
        assertThat(sh("cd %s && sha256sum --strict -c SHA256SUMS".formatted(unpacked))).isZero();
        assertThat(unpacked.resolve("roles/r1/latency.hlog"))
                .hasSameBinaryContentAs(run.resolve("roles/r1/latency.hlog"));
        assertThat(unpacked.resolve("link")).doesNotExist();

        assertThat(PackedRun.open(file).resolve("result.json")).hasContent("{}");
        assertThat(packed("again.zip")).hasSameBinaryContentAs(file);
    }

    /** Nothing was in the file. */
    @Test
    void shouldPackAFolderThatIsNamedByALink() throws IOException {
        final Path latest = Files.createSymbolicLink(folder.resolve("latest"), run);

        final PackedRun.Packed packed = PackedRun.write(latest, folder.resolve("latest.zip"));

        assertThat(packed.leftOut()).isZero();
        assertThat(folder.resolve("latest.zip")).hasSameBinaryContentAs(packed("run.zip"));
    }

    /** It ended with "duplicate entry". */
    @Test
    void shouldPackARunAgainThatWasHandedOn() throws Exception {
        final Path file = packed("run.zip");
        final Path unpacked = folder.resolve("unpacked");
        assertThat(sh("python3 -m zipfile -e %s %s".formatted(file, unpacked))).isZero();

        final Path again = folder.resolve("again.zip");
        PackedRun.write(unpacked, again);

        assertThat(again).hasSameBinaryContentAs(file);
        assertThat(PackedRun.open(again).resolve("result.json")).hasContent("{}");
    }

    /** A file with a hole, which takes no room. */
    @Test
    void shouldPackNothingThatNobodyCouldOpen() throws IOException {
        try (RandomAccessFile large =
                new RandomAccessFile(run.resolve("large.log").toFile(), "rw")) {
            large.setLength((8L << 30) + 1);
        }

        assertThatThrownBy(() -> packed("run.zip"))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith(
                        "--zip: "
                                + run
                                + " holds more than 100000 files or 8 GiB, which no command");
        assertThat(folder.resolve("run.zip")).doesNotExist();
        assertThat(folder.resolve("run.zip.part")).doesNotExist();
    }

    @Test
    void shouldSayTheSumOfTheFileItself() throws Exception {
        final Path file = folder.resolve("run.zip");
        final String sum = PackedRun.write(run, file).sum();

        assertThat(sh("echo '%s  %s' | sha256sum --strict -c".formatted(sum, file))).isZero();
    }

    private static int sh(final String command) throws Exception {
        final Process process = new ProcessBuilder("sh", "-c", command).inheritIO().start();
        if (!process.waitFor(5, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            return -1;
        }
        return process.exitValue();
    }

    @Test
    void shouldRefuseWhatWasChangedOrIsNoRun() throws IOException {
        final Path file = packed("run.zip");
        try (FileSystem zip =
                FileSystems.newFileSystem(URI.create("jar:" + file.toUri()), Map.of())) {
            Files.writeString(zip.getPath("/result.json"), "{ }");
        }
        assertThatThrownBy(() -> PackedRun.open(file))
                .isInstanceOf(UserError.class)
                .hasMessage(
                        file
                                + " is damaged or was changed: result.json is not as it was packed; get a new copy of the file.");

        final Path incomplete = packed("incomplete.zip");
        try (FileSystem zip =
                FileSystems.newFileSystem(URI.create("jar:" + incomplete.toUri()), Map.of())) {
            Files.delete(zip.getPath("/roles/r1/latency.hlog"));
        }
        assertThatThrownBy(() -> PackedRun.open(incomplete))
                .hasMessageContaining("roles/r1/latency.hlog is missing");

        final Path other = packed("other.zip");
        try (FileSystem zip =
                FileSystems.newFileSystem(URI.create("jar:" + other.toUri()), Map.of())) {
            Files.delete(zip.getPath("/SHA256SUMS"));
        }
        assertThatThrownBy(() -> PackedRun.open(other)).hasMessageContaining("is not a packed run");
        Files.writeString(folder.resolve("text.zip"), "text");
        assertThatThrownBy(() -> PackedRun.open(folder.resolve("text.zip")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is not a zip archive that can be read");
        assertThatThrownBy(() -> PackedRun.write(run, file))
                .hasMessage(
                        "--zip: " + file + " already exists; name a file that does not exist yet.");
        assertThatThrownBy(() -> PackedRun.write(run, run.resolve("own.zip")))
                .hasMessageEndingWith(
                        "is in the folder that it would hold; name a file elsewhere.");
        assertThatThrownBy(() -> PackedRun.write(run, folder.resolve("none/run.zip")))
                .hasMessageContaining("there is no folder " + folder.resolve("none"));
        assertThatThrownBy(() -> PackedRun.write(run, folder.resolve("run.tgz")))
                .hasMessageContaining("has to end in .zip");
    }

    /** Arbitrary bytes give a run as it was packed, or a sentence. */
    @Test
    void shouldSayWhatIsWrongWithDamagedBytes() throws IOException {
        final byte[] whole = Files.readAllBytes(packed("run.zip"));
        final Random random = new Random(11);
        final Path file = folder.resolve("damaged.zip");
        for (int i = 0; i < 500; i++) {
            final byte[] bytes = whole.clone();
            for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            Files.write(file, bytes);
            try {
                assertThat(PackedRun.open(file).resolve("result.json")).hasContent("{}");
            } catch (final UserError e) {
                assertThat(e.getMessage()).startsWith(file.toString());
            }
        }
    }
}
