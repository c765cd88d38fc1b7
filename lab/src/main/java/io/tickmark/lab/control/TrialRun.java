package io.tickmark.lab.control;

import io.tickmark.kernel.host.ClockCheck;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.control.RoleState.Progress;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.plan.RoleInstance;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.protocol.ToRole;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.lab.verdict.TrialFacts;
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
 * Leads the roles of one trial from preparing to their results; one thread. Everything it waits for
 * has a bound, and whatever goes wrong makes the trial void with a sentence.
 */
final class TrialRun {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    /** A JVM starts in half a second; a loaded machine may take many times that. */
    private static final long HELLO_NS = 60 * SECOND_NS;

    private static final long PREPARE_NS = 60 * SECOND_NS;
    private static final long SLACK_NS = 30 * SECOND_NS;
    private static final long SILENCE_NS = 5 * SECOND_NS;

    /** Longer than it takes to notice that a host is lost, which says more. */
    private static final long SILENCE_ELSEWHERE_NS = 15 * SECOND_NS;

    private static final long STOP_NS = 3 * SECOND_NS;

    /** What is asked of every role is not asked after every line of one of them. */
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
    private final List<String> voids = new ArrayList<>();
    private boolean observersStopped;
    private final List<String> labels = new ArrayList<>();
    private Optional<UserError.Kind> userError = Optional.empty();
    private NoiseSummary noiseBefore;
    private NoiseSummary noiseAfter;

    /**
     * What all trials of a run share.
     *
     * @param inbox of the run
     * @param clock monotonic
     * @param listener of the run
     * @param noise how long the noise floor is measured, zero for never
     * @param connectTimeout how long roles may look for each other
     * @param wallClock watched for steps
     */
    record Tools(
            Inbox inbox,
            NanoClock clock,
            RunListener listener,
            Duration noise,
            Duration connectTimeout,
            EpochNanoClock wallClock) {}

    TrialRun(
            final TrialKey key,
            final TestPlan test,
            final List<RoleInstance> cast,
            final RoleGroup group,
            final Tools tools) {
        this.key = key;
        this.test = test;
        this.group = group;
        this.tools = tools;
        clock = tools.clock();
        clocks = new HostClocks(clock);
        planner = new HostThreads(cast, group);
        machines = group.firstOnEach(cast);
        state =
                new TrialState(
                        key,
                        cast.stream()
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

    /** Runs the trial; {@code known} is a noise floor measured just before by these processes. */
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
            measure();
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
        voids.addAll(state.failures()); // of a void trial too: there they are often the cause
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
                state.merge().rows(facts),
                Optional.ofNullable(noiseAfter),
                voids.isEmpty() && state.isWhole(),
                userError);
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
                () -> state.noisesHeard() == loud.size(),
                () -> "The noise floor",
                tools.noise().toNanos() + 2 * SLACK_NS,
                "was not measured");
        return state.takeNoise();
    }

    private void prepare() throws TrialVoid {
        phase(TrialPhase.CONNECTING);
        final int trialId = ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE);
        state.roles().forEach(role -> role.link().send(order(role, trialId)));
        final long patienceNs = PREPARE_NS + most(RoleInstance::patienceNs);
        awaitAll(Progress.BOUND, patienceNs, "did not get prepared");
    }

    private ToRole.Prepare order(final RoleState role, final int trialId) {
        final RoleInstance instance = role.instance();
        final Placement place = group.placement(instance);
        final Map<String, Object> settings = Settings.toMap(instance.settings());
        settings.keySet().retainAll(instance.values().keySet()); // roles ask what was given
        final Map<String, Placement> others = addressed(instance);
        settings.replaceAll((key, value) -> others.getOrDefault(key, place).localised(value));
        return new ToRole.Prepare(
                role.id(),
                instance.role(),
                instance.index(),
                instance.count(),
                trialId,
                key.repeat(),
                settings,
                role.threads(),
                tools.connectTimeout().toNanos() + most(RoleInstance::patienceNs),
                group.folder(instance).map(place::folder).orElse(""),
                clocks.segment(place));
    }

    /** The machines that settings mean which are addresses of other roles, by their keys. */
    private Map<String, Placement> addressed(final RoleInstance role) {
        final Map<String, Placement> machines = new HashMap<>();
        for (final SettingDescriptor setting : SettingDescriptor.of(role.settings().getClass())) {
            for (final String peer : setting.peers()) {
                state.roles().stream()
                        .map(RoleState::instance)
                        .filter(other -> other.role().equals(peer))
                        .findFirst()
                        .ifPresent(other ->
                                machines.putIfAbsent(setting.key(), group.placement(other)));
            }
        }
        return machines;
    }

    private void connect() throws TrialVoid {
        state.roles()
                .forEach(
                        role -> role.link().send(new ToRole.Connect(role.id(), state.endpoints())));
        awaitAll(
                Progress.READY,
                tools.connectTimeout().toNanos() + most(RoleInstance::patienceNs) + SLACK_NS,
                "did not get connected");
    }

    /** Who waits for a slow one waits as long as that may take. */
    private long most(final ToLongFunction<RoleInstance> figure) {
        return state.roles().stream().map(RoleState::instance).mapToLong(figure).max().orElse(0);
    }

    private void measure() throws TrialVoid {
        phase(TrialPhase.MEASURING);
        final ClockCheck clockCheck = new ClockCheck(clock, tools.wallClock());
        final long startAtNs = clock.nanoTime() + clocks.startDelayNs();
        final PlannedFaults faults = new PlannedFaults(test.faults(), state, clock, startAtNs);
        for (final RoleState role : state.roles()) {
            role.heard(startAtNs);
            role.link().send(new ToRole.StartAt(role.id(), startAtNs, faults.disturbingNs()));
        }
        final TimeLimit limit =
                TimeLimit.of(test, key.expectedNs(), most(RoleInstance::standstillNs));
        clocks.watch();
        long lookedNs = startAtNs;
        long limitedNs = startAtNs;
        while (state.isAnyBehind(Progress.DONE)) {
            stopObservers();
            faults.inflictDue();
            clocks.steer(group, state.roles());
            final LinkEvent event =
                    tools.inbox().poll(clocks.patienceNs(faults.nextInNs(SECOND_NS)));
            if (event != null) {
                state.on(event);
            }
            // The lines of those that live must not hide one that is silent.
            if (clock.nanoTime() - lookedNs >= SECOND_NS && tools.inbox().isEmpty()) {
                lookedNs = clock.nanoTime();
                clockCheck.sample();
                checkForSilence();
            }
            if (clock.nanoTime() - limitedNs >= LIMIT_LOOK_NS) {
                limitedNs = clock.nanoTime();
                checkLimit(limit, limitedNs - startAtNs);
            }
        }
        clocks.endWatch();
        voids.addAll(faults.end());
        faults.recoveries();
        clockCheck
                .warning()
                .ifPresent(sentence -> {
                    labels.add(Labels.CLOCK_STEPPED);
                    state.roles().iterator().next().warn(sentence);
                });
    }

    private void checkLimit(final TimeLimit limit, final long ranNs) throws TrialVoid {
        if (limit.isOver(ranNs, clock.nanoTime() - state.lastMovedNs())) {
            throw TrialVoid.because(
                    "%s did not end within %s."
                            .formatted(
                                    TrialState.names(state.behind(Progress.DONE)),
                                    shown(limit.shownNs(ranNs))));
        }
    }

    /** Those who watch the others end when the others have: their files are whole by then. */
    private void stopObservers() {
        if (!observersStopped && state.isOnlyObserversLeft()) {
            observersStopped = true;
            state.behind(Progress.DONE)
                    .forEach(role -> role.link().send(new ToRole.Stop(role.id(), false)));
        }
    }

    /** Looked at only when nothing is left to be read, or a busy controller would blame roles. */
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

    private void awaitAll(final Progress progress, final long limitNs, final String otherwise)
            throws TrialVoid {
        await(
                () -> !state.isAnyBehind(progress),
                () -> TrialState.names(state.behind(progress)),
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
            final LinkEvent event = tools.inbox().poll(deadlineNs - clock.nanoTime());
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

    /** Gives all roles a moment to report what they have, then ends their processes. */
    private void stop() {
        phase(TrialPhase.STOPPING);
        group.links().stream().filter(link -> !state.isPresent(link)).forEach(state::giveUp);
        state.roles().forEach(role -> role.link().send(new ToRole.Stop(role.id(), true)));
        final long deadlineNs = clock.nanoTime() + STOP_NS;
        while (state.isAnyBehind(Progress.DONE) && clock.nanoTime() - deadlineNs < 0) {
            final LinkEvent event = tools.inbox().poll(deadlineNs - clock.nanoTime());
            try {
                if (event != null) {
                    state.on(event);
                }
            } catch (final TrialVoid e) {
                continue; // the first reason is the one that counts
            }
        }
        group.end(); // in good order, so that engines can remove their files
    }
}
