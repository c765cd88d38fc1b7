package io.tickmark.cli;

import io.tickmark.cli.command.FrontDoor;
import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.run.Interruption;

/** Starts a command and ends the process with its exit code. */
public final class Main {
    private Main() {}

    /**
     * The entry point.
     *
     * @param args a command and its options
     */
    public static void main(final String[] args) {
        final int exitCode = new FrontDoor(Terminal.ofSystem()).run(args);
        Interruption.commandEnded(exitCode);
        System.exit(exitCode);
    }
}
