package io.tickmark.engines.omb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles the interface and a driver into jars of their own, with nothing of ours on their class
 * path, so that they are loaded as a user's are.
 *
 * @param folder with the jars
 */
record DriverJars(Path folder) {
    private static final String DRIVER = "driver";
    private static final String API = "api";

    /** Interface and driver. */
    static DriverJars in(final Path temporary) throws IOException {
        final DriverJars jars = new DriverJars(Files.createDirectories(temporary.resolve("lib")));
        jars.add(API, temporary);
        jars.add(DRIVER, temporary);
        return jars;
    }

    /** An interface in which the producer is another. */
    static DriverJars ofOtherVersion(final Path temporary) throws IOException {
        final DriverJars jars = in(temporary);
        Files.delete(jars.jar(API));
        jars.add("other", temporary);
        pack(temporary.resolve(API), jars.jar("rest"));
        return jars;
    }

    /** An interface without the library of its statistics, which is a jar of its own. */
    static DriverJars withoutStatistics(final Path temporary) throws IOException {
        final DriverJars jars = in(temporary);
        final Path statistics = temporary.resolve(API + "/org/apache/bookkeeper/stats");
        Files.delete(statistics.resolve("StatsLogger.class"));
        Files.delete(statistics.resolve("NullStatsLogger.class"));
        pack(temporary.resolve(API), jars.jar(API));
        return jars;
    }

    Path jar(final String name) {
        return folder.resolve(name + ".jar");
    }

    /** Compiles the sources of that name; what was compiled before is on the class path. */
    private void add(final String name, final Path temporary) throws IOException {
        final Path sources = sources(name);
        final Path classes = Files.createDirectories(temporary.resolve(name));
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        final StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Stream<Path> all = Files.walk(sources)) {
            final List<String> options =
                    List.of("-d", classes.toString(), "-cp", temporary.resolve(API).toString());
            final List<Path> units = all.filter(file -> file.toString().endsWith(".java")).toList();
            assertThat(
                            compiler.getTask(
                                            said,
                                            files,
                                            null,
                                            options,
                                            null,
                                            files.getJavaFileObjectsFromPaths(units))
                                    .call())
                    .as(() -> said.toString())
                    .isTrue();
        }
        pack(classes, jar(name));
    }

    private static Path sources(final String name) {
        try {
            return Path.of(DriverJars.class.getResource("/jars/" + name).toURI());
        } catch (final URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void pack(final Path classes, final Path jar) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> all = Files.walk(classes)) {
            for (final Path file : all.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, out);
                out.closeEntry();
            }
        }
    }
}
