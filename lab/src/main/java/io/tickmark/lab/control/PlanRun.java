package io.tickmark.lab.control;

import io.tickmark.kernel.host.Environment;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.SearchSummary;
import io.tickmark.kernel.result.SearchSummary.Purpose;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.role.CoreDemand;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.json.Json;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.plan.HostsPlan;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.PlanYaml;
import io.tickmark.lab.plan.RoleInstance;
import io.tickmark.lab.plan.RoleResolver;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.result.ResultFolder;
import io.tickmark.lab.result.ResultJson;
import io.tickmark.lab.result.RoleFolders;
import io.tickmark.lab.search.SearchGoal;
import io.tickmark.lab.tail.TailReader;
import io.tickmark.lab.verdict.Aggregates;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.lab.verdict.RunVerdict;
import io.tickmark.lab.verdict.TakenRule;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * One plan that is being run into one folder: its tests on each channel, its rows so far, its
 * result. The caller decides the order. Single-threaded.
 */
final class PlanRun {
    /** Start of the processes of a test, and the rest of a trial that is not measured. */
    private static final long START_NS = TimeUnit.MILLISECONDS.toNanos(1500);

    /** Goal widths where a plan sets none; the capacity of a virtual machine varies more. */
    private static final double WIDTH = 0.01;

    private static final double WIDTH_VIRTUAL = 0.02;

    private static final long BETWEEN_NS = TimeUnit.MILLISECONDS.toNanos(400);

    private final Plan plan;
    private final RunOptions options;
    private final LiveBoard listener;
    private final RunEvents events;
    private final NanoClock clock;
    private final List<TrialResult> rows = new ArrayList<>();
    private final List<SearchSummary> searches = new ArrayList<>();
    private final List<Optional<UserError.Kind>> trialErrors = new ArrayList<>();
    private final TailReader tails = new TailReader();
    private final List<ChannelTest> channelTests;
    private String startedAt;
    private RunKeeper keeper;
    private Map<String, Map<String, Object>> environment = Map.of();

    /**
     * One test on one channel.
     *
     * @param test of the plan
     * @param channel one of its channels
     * @param instances its roles
     * @param expectedNs how long a trial measures
     * @param unavailable why it cannot be run on this host; empty where it can
     */
    record ChannelTest(
            TestPlan test,
            String channel,
            List<RoleInstance> instances,
            long expectedNs,
            Optional<UserError> unavailable) {
        /**
         * The typical number of trials of either length of a search from a good seed, for the
         * progress display.
         */
        private static final int COARSE = 12;

        private static final int FULL = 8;

        int trials() {
            return test.search() == null
                    ? test.repeats()
                    : COARSE + FULL + processesOf(test.search());
        }

        int starts(final boolean isFresh) {
            if (test.search() != null) {
                return processesOf(test.search());
            }
            return isFresh ? test.repeats() : 1;
        }

        /** Servers are started for each trial; where several roles start some, at the same time. */
        long serversStartNs() {
            return instances.stream().mapToLong(RoleInstance::usualStartNs).max().orElse(0);
        }

        long durationNs(final long betweenNs) {
            if (test.search() == null) {
                return test.repeats() * (expectedNs + betweenNs);
            }
            final SearchGoal goal = test.search();
            return COARSE * goal.initialTrial().toNanos()
                    + (FULL + goal.confirmations()) * goal.finalTrial().toNanos()
                    + soaks(goal) * goal.soak().toNanos()
                    + trials() * betweenNs;
        }

        /** Processes of the search itself, and new ones for each confirmation and a soak. */
        private static int processesOf(final SearchGoal goal) {
            return 1 + goal.confirmations() + soaks(goal);
        }

        private static int soaks(final SearchGoal goal) {
            return goal.soak().isZero() ? 0 : 1;
        }
    }

    /**
     * Checks the plan; nothing is started or written.
     *
     * @throws UserError if its settings are wrong, or none of its tests can be run on this host
     */
    PlanRun(
            final Plan plan,
            final RunOptions options,
            final RunListener listener,
            final RunEvents events) {
        this(plan, options, listener, events, SystemNanoClock.INSTANCE);
    }

    /** The same by another clock, which says for which trials there is time. */
    PlanRun(
            final Plan plan,
            final RunOptions options,
            final RunListener listener,
            final RunEvents events,
            final NanoClock clock) {
        this.plan = plan;
        this.options = options;
        this.listener = new LiveBoard(listener, SystemNanoClock.INSTANCE);
        this.events = events;
        this.clock = clock;
        this.channelTests = makeChannelTests();
    }

    Plan plan() {
        return plan;
    }

    List<ChannelTest> channelTests() {
        return channelTests;
    }

    int trials() {
        return channelTests.stream().mapToInt(ChannelTest::trials).sum();
    }

    /**
     * Creates the folder.
     *
     * @throws UserError if it cannot be used
     */
    void open() {
        startedAt = RunResult.timeOf(OffsetDateTime.now());
        keeper = new RunKeeper(options, plan.name(), listener);
        keeper.plan(plan);
        environment =
                new LinkedHashMap<>(
                        Environment.describe(
                                keeper.path().orElse(options.results()), options.libraries()));
        environment.putAll(options.placements().environments());
        keeper.environment(environment);
        keeper.path()
                .ifPresent(folder ->
                        listener.keep(folder, plan.name(), startedAt, trials(), durationNs()));
    }

    Optional<Path> folder() {
        return keeper.path();
    }

    RunOutcome finish() {
        final RunResult result =
                result(RunVerdict.of(rows, searches, events.isInterrupted()), rows, searches);
        keeper.result(result);
        listener.end(result.verdict());
        return new RunOutcome(result, keeper.path(), keeper.problems(), commonError(), tails);
    }

    private RunResult result(
            final RunVerdict verdict,
            final List<TrialResult> rows,
            final List<SearchSummary> searches) {
        return new RunResult(
                RunResult.SCHEMA,
                options.version(),
                startedAt,
                plan.name(),
                verdict.verdict(),
                verdict.reasons(),
                List.copyOf(rows),
                Aggregates.of(rows),
                List.copyOf(searches),
                largestNoise(rows),
                environment,
                null);
    }

    private List<ChannelTest> makeChannelTests() {
        CoreDemand.checkLimit();
        TakenRule.checkLimit();
        final RoleResolver resolver = new RoleResolver(options.catalog());
        final List<ChannelTest> channelTests = new ArrayList<>();
        for (final TestPlan test : plan.tests()) {
            resolver.checkSearch(test);
            for (final String channel : test.channels()) {
                final List<RoleInstance> instances = resolver.resolve(test, channel);
                final long expectedNs =
                        instances.stream()
                                .mapToLong(RoleInstance::expectedDurationNs)
                                .max()
                                .orElse(0);
                channelTests.add(
                        new ChannelTest(
                                test,
                                channel,
                                instances,
                                expectedNs,
                                whyUnavailable(test, instances)));
            }
        }
        if (!channelTests.isEmpty()
                && channelTests.stream()
                        .allMatch(channelTest -> channelTest.unavailable().isPresent())) {
            throw channelTests.getFirst().unavailable().orElseThrow();
        }
        return channelTests;
    }

    /**
     * An error in the plan ends the run; if only something is missing on this host, the other tests
     * are still run.
     */
    private Optional<UserError> whyUnavailable(
            final TestPlan test, final List<RoleInstance> instances) {
        try {
            // an unreachable host is reported now
            final Map<String, Placement> placed = options.placements().place(instances);
            instances.forEach(role -> role.check(instances));
            instances.stream()
                    .filter(role -> placed.get(role.id()).host().equals(HostsPlan.LOCAL))
                    .forEach(RoleInstance::checkHere);
            return Optional.empty();
        } catch (final UserError e) {
            final UserError placed = plan.tests().size() > 1 ? e.at("test " + test.name()) : e;
            if (placed.kind() == UserError.Kind.USAGE) {
                throw placed;
            }
            return Optional.of(placed);
        }
    }

    /** How long all of it takes, including starts of processes and servers, and noise floors. */
    long durationNs() {
        final long noiseNs = plan.noise().toNanos();
        long durationNs = 0;
        for (final ChannelTest channelTest : channelTests) {
            final long startsNs = channelTest.starts(plan.freshProcesses()) * START_NS;
            durationNs +=
                    startsNs
                            + noiseNs
                            + channelTest.durationNs(
                                    noiseNs + BETWEEN_NS + channelTest.serversStartNs());
        }
        return durationNs;
    }

    /** What was measured so far. */
    List<TrialResult> rows() {
        return List.copyOf(rows);
    }

    /** The first channel of a test that the plan has. */
    ChannelTest channelTest(final String name) {
        return channelTests.stream()
                .filter(channelTest -> channelTest.test().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** How often a test on a channel was done so far. */
    int repeatsOf(final ChannelTest channelTest) {
        return rows.stream()
                .filter(row ->
                        row.test().equals(channelTest.test().name())
                                && row.channel().equals(channelTest.channel()))
                .mapToInt(TrialResult::repeat)
                .max()
                .orElse(0);
    }

    /** Brings the rows into the order of the plan's tests. */
    void sort() {
        final List<String> names =
                channelTests.stream().map(channelTest -> channelTest.test().name()).toList();
        rows.sort(Comparator.comparingInt(row -> names.indexOf(row.test())));
    }

    /** Whether another trial would end by then, going by its estimate. */
    boolean isTimeFor(final ChannelTest channelTest, final long untilNs) {
        final long trialNs =
                channelTest.expectedNs()
                        + plan.noise().toNanos()
                        + BETWEEN_NS
                        + channelTest.serversStartNs()
                        + (plan.freshProcesses() ? START_NS : 0);
        return clock.nanoTime() + trialNs - untilNs <= 0;
    }

    /**
     * Runs a test on a channel: its repeats, of which only the first begins where it would not end
     * by then, or its search.
     */
    void run(
            final ChannelTest channelTest,
            final int trialsBefore,
            final int trials,
            final long untilNs) {
        if (channelTest.test().search() != null && channelTest.unavailable().isEmpty()) {
            search(channelTest, trialsBefore, trials);
            return;
        }
        int before = rows.size();
        try (RoleProcesses processes = processes(channelTest)) {
            for (int repeat = 1; repeat <= channelTest.test().repeats(); repeat++) {
                if (!events.isInterrupted() && (repeat == 1 || isTimeFor(channelTest, untilNs))) {
                    run(channelTest, repeat, trialsBefore + repeat, trials, processes);
                    if (plan.freshProcesses()) {
                        processes.end();
                        attributeElsewhere(channelTest.test(), before);
                        before = rows.size();
                    }
                }
            }
        }
        attributeElsewhere(channelTest.test(), before);
    }

    /**
     * The files of roles on other hosts are here once their processes have ended.
     *
     * @param from the first row of these processes
     */
    private void attributeElsewhere(final TestPlan test, final int from) {
        keeper.path()
                .map(RoleFolders::new)
                .ifPresent(folders ->
                        rows.subList(from, rows.size())
                                .replaceAll(row ->
                                        row.roles().stream().allMatch(role -> role.host().isEmpty())
                                                ? row
                                                : attributed(row, test, folders)));
    }

    private TrialResult attributed(
            final TrialResult row, final TestPlan test, final RoleFolders folders) {
        return tails.summary(TailReader.roles(row, folders), row, listener::warned)
                .map(tail -> judged(row, tail, test.criteria()))
                .orElse(row);
    }

    /** A row whose tail became known after its trial. */
    private static TrialResult judged(
            final TrialResult row, final TailSummary tail, final Criteria criteria) {
        return row.verdict() == Verdict.VOID // it has its reasons
                ? row.withTail(tail, Labels.with(row.labels(), tail))
                : TakenRule.applied(row, tail, TakenRule.most(criteria));
    }

    /** Runs one repeat of a test on a channel, in separate processes. */
    void runRepeat(
            final ChannelTest channelTest, final int repeat, final int number, final int trials) {
        final int before = rows.size();
        try (RoleProcesses processes = processes(channelTest)) {
            run(channelTest, repeat, number, trials, processes);
        }
        attributeElsewhere(channelTest.test(), before);
    }

    private RoleProcesses processes(final ChannelTest channelTest) {
        final Map<String, Path> folders =
                keeper.folders(
                        channelTest.test().name(), channelTest.channel(), channelTest.instances());
        return new RoleProcesses(() -> start(channelTest, folders));
    }

    private void run(
            final ChannelTest channelTest,
            final int repeat,
            final int number,
            final int trials,
            final RoleProcesses processes) {
        final TrialKey key =
                new TrialKey(
                        channelTest.test().name(),
                        channelTest.test().workload(),
                        channelTest.channel(),
                        repeat,
                        number,
                        trials,
                        channelTest.expectedNs());
        listener.trialStarted(key);
        keep(
                key,
                channelTest
                        .unavailable()
                        .map(reason -> TrialEnd.notStarted(key, channelTest.test(), reason))
                        .orElseGet(() ->
                                processes.serve(
                                        key,
                                        channelTest.test(),
                                        channelTest.instances(),
                                        tools(plan.noise()))));
    }

    /**
     * Trials of a search are many and short: the noise floor is measured where the answer is
     * confirmed.
     */
    private void search(final ChannelTest channelTest, final int trialsBefore, final int trials) {
        final SearchGoal goal =
                channelTest
                        .test()
                        .search()
                        .withWidth(isVirtual(environment) ? WIDTH_VIRTUAL : WIDTH);
        try (SearchTrials served =
                new SearchTrials(
                        () -> processes(channelTest),
                        new RoleResolver(options.catalog()),
                        channelTest.channel(),
                        tools(Duration.ZERO),
                        plan.noise(),
                        trialsBefore,
                        trials)) {
            final SearchRun.End end =
                    new SearchRun(
                                    channelTest.test(),
                                    channelTest.channel(),
                                    goal,
                                    served,
                                    SystemNanoClock.INSTANCE,
                                    soFar -> keep(soFar, trialsBefore, trials))
                            .run();
            searches.add(end.summary());
            trialErrors.add(end.userError());
            rows.addAll(end.rows());
            final int done = trialsBefore + channelTest.trials();
            if (done < trials) {
                keepPart(rows, searches, done, trials);
            }
            end.rows().forEach(listener::rowFinished);
        }
    }

    /** How many trials a search takes is a guess. */
    private void keep(final SearchRun.End soFar, final int trialsBefore, final int trials) {
        final int done = trialsBefore + soFar.summary().trials().size();
        keepPart(
                Stream.concat(rows.stream(), soFar.rows().stream()).toList(),
                Stream.concat(searches.stream(), Stream.of(soFar.summary())).toList(),
                done,
                Math.max(trials, done));
    }

    private static boolean isVirtual(final Map<String, Map<String, Object>> environment) {
        return Boolean.TRUE.equals(
                environment.getOrDefault("virtualisation", Map.of()).get("virtualMachine"));
    }

    private TrialRun.Tools tools(final Duration noise) {
        return new TrialRun.Tools(
                events,
                SystemNanoClock.INSTANCE,
                listener,
                noise,
                options.connectTimeout(),
                options.wallClock(),
                tails);
    }

    private RoleGroup start(final ChannelTest channelTest, final Map<String, Path> folders) {
        events.forgetProcesses();
        return RoleGroup.start(
                channelTest.instances(),
                options.modules(channelTest.channel()),
                folders,
                plan.explain(),
                options,
                events.queue(),
                keeper::warnOnce);
    }

    /** Results are written at once: only the running trial is lost with the controller. */
    private void keep(final TrialKey key, final TrialEnd end) {
        trialErrors.add(end.userError());
        rows.addAll(end.rows());
        if (key.number() < key.of()) {
            keepPart(rows, searches, key.number(), key.of());
        }
        end.rows().forEach(listener::rowFinished);
    }

    private void keepPart(
            final List<TrialResult> rowsSoFar,
            final List<SearchSummary> searchesSoFar,
            final int done,
            final int all) {
        keeper.result(
                result(
                        RunVerdict.partial(rowsSoFar, searchesSoFar, done, all),
                        rowsSoFar,
                        searchesSoFar));
    }

    /** The user error if all trials are void because of one, with the kind of the first. */
    private Optional<UserError.Kind> commonError() {
        final boolean nothingDone =
                rows.stream().allMatch(row -> row.verdict() == Verdict.VOID)
                        && trialErrors.stream().allMatch(Optional::isPresent);
        return nothingDone
                ? trialErrors.stream().flatMap(Optional::stream).findFirst()
                : Optional.empty();
    }

    private static NoiseSummary largestNoise(final List<TrialResult> rows) {
        return rows.stream()
                .flatMap(row ->
                        Stream.of(
                                Optional.ofNullable(row.noiseBefore()),
                                Optional.ofNullable(row.noiseAfter())))
                .flatMap(Optional::stream)
                .max(Comparator.comparingLong(NoiseSummary::maxNs))
                .orElse(null);
    }

    /**
     * Keeps the files of a run. When one cannot be written, this is reported once and the run
     * continues: the figures in memory are printed nevertheless.
     */
    private static final class RunKeeper {
        private final RunListener listener;
        private final List<String> problems = new ArrayList<>();
        private final Optional<ResultFolder> folder;

        RunKeeper(final RunOptions options, final String plan, final RunListener listener) {
            this.listener = listener;
            folder = open(options, plan);
        }

        private Optional<ResultFolder> open(final RunOptions options, final String plan) {
            try {
                return Optional.of(
                        options.out()
                                .map(ResultFolder::at)
                                .orElseGet(() ->
                                        ResultFolder.create(
                                                options.results(), plan, LocalDateTime.now())));
            } catch (final UserError e) {
                if (options.out().isPresent()) {
                    throw e; // the user's own choice, and nothing has been lost yet
                }
                warnOnce(e);
                return Optional.empty();
            }
        }

        Optional<Path> path() {
            return folder.map(ResultFolder::path);
        }

        List<String> problems() {
            return problems;
        }

        void plan(final Plan plan) {
            keep(open -> open.write(ResultFolder.PLAN, PlanYaml.write(plan)));
        }

        void environment(final Map<String, Map<String, Object>> environment) {
            keep(open -> open.write(ResultFolder.ENVIRONMENT, Json.text(environment)));
        }

        void result(final RunResult result) {
            final List<Map<String, Object>> noise = new ArrayList<>();
            for (final TrialResult row : result.trials()) {
                if (row.step() == 0 && row.noiseBefore() != null) {
                    noise.add(noise(row));
                }
            }
            keep(open -> {
                open.write(ResultFolder.RESULT, ResultJson.write(result));
                open.write(ResultFolder.NOISE, Json.text(noise));
            });
        }

        private static Map<String, Object> noise(final TrialResult row) {
            final Map<String, Object> noise = new LinkedHashMap<>();
            noise.put("test", row.test());
            noise.put("channel", row.channel());
            noise.put("repeat", row.repeat());
            noise.put("before", row.noiseBefore());
            if (row.noiseAfter() != null) {
                noise.put("after", row.noiseAfter());
            }
            return noise;
        }

        /** Folders of roles by id; none where none can be created. */
        Map<String, Path> folders(
                final String test, final String channel, final List<RoleInstance> instances) {
            final Map<String, Path> folders = new HashMap<>();
            keep(open ->
                    instances.forEach(role ->
                            folders.put(
                                    role.id(),
                                    open.role(test, channel, role.id()).toAbsolutePath())));
            return folders;
        }

        private void keep(final Consumer<ResultFolder> writing) {
            try {
                folder.ifPresent(writing);
            } catch (final UserError e) {
                warnOnce(e);
            }
        }

        /** Reports once which of the run's files are missing. */
        void warnOnce(final UserError e) {
            if (!problems.contains(e.getMessage())) {
                problems.add(e.getMessage());
                listener.warned(e.getMessage());
            }
        }
    }

    /** The trials of one search: roles of warm processes, each trial with its rate and length. */
    static final class SearchTrials implements SearchRun.Trials, AutoCloseable {
        private final Supplier<RoleProcesses> starter;
        private final RoleResolver resolver;
        private final String channel;
        private final TrialRun.Tools tools;
        private final Duration noise;
        private final int trialsBefore;
        private final int trials;
        private RoleProcesses processes;
        private int served;

        /**
         * Trials on a channel; {@code tools} do not measure the noise floor, those of trials at the
         * answer measure it for {@code noise}.
         */
        SearchTrials(
                final Supplier<RoleProcesses> starter,
                final RoleResolver resolver,
                final String channel,
                final TrialRun.Tools tools,
                final Duration noise,
                final int trialsBefore,
                final int trials) {
            this.starter = starter;
            this.resolver = resolver;
            this.channel = channel;
            this.tools = tools;
            this.noise = noise;
            this.trialsBefore = trialsBefore;
            this.trials = trials;
            processes = starter.get();
        }

        @Override
        public Optional<TrialEnd> serve(
                final TestPlan changed, final Purpose purpose, final boolean isInNewProcesses) {
            if (tools.events().isInterrupted()) {
                return Optional.empty();
            }
            if (isInNewProcesses) {
                processes.close();
                processes = starter.get();
            }
            served++;
            final List<RoleInstance> instances;
            try {
                instances = resolver.resolve(warmingUp(changed, purpose), channel);
            } catch (final UserError e) { // a rate that a role refuses
                return Optional.of(TrialEnd.notStarted(key(changed, List.of()), changed, e));
            }
            final TrialKey key = key(changed, instances);
            tools.listener().trialStarted(key);
            final TrialRun.Tools used =
                    new TrialRun.Tools(
                            tools.events(),
                            tools.clock(),
                            tools.listener(),
                            isOfTheAnswer(purpose) ? noise : tools.noise(),
                            tools.connectTimeout(),
                            tools.wallClock(),
                            tools.tails());
            return Optional.of(processes.serve(key, changed, instances, used));
        }

        private static boolean isOfTheAnswer(final Purpose purpose) {
            return purpose == Purpose.CONFIRMATION || purpose == Purpose.SOAK;
        }

        /** With as much of its warm-up as the trial needs. */
        private TestPlan warmingUp(final TestPlan changed, final Purpose purpose) {
            if (processes.areWarm()) {
                return resolver.warm(changed, channel);
            }
            return purpose == Purpose.SEED ? resolver.burst(changed, channel) : changed;
        }

        @Override
        public List<TrialResult> examined(final List<TrialResult> rows, final Criteria criteria) {
            return rows.stream()
                    .map(row ->
                            row.tail() == null
                                    ? tools.tails()
                                            .summary(row, tools.listener()::warned)
                                            .map(tail -> judged(row, tail, criteria))
                                            .orElse(row)
                                    : row)
                    .toList();
        }

        private TrialKey key(final TestPlan changed, final List<RoleInstance> instances) {
            final int number = trialsBefore + served;
            return new TrialKey(
                    changed.name(),
                    changed.workload(),
                    channel,
                    served,
                    number,
                    Math.max(trials, number),
                    instances.stream().mapToLong(RoleInstance::expectedDurationNs).max().orElse(0));
        }

        @Override
        public void close() {
            processes.close();
        }
    }

    /**
     * Role processes for the trials of one test on one channel: kept from trial to trial while they
     * are intact, restarted after a trial that lost one.
     */
    static final class RoleProcesses implements AutoCloseable {
        private final Supplier<RoleGroup> starter;
        private Optional<RoleGroup> running = Optional.empty();
        private Optional<NoiseSummary> noise = Optional.empty();

        RoleProcesses(final Supplier<RoleGroup> starter) {
            this.starter = starter;
        }

        /** Runs one trial; the noise floor after one is that before the next. */
        TrialEnd serve(
                final TrialKey key,
                final TestPlan test,
                final List<RoleInstance> instances,
                final TrialRun.Tools tools) {
            final boolean isFresh = running.isEmpty();
            if (isFresh) {
                try {
                    running = Optional.of(starter.get());
                } catch (final UserError e) {
                    return TrialEnd.notStarted(key, test, e);
                }
            }
            final TrialEnd end =
                    new TrialRun(key, test, instances, running.get(), tools).run(noise, isFresh);
            noise = end.noiseAfter();
            if (!end.isGroupWhole()) {
                running.get().kill();
                running = Optional.empty();
                noise = Optional.empty();
            }
            return end;
        }

        /** Whether they have run a trial and are there for the next. */
        boolean areWarm() {
            return running.isPresent();
        }

        /** Shuts them down in an orderly way; the next trial starts new ones. */
        void end() {
            running.ifPresent(RoleGroup::close);
            running = Optional.empty();
        }

        /** Ends them, including those of a trial that was aborted by a defect. */
        @Override
        public void close() {
            end();
        }
    }
}
