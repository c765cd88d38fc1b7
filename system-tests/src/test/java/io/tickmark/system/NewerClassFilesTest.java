package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewerClassFilesTest {
    private static final String BILL =
            """
            {"components" : [
              {"name" : "other", "hashes" : [ {"alg" : "SHA-256", "content" : "untouched"} ]},
              {"group" : "info.picocli", "name" : "picocli", "version" : "1",
               "hashes" : [ {"alg" : "MD5", "content" : "of"}, {"alg" : "SHA-256", "content" : "registry"} ],
               "licenses" : []}]}
            """;

    @TempDir private Path dist;

    private Path jar;

    @BeforeEach
    void copy() throws IOException {
        final Path lib = Files.createDirectories(dist.resolve("lib"));
        try (DirectoryStream<Path> jars =
                Files.newDirectoryStream(
                        Launch.ROOT.resolve("cli/target/dist/lib"), "picocli-*.jar")) {
            final Path original = jars.iterator().next();
            jar = Files.copy(original, lib.resolve(original.getFileName()));
        }
        Files.writeString(dist.resolve("tickmark.cdx.json"), BILL);
    }

    /** The build need not begin in an empty folder, and may make the bill anew or not. */
    @Test
    void shouldNameTheJarThatIsThereHoweverOftenItRan() throws Exception {
        rewrite();
        assertThatTheBillIsRight();

        rewrite();
        assertThatTheBillIsRight();

        Files.writeString(dist.resolve("tickmark.cdx.json"), BILL);
        rewrite();
        assertThatTheBillIsRight();
    }

    private void assertThatTheBillIsRight() throws Exception {
        final String sha256 =
                HexFormat.of()
                        .formatHex(
                                MessageDigest.getInstance("SHA-256")
                                        .digest(Files.readAllBytes(jar)));
        assertThat(Files.readString(dist.resolve("tickmark.cdx.json")))
                .contains("untouched")
                .containsOnlyOnce(sha256)
                .containsOnlyOnce("tickmark:changed")
                .doesNotContain("registry");
    }

    private void rewrite() throws IOException {
        final Launch.Outcome outcome =
                Launch.of(
                                Path.of(System.getProperty("java.home"), "bin", "java"),
                                Launch.ROOT.resolve("config/NewerClassFiles.java").toString(),
                                dist.toString())
                        .run();
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    }
}
