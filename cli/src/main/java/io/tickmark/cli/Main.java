package io.tickmark.cli;

import io.tickmark.cli.command.FrontDoor;
import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.run.Installation;
import io.tickmark.lab.host.ProcessEnd;
import io.tickmark.transport.Transports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Starts a command and ends the process with its exit code. */
public final class Main {
    /**
     * Where the JVM writes the classes of this process when it ends, for later processes: a file
     * beside it states that the process loaded most of them.
     */
    private static final String CLASSES_PART = "tickmark.classes.part";

    private Main() {}

    /**
     * The entry point.
     *
     * @param args a command and its options
     */
    public static void main(final String[] args) {
        new Installation()
                .packs()
                .forEach((scheme, what) -> System.setProperty(Transports.PACK + scheme, what));
        final int exitCode = new FrontDoor(Terminal.ofSystem()).run(args);
        final String part = System.getProperty(CLASSES_PART);
        if (part != null && measured(exitCode, List.of(args))) {
            try {
                Files.createFile(Path.of(part + ".whole"));
            } catch (final IOException e) {
                // the next one writes them
            }
        }
        ProcessEnd.ofMain(exitCode);
    }

    private static boolean measured(final int exitCode, final List<String> args) {
        final boolean isRefused = exitCode == 2 || exitCode == 3;
        return !isRefused && !args.contains("--help");
    }
}
