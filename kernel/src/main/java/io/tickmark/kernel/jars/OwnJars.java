package io.tickmark.kernel.jars;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.zip.ZipFile;

/**
 * The jars of an installation that may declare services and plans of tickmark: its own and those of
 * plug-ins. Libraries never do, and there are two hundred of them: a search through all takes a
 * third of the time until a role listens. Classes are those of the application's loader. Any
 * thread.
 */
public final class OwnJars extends ClassLoader {
    private static final String OWN = "tickmark-";

    private final List<ZipFile> own = new ArrayList<>();
    private final Map<Path, Boolean> sameAsLib = new HashMap<>();

    /** What is on the class path besides the jars of the installation. */
    private final URLClassLoader others;

    private static final class Here {
        static final Optional<OwnJars> JARS =
                folder(OwnJars.class)
                        .map(lib ->
                                new OwnJars(
                                        lib,
                                        System.getProperty("java.class.path"),
                                        ClassLoader.getSystemClassLoader()));
    }

    OwnJars(final Path lib, final String classPath, final ClassLoader classes) {
        super(classes);
        final Set<Path> found = new LinkedHashSet<>();
        final List<URL> elsewhere = new ArrayList<>();
        try {
            for (final String word : classPath.split(File.pathSeparator)) {
                final Path entry = Path.of(word).toAbsolutePath().normalize();
                if (!isIn(lib, entry.getParent())) {
                    elsewhere.add(entry.toUri().toURL());
                } else if (isOwn(entry.getFileName().toString()) && found.add(entry)) {
                    // a jar of ours brings others along by its manifest
                    listed(lib, entry).stream()
                            .filter(OwnJars::isOwn)
                            .map(lib::resolve)
                            .forEach(found::add);
                }
            }
            for (final Path jar : found) {
                if (Files.isRegularFile(jar)) { // a pack that is not installed is named as well
                    own.add(new ZipFile(jar.toFile())); // open to the end, as the JVM's own
                }
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        others = new URLClassLoader(elsewhere.toArray(URL[]::new), null);
    }

    /** Also where the class path leads there by a symbolic link. */
    private boolean isIn(final Path lib, final Path folder) {
        return folder != null
                && sameAsLib.computeIfAbsent(
                        folder,
                        _ -> {
                            try {
                                return folder.equals(lib) || Files.isSameFile(folder, lib);
                            } catch (final IOException e) {
                                return false; // one of the two does not exist
                            }
                        });
    }

    private static boolean isOwn(final String jar) {
        return jar.startsWith(OWN);
    }

    /** The build lists what the manifest of each module's jar names. */
    private static List<String> listed(final Path lib, final Path jar) throws IOException {
        final String module =
                jar.getFileName()
                        .toString()
                        .replaceFirst("-[0-9].*$", "")
                        .replaceFirst("\\.jar$", "");
        final Path list = lib.resolveSibling("classpaths").resolve(module + ".txt");
        return Files.isRegularFile(list) ? Files.readAllLines(list) : List.of();
    }

    /** The folder of a class's jar, where that is the {@code lib} of an installation. */
    private static Optional<Path> folder(final Class<?> type) {
        final CodeSource source = type.getProtectionDomain().getCodeSource();
        try {
            final Path jar = Path.of(source.getLocation().toURI());
            return Files.isRegularFile(jar)
                            && Files.isDirectory(jar.resolveSibling("../classpaths"))
                    ? Optional.of(jar.getParent().normalize())
                    : Optional.empty();
        } catch (final URISyntaxException e) {
            throw new IllegalStateException(type + " comes from no file", e);
        }
    }

    /**
     * The providers of a service, as {@link ServiceLoader} finds them.
     *
     * @param <S> the service
     * @param service a public interface
     * @param loader of the classes
     * @return its providers, in the order of the class path
     */
    public static <S> ServiceLoader<S> services(final Class<S> service, final ClassLoader loader) {
        return ServiceLoader.load(service, in(loader));
    }

    /**
     * Files of one name.
     *
     * @param name of the file or folder, as {@link ClassLoader#getResources} takes it
     * @param loader that finds them
     * @return where they are, in the order of the class path
     * @throws IOException if a jar cannot be read
     */
    public static List<URL> files(final String name, final ClassLoader loader) throws IOException {
        return Collections.list(in(loader).getResources(name));
    }

    /**
     * Outside an installation, and for a loader that somebody brings along, all jars are searched.
     */
    private static ClassLoader in(final ClassLoader loader) {
        return loader == ClassLoader.getSystemClassLoader()
                ? Here.JARS.map(ClassLoader.class::cast).orElse(loader)
                : loader;
    }

    @Override
    public Enumeration<URL> getResources(final String name) throws IOException {
        final List<URL> files = new ArrayList<>();
        for (final ZipFile jar : own) {
            if (jar.getEntry(name) != null) {
                files.add(
                        URI.create("jar:" + new File(jar.getName()).toURI() + "!/" + name).toURL());
            }
        }
        files.addAll(Collections.list(others.findResources(name)));
        return Collections.enumeration(files);
    }
}
