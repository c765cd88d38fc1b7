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
    private static final Plugins NONE = new Plugins(Optional.empty());

    @TempDir private Path home;

    @Test
    void shouldGiveTheOwnClassPathWithoutAnInstallation() {
        final ClassPaths classPaths = new ClassPaths(Optional.empty(), NONE);

        assertThat(classPaths.here(classPaths.of(List.of(Optional.class), List.of())))
                .isEqualTo(System.getProperty("java.class.path"));
    }

    @Test
    void shouldUniteTheListsOfModulesAndKeepTheirOrder() throws IOException {
        final Path lists = Files.createDirectories(home.resolve("classpaths"));
        Files.writeString(lists.resolve("one.txt"), "one-1.jar\nshared-2.jar\n\n");
        Files.writeString(lists.resolve("two.txt"), "two-1.jar\nshared-2.jar\n");

        final ClassPaths classPaths = new ClassPaths(Optional.of(home), NONE);
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
        assertThat(
                        new ClassPaths(Optional.of(home), NONE)
                                .of(List.of(ClassPathsTest.class), List.of()))
                .anyMatch(path -> path.contains("test-classes"));
    }

    @Test
    void shouldPutPlugInsBehindEveryClassPathAndLeaveTheirFolderToEachMachine() throws IOException {
        final Path lists = Files.createDirectories(home.resolve("classpaths"));
        Files.writeString(lists.resolve("one.txt"), "one-1.jar\n");
        final Path folder = Files.createDirectory(home.resolve("mine"));
        Files.createFile(folder.resolve("b.jar"));
        Files.createFile(folder.resolve("a-1.0.jar"));
        Files.createFile(folder.resolve("notes.txt"));

        final ClassPaths here = new ClassPaths(Optional.of(home), new Plugins(Optional.of(folder)));
        final List<String> jars = here.of(List.of(), List.of("one"));

        assertThat(jars).containsExactly("one-1.jar", "plugin:a-1.0.jar", "plugin:b.jar");
        final ClassPaths there =
                new ClassPaths(
                        Optional.of(Path.of("/there")),
                        new Plugins(Optional.of(Path.of("/elsewhere"))));
        assertThat(there.here(jars))
                .isEqualTo("/there/lib/one-1.jar:/elsewhere/a-1.0.jar:/elsewhere/b.jar");
    }

    @Test
    void shouldTakeTheJarsOfAnotherBuildFromThere() throws IOException {
        Files.createDirectories(home.resolve("lib"));
        final Path lists = Files.createDirectories(home.resolve("classpaths"));
        Files.writeString(lists.resolve("one.txt"), "one-1.jar\n");

        final List<String> jars = ClassPaths.ofBuild(home).of(List.of(), List.of("one"));

        final ClassPaths ours = new ClassPaths(Optional.of(Path.of("/ours")), NONE);
        assertThat(ours.here(jars)).isEqualTo(home.resolve("lib/one-1.jar").toString());
    }

    @Test
    void shouldReportTheModuleOfAJar() {
        assertThat(ClassPaths.module("tickmark-engine-aeron-0.1.0.jar"))
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
