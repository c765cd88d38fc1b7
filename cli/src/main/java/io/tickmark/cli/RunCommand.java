package io.tickmark.cli;

import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code run}: does one or several plans. */
final class RunCommand implements Command {
    private static final String DEFAULT_PLAN = "default";

    RunCommand() {}

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Does what plans say: starts their roles, measures, prints tables and a verdict, and leaves a result"
                                + " folder"
                                + " with a report. 'tickmark plans' lists the plans that come with tickmark.");
        spec.addPositional(
                PositionalParamSpec.builder()
                        .paramLabel("PLAN")
                        .arity("0..*")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .description(
                                "Name of a shipped plan, or path of a plan file; all sections when left out.")
                        .build());
        spec.addOption(
                OptionSpec.builder("--quick")
                        .type(boolean.class)
                        .arity("0")
                        .description(
                                "Much less time, and figures to match: searches with trials of a second, bounds 10 %%"
                                        + " apart and no soak; one repeat of every other test.")
                        .build());
        MeasureOptions.addTo(spec);
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark run latency-sweep --repeats 5 --out results/quiet-host";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) throws Exception {
        final MeasureOptions options = MeasureOptions.of(arguments);
        final List<String> names = arguments.matchedPositionalValue(0, List.of(DEFAULT_PLAN));
        final PlanLibrary library = new PlanLibrary(RoleCatalog.load());
        final Plan asked = PlanChanges.joined(names.stream().map(library::find).toList());
        final Plan plan =
                arguments.hasMatchedPositional(0)
                        ? asked
                        : new AbsentEngines()
                                .without(
                                        asked,
                                        sentence ->
                                                terminal.err().println("tickmark: " + sentence));
        return new Measurement(terminal, options)
                .run(
                        options.applyTo(
                                arguments.hasMatchedOption("--quick")
                                        ? PlanChanges.quick(plan)
                                        : plan,
                                arguments));
    }
}
