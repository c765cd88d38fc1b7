package io.tickmark.cli.run;

import io.tickmark.lab.place.Plugins;
import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
     * The modules that a channel needs beside the workload's.
     *
     * @param scheme of the channel
     * @return the artifact of its transport; one named after the scheme where no transport knows it
     */
    List<String> modules(final String scheme) {
        final Transport transport = new Transports().all().get(scheme);
        return transport == null
                ? List.of("tickmark-engine-" + scheme) // what is not there is left out
                : artifact(transport.getClass()).stream().toList();
    }

    private static Optional<String> artifact(final Class<?> type) {
        try {
            final Path jar =
                    Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
            final Matcher name = JAR.matcher(jar.getFileName().toString());
            return name.matches() ? Optional.of(name.group(1)) : Optional.empty();
        } catch (final URISyntaxException e) {
            throw new IllegalStateException(type + " comes from no file", e);
        }
    }

    /**
     * Versions of the libraries of all engines and of plug-ins, for the environment record.
     *
     * @return artifact to version
     */
    public Map<String, String> libraries() {
        final Map<String, String> versions = new TreeMap<>();
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
