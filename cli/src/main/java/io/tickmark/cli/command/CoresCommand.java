package io.tickmark.cli.command;

import io.tickmark.cli.option.MeasureOptions;
import io.tickmark.cli.option.SettingOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.run.Measurement;
import io.tickmark.kernel.host.CpuTopology;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.control.RunControl;
import io.tickmark.lab.cores.CorePlacement;
import io.tickmark.lab.cores.PlacedTests;
import io.tickmark.lab.cores.Recommendation;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.report.PlacementTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code cores}: where a test's hot threads run best. */
final class CoresCommand implements Command {
    private static final int REPEATS = 5;
    private static final String DURATION = "duration";

    /**
     * Its own options.
     *
     * @param test of the plan
     * @param channel in place of the plan's
     * @param trial length of each trial
     */
    record CoresOptions(
            @Setting(help = "Test of the plan (default: its first).", label = "NAME") String test,
            @Setting(help = "Channel in place of the plan's first.", label = "URI") String channel,
            @Setting(
                            help =
                                    "Length of each trial, for tests that have a duration; 0 keeps the plan's.",
                            byDefault = "2s",
                            max = 3600e9)
                    Duration trial) {}

    private final RoleCatalog roles = RoleCatalog.load();

    CoresCommand() {}

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Repeats short trials of a plan's test with its hot threads in different places, in turns: left to the"
                                + " system, on physical cores of each NUMA node with and without CPUs set apart for"
                                + " compiler and collector threads, on SMT siblings, across nodes. Recommends one,"
                                + " with the spread.");
        PlanArgument.addTo(spec);
        wanted().addTo(spec);
        MeasureOptions.addTo(spec);
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark cores stream-700 --channel shm: --trial 1s";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) throws Exception {
        final CoresOptions wanted =
                Settings.read(
                        CoresOptions.class, wanted().values(arguments), wanted().naming(arguments));
        final MeasureOptions options = MeasureOptions.of(arguments);
        options.checkHere("cores", "placements are tried on the cores of this machine only");
        final Plan plan = PlanArgument.of(arguments, "cores", roles);
        final TestPlan test = shortened(chosen(plan, wanted), wanted.trial());
        final int hotThreads = PlacedTests.hotThreads(test, roles);
        if (hotThreads == 0) {
            throw UserError.usage(
                    "test %s: none of its roles has a hot thread to place.".formatted(test.name()));
        }
        final CpuTopology topology = CpuTopology.ofThisHost();
        final List<CorePlacement> placements =
                feasible(CorePlacement.all(topology, hotThreads), terminal);
        checkChoice(placements, hotThreads, topology.cpus().size(), terminal);
        Plan placed =
                Plan.named("cores-" + plan.name())
                        .describedAs("Where the hot threads of a test run best.")
                        .withNoise(Duration.ZERO);
        final Map<String, CorePlacement> byTest = new LinkedHashMap<>();
        for (final CorePlacement placement : placements) {
            final TestPlan copy =
                    PlacedTests.placed(test, placement, roles).withRepeats(REPEATS).searching(null);
            byTest.put(copy.name(), placement);
            placed = placed.with(copy);
        }
        return new Measurement(terminal, options)
                .runBy(RunControl::runInTurns)
                .withText(result -> advice(result, byTest, options.verbose(), terminal))
                .run(options.applyTo(placed, arguments));
    }

    private static void checkChoice(
            final List<CorePlacement> placements,
            final int hotThreads,
            final int cpus,
            final Terminal terminal) {
        final String leave = "%d hot threads on %d CPUs leave ".formatted(hotThreads, cpus);
        if (placements.size() < 2) {
            throw UserError.environment(
                    leave
                            + "no choice of where to put them; name a test with fewer, or use a larger machine.");
        }
        if (placements.size() < 3) {
            terminal.err()
                    .println(
                            "tickmark: %s%d placements; this machine is too small for more."
                                    .formatted(leave, placements.size()));
        }
    }

    private static String advice(
            final RunResult result,
            final Map<String, CorePlacement> byTest,
            final boolean isVerbose,
            final Terminal terminal) {
        final Map<CorePlacement, List<TrialResult>> trials = new LinkedHashMap<>();
        byTest.forEach((name, placement) ->
                trials.put(
                        placement,
                        result.trials().stream()
                                .filter(trial -> trial.test().equals(name))
                                .toList()));
        final Recommendation recommendation = Recommendation.of(trials);
        return isVerbose
                ? PlacementTable.text(recommendation, terminal.textColumns())
                : PlacementTable.screen(recommendation, terminal.textColumns());
    }

    /** CPUs set apart need {@code taskset}. */
    private static List<CorePlacement> feasible(
            final List<CorePlacement> all, final Terminal terminal) {
        final boolean taskset =
                Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "taskset")));
        if (!taskset && all.stream().anyMatch(place -> !place.housekeeping().isEmpty())) {
            terminal.err()
                    .println(
                            "tickmark: no CPUs are set apart for housekeeping: taskset (package util-linux) is not installed.");
        }
        return all.stream().filter(place -> taskset || place.housekeeping().isEmpty()).toList();
    }

    private static TestPlan chosen(final Plan plan, final CoresOptions wanted) {
        final TestPlan test =
                wanted.test().isEmpty()
                        ? plan.tests().getFirst()
                        : PlanArgument.test(plan, wanted.test());
        return test.onChannels(
                List.of(
                        wanted.channel().isEmpty()
                                ? test.channels().getFirst()
                                : wanted.channel()));
    }

    /** Streams, and latencies at a rate; a closed loop has a number of samples. */
    private TestPlan shortened(final TestPlan test, final Duration trial) {
        final boolean hasDuration =
                test.roles().stream()
                        .flatMap(role ->
                                SettingDescriptor.of(roles.find(role.role()).settings()).stream())
                        .anyMatch(setting -> setting.key().equals(DURATION));
        return hasDuration && !trial.isZero() ? test.withSettings(Map.of(DURATION, trial)) : test;
    }

    private static SettingOptions wanted() {
        return new SettingOptions().add(SettingDescriptor.of(CoresOptions.class), Set.of());
    }
}
