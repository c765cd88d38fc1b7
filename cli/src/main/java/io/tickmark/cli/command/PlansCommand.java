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
import io.tickmark.lab.plan.ShippedPlans;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code plans}: the plans that come with tickmark. */
final class PlansCommand implements Command {
    private static final String TIMES = "--times";
    private static final int TIME_COLUMNS = 8;
    private static final String TIME = "%-" + TIME_COLUMNS + "s";

    PlansCommand() {}

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Lists the plans that come with tickmark. 'tickmark run' takes their names, or paths of plan"
                                + " files of your own.");
        spec.addOption(
                OptionSpec.builder(TIMES)
                        .description(
                                "About how long each takes on this machine; n/a where its engine is missing.")
                        .build());
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark plans";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) {
        final ShippedPlans plans = new ShippedPlans();
        final Optional<Times> times =
                arguments.hasMatchedOption(TIMES) ? Optional.of(new Times()) : Optional.empty();
        final List<String> names = plans.names();
        final int columns = names.stream().mapToInt(String::length).max().orElse(0) + 2;
        final StringBuilder text = new StringBuilder();
        for (final String name : names) {
            text.append("  ").append(name).append(" ".repeat(columns - name.length()));
            times.ifPresent(here -> text.append(TIME.formatted(here.of(name))));
            text.append(plans.description(name)).append('\n');
        }
        terminal.out()
                .print(
                        Wrapped.to(
                                text.toString(),
                                terminal.textColumns(),
                                columns + 2 + (times.isPresent() ? TIME_COLUMNS : 0)));
        return 0;
    }

    /** Estimates of plans. They are expanded for this, so it takes longer than to list them. */
    private static final class Times {
        private final PlanLibrary library = new PlanLibrary(RoleCatalog.load());
        private final RunOptions here = Machines.here(Optional.empty());

        /** A plan whose engine is absent has no time here; 'tickmark run' says what is missing. */
        String of(final String name) {
            try {
                final long ns =
                        runs(RunCommand.onChannels(library.find(name), List.of()))
                                .mapToLong(run ->
                                        RunEstimate.of(run.plan(), run.options()).durationNs())
                                .sum();
                return ProgressText.roughly(ns);
            } catch (final UserError e) {
                return "n/a";
            }
        }

        private Stream<Variant> runs(final Plan plan) {
            return plan.matrix().isEmpty()
                    ? Stream.of(new Variant(plan.name(), plan, here))
                    : new Combinations(reason -> {}).of(plan, here, here.results()).stream();
        }
    }
}
