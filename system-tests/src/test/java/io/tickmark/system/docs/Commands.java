package io.tickmark.system.docs;

import io.tickmark.cli.InProcess;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The commands of the front door, as its table of contents has them. */
final class Commands {
    /** A name of one or two words, then at least two spaces and what it does. */
    private static final Pattern LINE = Pattern.compile("(?m)^  ([a-z]+(?: [a-z]+)?) {1,}\\S.*$");

    private static final String CONTENTS = InProcess.text("--help");

    private Commands() {}

    static List<String> names() {
        return LINE.matcher(CONTENTS).results().map(Commands::name).toList();
    }

    /** Those below a heading. */
    static List<String> names(final String heading) {
        final Matcher group =
                Pattern.compile("(?s)\n" + heading + "\n(.*?)(?:\n\n|$)").matcher(CONTENTS);
        return group.find()
                ? LINE.matcher(group.group(1)).results().map(Commands::name).toList()
                : List.of();
    }

    private static String name(final MatchResult line) {
        return line.group(1);
    }
}
