package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is handed to others, made by a copy of {@code deploy/package} of a build of next to nothing.
 */
class PackageTest {
    @TempDir private Path folder;
    private Path copy;
    private Path bin;

    @BeforeEach
    void layOutABuild() throws IOException {
        copy = folder.resolve("tick mark");
        bin = Files.createDirectories(folder.resolve("bin"));
        for (final String directory :
                List.of(
                        "deploy/ci",
                        "deploy/grafana",
                        "deploy/helm",
                        "docs",
                        "samples",
                        "config",
                        "cli/target/dist/lib",
                        "cli/target/dist/classpaths",
                        "cli/target/dist/contract")) {
            Files.createDirectories(copy.resolve(directory));
        }
        for (final String file :
                List.of(
                        "README.md",
                        "LICENSE",
                        "NOTICE",
                        "CHANGELOG.md",
                        "config/jvm.options",
                        "config/host-agent",
                        "cli/target/dist/lib/tickmark-cli-1.jar")) {
            Files.createFile(copy.resolve(file));
        }
        Files.writeString(
                Files.createDirectories(copy.resolve("engines/one")).resolve("packages.txt"),
                "recommends one-server # for stores\nsuggests two-server\ntest three\n");
        Files.writeString(copy.resolve("cli/target/dist/tickmark.cdx.json"), "{}");
        Files.copy(Launch.ROOT.resolve("deploy/package"), copy.resolve("deploy/package"));
        script(copy.resolve("tickmark"), "exit 0");
        final Path jdk = Files.createDirectories(folder.resolve("jdk/bin")).getParent();
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.3\"\n");
        script(jdk.resolve("bin/jlink"), "for last; do :; done; mkdir -p \"$last\"");
        script(jdk.resolve("bin/java"), "exit 0"); // looks for known holes
    }

    @Test
    void shouldPackTheBillOfMaterials() throws IOException {
        final Launch.Outcome outcome = pack("archive").run();
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        final Launch.Outcome names =
                Launch.of(Path.of("/bin/tar"), "-tzf", outcome.out().strip()).run();
        assertThat(names.out().lines()).anyMatch(name -> name.endsWith("/tickmark.cdx.json"));
    }

    @Test
    void shouldHandOutNothingWithAKnownHole() throws IOException {
        script(
                folder.resolve("jdk/bin/java"),
                "for word; do [ \"$word\" != check ] || exit 1; done");
        final Launch.Outcome outcome = pack("archive").run();
        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(outcome.err()).contains("what was built has known holes");
        assertThat(copy.resolve("target")).doesNotExist();
    }

    private Launch pack(final String what) {
        return Launch.of(copy.resolve("deploy/package"), what)
                .with("JAVA_HOME", folder.resolve("jdk").toString())
                .with("PATH", bin + ":" + System.getenv("PATH"));
    }

    /** An archive of an older build had been taken, where one was there. */
    @Test
    void shouldMakeTheContainerOfWhatWasBuiltLast() throws IOException {
        // gets: build -f FILE --build-arg ARCHIVE=NAME --build-arg PACKAGES=NAMES -t TAG FOLDER
        script(
                bin.resolve("podman"),
                "[ \"$7\" = 'PACKAGES=one-server two-server ' ] || exit 9\n"
                        + "tar -xzOf \"${10}/${5#ARCHIVE=}\" --wildcards '*/docs/page.md'");
        for (final String text : List.of("as it was", "as it is")) {
            Files.writeString(copy.resolve("docs/page.md"), text);
            final Launch.Outcome outcome = pack("container").run();
            assertThat(outcome.exitCode()).as(outcome.err()).isZero();
            assertThat(outcome.out()).isEqualTo(text);
        }
    }

    private static void script(final Path file, final String script) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
