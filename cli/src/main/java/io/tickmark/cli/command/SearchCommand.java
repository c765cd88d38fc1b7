package io.tickmark.cli.command;

import io.tickmark.cli.option.MeasureOptions;
import io.tickmark.cli.option.SettingOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.run.Measurement;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.search.SearchGoal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code search}: the highest rate at which a plan's tests hold. */
final class SearchCommand implements Command {
    private final RoleCatalog roles = RoleCatalog.load();

    SearchCommand() {}

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Looks for the highest rate that holds: a rate holds when the plan's criteria are met in most"
                                + " trials at it. Begins with a burst at full speed, closes in with short trials, decides"
                                + " with long ones, then confirms the answer in new processes and soaks it (RFC 9971).");
        PlanArgument.addTo(spec);
        spec.addOption(
                OptionSpec.builder("--test")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .arity("1")
                        .paramLabel("NAME")
                        .description(
                                "Test of the plan to search; may be repeated (default: all with a rate).")
                        .build());
        spec.addOption(
                OptionSpec.builder("--channel")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .arity("1")
                        .paramLabel("URI")
                        .description(
                                "Channel to search on in place of the plan's; may be repeated.")
                        .build());
        goal().addTo(spec);
        MeasureOptions.addTo(spec);
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark search stream-700 --channel udp://127.0.0.1:0 --final-trial 2s --duration-sum 6s --soak 0";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) throws Exception {
        final MeasureOptions options = MeasureOptions.of(arguments);
        if (options.repeats() > 0 || options.fresh()) {
            throw UserError.usage(
                    "%s: a search chooses its own repeats and confirms its answer in new processes; drop this option, or set"
                                    .formatted(options.repeats() > 0 ? "--repeats" : "--fresh")
                            + " --confirmations.");
        }
        return new Measurement(terminal, options)
                .run(options.applyTo(searched(arguments), arguments));
    }

    /** The plan with the requested searches. */
    Plan searched(final ParseResult arguments) {
        final SearchGoal given = goal(SearchGoal.DEFAULT, arguments);
        final Plan plan = PlanArgument.of(arguments, "search", roles);
        final List<String> names = arguments.matchedOptionValue("--test", List.of());
        names.forEach(wanted -> PlanArgument.test(plan, wanted));
        final List<String> channels = arguments.matchedOptionValue("--channel", List.of());
        Plan searched =
                Plan.named("search-" + plan.name())
                        .describedAs("The highest rate that holds. " + plan.description())
                        .withNoise(plan.noise());
        for (final TestPlan test : plan.tests()) {
            final SearchGoal goal = test.search() == null ? given : goal(test.search(), arguments);
            if (names.isEmpty() ? hasRate(test, goal) : names.contains(test.name())) {
                searched = searched.with(on(channels, test).searching(goal));
            }
        }
        if (searched.tests().isEmpty()) {
            throw UserError.usage(
                    ("plan %s: none of its tests has both a setting '%s' and a setting '%s' to search over;"
                                    + " name others with --rate-key and --duration-key.")
                            .formatted(plan.name(), given.rateKey(), given.durationKey()));
        }
        return searched;
    }

    private boolean hasRate(final TestPlan test, final SearchGoal goal) {
        return List.of(goal.rateKey(), goal.durationKey()).stream()
                .allMatch(key ->
                        test.roles().stream()
                                .flatMap(role ->
                                        SettingDescriptor.of(roles.find(role.role()).settings())
                                                .stream())
                                .anyMatch(setting -> setting.key().equals(key)));
    }

    private static TestPlan on(final List<String> channels, final TestPlan test) {
        return channels.isEmpty() ? test : test.onChannels(channels);
    }

    /** The plan's settings of a search apply unless overridden by options. */
    private static SearchGoal goal(final SearchGoal planned, final ParseResult arguments) {
        final Map<String, Object> goal = new LinkedHashMap<>(Settings.toMap(planned));
        goal.putAll(goal().values(arguments));
        return Settings.read(SearchGoal.class, goal, goal().naming(arguments));
    }

    private static SettingOptions goal() {
        return new SettingOptions().add(SettingDescriptor.of(SearchGoal.class), Set.of());
    }
}
