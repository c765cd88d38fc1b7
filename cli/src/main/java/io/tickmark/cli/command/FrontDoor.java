package io.tickmark.cli.command;

import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.run.Installation;
import io.tickmark.cli.run.Interruption;
import io.tickmark.kernel.settings.NearestWord;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.place.Plugins;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Finds the command, parses its options, runs it, and converts every error to a sentence and an
 * exit code: 0 passed; 1 failed, void or interrupted; 2 bad usage; 3 the environment is not able; 4
 * a gate is undecided. Lost output counts as code 3, whichever command printed it; a pipe that its
 * reader has closed ({@code | head}) is not a failure and does not change the exit code.
 */
public final class FrontDoor {
    static final int USAGE = UserError.Kind.USAGE.exitCode();
    static final int ENVIRONMENT = UserError.Kind.ENVIRONMENT.exitCode();

    private final Terminal terminal;
    private final CommandTable table = new CommandTable();

    /**
     * A front door.
     *
     * @param terminal where commands print
     */
    public FrontDoor(final Terminal terminal) {
        this.terminal = terminal;
    }

    /**
     * Runs one command line.
     *
     * @param args as passed by the shell
     * @return the process's exit code
     */
    public int run(final String... args) {
        Interruption.commandBegins();
        int exitCode = ENVIRONMENT;
        try {
            exitCode = end(args);
        } finally {
            Interruption.commandEnded(exitCode);
        }
        return exitCode;
    }

    private int end(final String... args) {
        final int exitCode = answer(args);
        final Optional<String> lost = terminal.lostOutput();
        lost.ifPresent(reason ->
                terminal.err()
                        .println(
                                ("tickmark: cannot write to standard output (%s): some or all of what was printed is lost;"
                                                + " redirect it elsewhere.")
                                        .formatted(reason)));
        return lost.isPresent() && exitCode == 0 ? ENVIRONMENT : exitCode;
    }

    private int answer(final String... args) {
        try {
            return dispatch(args);
        } catch (final UserError e) {
            return failed(e.kind().exitCode(), e.getMessage(), e, args);
        } catch (final ParameterException e) {
            return failed(USAGE, ParseFailure.sentence(e), e, args);
        } catch (final Throwable e) {
            return failed(ENVIRONMENT, unexpected(e), e, args);
        }
    }

    private int dispatch(final String... args) throws Exception {
        final String first = args.length == 0 ? "" : args[0];
        switch (first) {
            case "" -> {
                terminal.err().print(HelpText.commands(table, terminal));
                return USAGE;
            }
            case "--help", "-h" -> {
                terminal.out().print(HelpText.commands(table, terminal));
                return 0;
            }
            case "--version", "-V", "version" -> {
                terminal.out().println(version());
                return 0;
            }
            default -> {
                if (isHelpOfGroup(args)) {
                    terminal.out().print(HelpText.group(first, table.below(first), terminal));
                    return 0;
                }
                final CommandTable.Entry entry = find(args);
                final int words = entry.name().indexOf(' ') < 0 ? 1 : 2;
                return run(entry, Arrays.copyOfRange(args, words, args.length));
            }
        }
    }

    /** {@code fix --help}, where there are commands of two words only. */
    private boolean isHelpOfGroup(final String... args) {
        return args.length == 2
                && ("--help".equals(args[1]) || "-h".equals(args[1]))
                && table.find(args[0]).isEmpty()
                && !table.below(args[0]).isEmpty();
    }

    private CommandTable.Entry find(final String... words) {
        final String two = words.length > 1 ? words[0] + " " + words[1] : words[0];
        return table.find(two)
                .or(() -> table.find(words[0]))
                .orElseThrow(() -> unknown(words[0], table));
    }

    static UserError unknown(final String word, final CommandTable table) {
        final List<String> names = table.entries().stream().map(CommandTable.Entry::name).toList();
        final List<String> below =
                table.below(word).stream().map(CommandTable.Entry::name).toList();
        if (!below.isEmpty()) {
            return UserError.usage(
                    "'%s' needs a subcommand; there are %s."
                            .formatted(word, String.join(", ", below)));
        }
        final Optional<String> nearest = NearestWord.to(word, names);
        return UserError.usage(
                "'%s' is not a command; %s"
                        .formatted(
                                word,
                                nearest.map(name -> "did you mean 'tickmark " + name + "'?")
                                        .orElse("'tickmark --help' lists them.")));
    }

    private int run(final CommandTable.Entry entry, final String... args) throws Exception {
        final Command command = entry.command().get();
        final CommandLine line = line(entry, command, terminal);
        final ParseResult parsed = line.parseArgs(args);
        if (parsed.isUsageHelpRequested()) {
            terminal.out().print(HelpText.command(line, terminal));
            return 0;
        }
        Plugins.here().check();
        return command.run(parsed, terminal);
    }

    static CommandLine line(
            final CommandTable.Entry entry, final Command command, final Terminal terminal) {
        final CommandSpec spec = command.spec();
        spec.name("tickmark " + entry.name());
        spec.addOption(
                // -h is a host in some tools of the field
                OptionSpec.builder(
                                spec.findOption("-h") == null
                                        ? new String[] {"-h", "--help"}
                                        : new String[] {"--help"})
                        .usageHelp(true)
                        .description("Print this help.")
                        .build());
        if (spec.findOption("--verbose") == null) {
            spec.addOption(
                    OptionSpec.builder("--verbose")
                            .description("Show the stack traces of errors.")
                            .build());
        }
        HelpText.describe(spec, command, terminal);
        return strict(new CommandLine(spec));
    }

    /** Names such as -numIter are one option, and a file name may begin with an @. */
    static CommandLine strict(final CommandLine line) {
        return line.setPosixClusteredShortOptionsAllowed(false)
                .setExpandAtFiles(false)
                .setUnmatchedArgumentsAllowed(false);
    }

    private static String version() {
        return "tickmark %s, Java %s".formatted(Installation.version(), Runtime.version());
    }

    private static String unexpected(final Throwable e) {
        final Optional<String> old = Plugins.here().refusal(e);
        if (old.isPresent()) {
            return old.get();
        }
        if (e instanceof ServiceConfigurationError) {
            return "A plug-in in %s does not load (%s): build it against this version, or remove its jar."
                    .formatted(
                            Plugins.here().folder().map(Path::toString).orElse("?"),
                            e.getMessage());
        }
        final String what = e.getMessage() == null ? "" : ": " + e.getMessage();
        return "%s%s; run again with --verbose to see where."
                .formatted(e.getClass().getSimpleName(), what);
    }

    private int failed(
            final int exitCode, final String sentence, final Throwable e, final String... args) {
        terminal.err().println("tickmark: " + sentence);
        if (Arrays.asList(args).contains("--verbose")) {
            e.printStackTrace(terminal.err());
        }
        return exitCode;
    }

    /** Describes the error of a command line in one of our own sentences. */
    static final class ParseFailure {
        private ParseFailure() {}

        static String sentence(final ParameterException e) {
            final CommandSpec spec = e.getCommandLine().getCommandSpec();
            return switch (e) {
                case UnmatchedArgumentException unmatched ->
                        unmatched(unmatched.getUnmatched().getFirst(), spec);
                case OverwrittenOptionException twice ->
                        twice.getOverwritten().paramLabel().isEmpty()
                                ? "an option is given twice; give it once."
                                : name(twice) + " is given twice; give it once.";
                case MissingParameterException missing -> missing(missing, spec);
                default -> e.getMessage() + "; see '" + spec.name() + " --help'.";
            };
        }

        private static String unmatched(final String typed, final CommandSpec spec) {
            final boolean option = typed.startsWith("-") && typed.length() > 1;
            final List<String> known = new ArrayList<>();
            if (option) {
                spec.options().forEach(each -> known.addAll(List.of(each.names())));
            } else {
                known.addAll(sides(spec.name()));
            }
            final int equals = typed.indexOf('=');
            final String name = equals < 0 ? typed : typed.substring(0, equals);
            return "%s '%s'; %s"
                    .formatted(
                            option ? "unknown option" : "unexpected argument",
                            name,
                            NearestWord.to(name, known)
                                    .map(nearest -> "did you mean " + nearest + "?")
                                    .orElse("'" + spec.name() + " --help' lists them."));
        }

        /** What may follow the name of a command and make it another one: {@code pub} and so on. */
        private static List<String> sides(final String command) {
            return new CommandTable()
                    .entries().stream()
                            .map(entry -> "tickmark " + entry.name())
                            .filter(name -> name.startsWith(command + " "))
                            .map(name -> name.substring(command.length() + 1))
                            .toList();
        }

        private static String missing(final MissingParameterException e, final CommandSpec spec) {
            if (e.getMissing().getFirst() instanceof final OptionSpec option) {
                return "%s needs a value, %s; see '%s --help'."
                        .formatted(option.longestName(), option.paramLabel(), spec.name());
            }
            return "%s is missing; see '%s --help'."
                    .formatted(e.getMissing().getFirst().paramLabel(), spec.name());
        }

        private static String name(final OverwrittenOptionException e) {
            return e.getOverwritten() instanceof final OptionSpec option
                    ? option.longestName()
                    : e.getOverwritten().paramLabel();
        }
    }
}
