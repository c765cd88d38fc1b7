package io.tickmark.cli.command;

import io.tickmark.cli.option.MeasureOptions;
import io.tickmark.cli.option.PlanChanges;
import io.tickmark.cli.option.PlanSettings;
import io.tickmark.cli.option.SettingOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.run.AbsentEngines;
import io.tickmark.cli.run.Combinations;
import io.tickmark.cli.run.InterleavedMeasurement;
import io.tickmark.cli.run.Machines;
import io.tickmark.cli.run.Measurement;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.compare.CompareSettings;
import io.tickmark.lab.control.InterleavedRun.Variant;
import io.tickmark.lab.control.RunOptions;
import io.tickmark.lab.place.ClassPaths;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.result.ResultFolder;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.Transports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code run}: runs one or several plans. */
final class RunCommand implements Command {
    private static final String DEFAULT_PLAN = "default";
    private static final String SET = "--set";
    private static final String CHANNEL = "--channel";
    private static final String STORE = "--store";
    private static final String VERSUS = "--vs";
    private static final String QUICK = "--quick";
    private static final int FEWEST_REPEATS = 5;

    /** In a matrix, represents one channel of each available kind. */
    private static final String EVERY_ENGINE = "every-engine";

    /**
     * Options of a gate for a build.
     *
     * @param mustSee degradation that has to be detected, as a part; 0 where no gate is requested
     */
    private record GateSettings(
            @Setting(
                            help =
                                    "With --vs, pass or fail the change: a degradation of this size must be detectable in"
                                            + " rate, median and 99th percentile. The first side is measured twice, in turn"
                                            + " with the other; the difference between those two measurements is taken as"
                                            + " noise. Exit code 4 (undecided) if nothing is worse but such a degradation"
                                            + " could have gone unnoticed.",
                            byDefault = "0",
                            unit = Setting.PART,
                            min = 0,
                            max = 10,
                            label = "PART")
                    double mustSee) {}

    RunCommand() {}

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Runs plans: starts their roles, measures, prints tables and a verdict, and leaves a result"
                                + " folder"
                                + " with a report. 'tickmark plans' lists the plans that come with tickmark.");
        spec.addPositional(
                PositionalParamSpec.builder()
                        .paramLabel("PLAN")
                        .arity("0..*")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .description(
                                "Name of a shipped plan, or path of a plan file (default: the default plan).")
                        .build());
        spec.addOption(
                texts(
                        SET,
                        "KEY=VALUE",
                        "Overrides the plan: a setting of its roles, channel, jvm.heap, jvm.collector or jvm.options;"
                                + " may be repeated."));
        spec.addOption(
                texts(
                        CHANNEL,
                        "URI",
                        "Channel in place of the plan's; given several times, the channels take turns and are"
                                + " compared, in a plan with a matrix in place of the channels there."));
        spec.addOption(
                OptionSpec.builder(STORE)
                        .type(String.class)
                        .arity("1")
                        .paramLabel("URI")
                        .description(
                                "Store in place of those of the plan, with the deletion and members that each test asks for;"
                                        + " its tests without a store take the same engine.")
                        .build());
        spec.addOption(
                texts(
                        VERSUS,
                        "OTHER",
                        "Measure this as well, taking turns, and compare: the folder of another build, KEY=VALUE (may be"
                                + " repeated), a channel, or a plan. At least 5 repeats unless --repeats says otherwise."));
        CompareCommand.options(CompareSettings.class).addTo(spec);
        CompareCommand.options(GateSettings.class).addTo(spec);
        spec.addOption(
                OptionSpec.builder(QUICK)
                        .type(boolean.class)
                        .arity("0")
                        .description(
                                "Takes much less time, and is correspondingly less exact: searches with trials of a second,"
                                        + " short warm-ups,"
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
        final List<String> channels = arguments.matchedOptionValue(CHANNEL, List.of());
        checkChannels(channels, settings, !versus.isEmpty());
        final Plan asked =
                settings.change(
                        onChannels(
                                onStore(
                                        PlanChanges.joined(
                                                names.stream().map(library::find).toList()),
                                        arguments,
                                        terminal),
                                channels),
                        SET);
        checkComparing(!versus.isEmpty() || !asked.matrix().isEmpty(), arguments);
        if (!versus.isEmpty()) {
            if (!asked.matrix().isEmpty()) {
                throw UserError.usage(
                        "--vs: plan %s has a matrix, which is a comparison already; name a plan without one."
                                .formatted(asked.name()));
            }
            final Versus other = new Versus(versus, library);
            if (!options.elsewhere().isEmpty() && other.isBuild()) {
                throw UserError.usage(
                        "%s: another build runs on this machine only; leave it out, or use compare."
                                .formatted(options.elsewhere()));
            }
            try (Machines machines = Machines.open(options, terminal)) {
                return versus(other, asked, machines.runs(), arguments, terminal);
            }
        }
        if (!asked.matrix().isEmpty()) {
            try (Machines machines = Machines.open(options, terminal)) {
                return matrix(asked, machines.runs(), arguments, terminal);
            }
        }
        final Plan plan =
                arguments.hasMatchedPositional(0)
                        ? asked
                        : new AbsentEngines(options.elsewhere().isEmpty())
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

    private static Plan onStore(
            final Plan plan, final ParseResult arguments, final Terminal terminal) {
        if (!arguments.hasMatchedOption(STORE)) {
            return plan;
        }
        if (arguments.hasMatchedOption(CHANNEL)) {
            throw UserError.usage(STORE + ": " + CHANNEL + " is given too; leave one of them out.");
        }
        final String store = arguments.matchedOptionValue(STORE, "");
        return PlanChanges.onStore(
                plan,
                ChannelUri.parse(store),
                sentence -> terminal.err().println("tickmark: " + sentence));
    }

    private static void checkChannels(
            final List<String> channels, final PlanSettings settings, final boolean versus) {
        if (!channels.isEmpty() && settings.values().containsKey(PlanSettings.CHANNEL)) {
            throw UserError.usage(
                    CHANNEL + ": --set channel= is given too; leave one of them out.");
        }
        if (channels.size() > 1 && versus) {
            throw UserError.usage(
                    "--vs: several --channel options are a comparison already; give one, or leave --vs out.");
        }
        final Transports transports = new Transports();
        final Set<String> seen = new HashSet<>();
        for (final String channel : channels) {
            final ChannelUri uri = ChannelUri.parse(channel);
            transports.of(uri).traits(uri);
            if (!seen.add(channel)) {
                throw UserError.usage(
                        "%s %s: is given twice; leave one out.".formatted(CHANNEL, channel));
            }
        }
    }

    /**
     * The plan on other channels, with its word for all channels replaced by the available ones.
     */
    static Plan onChannels(final Plan plan, final List<String> channels) {
        final Map<String, List<String>> matrix = new LinkedHashMap<>(plan.matrix());
        if (channels.size() == 1) {
            matrix.remove(PlanSettings.CHANNEL);
            return new PlanSettings(Map.of(PlanSettings.CHANNEL, channels.getFirst()))
                    .change(plan.withMatrix(matrix), CHANNEL);
        }
        if (!channels.isEmpty()) {
            matrix.put(PlanSettings.CHANNEL, channels);
        }
        matrix.computeIfPresent(
                PlanSettings.CHANNEL,
                (key, named) ->
                        named.stream()
                                .flatMap(channel ->
                                        channel.equals(EVERY_ENGINE)
                                                ? compared()
                                                : Stream.of(channel))
                                .distinct()
                                .toList());
        return plan.withMatrix(matrix);
    }

    private static Stream<String> compared() {
        return new Transports()
                .kinds().stream().filter(Transport.Kind::isCompared).map(Transport.Kind::channel);
    }

    /** The meaning of the number of repeats and of new processes for tests that are searches. */
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

    /** Refuses options that would otherwise be silently ignored. */
    private static void checkComparing(final boolean compares, final ParseResult arguments) {
        if (compares && arguments.hasMatchedOption(QUICK)) {
            throw UserError.usage(
                    "--quick: runs each test once, and a comparison needs repeats; leave it out, or say with --repeats"
                            + " how many are enough.");
        }
        if (!compares) {
            refuse(
                    CompareSettings.class,
                    arguments,
                    "%s: only valid in a comparison; give --vs or a plan with a matrix, or leave it out.");
        }
        if (!arguments.hasMatchedOption(VERSUS)) {
            refuse(
                    GateSettings.class,
                    arguments,
                    "%s: compares two sides; add --vs to name the other side, or drop this option.");
        }
    }

    private static void refuse(
            final Class<? extends Record> settings,
            final ParseResult arguments,
            final String sentence) {
        final SettingOptions options = CompareCommand.options(settings);
        options.values(arguments).keySet().stream()
                .findFirst()
                .ifPresent(key -> {
                    throw UserError.usage(sentence.formatted(options.naming(arguments).apply(key)));
                });
    }

    /** Comparisons depend on repeats: at least five by default. */
    private static Plan withRepeats(final Plan plan, final int asked) {
        return asked > 0
                ? PlanChanges.withRepeats(plan, asked)
                : plan.withTests(
                        plan.tests().stream()
                                .map(test ->
                                        test.withRepeats(Math.max(FEWEST_REPEATS, test.repeats())))
                                .toList());
    }

    /** The author of a matrix over many channels may choose fewer, so that it takes minutes. */
    private static boolean saysRepeats(final Plan plan) {
        return plan.tests().stream().allMatch(test -> test.repeats() > 1);
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
        final Variant first = new Variant("A", plan, run);
        final Variant typed = versus.other("B", plan, run);
        final Variant other =
                new Variant(
                        "B",
                        withRepeats(options.applyTo(typed.plan(), arguments), options.repeats()),
                        typed.options());
        final double mustSee = CompareCommand.read(GateSettings.class, arguments).mustSee();
        if (mustSee == 0) {
            refuse(
                    GateSettings.class,
                    arguments,
                    "%s: no machine can rule out every change; write how large one must not go unnoticed, for example 10%%.");
        }
        final Path folder = folder(run, plan.name() + "-vs"); // it exists from here on
        final List<Variant> runs = new ArrayList<>();
        runs.add(into(first, folder.resolve("a")));
        runs.add(into(other, folder.resolve("b")));
        if (mustSee > 0) {
            runs.add(into(new Variant("A again", plan, run), folder.resolve("a-again")));
        }
        return new InterleavedMeasurement(terminal, options, settings, true, mustSee)
                .run(runs, folder);
    }

    private static int matrix(
            final Plan asked,
            final RunOptions run,
            final ParseResult arguments,
            final Terminal terminal) {
        final MeasureOptions options = MeasureOptions.of(arguments);
        final Plan applied = options.applyTo(asked, arguments);
        final Plan plan =
                options.repeats() == 0 && saysRepeats(applied)
                        ? applied
                        : withRepeats(applied, options.repeats());
        // impossible combinations are reported before a folder is created
        new Combinations(sentence -> terminal.err().println("tickmark: " + sentence))
                .of(plan, run, run.results());
        final Path folder = folder(run, plan.name());
        return new InterleavedMeasurement(
                        terminal,
                        options,
                        CompareCommand.read(CompareSettings.class, arguments),
                        false,
                        0)
                .run(new Combinations(sentence -> {}).of(plan, run, folder), folder);
    }

    private static Path folder(final RunOptions run, final String name) {
        return run.out()
                .map(ResultFolder::at)
                .orElseGet(() -> ResultFolder.create(run.results(), name, LocalDateTime.now()))
                .path();
    }

    private static Variant into(final Variant one, final Path folder) {
        return new Variant(one.name(), one.plan(), one.options().into(folder));
    }

    /**
     * What a plan is compared with: another build (its folder), other settings ({@code key=value}),
     * a channel, or another plan; distinguished by syntax.
     */
    private static final class Versus {
        private final List<String> typed;
        private final PlanLibrary library;

        /**
         * Reads what was typed.
         *
         * @param typed after the option; several only where they are settings
         * @param library where plans are found
         * @throws UserError if several are not settings
         */
        Versus(final List<String> typed, final PlanLibrary library) {
            this.typed = typed;
            this.library = library;
            if (typed.size() > 1 && !typed.stream().allMatch(PlanSettings::isSetting)) {
                throw UserError.usage(
                        "--vs may be repeated for settings (key=value) only; name one build, one plan or one channel.");
            }
        }

        /**
         * Whether it is another build.
         *
         * @return true where a folder was typed
         */
        boolean isBuild() {
            return Files.isDirectory(Path.of(typed.getFirst()));
        }

        /**
         * The other side.
         *
         * @param name of that side
         * @param plan of the first side
         * @param options of the first side
         * @return what takes turns with it
         */
        Variant other(final String name, final Plan plan, final RunOptions options) {
            final String first = typed.getFirst();
            if (isBuild()) {
                final ClassPaths build = ClassPaths.ofBuild(Path.of(first));
                final RunOptions there =
                        options.withBuild(build, build.version().orElse("unknown"));
                there.checkModules(plan);
                return new Variant(name, plan, there);
            }
            if (isChannel(first)) {
                return new Variant(
                        name,
                        PlanSettings.read(VERSUS, List.of(PlanSettings.CHANNEL + "=" + first))
                                .applyTo(plan, VERSUS),
                        options);
            }
            if (PlanSettings.isSetting(first)) {
                return new Variant(
                        name, PlanSettings.read(VERSUS, typed).applyTo(plan, VERSUS), options);
            }
            return new Variant(name, plan(first), options);
        }

        private Plan plan(final String name) {
            try {
                return library.find(name);
            } catch (final UserError e) {
                throw UserError.usage(
                        "--vs %s is not a folder of another build, a setting (key=value), a channel or a plan: %s"
                                .formatted(name, e.getMessage()));
            }
        }

        private static boolean isChannel(final String text) {
            final int colon = text.indexOf(':');
            return colon > 0
                    && text.substring(0, colon).matches("[a-z][a-z0-9+-]*")
                    && new Transports().all().containsKey(text.substring(0, colon));
        }
    }
}
