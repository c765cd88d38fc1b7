package io.tickmark.lab.control;

import io.tickmark.lab.place.Placement;
import io.tickmark.lab.plan.RoleInstance;
import io.tickmark.lab.protocol.ToRole.ThreadPlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The plans of threads of one trial, made for each machine by itself. */
final class HostThreads {
    private final Map<Placement, ThreadPlanner> planners = new LinkedHashMap<>();
    private final RoleGroup group;

    HostThreads(final List<RoleInstance> cast, final RoleGroup group) {
        this.group = group;
        final Map<Placement, List<RoleInstance>> byHost = new LinkedHashMap<>();
        cast.forEach(role ->
                byHost.computeIfAbsent(group.placement(role), place -> new ArrayList<>())
                        .add(role));
        byHost.forEach(
                (place, roles) -> planners.put(place, new ThreadPlanner(roles, place.cores())));
    }

    List<ThreadPlan> of(final RoleInstance role) {
        return planners.get(group.placement(role)).of(role);
    }

    /** Hot threads of the machine where they are tightest. */
    int hotThreads() {
        return tightest().hotThreads();
    }

    /** Cores that those may use. */
    int cores() {
        return tightest().cores();
    }

    private ThreadPlanner tightest() {
        return planners.values().stream()
                .max(
                        Comparator.comparingDouble(planner ->
                                planner.hotThreads() / (double) Math.max(1, planner.cores())))
                .orElseThrow();
    }

    /** Where the noise floor of a machine is measured. */
    List<Integer> noiseCores(final Placement place) {
        return planners.get(place).noiseCores();
    }
}
