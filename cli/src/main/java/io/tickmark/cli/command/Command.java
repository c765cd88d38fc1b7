package io.tickmark.cli.command;

import io.tickmark.cli.output.Terminal;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** One command of the front door. Created only when it is chosen, so it may load what it needs. */
public interface Command {
    /**
     * Options, parameters and description; name, help option and example are added by the front
     * door.
     *
     * @return a new spec
     */
    CommandSpec spec();

    /**
     * A real example for the help.
     *
     * @return a command line that can be typed unchanged
     */
    String example();

    /**
     * Runs the command.
     *
     * @param arguments as parsed by {@link #spec()}
     * @param terminal where to print
     * @return the process's exit code
     * @throws Exception any failure; {@link io.tickmark.kernel.settings.UserError} where a sentence
     *     suffices
     */
    int run(ParseResult arguments, Terminal terminal) throws Exception;
}
