package io.tickmark.lab.control;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.ClockOffset;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.plan.HostsPlan;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The clocks of the machines of one trial against the controller's: measured before it, so that
 * roles elsewhere live on the controller's time line, and after it, so that the drift meanwhile is
 * part of the bound.
 */
final class HostClocks {
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
            final Placement place = group.placement(role.instance());
            if (!place.host().equals(HostsPlan.LOCAL)) {
                final ClockOffset offset = before.get(place);
                role.note("host", place.host());
                role.note("clockOffsetNs", offset.offsetNs());
                role.note("clockBoundNs", offset.boundUntil(after.get(place)));
                role.note("clockKeptBy", place.timeSync());
                role.note("clockDriftNs", after.get(place).offsetNs() - offset.offsetNs());
            }
        }
    }
}
