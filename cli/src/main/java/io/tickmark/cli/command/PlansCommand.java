package io.tickmark.cli.command;

import io.tickmark.cli.output.ProgressText;
import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.output.Wrapped;
import io.tickmark.cli.run.Combinations;
import io.tickmark.cli.run.Machines;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.control.InterleavedRun.Variant;
import io.tickmark.lab.control.RunEstimate;
import io.tickmark.lab.control.RunOptions;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code plans}: the plans that come with tickmark. */
final class PlansCommand implements Command {
    private static final int TIME_COLUMNS = 8;
    private static final String TIME = "%-" + TIME_COLUMNS + "s";

    PlansCommand() {}

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Lists the plans that come with tickmark, and about how long each takes on this machine. 'tickmark"
                                + " run' takes their names, or paths of plan files of your own.");
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark plans";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) {
        final PlanLibrary library = new PlanLibrary(RoleCatalog.load());
        final RunOptions here = Machines.here(Optional.empty());
        final List<String> names = library.names();
        final int columns = names.stream().mapToInt(String::length).max().orElse(0) + 2;
        final StringBuilder text = new StringBuilder();
        for (final String name : names) {
            final Plan plan = library.find(name);
            text.append("  ")
                    .append(name)
                    .append(" ".repeat(columns - name.length()))
                    .append(TIME.formatted(time(plan, here)))
                    .append(plan.description())
                    .append('\n');
        }
        terminal.out()
                .print(
                        Wrapped.to(
                                text.toString(),
                                terminal.textColumns(),
                                columns + 2 + TIME_COLUMNS));
        return 0;
    }

    /** A plan whose engine is absent has no time here; 'tickmark run' says what is missing. */
    private static String time(final Plan plan, final RunOptions here) {
        try {
            final long ns =
                    runs(plan, here)
                            .mapToLong(
                                    run -> RunEstimate.of(run.plan(), run.options()).durationNs())
                            .sum();
            return ProgressText.roughly(ns);
        } catch (final UserError e) {
            return "n/a";
        }
    }

    private static Stream<Variant> runs(final Plan plan, final RunOptions here) {
        return plan.matrix().isEmpty()
                ? Stream.of(new Variant(plan.name(), plan, here))
                : new Combinations(reason -> {}).of(plan, here, here.results()).stream();
    }
}
