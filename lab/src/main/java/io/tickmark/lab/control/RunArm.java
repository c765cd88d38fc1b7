package io.tickmark.lab.control;

import io.tickmark.kernel.host.Environment;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.SearchSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.Casting;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.RoleInstance;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.search.SearchGoal;
import io.tickmark.lab.verdict.Aggregates;
import io.tickmark.lab.verdict.RunVerdict;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.concurrent.SystemNanoClock;

/**
 * One plan that is being run into one folder: its legs, its rows so far, its result. What is done
 * in which order is its caller's business. Single thread.
 */
final class RunArm {
    /** Start of the processes of a test, and the rest of a trial that is not measured. */
    private static final long START_NS = TimeUnit.MILLISECONDS.toNanos(1500);

    /** Goal widths where a plan says none; the capacity of a virtual machine wanders more. */
    private static final double WIDTH = 0.01;

    private static final double WIDTH_VIRTUAL = 0.02;

    private static final long BETWEEN_NS = TimeUnit.MILLISECONDS.toNanos(400);

    private final Plan plan;
    private final RunOptions options;
    private final LiveBoard listener;
    private final Inbox inbox;
    private final List<TrialResult> rows = new ArrayList<>();
    private final List<SearchSummary> searches = new ArrayList<>();
    private final List<Optional<UserError.Kind>> trialErrors = new ArrayList<>();
    private final List<Leg> legs;
    private String startedAt;
    private RunKeeper keeper;
    private Map<String, Map<String, Object>> environment = Map.of();

    /**
     * One test on one channel.
     *
     * @param test of the plan
     * @param channel one of its channels
     * @param cast its roles
     * @param expectedNs how long a trial measures
     * @param hindrance why it cannot be done on this host
     */
    record Leg(
            TestPlan test,
            String channel,
            List<RoleInstance> cast,
            long expectedNs,
            Optional<UserError> hindrance) {
        int trials() {
            return test.search() == null ? test.repeats() : SearchEstimate.trials(test.search());
        }

        int starts(final boolean isFresh) {
            return test.search() == null
                    ? isFresh ? test.repeats() : 1
                    : SearchEstimate.starts(test.search());
        }

        long durationNs(final long betweenNs) {
            return test.search() == null
                    ? test.repeats() * (expectedNs + betweenNs)
                    : SearchEstimate.measuredNs(test.search()) + trials() * betweenNs;
        }
    }

    /**
     * Checks the plan; nothing is started or written.
     *
     * @throws UserError if its settings are wrong, or nothing of it can be done on this host
     */
    RunArm(
            final Plan plan,
            final RunOptions options,
            final RunListener listener,
            final Inbox inbox) {
        this.plan = plan;
        this.options = options;
        this.listener = new LiveBoard(listener, SystemNanoClock.INSTANCE);
        this.inbox = inbox;
        this.legs = makeLegs();
    }

    Plan plan() {
        return plan;
    }

    List<Leg> legs() {
        return legs;
    }

    int trials() {
        return legs.stream().mapToInt(Leg::trials).sum();
    }

    /**
     * Makes the folder.
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
                result(RunVerdict.of(rows, searches, inbox.isInterrupted()), rows, searches);
        keeper.result(result);
        listener.end(result.verdict());
        return new RunOutcome(result, keeper.path(), keeper.problems(), commonError());
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
                environment);
    }

    private List<Leg> makeLegs() {
        final Casting casting = new Casting(options.catalog());
        final List<Leg> legs = new ArrayList<>();
        for (final TestPlan test : plan.tests()) {
            casting.checkSearch(test);
            for (final String channel : test.channels()) {
                final List<RoleInstance> cast = casting.cast(test, channel);
                final long expectedNs =
                        cast.stream().mapToLong(RoleInstance::expectedDurationNs).max().orElse(0);
                legs.add(new Leg(test, channel, cast, expectedNs, hindrance(test, cast)));
            }
        }
        if (!legs.isEmpty() && legs.stream().allMatch(leg -> leg.hindrance().isPresent())) {
            throw legs.getFirst().hindrance().orElseThrow();
        }
        return legs;
    }

    /** A mistake ends the run; what is only missing here leaves the other tests to be done. */
    private Optional<UserError> hindrance(final TestPlan test, final List<RoleInstance> cast) {
        try {
            options.placements().place(cast); // a host that is not there is said now
            cast.forEach(role -> role.check(cast));
            return Optional.empty();
        } catch (final UserError e) {
            final UserError placed = plan.tests().size() > 1 ? e.at("test " + test.name()) : e;
            if (placed.kind() == UserError.Kind.USAGE) {
                throw placed;
            }
            return Optional.of(placed);
        }
    }

    /** How long all of it takes, starts of processes and noise floors included. */
    long durationNs() {
        final long noiseNs = plan.noise().toNanos();
        long durationNs = 0;
        for (final Leg leg : legs) {
            final long startsNs = leg.starts(plan.freshProcesses()) * START_NS;
            durationNs += startsNs + noiseNs + leg.durationNs(noiseNs + BETWEEN_NS);
        }
        return durationNs;
    }

    /** Does a leg: all its repeats, or its search. */
    void run(final Leg leg, final int trialsBefore, final int trials) {
        if (leg.test().search() != null && leg.hindrance().isEmpty()) {
            search(leg, trialsBefore, trials);
            return;
        }
        try (RoleProcesses processes = processes(leg)) {
            for (int repeat = 1; repeat <= leg.test().repeats(); repeat++) {
                if (!inbox.isInterrupted()) {
                    if (plan.freshProcesses()) {
                        processes.end();
                    }
                    run(leg, repeat, trialsBefore + repeat, trials, processes);
                }
            }
        }
    }

    /** Does one repeat of a leg, in processes of its own. */
    void runRepeat(final Leg leg, final int repeat, final int number, final int trials) {
        try (RoleProcesses processes = processes(leg)) {
            run(leg, repeat, number, trials, processes);
        }
    }

    private RoleProcesses processes(final Leg leg) {
        final Map<String, Path> folders =
                keeper.folders(leg.test().name(), leg.channel(), leg.cast());
        return new RoleProcesses(() -> start(leg, folders));
    }

    private void run(
            final Leg leg,
            final int repeat,
            final int number,
            final int trials,
            final RoleProcesses processes) {
        final TrialKey key =
                new TrialKey(
                        leg.test().name(),
                        leg.test().workload(),
                        leg.channel(),
                        repeat,
                        number,
                        trials,
                        leg.expectedNs());
        listener.trialStarted(key);
        keep(
                key,
                leg.hindrance()
                        .map(reason -> TrialEnd.notStarted(key, leg.test(), reason))
                        .orElseGet(() ->
                                processes.serve(key, leg.test(), leg.cast(), tools(plan.noise()))));
    }

    /**
     * Trials of a search are many and short: the noise floor is watched where the answer is held.
     */
    private void search(final Leg leg, final int trialsBefore, final int trials) {
        final SearchGoal goal =
                leg.test().search().withWidth(isVirtual(environment) ? WIDTH_VIRTUAL : WIDTH);
        try (SearchTrials served =
                new SearchTrials(
                        () -> processes(leg),
                        new Casting(options.catalog()),
                        leg.channel(),
                        tools(Duration.ZERO),
                        plan.noise(),
                        trialsBefore,
                        trials)) {
            final SearchRun.End end =
                    new SearchRun(
                                    leg.test(),
                                    leg.channel(),
                                    goal,
                                    served,
                                    SystemNanoClock.INSTANCE,
                                    soFar -> keep(soFar, trialsBefore, trials))
                            .run();
            searches.add(end.summary());
            trialErrors.add(end.userError());
            rows.addAll(end.rows());
            final int done = trialsBefore + leg.trials();
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
                inbox,
                SystemNanoClock.INSTANCE,
                listener,
                noise,
                options.connectTimeout(),
                options.wallClock());
    }

    private RoleGroup start(final Leg leg, final Map<String, Path> folders) {
        final int colon = leg.channel().indexOf(':');
        final List<String> modules =
                colon < 0 ? List.of() : options.engines().apply(leg.channel().substring(0, colon));
        inbox.forgetProcesses();
        return RoleGroup.start(leg.cast(), modules, folders, options, inbox.events(), keeper::tell);
    }

    /**
     * What is done is kept at once: nothing but the trial that runs is lost with the controller.
     */
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

    /** The user's error where all trials are void for such, the first one's kind. */
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
}
