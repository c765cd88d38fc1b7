package io.tickmark.lab.place;

import io.tickmark.lab.plan.RoleInstance;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which machine each role of a test runs on. */
public interface Placements extends AutoCloseable {
    /**
     * Places the roles of a test.
     *
     * @param cast of the test
     * @return where each runs, by its id
     * @throws io.tickmark.kernel.settings.UserError if the plan names a machine that is not there
     */
    Map<String, Placement> place(List<RoleInstance> cast);

    /**
     * What is known of the machines besides this one.
     *
     * @return groups of the environment record, by their names
     */
    default Map<String, Map<String, Object>> environments() {
        return Map.of();
    }

    /** Lets go of the machines; idempotent. */
    @Override
    default void close() {
        // this machine stays
    }

    /**
     * All roles on this machine.
     *
     * @return the placements
     */
    static Placements here() {
        return all(new LocalPlacement());
    }

    /**
     * All roles in one place.
     *
     * @param placement of all
     * @return the placements
     */
    static Placements all(final Placement placement) {
        return cast -> {
            final Map<String, Placement> placed = new HashMap<>();
            cast.forEach(role -> placed.put(role.id(), placement));
            return placed;
        };
    }
}
