package io.tickmark.lab.place;

import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Jars of the user: engines, roles and policies that {@link java.util.ServiceLoader} finds. They
 * are in one folder, and every process of tickmark has all of them after its own jars on the class
 * path.
 *
 * @param folder that contains them; it need not exist
 */
public record Plugins(Optional<Path> folder) {
    private static final String SERVICES = "META-INF/services/";
    private static final String OURS = "io.tickmark.";
    private static final Pattern OUR_NAME = Pattern.compile("io[./]tickmark[./][\\w./$]*\\w");

    /** System property that names the folder. */
    public static final String FOLDER_PROPERTY = "tickmark.plugins";

    /**
     * The plug-ins in the folder that the launcher names.
     *
     * @return plug-ins of this installation
     */
    public static Plugins here() {
        return new Plugins(
                Optional.ofNullable(System.getProperty(FOLDER_PROPERTY))
                        .map(folder -> Path.of(folder).toAbsolutePath()));
    }

    /**
     * The jars in the folder.
     *
     * @return jars, sorted by name
     * @throws UserError if the folder cannot be read
     */
    public List<Path> jars() {
        if (folder.isEmpty() || !Files.isDirectory(folder.get())) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder.get())) {
            return files.filter(file -> file.getFileName().toString().endsWith(".jar"))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        } catch (final IOException e) {
            throw UserError.environment(
                    "The plug-ins in %s cannot be read (%s)."
                            .formatted(folder.get(), e.getMessage()),
                    e);
        }
    }

    /**
     * Refuses plug-ins that implement an interface of ours which does not exist: {@link
     * java.util.ServiceLoader} would silently ignore them.
     *
     * @throws UserError that names the jar and the page that describes what has moved
     */
    public void check() {
        for (final Path jar : jars()) {
            try (JarFile file = new JarFile(jar.toFile())) {
                file.stream()
                        .map(JarEntry::getName)
                        .filter(name -> name.startsWith(SERVICES + OURS))
                        .map(name -> name.substring(SERVICES.length()))
                        .filter(name -> !isHere(name))
                        .findFirst()
                        .ifPresent(name -> {
                            throw UserError.environment(old(jar, "the interface " + name));
                        });
            } catch (final IOException e) {
                throw UserError.environment(
                        "The plug-in %s cannot be read (%s): rebuild it, or take it out."
                                .formatted(jar, e.getMessage()),
                        e);
            }
        }
    }

    private static boolean isHere(final String name) {
        try {
            Class.forName(name, false, Plugins.class.getClassLoader());
            return true;
        } catch (final ClassNotFoundException e) {
            return false;
        }
    }

    private static String old(final Path jar, final String missing) {
        return ("The plug-in %s was built for another version of tickmark, as it needs %s, which is not in this one: rebuild "
                        + "it as docs/migrating.md says, or take it out.")
                .formatted(jar, missing);
    }

    /**
     * Whether something failed because one of them was built for another version: what it calls or
     * extends no longer exists.
     *
     * @param thrown by anything
     * @return a sentence that names the jar and the page that describes what has moved; empty where
     *     no plug-in is the cause
     */
    public Optional<String> refusal(final Throwable thrown) {
        for (Throwable e = thrown; e != null; e = e.getCause()) {
            if (e instanceof final LinkageError error) {
                final Matcher name = OUR_NAME.matcher(String.valueOf(error.getMessage()));
                if (name.find()) {
                    return jars().stream()
                            .filter(jar -> needs(jar, error, name.group()))
                            .findFirst()
                            .map(jar -> old(jar, name.group().replace('/', '.')));
                }
            }
        }
        return Optional.empty();
    }

    /** Its code was running, or refers to what is missing. */
    private static boolean needs(final Path jar, final LinkageError error, final String missing) {
        final String wanted = missing.replace('.', '/');
        try (JarFile file = new JarFile(jar.toFile())) {
            for (final StackTraceElement frame : error.getStackTrace()) {
                if (file.getEntry(frame.getClassName().replace('.', '/') + ".class") != null) {
                    return true;
                }
            }
            for (final JarEntry entry : Collections.list(file.entries())) {
                if (entry.getName().endsWith(".class")) {
                    try (InputStream bytes = file.getInputStream(entry)) {
                        final String text =
                                new String(bytes.readAllBytes(), StandardCharsets.ISO_8859_1);
                        if (text.contains(wanted)) {
                            return true;
                        }
                    }
                }
            }
            return false;
        } catch (final IOException e) {
            return false;
        }
    }

    /**
     * Whether a jar is one of them.
     *
     * @param jar to look for
     * @return whether it is in the folder
     */
    boolean contains(final Path jar) {
        return jar.toAbsolutePath().getParent().equals(folder.orElse(null));
    }
}
