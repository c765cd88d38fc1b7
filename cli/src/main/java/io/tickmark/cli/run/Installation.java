package io.tickmark.cli.run;

import io.tickmark.lab.place.Plugins;
import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What is installed: version, modules, libraries; read from the folder that the launcher names and
 * from the jars that classes come from.
 */
public final class Installation {
    /** System property that names the folder. */
    private static final String HOME = "tickmark.home";

    /** Key of the jar's manifest. */
    private static final String COMMIT = "Build-Commit";

    private static final Pattern JAR = Pattern.compile("(.+?)-([0-9].*)\\.jar");

    private final Optional<Path> home;
    private final Plugins plugins;

    /** The one that runs. */
    public Installation() {
        this(Optional.ofNullable(System.getProperty(HOME)).map(Path::of), Plugins.here());
    }

    Installation(final Optional<Path> home, final Plugins plugins) {
        this.home = home;
        this.plugins = plugins;
    }

    /**
     * This tickmark's version.
     *
     * @return as in its jar, {@code development} where there is none
     */
    public static String version() {
        final String version = Installation.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    /**
     * What this tickmark was built from.
     *
     * @return as {@code git describe} names it, {@code -dirty} where something was changed; empty
     *     where no jar states it
     */
    static Optional<String> commit() {
        return commit(jar(Installation.class));
    }

    static Optional<String> commit(final Path jar) {
        if (!Files.isRegularFile(jar)) {
            return Optional.empty(); // classes in a folder
        }
        try (JarFile file = new JarFile(jar.toFile())) {
            return Optional.ofNullable(file.getManifest())
                    .map(manifest -> manifest.getMainAttributes().getValue(COMMIT))
                    .filter(commit -> !commit.isBlank());
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The modules that a channel needs in addition to those of the workload.
     *
     * @param scheme of the channel
     * @return the artifact of its transport; one named after the scheme where no transport knows it
     */
    List<String> modules(final String scheme) {
        final Transport transport = new Transports().all().get(scheme);
        return transport == null
                ? List.of("tickmark-engine-" + scheme) // missing ones are skipped
                : artifact(transport.getClass()).stream().toList();
    }

    private static Optional<String> artifact(final Class<?> type) {
        final Matcher name = JAR.matcher(jar(type).getFileName().toString());
        return name.matches() ? Optional.of(name.group(1)) : Optional.empty();
    }

    private static Path jar(final Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (final URISyntaxException e) {
            throw new IllegalStateException(type + " comes from no file", e);
        }
    }

    /**
     * Versions of the libraries of all engines and of plug-ins, and the commit that tickmark was
     * built from, for the environment record.
     *
     * @return artifact to version
     */
    public Map<String, String> libraries() {
        final Map<String, String> versions = new TreeMap<>();
        commit().ifPresent(commit -> versions.put("tickmark", version() + ", commit " + commit));
        if (home.isPresent()) {
            try (Stream<Path> lists = Files.list(home.get().resolve("classpaths"))) {
                for (final Path list : lists.filter(Installation::isEngine).toList()) {
                    Files.readAllLines(list).forEach(jar -> add(versions, jar));
                }
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        for (final Path jar : plugins.jars()) {
            final Matcher name = JAR.matcher(jar.getFileName().toString());
            versions.put(
                    name.matches() ? name.group(1) : jar.getFileName().toString(),
                    name.matches() ? name.group(2) + " (plug-in)" : "plug-in");
        }
        return versions;
    }

    /**
     * Engines that a release ships in separate packs, whether they are installed or not.
     *
     * @return what each is and how it is added, by name; empty in a checkout
     */
    public Map<String, String> packs() {
        final Map<String, String> packs = new TreeMap<>();
        final Path folder = home.map(path -> path.resolve("packs")).orElse(Path.of(""));
        if (home.isPresent() && Files.isDirectory(folder)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.txt")) {
                for (final Path file : files) {
                    packs.put(
                            file.getFileName().toString().replaceFirst("\\.txt$", ""),
                            Files.readString(file).strip());
                }
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return packs;
    }

    private static boolean isEngine(final Path list) {
        return list.getFileName().toString().startsWith("tickmark-engine-");
    }

    private static void add(final Map<String, String> versions, final String jar) {
        final Matcher name = JAR.matcher(jar);
        if (name.matches() && !jar.startsWith("tickmark-")) {
            versions.put(name.group(1), name.group(2));
        }
    }
}
