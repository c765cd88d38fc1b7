package io.tickmark.cli.command;

import io.tickmark.cli.output.Terminal;
import io.tickmark.kernel.settings.UserError;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * {@code test} as the help shows it. The launcher runs the tests itself, because they need no build
 * before them; this code is reached only by starting the jar directly.
 */
final class TestCommand implements Command {
    TestCommand() {}

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Runs every test of the project, says what each module's tests took, and ends with one line:"
                                + " passed, failed, skipped. A failing module does not hide the others, and what could not run"
                                + " is named. With CI=true a skipped test is a failure, unless what it needs is not in the"
                                + " package lists.");
        spec.addOption(
                OptionSpec.builder("--busy")
                        .paramLabel("N")
                        .type(int.class)
                        .description(
                                "Runs N busy loops beside the tests and lifts their time limits: what passes then does not"
                                        + " depend on a quiet machine. Takes hours rather than minutes.")
                        .build());
        spec.addPositional(
                PositionalParamSpec.builder()
                        .paramLabel("MAVEN-OPTION")
                        .arity("0..*")
                        .type(String[].class)
                        .description("Passed on to Maven, for example -pl kernel -am.")
                        .build());
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark test";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) {
        throw UserError.usage("'test' works from a source folder only: run ./tickmark test there.");
    }
}
