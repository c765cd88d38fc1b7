package io.tickmark.cli.command;

import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.run.HistoryPlace;
import io.tickmark.history.History;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.compare.Side;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code history add}, {@code history tag} and {@code history delete}. */
final class HistoryChange implements Command {
    private static final String PLACE = "--history";

    private final Work work;

    /** What one of them does. */
    private enum Work {
        ADD(
                "Adds the runs of result folders, or of files that 'tickmark report --zip' wrote, for example from other"
                        + " machines; a run that is already in the history is left as it is.",
                "FOLDER...",
                "./tickmark history add results/20261120-120000_latency"),
        TAG(
                "Tags a run of the history, for example with a release.",
                "RUN TAG",
                "./tickmark history tag 1f3c9a07d2e4 release-2"),
        DELETE(
                "Deletes runs from the history; their folders stay.",
                "RUN...",
                "./tickmark history delete 1f3c9a07d2e4");

        private final String description;
        private final String words;
        private final String example;

        Work(final String description, final String words, final String example) {
            this.description = description;
            this.words = words;
            this.example = example;
        }
    }

    private HistoryChange(final Work work) {
        this.work = work;
    }

    static HistoryChange add() {
        return new HistoryChange(Work.ADD);
    }

    static HistoryChange tag() {
        return new HistoryChange(Work.TAG);
    }

    static HistoryChange delete() {
        return new HistoryChange(Work.DELETE);
    }

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage().description(work.description);
        spec.addPositional(
                PositionalParamSpec.builder()
                        .paramLabel(work.words)
                        .arity("0..*")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .description("As 'tickmark history' lists them.")
                        .hideParamSyntax(true)
                        .build());
        spec.addOption(
                OptionSpec.builder(PLACE)
                        .type(String.class)
                        .arity("1")
                        .paramLabel("PLACE")
                        .description("File or URL of the history, as for 'tickmark history'.")
                        .build());
        return spec;
    }

    @Override
    public String example() {
        return work.example;
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) {
        final List<String> words = arguments.matchedPositionalValue(0, List.of());
        final String place = arguments.matchedOptionValue(PLACE, "");
        if (words.isEmpty() || work == Work.TAG && words.size() != 2) {
            throw UserError.usage(
                    "history %s: expected %s; 'tickmark history' lists the runs."
                            .formatted(work.name().toLowerCase(java.util.Locale.ROOT), work.words));
        }
        // a folder that cannot be read must not leave a new, empty history behind
        final List<Side> added =
                work == Work.ADD
                        ? words.stream().map(folder -> Side.read(folder, Path.of(folder))).toList()
                        : List.of();
        try (History history =
                work == Work.ADD
                        ? History.open(HistoryPlace.of(place))
                        : HistoryPlace.existing(place)) {
            switch (work) {
                case ADD -> {
                    for (final Side side : added) {
                        terminal.out()
                                .println(
                                        history.enter(side.result(), side.place())
                                                + "  "
                                                + side.path());
                    }
                }
                case TAG -> history.tag(words.getFirst(), words.getLast());
                case DELETE -> words.forEach(history::delete);
            }
        }
        terminal.out().flush();
        return 0;
    }
}
