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
                            throw UserError.environment(
                                    old(jar, Misfit.missing("the interface " + name)));
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

    private static String old(final Path jar, final String misfit) {
        return ("The plug-in %s was built for another version of tickmark, as it %s: rebuild it as docs/migrating.md says, "
                        + "or take it out.")
                .formatted(jar, misfit);
    }

    /**
     * Whether something failed because one of them was built for another version: what it calls or
     * extends does not exist or is different, or it lacks what this version requires.
     *
     * @param thrown by anything
     * @return a sentence that names the jar and the page that describes what has moved; empty where
     *     no plug-in is the cause
     */
    public Optional<String> refusal(final Throwable thrown) {
        for (Throwable e = thrown; e != null; e = e.getCause()) {
            if (e instanceof final LinkageError error) {
                final Optional<Misfit> misfit = Misfit.of(error);
                if (misfit.isPresent()) {
                    return ofWhich(misfit.get(), error).map(jar -> old(jar, misfit.get().clause()));
                }
            }
        }
        return Optional.empty();
    }

    /** Which of them has the class, or else was running, or else names it. */
    private Optional<Path> ofWhich(final Misfit misfit, final LinkageError error) {
        final List<Path> jars = jars();
        return misfit.isInPlugin()
                ? jars.stream().filter(jar -> holds(jar, List.of(misfit.className()))).findFirst()
                : jars.stream()
                        .filter(jar -> holds(jar, running(error)))
                        .findFirst()
                        .or(() ->
                                jars.stream()
                                        .filter(jar -> names(jar, misfit.className()))
                                        .findFirst());
    }

    private static List<String> running(final LinkageError error) {
        return Stream.of(error.getStackTrace()).map(StackTraceElement::getClassName).toList();
    }

    private static boolean holds(final Path jar, final List<String> classes) {
        try (JarFile file = new JarFile(jar.toFile())) {
            return classes.stream()
                    .anyMatch(name -> file.getEntry(name.replace('.', '/') + ".class") != null);
        } catch (final IOException e) {
            return false;
        }
    }

    private static boolean names(final Path jar, final String className) {
        final String wanted = className.replace('.', '/');
        try (JarFile file = new JarFile(jar.toFile())) {
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
     * In which way a plug-in does not fit, as the JVM words it (HotSpot, {@code linkResolver.cpp}).
     *
     * @param clause whose subject is the plug-in
     * @param className the class of ours, or that of the plug-in's
     * @param isInPlugin which of the two
     */
    private record Misfit(String clause, String className, boolean isInPlugin) {
        private static final Pattern OUR_NAME = Pattern.compile("io[./]tickmark[./][\\w./$]*\\w");
        private static final Pattern METHOD =
                Pattern.compile("'(\\S+ ([\\w.$]+)\\.([\\w$]+|<init>)(\\(.*\\)))'");
        private static final Pattern FIELD =
                Pattern.compile("Class (\\S+) does not have member field '(.+)'");
        private static final Pattern NOT_IMPLEMENTED =
                Pattern.compile(
                        "Receiver class (\\S+) does not .* method '(?:abstract )?(.+)' of [\\w ]+ (\\S+)\\.$");

        /** Of a call that the JVM has linked before, which does not say by which interface. */
        private static final Pattern LEFT_ABSTRACT =
                Pattern.compile("^Method (\\S+)\\.([\\w$]+)\\S* is abstract$");

        static Optional<Misfit> of(final LinkageError error) {
            final String said = String.valueOf(error.getMessage());
            return switch (error) {
                case NoSuchMethodError _ -> ofMethod(said);
                case NoSuchFieldError _ -> ofField(said);
                case AbstractMethodError _ -> ofImplementation(said);
                case NoClassDefFoundError _ ->
                        said.startsWith("Could not initialize")
                                ? Optional.empty()
                                : ourName(said).map(name -> new Misfit(missing(name), name, false));
                case IncompatibleClassChangeError _ -> different(said);
                case VerifyError _ -> different(said);
                default -> Optional.empty(); // its cause says it
            };
        }

        static String missing(final String what) {
            return "needs " + what + ", which is not in this one";
        }

        private static Optional<Misfit> ofMethod(final String said) {
            final Matcher method = METHOD.matcher(said);
            if (!method.find()) {
                return different(said);
            }
            final String owner = method.group(2);
            final String what =
                    method.group(3).equals("<init>")
                            ? "the constructor " + owner + method.group(4)
                            : "the method " + method.group(1);
            return ifOurs(owner, new Misfit(missing(what), owner, !owner.startsWith(OURS)));
        }

        private static Optional<Misfit> ofField(final String said) {
            final Matcher field = FIELD.matcher(said);
            return field.find()
                    ? ifOurs(
                            field.group(1),
                            new Misfit(
                                    missing(
                                            "the field %s of %s"
                                                    .formatted(field.group(2), field.group(1))),
                                    field.group(1),
                                    !field.group(1).startsWith(OURS)))
                    : different(said);
        }

        private static Optional<Misfit> ofImplementation(final String said) {
            final Matcher method = NOT_IMPLEMENTED.matcher(said);
            if (method.find()) {
                return ifOurs(
                        method.group(3),
                        new Misfit(
                                "does not implement %s of %s, which this one requires"
                                        .formatted(method.group(2), method.group(3)),
                                method.group(1),
                                true));
            }
            final Matcher left = LEFT_ABSTRACT.matcher(said);
            return left.find()
                    ? Optional.of(
                            new Misfit(
                                    "does not implement %s, which this one requires"
                                            .formatted(left.group(2)),
                                    left.group(1).replace('/', '.'),
                                    true))
                    : different(said);
        }

        private static Optional<Misfit> different(final String said) {
            return ourName(said)
                    .map(name ->
                            new Misfit(
                                    "uses " + name + ", which is different in this one",
                                    name,
                                    false));
        }

        private static Optional<Misfit> ifOurs(final String className, final Misfit misfit) {
            return className.startsWith(OURS) || extendsOurs(className)
                    ? Optional.of(misfit)
                    : Optional.empty();
        }

        /** What a plug-in's class inherits is named as its own (JLS 13.1). */
        private static boolean extendsOurs(final String className) {
            try {
                Class<?> each = Class.forName(className, false, Plugins.class.getClassLoader());
                while (each != null && !each.getName().startsWith(OURS)) {
                    each = each.getSuperclass();
                }
                return each != null;
            } catch (final ClassNotFoundException | LinkageError e) {
                return false; // then it is the plug-in that is not whole
            }
        }

        private static Optional<String> ourName(final String said) {
            final Matcher name = OUR_NAME.matcher(said);
            return name.find() ? Optional.of(name.group().replace('/', '.')) : Optional.empty();
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
