package io.tickmark.lab.place;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.host.RoleHost;
import io.tickmark.lab.protocol.FromRole;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Class paths of role processes: each gets only the modules that it needs, so that engines which
 * disagree about a library's version can stand in one plan. In an installation ({@code
 * tickmark.home}) {@code classpaths/<module>.txt} lists the jars in {@code lib} that a module runs
 * with, and the {@link Plugins} come last; without one, every process gets the class path of this
 * JVM.
 */
public final class ClassPaths {
    /** System property that names the folder of the installation. */
    public static final String HOME_PROPERTY = "tickmark.home";

    /**
     * Prefix of the name of a plug-in's jar; the location of the folder is known to each machine.
     */
    private static final String PLUGIN = "plugin:";

    /** The jar with the process of a role, up to its version. */
    private static final String LAB = "tickmark-lab-";

    private final Optional<Path> home;
    private final Plugins plugins;
    private final boolean isWhole;

    /** Class paths of this installation. */
    public ClassPaths() {
        this(Optional.ofNullable(System.getProperty(HOME_PROPERTY)).map(Path::of), Plugins.here());
    }

    ClassPaths(final Optional<Path> home, final Plugins plugins) {
        this(home, plugins, false);
    }

    private ClassPaths(final Optional<Path> home, final Plugins plugins, final boolean isWhole) {
        this.home = home;
        this.plugins = plugins;
        this.isWhole = isWhole;
    }

    /**
     * Class paths of another build of tickmark.
     *
     * @param folder a checkout that was built, or the folder of an installation
     * @return its class paths; a module that it lacks is an error, because otherwise one of this
     *     build would silently be measured in its place
     * @throws UserError if there is no build, or one whose roles this one cannot start
     */
    public static ClassPaths ofBuild(final Path folder) {
        for (final Path home : List.of(folder, folder.resolve("cli/target/dist"))) {
            if (Files.isDirectory(home.resolve("classpaths"))
                    && Files.isDirectory(home.resolve("lib"))) {
                final ClassPaths build =
                        new ClassPaths(Optional.of(home.toAbsolutePath()), Plugins.here(), true);
                final Optional<String> version = build.version();
                if (version.isPresent()) {
                    build.checkRoles(
                            folder, home.resolve("lib").resolve(LAB + version.get() + ".jar"));
                    return build;
                }
            }
        }
        throw UserError.usage(
                folder
                        + " holds no build of tickmark; name a checkout and run './tickmark --version' in it first, or the"
                        + " folder of an installation (with lib and classpaths in it).");
    }

    /**
     * Roles are started by the name of their main class and answer in its protocol. Both are looked
     * up in the build's classes: a role that cannot start would say so in Java's words, and only
     * after the other side was measured.
     */
    private void checkRoles(final Path folder, final Path jar) {
        try (ZipFile classes = new ZipFile(jar.toFile())) {
            final Optional<ClassModel> host = classFile(classes, RoleHost.class);
            final Optional<ClassModel> lines = classFile(classes, FromRole.class);
            if (host.filter(ClassPaths::hasMain).isEmpty() || lines.isEmpty()) {
                throw unfit(folder, "their processes have another main class");
            }
            final String protocol = protocol(lines.get());
            if (!protocol.equals(FromRole.PROTOCOL)) {
                throw unfit(folder, "they speak " + protocol + " and not " + FromRole.PROTOCOL);
            }
        } catch (final IllegalArgumentException _) { // of a later version, or broken
            throw unfit(folder, "Java " + Runtime.version().feature() + " cannot read its classes");
        } catch (final IOException e) {
            throw UserError.environment(
                    "%s cannot be read (%s); build tickmark in %s again.".formatted(jar, e, folder),
                    e);
        }
    }

    private UserError unfit(final Path folder, final String why) {
        return UserError.usage(
                ("The roles of tickmark %s in %s cannot be started by this build: %s; name a build closer to this one,"
                                + " or run the plan with each build's own command and compare the results.")
                        .formatted(version().orElse(""), folder, why));
    }

    private static Optional<ClassModel> classFile(final ZipFile classes, final Class<?> type)
            throws IOException {
        final ZipEntry found = classes.getEntry(type.getName().replace('.', '/') + ".class");
        if (found == null) {
            return Optional.empty();
        }
        try (InputStream bytes = classes.getInputStream(found)) {
            return Optional.of(ClassFile.of().parse(bytes.readAllBytes()));
        }
    }

    private static boolean hasMain(final ClassModel host) {
        return host.methods().stream().anyMatch(each -> each.methodName().equalsString("main"));
    }

    private static String protocol(final ClassModel lines) {
        return lines.fields().stream()
                .filter(field -> field.fieldName().equalsString("PROTOCOL"))
                .flatMap(field -> field.findAttribute(Attributes.constantValue()).stream())
                .map(value -> value.constant().constantValue().toString())
                .findFirst()
                .orElse("another protocol");
    }

    /**
     * The version of the installation.
     *
     * @return as in the names of its jars; empty where there is none
     */
    public Optional<String> version() {
        if (home.isEmpty()) {
            return Optional.empty();
        }
        try (Stream<Path> jars = Files.list(home.get().resolve("lib"))) {
            return jars.map(jar -> jar.getFileName().toString())
                    .filter(jar -> jar.matches(LAB + "[0-9].*\\.jar"))
                    .map(jar -> jar.replaceFirst(LAB, "").replaceFirst("\\.jar$", ""))
                    .findFirst();
        } catch (final IOException e) {
            return Optional.empty();
        }
    }

    /**
     * The class path of a process.
     *
     * @param classes that it starts with: their modules are on it
     * @param modules further ones, by artifact name; one that this build lacks is skipped, so that
     *     the role itself can report it
     * @return names of jars in {@code lib}, paths of those outside the installation, and plug-ins
     * @throws UserError if the installation is incomplete, or another build lacks a module
     */
    public List<String> of(final Collection<Class<?>> classes, final Collection<String> modules) {
        if (home.isEmpty()) {
            return List.of(System.getProperty("java.class.path").split(File.pathSeparator));
        }
        final Path lists = home.get().resolve("classpaths");
        final Set<String> jars = new LinkedHashSet<>();
        for (final Class<?> type : classes) {
            final Path jar = source(type);
            final Path list = lists.resolve(module(jar.getFileName().toString()) + ".txt");
            if (Files.isRegularFile(list)) {
                jars.addAll(listed(list));
            } else if (plugins.contains(jar)) {
                continue; // all of them follow
            } else if (isWhole) {
                throw lacking(module(jar.getFileName().toString()));
            } else {
                jars.add(jar.toString()); // not one of ours: from outside the installation
            }
        }
        for (final String module : modules) {
            final Path list = lists.resolve(module + ".txt");
            if (Files.isRegularFile(list)) {
                jars.addAll(listed(list));
            } else if (isWhole && !isPlugin(module)) {
                throw lacking(module);
            }
        }
        plugins.jars().forEach(jar -> jars.add(PLUGIN + jar.getFileName()));
        return List.copyOf(jars);
    }

    private boolean isPlugin(final String module) {
        return plugins.jars().stream()
                .anyMatch(jar -> module(jar.getFileName().toString()).equals(module));
    }

    private UserError lacking(final String module) {
        return UserError.environment(
                "The build in %s has no %s; leave out what it cannot do."
                        .formatted(home.orElseThrow(), module));
    }

    /**
     * A class path on this machine.
     *
     * @param jars as {@link #of} names them
     * @return for {@code -cp}
     */
    public String here(final List<String> jars) {
        return jars.stream().map(this::place).collect(Collectors.joining(File.pathSeparator));
    }

    private String place(final String jar) {
        final Optional<Path> folder =
                jar.startsWith(PLUGIN)
                        ? plugins.folder()
                        : home.map(installed -> installed.resolve("lib"));
        final String name = jar.startsWith(PLUGIN) ? jar.substring(PLUGIN.length()) : jar;
        return folder.map(place -> place.resolve(name).toString()).orElse(name);
    }

    /** {@code tickmark-lab-0.1.0.jar} is {@code tickmark-lab}. */
    static String module(final String jar) {
        return jar.replaceFirst("-[0-9].*$", "").replaceFirst("\\.jar$", "");
    }

    private static Path source(final Class<?> type) {
        final CodeSource source = type.getProtectionDomain().getCodeSource();
        try {
            return Path.of(source.getLocation().toURI());
        } catch (final URISyntaxException e) {
            throw new IllegalStateException(type + " comes from no file", e);
        }
    }

    /** Jars of another build are named by paths: by name they would be looked for in this one. */
    private List<String> listed(final Path list) {
        return lines(list).stream()
                .map(jar ->
                        isWhole ? home.orElseThrow().resolve("lib").resolve(jar).toString() : jar)
                .toList();
    }

    private static Set<String> lines(final Path list) {
        try (Stream<String> lines = Files.lines(list)) {
            return lines.map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .collect(Collectors.toCollection(LinkedHashSet::new));
        } catch (final IOException e) {
            throw UserError.environment(
                    list + " cannot be read (" + e + "); build tickmark again.", e);
        }
    }
}
