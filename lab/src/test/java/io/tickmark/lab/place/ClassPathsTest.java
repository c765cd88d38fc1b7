package io.tickmark.lab.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.host.RoleHost;
import io.tickmark.lab.protocol.FromRole;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.attribute.ConstantValueAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
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
        build(roleHost("main"), lines(FromRole.PROTOCOL));
        Files.writeString(home.resolve("classpaths/one.txt"), "one-1.jar\n");

        final ClassPaths build = ClassPaths.ofBuild(home);
        final List<String> jars = build.of(List.of(), List.of("one"));
        assertThat(build.version()).contains("9.1");

        final ClassPaths ours = new ClassPaths(Optional.of(Path.of("/ours")), NONE);
        assertThat(ours.here(jars)).isEqualTo(home.resolve("lib/one-1.jar").toString());
    }

    @Test
    void shouldRefuseABuildWhoseRolesItCannotStart() throws IOException {
        build(roleHost("serve"), lines(FromRole.PROTOCOL));
        assertRefused("cannot be started by this build: their processes have another main class");

        build(lines(FromRole.PROTOCOL));
        assertRefused("another main class");

        build(roleHost("main"));
        assertRefused("another main class");

        build(roleHost("main"), lines("tickmark.role/2"));
        assertRefused("they speak tickmark.role/2 and not " + FromRole.PROTOCOL);

        final Entry later = roleHost("main");
        later.bytes()[7]++; // the last byte of the class file's major version
        build(later, lines(FromRole.PROTOCOL));
        assertRefused("cannot read its classes");
    }

    private void assertRefused(final String why) {
        assertThatThrownBy(() -> ClassPaths.ofBuild(home))
                .isInstanceOf(UserError.class)
                .hasMessageContainingAll("tickmark 9.1 in " + home, why, "compare the results")
                .extracting(error -> ((UserError) error).kind())
                .isEqualTo(UserError.Kind.USAGE);
    }

    @Test
    void shouldRefuseAFolderWithoutABuildAndOneWithABrokenJar() throws IOException {
        assertThatThrownBy(() -> ClassPaths.ofBuild(home))
                .hasMessageContaining("holds no build of tickmark");

        Files.createDirectories(home.resolve("classpaths"));
        Files.createDirectories(home.resolve("lib"));
        assertThatThrownBy(() -> ClassPaths.ofBuild(home))
                .hasMessageContaining("holds no build of tickmark");

        Files.writeString(home.resolve("lib/tickmark-lab-9.1.jar"), "half of it");
        assertThatThrownBy(() -> ClassPaths.ofBuild(home))
                .isInstanceOf(UserError.class)
                .hasMessageContainingAll("lib/tickmark-lab-9.1.jar cannot be read", "again");
    }

    @Test
    void shouldRefuseAModuleThatOnlyAnotherBuildLacks() throws IOException {
        build(roleHost("main"), lines(FromRole.PROTOCOL));
        final ClassPaths build = ClassPaths.ofBuild(home);
        final List<String> wanted = List.of("tickmark-engine-later");

        assertThatThrownBy(() -> build.of(List.of(), wanted))
                .isInstanceOf(UserError.class)
                .hasMessageContainingAll(home.toString(), "has no tickmark-engine-later");
        assertThat(new ClassPaths(Optional.of(home), NONE).of(List.of(), wanted)).isEmpty();
    }

    /** A class in a jar. */
    private record Entry(Class<?> type, byte[] bytes) {}

    private static Entry roleHost(final String method) {
        final MethodTypeDesc main =
                MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String.arrayType());
        return new Entry(
                RoleHost.class,
                ClassFile.of()
                        .build(
                                ClassDesc.of(RoleHost.class.getName()),
                                host ->
                                        host.withMethodBody(
                                                method,
                                                main,
                                                ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                                                CodeBuilder::return_)));
    }

    private static Entry lines(final String protocol) {
        return new Entry(
                FromRole.class,
                ClassFile.of()
                        .build(
                                ClassDesc.of(FromRole.class.getName()),
                                lines ->
                                        lines.withField(
                                                "PROTOCOL",
                                                ConstantDescs.CD_String,
                                                field ->
                                                        field.with(
                                                                ConstantValueAttribute.of(
                                                                        protocol)))));
    }

    /** Another build, of version 9.1. */
    private void build(final Entry... classes) throws IOException {
        Files.createDirectories(home.resolve("classpaths"));
        final Path jar =
                Files.createDirectories(home.resolve("lib")).resolve("tickmark-lab-9.1.jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (final Entry each : classes) {
                out.putNextEntry(new ZipEntry(each.type().getName().replace('.', '/') + ".class"));
                out.write(each.bytes());
                out.closeEntry();
            }
        }
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
