package io.tickmark.lab.place;

import io.tickmark.lab.host.RoleHostMain;
import io.tickmark.lab.plan.RolePlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a role's process. */
public final class RoleCommand {
    private RoleCommand() {}

    /**
     * Composes a launch.
     *
     * @param process its name
     * @param plan how it runs
     * @param classPath for it
     * @return wrapper, JVM, flags and main class
     */
    public static Launch of(final String process, final RolePlan plan, final String classPath) {
        final List<String> command = new ArrayList<>(plan.wrapper());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JvmFlags.common());
        command.addAll(plan.jvm().flags());
        command.add("-cp");
        command.add(classPath);
        command.add(RoleHostMain.class.getName());
        return new Launch(process, command, plan.environment());
    }
}
