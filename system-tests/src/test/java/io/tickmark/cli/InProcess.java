package io.tickmark.cli;

import io.tickmark.cli.command.FrontDoor;
import io.tickmark.cli.output.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The front door in this process: for command lines by the dozen that only parse, print and end,
 * where starting a process for each would take a minute.
 */
public final class InProcess {
    private InProcess() {}

    /**
     * How a command ended.
     *
     * @param exitCode that its process would have had
     * @param out its standard output
     * @param err its standard error
     */
    public record Outcome(int exitCode, String out, String err) {}

    /**
     * Runs a command that ends by itself.
     *
     * @param arguments as a shell would give them
     * @return how it ended
     */
    public static Outcome run(final String... arguments) {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        final int exitCode =
                new FrontDoor(new Terminal(printing(out), printing(err), 0, 0, false))
                        .run(arguments);
        return new Outcome(
                exitCode,
                out.toString(StandardCharsets.UTF_8),
                err.toString(StandardCharsets.UTF_8));
    }

    private static PrintStream printing(final ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    /**
     * What a command that cannot fail prints.
     *
     * @param arguments as a shell would give them
     * @return its standard output
     */
    public static String text(final String... arguments) {
        final Outcome outcome = run(arguments);
        if (outcome.exitCode() != 0) {
            throw new AssertionError(
                    "tickmark " + String.join(" ", arguments) + " failed: " + outcome.err());
        }
        return outcome.out();
    }
}
