package io.tickmark.bench.peers;

import io.tickmark.lab.plan.JvmPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a JVM like that of a role: the same flags, heap and collector. */
final class JavaCommand {
    private JavaCommand() {}

    /** The same as the front door runs: small, and soon there. */
    static List<String> ofFrontDoor(final String mainClass, final List<String> arguments) {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:-UsePerfData",
                        "-Xmn48m"));
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }

    static List<String> of(final Path root, final String mainClass, final List<String> arguments) {
        return with(JvmPlan.DEFAULT.flags(), root, mainClass, arguments);
    }

    /** The same as the launcher reads captures with. */
    static List<String> ofWire(
            final Path root, final String mainClass, final List<String> arguments) {
        return with(List.of("-XX:+UseSerialGC", "-Xmx768m", "-Xmn24m"), root, mainClass, arguments);
    }

    private static List<String> with(
            final List<String> flags,
            final Path root,
            final String mainClass,
            final List<String> arguments) {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("@" + root.resolve("cli/target/dist/config/jvm.options"));
        command.addAll(flags);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }
}
