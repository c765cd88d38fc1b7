package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The folder that runs, as the lab's role processes rely on it. */
class DistTest {
    private static final Path DIST = Launch.ROOT.resolve("cli/target/dist");

    @Test
    void shouldHaveEveryJarOfEveryClassPath() throws IOException {
        for (final String module :
                List.of(
                        "kernel",
                        "transport",
                        "engine-aeron",
                        "workload-messaging",
                        "lab",
                        "report",
                        "cli")) {
            final List<String> jars = classPath("tickmark-" + module);
            assertThat(jars.getFirst()).startsWith("tickmark-" + module + "-");
            assertThat(jars)
                    .allSatisfy(
                            jar -> assertThat(DIST.resolve("lib").resolve(jar)).isRegularFile());
        }
    }

    @Test
    void shouldGiveAModuleOnlyWhatItUses() throws IOException {
        assertThat(classPath("tickmark-transport"))
                .anyMatch(jar -> jar.startsWith("agrona-"))
                .noneMatch(jar ->
                        jar.startsWith("jackson-")
                                || jar.startsWith("aeron-")
                                || jar.startsWith("picocli-"));
    }

    @Test
    void shouldShipTheLicencesOfWhatItShips() throws IOException {
        assertThat(Files.readString(DIST.resolve("THIRD-PARTY.txt")))
                .contains("org.agrona:agrona", "Apache-2.0");
    }

    @Test
    void shouldOpenTheSamePackagesFromTheManifestAsFromTheFlags() throws IOException {
        final Path jar = DIST.resolve("lib").resolve(classPath("tickmark-cli").getFirst());
        try (JarFile file = new JarFile(jar.toFile())) {
            final Attributes manifest = file.getManifest().getMainAttributes();
            assertThat(flags("--add-exports="))
                    .containsExactly(manifest.getValue("Add-Exports").split(" "));
            assertThat(flags("--add-opens="))
                    .containsExactly(manifest.getValue("Add-Opens").split(" "));
            assertThat(flags("--enable-native-access="))
                    .containsExactly(manifest.getValue("Enable-Native-Access"));
        }
    }

    private static List<String> classPath(final String artifactId) throws IOException {
        return Files.readAllLines(DIST.resolve("classpaths").resolve(artifactId + ".txt"));
    }

    private static Stream<String> flags(final String option) throws IOException {
        return Files.readAllLines(Launch.ROOT.resolve("config/jvm.options")).stream()
                .filter(line -> line.startsWith(option))
                .map(line -> line.substring(option.length()).replace("=ALL-UNNAMED", ""));
    }
}
