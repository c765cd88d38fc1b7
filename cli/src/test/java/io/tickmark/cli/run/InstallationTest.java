package io.tickmark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.lab.place.Plugins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstallationTest {
    private static final Plugins NONE = new Plugins(Optional.empty());

    @TempDir private Path home;

    @Test
    void shouldReportTheVersionsOfEnginesLibrariesOnly() throws IOException {
        final Path lists = Files.createDirectory(home.resolve("classpaths"));
        Files.write(
                lists.resolve("tickmark-engine-aeron.txt"),
                List.of(
                        "tickmark-engine-aeron-0.1.0.jar",
                        "aeron-client-1.51.0.jar",
                        "jna-jpms-5.19.1.jar"));
        Files.write(lists.resolve("tickmark-cli.txt"), List.of("picocli-4.7.7.jar"));
        assertThat(new Installation(Optional.of(home), NONE).libraries())
                .isEqualTo(Map.of("aeron-client", "1.51.0", "jna-jpms", "5.19.1"));
    }

    @Test
    void shouldReportWhichPlugInsThereAre() throws IOException {
        Files.createFile(home.resolve("my-engine-1.2.jar"));
        Files.createFile(home.resolve("policy.jar"));
        assertThat(new Installation(Optional.empty(), new Plugins(Optional.of(home))).libraries())
                .isEqualTo(Map.of("my-engine", "1.2 (plug-in)", "policy.jar", "plug-in"));
    }

    @Test
    void shouldReportWhichEnginesAreHandedOutApart() throws IOException {
        assertThat(new Installation(Optional.of(home), NONE).packs()).isEmpty();
        Files.writeString(
                Files.createDirectory(home.resolve("packs")).resolve("big.txt"), "Big. Add it.\n");
        assertThat(new Installation(Optional.of(home), NONE).packs())
                .isEqualTo(Map.of("big", "Big. Add it."));
    }

    @Test
    void shouldKnowNothingWithoutAFolder() {
        assertThat(new Installation(Optional.empty(), NONE).libraries()).isEmpty();
    }

    @Test
    void shouldNeedNoModuleForAnUnknownScheme() {
        assertThat(new Installation(Optional.empty(), NONE).modules("nonesuch"))
                .as("left out where it does not exist")
                .containsExactly("tickmark-engine-nonesuch");
    }

    /** The site's page of results names it. */
    @Test
    void shouldReportTheCommitThatItsJarStates() throws IOException {
        assertThat(Installation.commit(jar("0a1b2c3d4e5f"))).contains("0a1b2c3d4e5f");
        assertThat(Installation.commit(jar(""))).as("of a build that was not told").isEmpty();
        assertThat(Installation.commit(home)).as("classes in a folder").isEmpty();
    }

    private Path jar(final String commit) throws IOException {
        final Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Build-Commit"), commit);
        final Path jar = home.resolve("cli.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }
}
