package io.tickmark.lab.control;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.host.ClockCheck;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.control.RoleState.Stage;
import io.tickmark.lab.control.RunEvents.LinkEvent;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.plan.RoleInstance;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.protocol.ToRole;
import io.tickmark.lab.tail.ControllerNotes;
import io.tickmark.lab.tail.TailReader;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.lab.verdict.TakenRule;
import io.tickmark.lab.verdict.TrialFacts;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.NanoClock;

/**
 * Leads the roles of one trial from preparing to their results; single-threaded. All waits are
 * limited, and any failure makes the trial void with a sentence.
 */
final class TrialRun {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    /** A JVM starts in half a second; a loaded machine may take many times that. */
    private static final long HELLO_NS = 60 * SECOND_NS;

    private static final long PREPARE_NS = 60 * SECOND_NS;
    private static final long SLACK_NS = 30 * SECOND_NS;

    /** Roles report each second; on a loaded machine some of these reports may be missing. */
    private static final long SILENCE_NS = 15 * SECOND_NS;

    /** Longer than it takes to detect a lost host, which is a better reason. */
    private static final long SILENCE_ELSEWHERE_NS = 30 * SECOND_NS;

    private static final long STOP_NS = 10 * SECOND_NS;

    /** Checks of all roles are not repeated after every line of one of them. */
    private static final long LIMIT_LOOK_NS = SECOND_NS / 10;

    private final TrialKey key;
    private final TestPlan test;
    private final RoleGroup group;
    private final Tools tools;
    private final NanoClock clock;
    private final HostThreads planner;
    private final HostClocks clocks;
    private final Map<Placement, RoleLink> machines;
    private final TrialState state;

    /** Part of the time for which the machine may take a hot thread's core. */
    private final double mostTaken;

    private final List<String> voids = new ArrayList<>();
    private boolean observersStopped;

    /** How long the last role took to answer the order to connect. */
    private long connectingNs;

    private final List<String> labels = new ArrayList<>();
    private Optional<UserError.Kind> userError = Optional.empty();
    private NoiseSummary noiseBefore;
    private NoiseSummary noiseAfter;

    /**
     * What all trials of a run share.
     *
     * @param events of the run
     * @param clock monotonic
     * @param listener of the run
     * @param noise how long the noise floor is measured, zero for none
     * @param connectTimeout how long roles may look for each other
     * @param wallClock watched for steps
     * @param tails reads what the roles noted of stalls
     */
    record Tools(
            RunEvents events,
            NanoClock clock,
            RunListener listener,
            Duration noise,
            Duration connectTimeout,
            EpochNanoClock wallClock,
            TailReader tails) {}

    TrialRun(
            final TrialKey key,
            final TestPlan test,
            final List<RoleInstance> instances,
            final RoleGroup group,
            final Tools tools) {
        this.key = key;
        this.test = test;
        mostTaken = TakenRule.most(test.criteria());
        this.group = group;
        this.tools = tools;
        clock = tools.clock();
        clocks = new HostClocks(clock);
        planner = new HostThreads(instances, group::placement);
        machines = group.firstOnEach(instances);
        state =
                new TrialState(
                        key,
                        instances.stream()
                                .map(role ->
                                        new RoleState(
                                                role,
                                                group.link(role),
                                                planner.of(role),
                                                group.placement(role).host()))
                                .toList(),
                        clock,
                        tools.listener());
    }

    /** Runs the trial; {@code known} is a noise floor that these processes measured just before. */
    TrialEnd run(final Optional<NoiseSummary> known, final boolean isFresh) {
        try {
            if (isFresh) {
                awaitHello();
            } else {
                group.links().forEach(state::meet);
            }
            noiseBefore = known.isPresent() ? known.get() : noise();
            clocks.align(machines.keySet());
            prepare();
            connect();
            clocks.align(machines.keySet());
            clocks.set(group, state.roles());
            final long beganNs = clock.nanoTime();
            // the controller must not disturb the measurement
            try (Affinity.ClearedCores _ = Affinity.keepOff(planner.plannedHere())) {
                measure(isFresh);
            }
            voids.addAll(HostClocks.late(state.roles()));
            voids.addAll(clocks.settle(group, state.roles(), clock.nanoTime() - beganNs));
            if (state.isWhole()) {
                noiseAfter = noise();
            }
        } catch (final TrialVoid e) {
            voids.add(e.getMessage());
            userError = e.kind();
            clocks.endWatch();
            stop();
        }
        voids.addAll(state.failures()); // for a void trial too: there they are often the cause
        if (state.isAnyKilled()) {
            labels.add(Labels.ROLE_KILLED);
            state.chargeKilled();
        }
        final TrialFacts facts =
                new TrialFacts(
                        test.name(),
                        test.workload(),
                        key.channel(),
                        key.repeat(),
                        planner.hotThreads(),
                        planner.cores(),
                        noiseBefore,
                        noiseAfter,
                        test.criteria(),
                        test.search() != null,
                        voids,
                        labels,
                        state.roles().stream().map(RoleState::summary).toList());
        return new TrialEnd(
                withTails(state.merge().rows(facts)),
                Optional.ofNullable(noiseAfter),
                voids.isEmpty() && state.isWhole(),
                userError);
    }

    /**
     * The rows with the attribution of their tails from the files that the roles have just closed;
     * those of roles on other hosts come later. A search looks into those of its trials that decide
     * once it knows which these are.
     */
    private List<TrialResult> withTails(final List<TrialResult> rows) {
        final List<TailReader.RoleFolder> folders = new ArrayList<>();
        for (final RoleState role : state.roles()) {
            final RoleInstance instance = role.instance();
            folders.add(
                    new TailReader.RoleFolder(
                            instance.role(),
                            instance.index(),
                            role.isElsewhere() ? Optional.empty() : group.folder(instance),
                            group.pauses(instance)));
        }
        tools.tails().ended(folders, key.repeat());
        return rows.stream()
                .map(row ->
                        tail(folders, row)
                                .map(tail -> TakenRule.applied(row, tail, mostTaken))
                                .orElse(row))
                .toList();
    }

    private Optional<TailSummary> tail(
            final List<TailReader.RoleFolder> folders, final TrialResult row) {
        return test.search() == null
                ? tools.tails().summary(folders, row, tools.listener()::warned)
                : tools.tails()
                        .summaryWhereTaken(folders, row, mostTaken, tools.listener()::warned);
    }

    private void awaitHello() throws TrialVoid {
        phase(TrialPhase.STARTING);
        await(
                () -> group.links().stream().allMatch(state::isPresent),
                () ->
                        group.links().stream()
                                .filter(link -> !state.isPresent(link))
                                .map(RoleLink::name)
                                .collect(Collectors.joining(", ")),
                HELLO_NS,
                "did not start");
    }

    private NoiseSummary noise() throws TrialVoid {
        final Map<Placement, RoleLink> loud = new HashMap<>(machines);
        loud.keySet().removeIf(place -> planner.noiseCores(place).isEmpty());
        if (tools.noise().isZero() || loud.isEmpty()) {
            return null;
        }
        phase(TrialPhase.NOISE);
        loud.forEach((place, link) ->
                link.send(new ToRole.Noise(planner.noiseCores(place), tools.noise().toNanos())));
        await(
                () -> state.noisesReceived() == loud.size(),
                () -> "The noise floor",
                tools.noise().toNanos() + 2 * SLACK_NS,
                "was not measured");
        return state.takeNoise();
    }

    private void prepare() throws TrialVoid {
        phase(TrialPhase.CONNECTING);
        final int trialId = ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE);
        for (final RoleState role : state.roles()) {
            role.link().send(order(role, trialId));
        }
        final long patienceNs = PREPARE_NS + most(RoleInstance::patienceNs);
        awaitAll(Stage.BOUND, patienceNs, "did not finish preparing");
    }

    private ToRole.Prepare order(final RoleState role, final int trialId) throws TrialVoid {
        final RoleInstance instance = role.instance();
        final Placement place = group.placement(instance);
        return new ToRole.Prepare(
                role.id(),
                instance.role(),
                instance.index(),
                instance.count(),
                trialId,
                key.repeat(),
                group.settings(instance, state.instances()),
                role.threads(),
                tools.connectTimeout().toNanos() + most(RoleInstance::patienceNs),
                folderThere(instance, place),
                clocks.segment(place));
    }

    private String folderThere(final RoleInstance instance, final Placement place)
            throws TrialVoid {
        try {
            return group.folder(instance).map(place::folder).orElse("");
        } catch (final UserError e) {
            throw TrialVoid.because(e.getMessage()); // its host has been lost meanwhile
        }
    }

    private void connect() throws TrialVoid {
        final long orderedNs = clock.nanoTime();
        state.roles()
                .forEach(
                        role -> role.link().send(new ToRole.Connect(role.id(), state.endpoints())));
        awaitAll(
                Stage.READY,
                tools.connectTimeout().toNanos() + most(RoleInstance::patienceNs) + SLACK_NS,
                "did not finish connecting");
        connectingNs = clock.nanoTime() - orderedNs;
    }

    /** All roles wait as long as the slowest needs. */
    private long most(final ToLongFunction<RoleInstance> figure) {
        return state.roles().stream().map(RoleState::instance).mapToLong(figure).max().orElse(0);
    }

    private void measure(final boolean isFresh) throws TrialVoid {
        phase(TrialPhase.MEASURING);
        final ClockCheck clockCheck = new ClockCheck(clock, tools.wallClock());
        final long startAtNs =
                clock.nanoTime() + clocks.startDelayNs(connectingNs, isFresh, state.roles().size());
        final PlannedFaults faults =
                new PlannedFaults(test.faults(), state, clock, startAtNs, this::noteStop);
        for (final RoleState role : state.roles()) {
            role.heard(startAtNs);
            role.link().send(new ToRole.StartAt(role.id(), startAtNs, faults.disturbingNs()));
        }
        final TimeLimit limit =
                TimeLimit.of(test, key.expectedNs(), most(RoleInstance::standstillNs));
        clocks.watch();
        long lookedNs = startAtNs;
        long limitedNs = startAtNs;
        while (state.isAnyBehind(Stage.DONE)) {
            // Before the next event is taken: with it, the last role may be done.
            if (clock.nanoTime() - limitedNs >= LIMIT_LOOK_NS) {
                limitedNs = clock.nanoTime();
                checkLimit(limit, limitedNs - startAtNs);
            }
            stopObservers();
            faults.injectDue();
            clocks.steer(group, state.roles());
            final LinkEvent event =
                    tools.events().poll(clocks.patienceNs(faults.nextInNs(SECOND_NS)));
            if (event != null) {
                state.on(event);
            }
            // The lines of live roles must not hide a silent one.
            if (clock.nanoTime() - lookedNs >= SECOND_NS && tools.events().isEmpty()) {
                lookedNs = clock.nanoTime();
                clockCheck.sample();
                checkForSilence();
            }
        }
        clocks.endWatch();
        noteCores();
        voids.addAll(faults.end());
        faults.recoveries();
        clockCheck
                .warning()
                .ifPresent(sentence -> {
                    labels.add(Labels.CLOCK_STEPPED);
                    state.roles().iterator().next().warn(sentence);
                });
    }

    /** The row has those of the machine alone that has the fewest cores for its threads. */
    private void noteCores() {
        if (!planner.areOnSeveralHosts()) {
            return;
        }
        for (final RoleState role : state.roles()) {
            final RoleInstance instance = role.instance();
            try {
                if (group.folder(instance).isPresent()) {
                    ControllerNotes.cores(
                            group.folder(instance).get(),
                            key.repeat(),
                            planner.hotThreads(instance),
                            planner.cores(instance));
                }
            } catch (final IOException e) {
                role.warn(
                        ("How many cores %s's host has could not be recorded (%s): who had the core of its threads is judged"
                                        + " by the number of cores of another host.")
                                .formatted(role.id(), IoReason.of(e)));
            }
        }
    }

    private void noteStop(final RoleInstance role, final long fromNs, final long toNs)
            throws IOException {
        if (group.folder(role).isPresent()) {
            ControllerNotes.stopped(group.folder(role).get(), key.repeat(), fromNs, toNs);
        }
    }

    private void checkLimit(final TimeLimit limit, final long ranNs) throws TrialVoid {
        if (limit.isOver(ranNs, clock.nanoTime() - state.lastMovedNs())) {
            throw TrialVoid.because(
                    "%s did not end within %s."
                            .formatted(
                                    TrialState.names(state.behind(Stage.DONE)),
                                    shown(limit.shownNs(ranNs))));
        }
    }

    /** Observers end after the others, whose files are complete by then. */
    private void stopObservers() {
        if (!observersStopped && state.isOnlyObserversLeft()) {
            observersStopped = true;
            state.behind(Stage.DONE)
                    .forEach(role -> role.link().send(new ToRole.Stop(role.id(), false)));
        }
    }

    /**
     * Checked only when nothing is left to be read, otherwise a busy controller would blame roles.
     */
    private void checkForSilence() throws TrialVoid {
        for (final RoleState role : state.roles()) {
            final long boundNs = role.isElsewhere() ? SILENCE_ELSEWHERE_NS : SILENCE_NS;
            if (role.isSilent(clock.nanoTime(), boundNs)) {
                state.giveUp(role.link());
                throw TrialVoid.because(
                        "%s has said nothing for %d s: it hangs."
                                .formatted(role.called(), boundNs / SECOND_NS));
            }
        }
    }

    private void phase(final TrialPhase phase) {
        tools.listener().phaseStarted(key, phase);
    }

    private void awaitAll(final Stage stage, final long limitNs, final String otherwise)
            throws TrialVoid {
        await(
                () -> !state.isAnyBehind(stage),
                () -> TrialState.names(state.behind(stage)),
                limitNs,
                otherwise);
    }

    private void await(
            final BooleanSupplier condition,
            final Supplier<String> missing,
            final long limitNs,
            final String otherwise)
            throws TrialVoid {
        final long deadlineNs = clock.nanoTime() + limitNs;
        while (!condition.getAsBoolean()) {
            final LinkEvent event = tools.events().poll(deadlineNs - clock.nanoTime());
            if (event == null) {
                throw TrialVoid.because(
                        "%s %s within %d s."
                                .formatted(missing.get(), otherwise, limitNs / SECOND_NS));
            }
            state.on(event);
        }
    }

    private static String shown(final long limitNs) {
        return Durations.format(Duration.ofNanos(limitNs));
    }

    /** Gives all roles a moment to report what they have measured, then ends their processes. */
    private void stop() {
        phase(TrialPhase.STOPPING);
        group.links().stream().filter(link -> !state.isPresent(link)).forEach(state::giveUp);
        state.roles().forEach(role -> role.link().send(new ToRole.Stop(role.id(), true)));
        final long deadlineNs = clock.nanoTime() + STOP_NS;
        while (state.isAnyBehind(Stage.DONE) && clock.nanoTime() - deadlineNs < 0) {
            final LinkEvent event = tools.events().poll(deadlineNs - clock.nanoTime());
            try {
                if (event != null) {
                    state.on(event);
                }
            } catch (final TrialVoid e) {
                continue; // the first reason is kept
            }
        }
        group.links().stream().filter(state::isGivenUp).forEach(RoleLink::kill);
        group.end(); // the others in an orderly way, so that engines can remove their files
    }

    /**
     * How long a trial may take. Where the plan does not say, it is a multiple of what the roles
     * estimate, and a trial that still makes progress then, on a very busy machine, gets more time;
     * one that stands still ends there.
     *
     * @param limitNs from the start
     * @param standstillNs how long a trial may stand still beyond that
     * @param isFirm whether the plan says it
     */
    record TimeLimit(long limitNs, long standstillNs, boolean isFirm) {
        private static final long SLACK_NS = TimeUnit.SECONDS.toNanos(30);

        /** Roles report their progress about once a second. */
        private static final long STANDSTILL_NS = TimeUnit.SECONDS.toNanos(5);

        private static final int MOST_EXTENSION = 5;

        /**
         * {@code standstillNs}: how long a role may wait for a lost peer or store, and then end by
         * itself.
         */
        static TimeLimit of(final TestPlan test, final long expectedNs, final long standstillNs) {
            return test.timeout().isZero()
                    ? new TimeLimit(
                            3 * expectedNs + SLACK_NS + standstillNs,
                            STANDSTILL_NS + standstillNs,
                            false)
                    : new TimeLimit(test.timeout().toNanos(), 0, true);
        }

        /**
         * Whether the trial has to be given up.
         *
         * @param ranNs since its start
         * @param stoodStillNs since any role that is not done reported a changed counter, or one
         *     reported its result
         */
        boolean isOver(final long ranNs, final long stoodStillNs) {
            if (ranNs <= limitNs) {
                return false;
            }
            return isFirm || stoodStillNs > standstillNs || ranNs > MOST_EXTENSION * limitNs;
        }

        /**
         * The time limit of a trial that is given up, in whole seconds where the plan sets none.
         */
        long shownNs(final long ranNs) {
            final long secondNs = TimeUnit.SECONDS.toNanos(1);
            return isFirm ? limitNs : Math.max(limitNs, ranNs) / secondNs * secondNs;
        }
    }
}
