package io.tickmark.lab.control;

import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.FaultPlan;
import io.tickmark.lab.protocol.ToRole;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;

/**
 * The faults of a plan over one trial: does each when its time has come, and knows which found
 * nothing to do it to. One thread.
 */
final class PlannedFaults {
    private final TrialState state;
    private final NanoClock clock;
    private final long startAtNs;
    private final List<FaultPlan> waiting;
    private final List<String> missed = new ArrayList<>();

    PlannedFaults(
            final List<FaultPlan> planned,
            final TrialState state,
            final NanoClock clock,
            final long startAtNs) {
        this.state = state;
        this.clock = clock;
        this.startAtNs = startAtNs;
        waiting = new ArrayList<>(planned);
        waiting.sort(Comparator.comparing(FaultPlan::at));
    }

    /** Does those whose time has come. */
    void inflictDue() throws TrialVoid {
        while (!waiting.isEmpty() && nextInNs(Long.MAX_VALUE) <= 0) {
            final FaultPlan fault = waiting.removeFirst();
            final String hindrance = hindrance(fault);
            if (!hindrance.isEmpty()) {
                missed.add(missed(fault, hindrance));
            } else if (!role(fault).isKilled()) { // else it was killed with another one
                inflict(fault);
            }
        }
    }

    /** How long to wait for the next at most. */
    long nextInNs(final long atMostNs) {
        return waiting.isEmpty()
                ? atMostNs
                : Math.min(
                        atMostNs, startAtNs + waiting.getFirst().at().toNanos() - clock.nanoTime());
    }

    /**
     * Sentences about those that were not done in a trial that ends now. Who ended just before it
     * was suspended goes on all the same: its process measures the noise floor.
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
                inflict(fault);
            }
        }
        waiting.clear();
        return missed;
    }

    private static String missed(final FaultPlan fault, final String why) {
        return "The fault at %s was not done (%s %s%s-%d): %s; plan it earlier, or let the trial last longer."
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
     * Why it is too late for a fault, empty where it is not. One of a process hits all that play in
     * it. Who watches has nothing left to watch when the others have ended, and lets its members
     * be.
     */
    private String hindrance(final FaultPlan fault) {
        final RoleState role = role(fault);
        final String ended = role.id() + " had ended by then";
        if (fault.member() > 0) {
            return role.isDone()
                    ? ended
                    : state.isOnlyObserversLeft() ? "the others had ended by then" : "";
        }
        final boolean isWanted =
                switch (fault.action()) {
                    case KILL -> role.isKilled();
                    case CONTINUE -> role.isSuspended();
                    case STOP, RESTART -> false;
                };
        return isWanted || !state.of(role.link()).stream().allMatch(RoleState::isDone) ? "" : ended;
    }

    private void inflict(final FaultPlan fault) throws TrialVoid {
        final RoleState role = role(fault);
        if (fault.member() > 0) {
            role.link().send(new ToRole.Inflict(role.id(), fault.ofMember()));
            return;
        }
        try {
            role.link().inflict(fault.action());
        } catch (final UserError e) {
            throw TrialVoid.because(e.getMessage(), e.kind());
        }
        final List<RoleState> hit = state.of(role.link());
        final String at = " at " + Durations.format(fault.at());
        switch (fault.action()) {
            case KILL -> {
                hit.forEach(other -> other.kill("killed" + at, killed(fault)));
                state.giveUp(role.link());
            }
            case RESTART -> throw new IllegalStateException("a fault of a member");
            case STOP -> hit.forEach(other -> other.suspend("suspended" + at));
            case CONTINUE -> hit.forEach(other -> other.resume("resumed" + at, clock.nanoTime()));
        }
    }

    private static String killed(final FaultPlan fault) {
        return "Killed as planned after %s; of it counts what it told last, up to a second before."
                .formatted(Durations.format(fault.at()));
    }
}
