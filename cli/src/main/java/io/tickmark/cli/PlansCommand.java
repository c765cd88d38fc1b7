package io.tickmark.cli;

import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code plans}: the plans that come with tickmark. */
final class PlansCommand implements Command {
    PlansCommand() {}

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Lists the plans that come with tickmark. 'tickmark run' takes their names, or paths of plan"
                                + " files of your own.");
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark plans";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) {
        final List<PlanLibrary.Entry> plans = new PlanLibrary(RoleCatalog.load()).list();
        final int columns =
                plans.stream().mapToInt(plan -> plan.name().length()).max().orElse(0) + 2;
        final StringBuilder text = new StringBuilder();
        plans.forEach(plan ->
                text.append("  ")
                        .append(plan.name())
                        .append(" ".repeat(columns - plan.name().length()))
                        .append(plan.description())
                        .append('\n'));
        terminal.out().print(Wrapped.to(text.toString(), terminal.textColumns(), columns + 2));
        return 0;
    }
}
