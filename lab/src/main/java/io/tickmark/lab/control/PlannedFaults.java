package io.tickmark.lab.control;

import io.tickmark.kernel.record.Deliveries;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.role.MemberFault;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.FaultPlan;
import io.tickmark.lab.plan.RoleInstance;
import io.tickmark.lab.protocol.FromRole;
import io.tickmark.lab.protocol.ToRole;
import io.tickmark.lab.verdict.Headline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;

/**
 * The faults of a plan over one trial: injects each when it is due, and records which had no
 * target, and how long it took until messages were delivered again. Single-threaded.
 */
final class PlannedFaults {
    /** For a fault of a member: which member, what, when it began and when it was done. */
    private static final int MEMBER_FAULT_NUMBERS = 4;

    private static final double NS_PER_MS = 1e6;

    /** Of a time to recover; where nothing was due for longer, it is no more than a bound. */
    private static final double MOST_IDLE_PART = 0.5;

    private final TrialState state;
    private final NanoClock clock;
    private final long startAtNs;
    private final Notes notes;
    private final Map<RoleLink, Long> stoppedNs = new HashMap<>();
    private final List<FaultPlan> waiting;
    private final List<String> missed = new ArrayList<>();
    private final List<Disturbance> disturbances;

    /** Receives when a role's process was stopped, for whoever asks why its threads stood. */
    @FunctionalInterface
    interface Notes {
        /**
         * Notes a stop that is over.
         *
         * @param role whose process it was
         * @param fromNs before the signal was sent
         * @param toNs after the one that continued it
         * @throws IOException if it cannot be written
         */
        void stopped(RoleInstance role, long fromNs, long toNs) throws IOException;
    }

    /** A fault that takes something away, unlike one that gives it back. */
    private static final class Disturbance {
        private final FaultPlan fault;
        private boolean isDone;
        private long beganNs;
        private long doneNs;

        private Disturbance(final FaultPlan fault) {
            this.fault = fault;
        }

        private void done(final long newBeganNs, final long newDoneNs) {
            isDone = true;
            beganNs = newBeganNs;
            doneNs = newDoneNs;
        }
    }

    PlannedFaults(
            final List<FaultPlan> planned,
            final TrialState state,
            final NanoClock clock,
            final long startAtNs,
            final Notes notes) {
        this.notes = notes;
        this.state = state;
        this.clock = clock;
        this.startAtNs = startAtNs;
        waiting = new ArrayList<>(planned);
        waiting.sort(Comparator.comparing(FaultPlan::at));
        disturbances =
                waiting.stream()
                        .filter(fault ->
                                fault.action() == FaultPlan.Action.KILL
                                        || fault.action() == FaultPlan.Action.STOP)
                        .map(Disturbance::new)
                        .toList();
    }

    /** When faults are planned that take something away, after the start. */
    List<Long> disturbingNs() {
        return disturbances.stream().map(each -> each.fault.at().toNanos()).toList();
    }

    /** Injects those that are due. */
    void injectDue() throws TrialVoid {
        while (!waiting.isEmpty() && nextInNs(Long.MAX_VALUE) <= 0) {
            final FaultPlan fault = waiting.removeFirst();
            final String tooLate = whyTooLate(fault);
            if (!tooLate.isEmpty()) {
                missed.add(missed(fault, tooLate));
            } else if (!role(fault).isKilled()) { // otherwise it was killed with another one
                inject(fault);
            }
        }
    }

    /** Longest wait until the next. */
    long nextInNs(final long atMostNs) {
        return waiting.isEmpty()
                ? atMostNs
                : Math.min(
                        atMostNs, startAtNs + waiting.getFirst().at().toNanos() - clock.nanoTime());
    }

    /**
     * Sentences about those that were not injected in a trial that ends now. A process whose role
     * ended just before it was suspended is resumed nevertheless, as it measures the noise floor.
     */
    List<String> end() throws TrialVoid {
        final String ended =
                "the trial ended after "
                        + Durations.format(
                                Duration.ofMillis(
                                        TimeUnit.NANOSECONDS.toMillis(
                                                clock.nanoTime() - startAtNs)));
        for (final FaultPlan fault : waiting) {
            missed.add(missed(fault, ended));
            if (fault.action() == FaultPlan.Action.CONTINUE && role(fault).isSuspended()) {
                inject(fault);
            }
        }
        waiting.clear();
        return missed;
    }

    private static String missed(final FaultPlan fault, final String why) {
        return "The fault at %s was not injected (%s %s%s-%d): %s; plan it earlier, or let the trial last longer."
                .formatted(
                        Durations.format(fault.at()),
                        SettingDescriptor.word(fault.action()),
                        fault.member() > 0 ? "member " + fault.member() + " of " : "",
                        fault.role(),
                        fault.index(),
                        why);
    }

    private RoleState role(final FaultPlan fault) {
        return state.role(fault.role() + "-" + fault.index());
    }

    /**
     * Why it is too late for a fault, empty where it is not. A fault of a process hits all roles in
     * it. An observer has nothing left to watch when the others have ended, and does not touch its
     * members any more.
     */
    private String whyTooLate(final FaultPlan fault) {
        final RoleState role = role(fault);
        final String ended = role.id() + " had already ended";
        if (fault.member() > 0) {
            return role.isDone()
                    ? ended
                    : state.isOnlyObserversLeft() ? "the others had already ended" : "";
        }
        final boolean isWanted =
                switch (fault.action()) {
                    case KILL -> role.isKilled();
                    case CONTINUE -> role.isSuspended();
                    case STOP, RESTART -> false;
                };
        return isWanted || !state.of(role.link()).stream().allMatch(RoleState::isDone) ? "" : ended;
    }

    private void inject(final FaultPlan fault) throws TrialVoid {
        final RoleState role = role(fault);
        if (fault.member() > 0) {
            role.link().send(new ToRole.Inject(role.id(), fault.ofMember()));
            return;
        }
        final long beganNs = clock.nanoTime();
        try {
            role.link().inject(fault.action());
        } catch (final UserError e) {
            // another host was there when the trial began, and has been lost meanwhile
            throw role.isElsewhere()
                    ? TrialVoid.because(e.getMessage())
                    : TrialVoid.because(e.getMessage(), e.kind());
        }
        disturbances.stream()
                .filter(each -> each.fault == fault)
                .forEach(each -> each.done(beganNs, clock.nanoTime()));
        final List<RoleState> hit = state.of(role.link());
        final String at = " at " + sinceStart(beganNs);
        switch (fault.action()) {
            case KILL -> {
                hit.forEach(other -> other.kill("killed" + at, killed(fault)));
                state.giveUp(role.link());
            }
            case RESTART -> throw new IllegalStateException("a fault of a member");
            case STOP -> {
                stoppedNs.putIfAbsent(role.link(), beganNs);
                hit.forEach(other -> other.suspend("suspended" + at));
            }
            case CONTINUE -> {
                hit.forEach(other -> other.resume("resumed" + at, clock.nanoTime()));
                noteStop(role.link(), hit);
            }
        }
    }

    private void noteStop(final RoleLink link, final List<RoleState> hit) {
        final Long fromNs = stoppedNs.remove(link);
        if (fromNs == null) {
            return;
        }
        final long toNs = clock.nanoTime();
        for (final RoleState role : hit) {
            try {
                notes.stopped(role.instance(), fromNs, toNs);
            } catch (final IOException e) {
                role.warn(
                        "That a planned fault stopped %s could not be recorded (%s); its delay is attributed to the machine."
                                .formatted(role.id(), IoReason.of(e)));
            }
        }
    }

    private String sinceStart(final long ns) {
        return Durations.format(
                Duration.ofMillis(Math.max(0, TimeUnit.NANOSECONDS.toMillis(ns - startAtNs))));
    }

    /**
     * Reports, once all roles have reported, how long it took after each fault until the first
     * message due after it was delivered to each receiver, of each of its streams: as a metric of
     * the role that it was injected into, and as counts of the step.
     */
    void recoveries() {
        takeMemberFaults();
        final Map<RoleState, List<String>> recoveries = new LinkedHashMap<>();
        for (int number = 0; number < disturbances.size(); number++) {
            final Disturbance disturbance = disturbances.get(number);
            if (disturbance.isDone) {
                recoveries
                        .computeIfAbsent(role(disturbance.fault), _ -> new ArrayList<>())
                        .add(recovery(number, disturbance));
            }
        }
        recoveries.forEach((role, sentences) ->
                role.note(RoleSummary.RECOVERIES, String.join("; ", sentences)));
    }

    /** A role injects them by itself, in the order in which they are planned for each member. */
    private void takeMemberFaults() {
        for (final RoleState role : state.roles()) {
            final List<Long> times = role.memberFaults();
            for (int i = 0; i + MEMBER_FAULT_NUMBERS <= times.size(); i += MEMBER_FAULT_NUMBERS) {
                final long member = times.get(i);
                final long beganNs = times.get(i + 2);
                final long doneNs = times.get(i + 3);
                if (times.get(i + 1) == MemberFault.Kind.KILL.ordinal()) {
                    disturbances.stream()
                            .filter(each ->
                                    !each.isDone
                                            && each.fault.member() == member
                                            && role(each.fault) == role)
                            .findFirst()
                            .ifPresent(each -> each.done(beganNs, doneNs));
                }
            }
        }
    }

    private String recovery(final int number, final Disturbance disturbance) {
        final List<FromRole.Delivered> reports = delivered(number);
        Deliveries.FirstMessages last = null;
        int step = -1;
        int streams = 0;
        int recovered = 0;
        for (final FromRole.Delivered each : reports) {
            final Optional<Deliveries.FirstMessages> first =
                    firstAfter(disturbance.doneNs, each.after().first());
            if (first.isPresent()
                    && (last == null || first.get().lastArrivedNs() - last.lastArrivedNs() > 0)) {
                last = first.get();
            }
            streams += // one where it is not known how many, as none was heard of
                    each.after().notDue() > 0
                            ? each.after().streams()
                            : Math.max(1, each.after().streams());
            recovered += first.map(Deliveries.FirstMessages::streams).orElse(0);
            step = Math.max(step, each.after().step());
        }
        final String fault = described(disturbance);
        final long plannedNs = startAtNs + disturbance.fault.at().toNanos();
        if (reports.isEmpty()) {
            return fault + ": not known, no receiver recorded when messages arrived";
        }
        if (streams == 0) {
            return fault + ": not known, no open stream had reported before the fault";
        }
        if (recovered < streams && disturbance.doneNs - plannedNs > Deliveries.WINDOW_NS) {
            return fault + ": not known, the fault was injected too late";
        }
        if (recovered < streams) {
            state.merge().addToStep(step, Map.of(Counts.NOT_RECOVERED, 1L));
            return fault
                    + ": not at all"
                    + (recovered == 0
                            ? ""
                            : " for %d of %d streams".formatted(streams - recovered, streams));
        }
        final long recoveryNs = Math.max(0, last.lastArrivedNs() - disturbance.beganNs);
        final long idleNs = last.lastDueNs() - disturbance.doneNs;
        if (idleNs > MOST_IDLE_PART * recoveryNs) {
            // what recovered while nothing was due had no message to show it
            state.merge().addToStep(step, Map.of(Counts.RECOVERED, 1L));
            return String.format(
                    Locale.ROOT,
                    "%s: at most %.1f ms, as no message was due for %.1f ms of it",
                    fault,
                    recoveryNs / NS_PER_MS,
                    idleNs / NS_PER_MS);
        }
        state.merge()
                .addToStep(step, Map.of(Counts.RECOVERED, 1L, Counts.MAX_RECOVERY_NS, recoveryNs));
        return String.format(Locale.ROOT, "%s: %.1f ms", fault, recoveryNs / NS_PER_MS);
    }

    /**
     * The stable latency where there is a store, otherwise the one that the trial is judged by; for
     * a role with several threads that of each, as the second one records under the same name with
     * {@code -2} appended.
     */
    private List<FromRole.Delivered> delivered(final int number) {
        final List<FromRole.Delivered> all =
                state.roles().stream()
                        .flatMap(role -> role.deliveries().stream())
                        .filter(each -> each.fault() == number)
                        .toList();
        final List<String> names =
                all.stream().map(PlannedFaults::ofAllThreads).distinct().toList();
        final String wanted =
                names.contains(Latencies.STABLE_NS)
                        ? Latencies.STABLE_NS
                        : Headline.nameOf(names).orElse("");
        return all.stream().filter(each -> ofAllThreads(each).equals(wanted)).toList();
    }

    private static String ofAllThreads(final FromRole.Delivered of) {
        return of.latency().replaceFirst("-\\d+$", "");
    }

    private static Optional<Deliveries.FirstMessages> firstAfter(
            final long doneNs, final List<Deliveries.FirstMessages> all) {
        return all.stream().filter(each -> each.earliestDueNs() - doneNs >= 0).findFirst();
    }

    private String described(final Disturbance disturbance) {
        final FaultPlan fault = disturbance.fault;
        return "%s%s at %s"
                .formatted(
                        fault.member() > 0 ? "member %d ".formatted(fault.member()) : "",
                        fault.action() == FaultPlan.Action.KILL ? "killed" : "suspended",
                        sinceStart(disturbance.beganNs));
    }

    private static String killed(final FaultPlan fault) {
        return "Killed as planned after %s; its last report counts, which may be up to a second old."
                .formatted(Durations.format(fault.at()));
    }
}
