package io.tickmark.cli;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.compare.CompareSettings;
import io.tickmark.lab.control.InterleavedRun.Arm;
import io.tickmark.lab.control.RunOptions;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.result.ResultFolder;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code run}: does one or several plans. */
final class RunCommand implements Command {
    private static final String DEFAULT_PLAN = "default";
    private static final String SET = "--set";
    private static final String VERSUS = "--vs";
    private static final String QUICK = "--quick";
    private static final int FEWEST_REPEATS = 5;

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
                texts(
                        SET,
                        "KEY=VALUE",
                        "Setting instead of the plan's: one of its roles', channel, jvm.heap, jvm.collector or jvm.options; may"
                                + " be repeated."));
        spec.addOption(
                texts(
                        VERSUS,
                        "OTHER",
                        "Measure this as well, taking turns, and compare: the folder of another build, KEY=VALUE (may be"
                                + " repeated), a channel, or a plan. At least 5 repeats where --repeats does not say."));
        CompareCommand.options(CompareSettings.class).addTo(spec);
        spec.addOption(
                OptionSpec.builder(QUICK)
                        .type(boolean.class)
                        .arity("0")
                        .description(
                                "Much less time, and figures to match: searches with trials of a second, short warm-ups,"
                                        + " bounds 20 %% apart, no confirmation and no soak; one repeat of every other test.")
                        .build());
        MeasureOptions.addTo(spec);
        return spec;
    }

    private static OptionSpec texts(final String name, final String label, final String help) {
        return OptionSpec.builder(name)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .arity("1")
                .paramLabel(label)
                .description(help)
                .build();
    }

    @Override
    public String example() {
        return "./tickmark run latency-sweep --repeats 5 --out results/quiet-host";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) throws Exception {
        final MeasureOptions options = MeasureOptions.of(arguments);
        final List<String> names = arguments.matchedPositionalValue(0, List.of(DEFAULT_PLAN));
        final List<String> versus = arguments.matchedOptionValue(VERSUS, List.of());
        final PlanLibrary library = new PlanLibrary(RoleCatalog.load());
        final PlanSettings settings =
                PlanSettings.read(SET, arguments.matchedOptionValue(SET, List.of()));
        final Plan asked =
                settings.change(
                        PlanChanges.joined(names.stream().map(library::find).toList()), SET);
        checkComparing(!versus.isEmpty() || !asked.matrix().isEmpty(), arguments);
        if (!versus.isEmpty()) {
            if (!asked.matrix().isEmpty()) {
                throw UserError.usage(
                        "--vs: plan %s has a matrix, which compares already; name a plan without one."
                                .formatted(asked.name()));
            }
            final Versus other = new Versus(versus, library);
            if (!options.elsewhere().isEmpty() && other.isBuild()) {
                throw UserError.usage(
                        "%s: another build runs on this machine alone; leave it out, or use compare."
                                .formatted(options.elsewhere()));
            }
            return Measurement.placed(
                    options, terminal, run -> versus(other, asked, run, arguments, terminal));
        }
        if (!asked.matrix().isEmpty()) {
            return Measurement.placed(
                    options, terminal, run -> matrix(asked, run, arguments, terminal));
        }
        final Plan plan =
                arguments.hasMatchedPositional(0)
                        ? asked
                        : new AbsentEngines()
                                .without(
                                        asked,
                                        sentence ->
                                                terminal.err().println("tickmark: " + sentence));
        searchesRepeat(plan, options).ifPresent(terminal.err()::println);
        return new Measurement(terminal, options)
                .run(
                        options.applyTo(
                                arguments.hasMatchedOption(QUICK) ? PlanChanges.quick(plan) : plan,
                                arguments));
    }

    /** What the number of repeats and new processes for each mean to tests that are searches. */
    static Optional<String> searchesRepeat(final Plan plan, final MeasureOptions options) {
        final List<String> searches =
                plan.tests().stream()
                        .filter(test -> test.search() != null)
                        .map(TestPlan::name)
                        .toList();
        return searches.isEmpty() || options.repeats() == 0 && !options.fresh()
                ? Optional.empty()
                : Optional.of(
                        ("tickmark: %s %s: a search has no repeats; 'confirmations' of the plan says how often its answer is"
                                        + " measured again, in new processes.")
                                .formatted(
                                        searches.size() == 1 ? "test" : "tests",
                                        String.join(", ", searches)));
    }

    /** Refuses what would else be passed over in silence. */
    private static void checkComparing(final boolean compares, final ParseResult arguments) {
        if (compares && arguments.hasMatchedOption(QUICK)) {
            throw UserError.usage(
                    "--quick: does each test once, and a comparison lives of its repeats; leave it out, or say with"
                            + " --repeats how many are enough.");
        }
        final SettingOptions options = CompareCommand.options(CompareSettings.class);
        if (!compares) {
            options.values(arguments).keySet().stream()
                    .findFirst()
                    .ifPresent(key -> {
                        throw UserError.usage(
                                "%s: belongs to a comparison; give --vs or a plan with a matrix, or leave it out."
                                        .formatted(options.naming(arguments).apply(key)));
                    });
        }
    }

    /** Repeats are what comparisons live of: five at least where nobody says how many. */
    private static Plan withRepeats(final Plan plan, final int asked) {
        return asked > 0
                ? PlanChanges.withRepeats(plan, asked)
                : plan.withTests(
                        plan.tests().stream()
                                .map(test ->
                                        test.withRepeats(Math.max(FEWEST_REPEATS, test.repeats())))
                                .toList());
    }

    private static int versus(
            final Versus versus,
            final Plan asked,
            final RunOptions run,
            final ParseResult arguments,
            final Terminal terminal) {
        final MeasureOptions options = MeasureOptions.of(arguments);
        final CompareSettings settings = CompareCommand.read(CompareSettings.class, arguments);
        final Plan plan = withRepeats(options.applyTo(asked, arguments), options.repeats());
        final Arm first = new Arm("A", plan, run);
        final Arm typed = versus.arm("B", plan, run);
        final Arm other =
                new Arm(
                        "B",
                        withRepeats(options.applyTo(typed.plan(), arguments), options.repeats()),
                        typed.options());
        final Path folder = folder(run, plan.name() + "-vs");
        return new InterleavedMeasurement(terminal, options, settings, true)
                .run(
                        List.of(into(first, folder.resolve("a")), into(other, folder.resolve("b"))),
                        folder);
    }

    private static int matrix(
            final Plan asked,
            final RunOptions run,
            final ParseResult arguments,
            final Terminal terminal) {
        final MeasureOptions options = MeasureOptions.of(arguments);
        final Plan plan = withRepeats(options.applyTo(asked, arguments), options.repeats());
        // what cannot be done is told before a folder is made
        final MatrixArms arms =
                new MatrixArms(sentence -> terminal.err().println("tickmark: " + sentence));
        arms.of(plan, run, run.results());
        final Path folder = folder(run, plan.name());
        return new InterleavedMeasurement(
                        terminal,
                        options,
                        CompareCommand.read(CompareSettings.class, arguments),
                        false)
                .run(new MatrixArms(sentence -> {}).of(plan, run, folder), folder);
    }

    private static Path folder(final RunOptions run, final String name) {
        return run.out()
                .map(ResultFolder::at)
                .orElseGet(() -> ResultFolder.create(run.results(), name, LocalDateTime.now()))
                .path();
    }

    private static Arm into(final Arm arm, final Path folder) {
        return new Arm(arm.name(), arm.plan(), arm.options().into(folder));
    }
}
