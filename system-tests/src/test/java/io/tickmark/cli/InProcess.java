package io.tickmark.cli;

import io.tickmark.cli.command.FileOptions;
import io.tickmark.cli.command.FrontDoor;
import io.tickmark.cli.output.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * The front door in this process, where its classes are loaded and compiled already: starting a
 * process for each command line would take most of the time of the tests.
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

    /**
     * Runs a command as if this process stood in a folder, which a JVM cannot change: names of
     * files in that folder are whole for the command, and as they were typed in what it printed.
     *
     * @param folder where the user stands
     * @param arguments as a shell would give them; the first is the command
     * @return how it ended
     */
    public static Outcome runIn(final Path folder, final String... arguments) {
        final Outcome outcome = run(whole(folder, arguments));
        final String prefix = folder + "/";
        return new Outcome(
                outcome.exitCode(),
                outcome.out().replace(prefix, ""),
                outcome.err().replace(prefix, ""));
    }

    /** The same words, with whole names of files. */
    static String[] whole(final Path folder, final String... arguments) {
        final Set<String> options = FileOptions.of(arguments);
        final String[] whole = arguments.clone();
        for (int i = 1; i < whole.length; i++) {
            final String word = arguments[i];
            final String option = word.substring(0, Math.max(0, word.indexOf('=')));
            if (options.contains(arguments[i - 1])) {
                whole[i] = file(folder, word);
            } else if (options.contains(option)) {
                whole[i] = option + "=" + file(folder, word.substring(option.length() + 1));
            } else if (!word.isEmpty() && Files.exists(folder.resolve(word))) {
                whole[i] = folder.resolve(word).toString();
            }
        }
        return whole;
    }

    private static String file(final Path folder, final String name) {
        return name.isEmpty() || name.contains("://") ? name : folder.resolve(name).toString();
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
