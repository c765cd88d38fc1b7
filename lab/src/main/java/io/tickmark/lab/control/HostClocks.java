package io.tickmark.lab.control;

import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.ClockOffset;
import io.tickmark.lab.place.Placement;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The clocks of the machines of one trial against the controller's: measured before it, so that
 * roles elsewhere live on the controller's time line, and after it, so that the drift meanwhile is
 * part of the bound.
 */
final class HostClocks {
    /** Between the order to start and the start, on one machine: no role may hear it late. */
    private static final long START_DELAY_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** An order may be on its way for so many times the quickest exchange with its machine. */
    private static final int SLOWEST_WAYS = 10;

    /** A role elsewhere that begins later measures something else than the others. */
    private static final long LATE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Map<Placement, ClockOffset> before = new HashMap<>();

    HostClocks() {}

    /** Measures all of them; between trials only. */
    void align(final Collection<Placement> places) throws TrialVoid {
        for (final Placement place : places) {
            before.put(place, measured(place));
        }
    }

    private static ClockOffset measured(final Placement place) throws TrialVoid {
        try {
            return place.clock();
        } catch (final UserError e) {
            throw TrialVoid.because(e.getMessage(), e.kind());
        }
    }

    /** What turns a machine's clock into the controller's. */
    long correctionNs(final Placement place) {
        return -before.get(place).offsetNs();
    }

    /** Measures again, and tells each role elsewhere how well its clock agreed. */
    void settle(final RoleGroup group, final Collection<RoleState> roles) throws TrialVoid {
        final Map<Placement, ClockOffset> after = new HashMap<>();
        for (final Placement place : before.keySet()) {
            after.put(place, measured(place));
        }
        for (final RoleState role : roles) {
            if (role.isElsewhere()) {
                final Placement place = group.placement(role.instance());
                final ClockOffset offset = before.get(place);
                role.note("clockOffsetNs", offset.offsetNs());
                role.note(RoleSummary.CLOCK_BOUND_NS, offset.boundUntil(after.get(place)));
                role.note("clockKeptBy", place.timeSync());
                role.note("clockDriftNs", after.get(place).offsetNs() - offset.offsetNs());
            }
        }
    }

    /** How long before the start it is ordered: longer the longer the way to a machine. */
    long startDelayNs() {
        final long boundNs =
                before.values().stream().mapToLong(ClockOffset::boundNs).max().orElse(0);
        return START_DELAY_NS + SLOWEST_WAYS * 2 * boundNs;
    }

    /** A sentence for each role elsewhere that began too late for the trial to count. */
    static List<String> late(final Collection<RoleState> roles) {
        return roles.stream()
                .filter(role -> role.isElsewhere() && role.startLateNs() > LATE_NS)
                .map(role ->
                        "%s began %d ms after the start; look for what keeps that host or the way to it busy."
                                .formatted(
                                        role.called(),
                                        TimeUnit.NANOSECONDS.toMillis(role.startLateNs())))
                .toList();
    }
}
