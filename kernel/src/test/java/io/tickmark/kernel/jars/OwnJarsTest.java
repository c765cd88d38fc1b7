package io.tickmark.kernel.jars;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.ServiceLoader;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnJarsTest {
    private static final String DECLARED = "META-INF/services/" + Runnable.class.getName();

    @TempDir private Path home;
    private Path lib;

    /** What a jar may declare. */
    public static final class FoundTask implements Runnable {
        /** For the service loader. */
        public FoundTask() {}

        @Override
        public void run() {
            // it is looked for only
        }
    }

    @BeforeEach
    void lib() throws IOException {
        lib = Files.createDirectories(home.resolve("lib"));
        Files.createDirectories(home.resolve("classpaths"));
    }

    private static Path jar(final Path jar) throws IOException {
        Files.createDirectories(jar.getParent());
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry(DECLARED));
            out.write(FoundTask.class.getName().getBytes());
        }
        return jar;
    }

    private OwnJars of(final Path... classPath) {
        return new OwnJars(
                lib,
                String.join(
                        File.pathSeparator,
                        List.of(classPath).stream().map(Path::toString).toList()),
                OwnJarsTest.class.getClassLoader());
    }

    private static List<String> declaredIn(final OwnJars jars) throws IOException {
        return Collections.list(jars.getResources(DECLARED)).stream().map(URL::toString).toList();
    }

    private static String in(final Path jar) {
        return "jar:" + jar.toFile().toURI() + "!/" + DECLARED;
    }

    @Test
    void shouldFindWhatItsOwnJarsAndPluginsDeclareInTheOrderOfTheClassPath() throws IOException {
        final Path first = jar(lib.resolve("tickmark-b-1.jar"));
        final Path second = jar(lib.resolve("tickmark-a-1.jar"));
        final Path plugin = jar(home.resolve("plugins/other.jar"));

        assertThat(declaredIn(of(first, second, plugin)))
                .containsExactly(in(first), in(second), in(plugin));
    }

    @Test
    void shouldNotLookIntoLibraries() throws IOException {
        final Path own = jar(lib.resolve("tickmark-a-1.jar"));
        final Path library = jar(lib.resolve("library-1.jar"));

        assertThat(declaredIn(of(own, library))).containsExactly(in(own));
    }

    /** As the front door is started: the manifest of its jar names all others. */
    @Test
    void shouldFindTheJarsThatAJarBringsAlong() throws IOException {
        final Path door = jar(lib.resolve("tickmark-cli-1.jar"));
        final Path engine = jar(lib.resolve("tickmark-engine-x-1.jar"));
        jar(lib.resolve("library-1.jar"));
        Files.write(
                home.resolve("classpaths/tickmark-cli.txt"),
                List.of(
                        "tickmark-cli-1.jar",
                        "library-1.jar",
                        "tickmark-engine-x-1.jar",
                        "tickmark-engine-not-installed-1.jar"));

        assertThat(declaredIn(of(door))).containsExactly(in(door), in(engine));
    }

    @Test
    void shouldMakeProvidersOfTheClassesOfItsLoader() throws IOException {
        final ServiceLoader<Runnable> found =
                ServiceLoader.load(Runnable.class, of(jar(lib.resolve("tickmark-a-1.jar"))));

        assertThat(found).singleElement().isInstanceOf(FoundTask.class);
    }

    @Test
    void shouldSearchEverythingOutsideAnInstallation() throws IOException {
        final ClassLoader loader = ClassLoader.getSystemClassLoader();

        assertThat(OwnJars.files("META-INF/MANIFEST.MF", loader))
                .hasSameSizeAs(Collections.list(loader.getResources("META-INF/MANIFEST.MF")));
    }
}
