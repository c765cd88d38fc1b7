package io.tickmark.lab.control;

import io.tickmark.kernel.role.CoreDemand;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.plan.HostsPlan;
import io.tickmark.lab.plan.RoleInstance;
import io.tickmark.lab.protocol.ToRole.ThreadPlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;

/** The plans of threads of one trial, made separately for each machine. */
final class HostThreads {
    private final Map<Placement, ThreadPlanner> planners = new LinkedHashMap<>();
    private final Function<RoleInstance, Placement> placement;

    HostThreads(
            final List<RoleInstance> instances, final Function<RoleInstance, Placement> placement) {
        this.placement = placement;
        final Map<Placement, List<RoleInstance>> byHost = new LinkedHashMap<>();
        instances.forEach(role ->
                byHost.computeIfAbsent(placement.apply(role), place -> new ArrayList<>())
                        .add(role));
        byHost.forEach((place, roles) ->
                planners.put(
                        place,
                        new ThreadPlanner(
                                roles,
                                place.cores(),
                                // the variable is of this host
                                place.host().equals(HostsPlan.LOCAL)
                                        ? CoreDemand.coresToSpinOn(place.cores())
                                        : place.cores())));
    }

    List<ThreadPlan> of(final RoleInstance role) {
        return planners.get(placement.apply(role)).of(role);
    }

    /** Whether there are others than the machine that has the fewest cores for its hot threads. */
    boolean areOnSeveralHosts() {
        return planners.size() > 1;
    }

    /** Hot threads of the machine that a role runs on. */
    int hotThreads(final RoleInstance role) {
        return planners.get(placement.apply(role)).hotThreads();
    }

    /** Cores that those may use. */
    int cores(final RoleInstance role) {
        return planners.get(placement.apply(role)).cores();
    }

    /** Hot threads of the machine that has the fewest cores for them. */
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

    /** Cores of this machine that are planned for hot threads. */
    List<Integer> plannedHere() {
        return planners.entrySet().stream()
                .filter(entry -> entry.getKey().host().equals(HostsPlan.LOCAL))
                .flatMap(entry -> entry.getValue().noiseCores().stream())
                .filter(core -> core >= 0)
                .distinct()
                .toList();
    }

    /** Decides for the roles of one trial which core each hot thread gets and how it waits. */
    static final class ThreadPlanner {
        private final Map<String, List<ThreadPlan>> plans = new HashMap<>();
        private final int hotThreads;
        private final int cores;
        private final CoreDemand demand;
        private final List<Integer> noiseCores;

        /**
         * @param allowedCores of the host
         * @param coresToSpinOn how many of them an undecided thread may take as free to spin on
         */
        ThreadPlanner(
                final List<RoleInstance> instances,
                final int allowedCores,
                final int coresToSpinOn) {
            hotThreads = instances.stream().mapToInt(role -> role.hotThreads().size()).sum();
            final TreeSet<Integer> pinned = new TreeSet<>();
            int loose = 0;
            for (final RoleInstance role : instances) {
                final long unsettled =
                        role.hotThreads().stream().filter(thread -> thread.core() < 0).count();
                role.hotThreads().stream()
                        .map(HotThread::core)
                        .filter(core -> core >= 0)
                        .forEach(pinned::add);
                if (unsettled > 0) {
                    pinned.addAll(role.plan().cores());
                    loose += role.plan().cores().isEmpty() ? (int) unsettled : 0;
                }
            }
            cores = loose == 0 && !pinned.isEmpty() ? pinned.size() : allowedCores;
            demand =
                    new CoreDemand(
                            Math.max(1, hotThreads),
                            cores,
                            instances.stream().mapToInt(RoleInstance::engineThreads).sum(),
                            Math.max(cores, allowedCores),
                            coresToSpinOn < allowedCores ? coresToSpinOn : Integer.MAX_VALUE);
            noiseCores = new ArrayList<>(pinned);
            for (int i = 0; i < Math.min(loose, allowedCores - pinned.size()); i++) {
                noiseCores.add(-1);
            }
            instances.forEach(role -> plans.put(role.id(), threads(role)));
        }

        /**
         * The first hot thread of the first instance gets the first core of the role, and so on;
         * what the role's settings say about a thread takes precedence.
         */
        private List<ThreadPlan> threads(final RoleInstance role) {
            final List<Integer> own = role.plan().cores();
            final List<ThreadPlan> threads = new ArrayList<>();
            for (final HotThread thread : role.hotThreads()) {
                final int place = (role.index() - 1) * role.hotThreads().size() + threads.size();
                threads.add(
                        new ThreadPlan(
                                thread.name(),
                                demand.decide(thread.idle()),
                                demand.reason(thread.idle()),
                                thread.core() >= 0 || own.isEmpty()
                                        ? thread.core()
                                        : own.get(place % own.size())));
            }
            return threads;
        }

        List<ThreadPlan> of(final RoleInstance role) {
            return plans.get(role.id());
        }

        int hotThreads() {
            return hotThreads;
        }

        /** Cores that the hot threads may use. */
        int cores() {
            return cores;
        }

        /** Where the noise floor is measured: planned cores, and -1 for each core not planned. */
        List<Integer> noiseCores() {
            return noiseCores;
        }
    }
}
