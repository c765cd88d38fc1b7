package io.tickmark.lab.place;

import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.lab.plan.RoleInstance;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which machine each role of a test runs on. */
public interface Placements extends AutoCloseable {
    /**
     * Places the roles of a test.
     *
     * @param instances of the test
     * @return where each runs, by its id
     * @throws io.tickmark.kernel.settings.UserError if the plan names an unknown machine
     */
    Map<String, Placement> place(List<RoleInstance> instances);

    /**
     * Facts about the other machines.
     *
     * @return groups of the environment record, by their names
     */
    default Map<String, Map<String, Object>> environments() {
        return Map.of();
    }

    /** Releases the machines; idempotent. */
    @Override
    default void close() {
        // this machine needs no release
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
        return instances -> {
            final Map<String, Placement> placed = new HashMap<>();
            instances.forEach(role -> placed.put(role.id(), placement));
            return placed;
        };
    }

    /**
     * The settings that are sent to a role: only those which the plan gives, because roles
     * distinguish given settings from defaults. Loopback in them means the machine of the role
     * itself; in a setting that holds the address of other roles ({@link
     * io.tickmark.kernel.settings.Setting#peers}) it means their machine, that of the first where
     * there are several.
     *
     * @param role of the test
     * @param instances all roles of the test
     * @param placed where each of them runs, by its id
     * @return values by key
     */
    static Map<String, Object> settings(
            final RoleInstance role,
            final List<RoleInstance> instances,
            final Map<String, Placement> placed) {
        final Map<String, Placement> machines = new HashMap<>();
        for (final SettingDescriptor setting : SettingDescriptor.of(role.settings().getClass())) {
            for (final String peer : setting.peers()) {
                instances.stream()
                        .filter(other -> other.role().equals(peer))
                        .findFirst()
                        .ifPresent(other ->
                                machines.putIfAbsent(setting.key(), placed.get(other.id())));
            }
        }
        final Placement own = placed.get(role.id());
        final Map<String, Object> settings = Settings.toMap(role.settings());
        settings.keySet().retainAll(role.values().keySet());
        settings.replaceAll((key, value) -> machines.getOrDefault(key, own).localised(value));
        return settings;
    }
}
