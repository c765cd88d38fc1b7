package io.tickmark.cli;

import io.tickmark.kernel.settings.NearestWord;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what is wrong with a command line in one sentence of our own. */
final class ParseFailure {
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
            default -> e.getMessage() + "; '" + spec.name() + " --help' tells more.";
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
                        option ? "unknown option" : "nothing is expected where you wrote",
                        name,
                        NearestWord.to(name, known)
                                .map(nearest -> "did you mean " + nearest + "?")
                                .orElse("'" + spec.name() + " --help' tells what there is."));
    }

    /** What may follow the name of a command and make it another one: {@code pub} and so on. */
    private static List<String> sides(final String command) {
        return new Contents()
                .entries().stream()
                        .map(entry -> "tickmark " + entry.name())
                        .filter(name -> name.startsWith(command + " "))
                        .map(name -> name.substring(command.length() + 1))
                        .toList();
    }

    private static String missing(final MissingParameterException e, final CommandSpec spec) {
        if (e.getMissing().getFirst() instanceof final OptionSpec option) {
            return "%s needs a value, %s; '%s --help' tells more."
                    .formatted(option.longestName(), option.paramLabel(), spec.name());
        }
        return "%s is missing; '%s --help' tells more."
                .formatted(e.getMissing().getFirst().paramLabel(), spec.name());
    }

    private static String name(final OverwrittenOptionException e) {
        return e.getOverwritten() instanceof final OptionSpec option
                ? option.longestName()
                : e.getOverwritten().paramLabel();
    }
}
