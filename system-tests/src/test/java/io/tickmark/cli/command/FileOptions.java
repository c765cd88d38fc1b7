package io.tickmark.cli.command;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.OptionSpec;

/** Options whose values are files or folders, as their labels in the help say. */
public final class FileOptions {
    private static final Set<String> LABELS = Set.of("FILE", "DIR", "PLACE");

    /** A role makes these files in its own folder, and not where the user stands. */
    private static final List<String> OF_THE_ROLES_FOLDER =
            List.of("--summary-file", "--stats-file", "--latency-file");

    private FileOptions() {}

    /**
     * Those of a command.
     *
     * @param words that a user typed; the first or the first two are the command
     * @return all their names; empty where there is no such command
     */
    public static Set<String> of(final String... words) {
        return entry(words)
                .map(entry -> entry.command().get().spec().options().stream())
                .orElseGet(Stream::empty)
                .filter(option -> LABELS.contains(option.paramLabel()))
                .map(OptionSpec::names)
                .map(List::of)
                .filter(names -> names.stream().noneMatch(OF_THE_ROLES_FOLDER::contains))
                .flatMap(List::stream)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Optional<CommandTable.Entry> entry(final String... words) {
        final CommandTable table = new CommandTable();
        final String first = words.length == 0 ? "" : words[0];
        final String second = words.length > 1 ? words[1] : "";
        return table.find(first + " " + second).or(() -> table.find(first));
    }
}
