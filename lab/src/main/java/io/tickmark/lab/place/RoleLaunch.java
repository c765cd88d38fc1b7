package io.tickmark.lab.place;

import io.tickmark.lab.host.RoleHost;
import io.tickmark.lab.plan.RolePlan;
import java.io.File;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A role's process to be started, on whatever machine: it contains no path of this one.
 *
 * @param process its name
 * @param wrapper command before the JVM's, word by word
 * @param flags for its JVM in addition to those of every JVM of tickmark
 * @param jars of its class path, see {@link ClassPaths}
 * @param environment variables besides those inherited
 */
public record RoleLaunch(
        String process,
        List<String> wrapper,
        List<String> flags,
        List<String> jars,
        Map<String, String> environment) {
    private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));

    /** Before any process of this run was started. */
    private static final Instant RUN_STARTED_AT = Instant.now();

    /** Copies lists and map. */
    public RoleLaunch {
        wrapper = List.copyOf(wrapper);
        flags = List.copyOf(flags);
        jars = List.copyOf(jars);
        environment = Map.copyOf(environment);
    }

    /**
     * Composes a launch.
     *
     * @param process its name
     * @param plan how it runs
     * @param jars of its class path
     * @return the launch
     */
    public static RoleLaunch of(
            final String process, final RolePlan plan, final List<String> jars) {
        return new RoleLaunch(
                process, plan.wrapper(), plan.jvm().flags(), jars, plan.environment());
    }

    /**
     * The same with one more flag.
     *
     * @param flag for its JVM
     * @return the launch
     */
    public RoleLaunch with(final String flag) {
        final List<String> more = new ArrayList<>(flags);
        more.add(flag);
        return new RoleLaunch(process, wrapper, more, jars, environment);
    }

    /**
     * The command that starts it on this machine: wrapper, the Java that this JVM runs on, flags
     * and main class.
     *
     * @return the launch
     */
    public Launch here() {
        return here(List.of());
    }

    /** The same with flags before those of its plan. */
    Launch here(final List<String> first) {
        final List<String> command = new ArrayList<>(wrapper);
        command.add(JAVA_HOME.resolve("bin/java").toString());
        command.addAll(JvmFlags.common());
        command.addAll(first);
        if (!Plugins.here().jars().isEmpty()) {
            command.add(
                    "-D%s=%s"
                            .formatted(
                                    Plugins.FOLDER_PROPERTY,
                                    Plugins.here().folder().orElseThrow()));
        }
        command.addAll(flags);
        command.add("-cp");
        command.add(new ClassPaths().here(jars));
        command.add(RoleHost.class.getName());
        return new Launch(process, command, environment);
    }

    /** The archive of its classes on this machine. */
    ClassArchive archive() {
        final List<String> all = new ArrayList<>(flags);
        Stream.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")
                .map(name -> environment.getOrDefault(name, System.getenv(name)))
                .filter(Objects::nonNull)
                .forEach(options -> all.addAll(List.of(options.split("\\s+"))));
        return ClassArchive.of(
                Optional.ofNullable(System.getProperty(ClassPaths.HOME_PROPERTY)).map(Path::of),
                JAVA_HOME,
                all,
                Stream.of(new ClassPaths().here(jars).split(File.pathSeparator))
                        .map(Path::of)
                        .toList(),
                RUN_STARTED_AT);
    }
}
