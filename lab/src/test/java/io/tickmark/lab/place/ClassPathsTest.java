package io.tickmark.lab.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassPathsTest {
    @TempDir private Path home;

    @Test
    void shouldGiveTheOwnClassPathWithoutAnInstallation() {
        final ClassPaths classPaths = new ClassPaths(Optional.empty());

        assertThat(classPaths.here(classPaths.of(List.of(Optional.class), List.of())))
                .isEqualTo(System.getProperty("java.class.path"));
    }

    @Test
    void shouldUniteTheListsOfModulesAndKeepTheirOrder() throws IOException {
        final Path lists = Files.createDirectories(home.resolve("classpaths"));
        Files.writeString(lists.resolve("one.txt"), "one-1.jar\nshared-2.jar\n\n");
        Files.writeString(lists.resolve("two.txt"), "two-1.jar\nshared-2.jar\n");

        final ClassPaths classPaths = new ClassPaths(Optional.of(home));
        final List<String> jars = classPaths.of(List.of(), List.of("one", "absent", "two"));

        assertThat(jars).containsExactly("one-1.jar", "shared-2.jar", "two-1.jar");
        assertThat(classPaths.here(jars).split(":"))
                .containsExactly(
                        home.resolve("lib/one-1.jar").toString(),
                        home.resolve("lib/shared-2.jar").toString(),
                        home.resolve("lib/two-1.jar").toString());
    }

    @Test
    void shouldTakeClassesThatAreNotInstalledFromWhereTheyAre() {
        assertThat(new ClassPaths(Optional.of(home)).of(List.of(ClassPathsTest.class), List.of()))
                .anyMatch(path -> path.contains("test-classes"));
    }

    @Test
    void shouldTellTheModuleOfAJar() {
        assertThat(ClassPaths.module("tickmark-engine-aeron-0.1.0-SNAPSHOT.jar"))
                .isEqualTo("tickmark-engine-aeron");
        assertThat(ClassPaths.module("tickmark-lab.jar")).isEqualTo("tickmark-lab");
    }

    @Test
    void shouldNotHandOwnMemoryAgentsAndPropertiesDown() {
        assertThat(
                        JvmFlags.inherited(
                                List.of(
                                        "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                                        "-Xmx1g",
                                        "-XX:+UseSerialGC",
                                        "-javaagent:x.jar",
                                        "-Dx=y",
                                        "--enable-native-access=ALL-UNNAMED")))
                .containsExactly(
                        "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                        "--enable-native-access=ALL-UNNAMED");
    }
}
