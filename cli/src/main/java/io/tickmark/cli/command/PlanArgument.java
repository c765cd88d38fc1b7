package io.tickmark.cli.command;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.TestPlan;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** The one plan that a command changes before it runs it, and the tests of it that are named. */
final class PlanArgument {
    private PlanArgument() {}

    static void addTo(final CommandSpec spec) {
        spec.addPositional(
                PositionalParamSpec.builder()
                        .paramLabel("PLAN")
                        .arity("1")
                        .type(String.class)
                        .description("Name of a shipped plan, or path of a plan file.")
                        .build());
    }

    /** Finds the plan that was typed after {@code command}; neither supports a matrix. */
    static Plan of(final ParseResult arguments, final String command, final RoleCatalog roles) {
        final String name = arguments.matchedPositionalValue(0, "");
        if (name.isEmpty()) {
            throw UserError.usage(
                    command + ": name the plan; 'tickmark plans' lists the shipped ones.");
        }
        final Plan plan = new PlanLibrary(roles).find(name);
        if (!plan.matrix().isEmpty()) {
            throw UserError.usage(
                    "plan %s: has a matrix, which '%s' cannot run; name a plan without one, with --channel for each."
                            .formatted(plan.name(), command));
        }
        return plan;
    }

    /** The test of that name. */
    static TestPlan test(final Plan plan, final String name) {
        return plan.tests().stream()
                .filter(test -> test.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        UserError.usage(
                                "--test %s: the plan has no such test; it has %s."
                                        .formatted(
                                                name,
                                                plan.tests().stream()
                                                        .map(TestPlan::name)
                                                        .collect(Collectors.joining(", ")))));
    }
}
