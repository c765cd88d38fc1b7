package io.tickmark.lab.hosts;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.place.Placements;
import io.tickmark.lab.plan.HostRoles;
import io.tickmark.lab.plan.HostsPlan;
import io.tickmark.lab.plan.RoleInstance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.agrona.concurrent.SystemNanoClock;

/** The hosts of a run, each with its agent. Opened before the run, closed after it. */
public final class Hosts implements Placements {
    private final HostRoles rule;
    private final Map<String, Placement> byName = new LinkedHashMap<>();
    private final List<RemoteHost> remote = new ArrayList<>();

    private Hosts(final HostRoles rule) {
        this.rule = rule;
    }

    /**
     * Connects to all hosts at once by ssh, copies the build where this version is missing, and
     * starts the agents.
     *
     * @param plan of the hosts
     * @param progress receives a sentence for each action
     * @return the hosts
     * @throws UserError that names the host which cannot be reached or used; no agent is left
     *     running then
     */
    public static Hosts open(final HostsPlan plan, final Consumer<String> progress) {
        final Build build = Build.here();
        return open(
                plan.placing(),
                plan.hosts().stream().map(host -> (HostAccess) new Ssh(host, build)).toList(),
                build,
                progress);
    }

    /**
     * Starts the agents of machines that have the build already.
     *
     * @param rule which role runs where
     * @param machines by the names in it
     * @param progress receives a sentence for each action
     * @return the hosts
     * @throws UserError that names the machine which cannot be reached or used; no agent is left
     *     running then
     */
    public static Hosts open(
            final HostRoles rule,
            final List<? extends HostAccess> machines,
            final Consumer<String> progress) {
        return open(rule, machines, Build.here(), progress);
    }

    private static Hosts open(
            final HostRoles rule,
            final List<? extends HostAccess> machines,
            final Build build,
            final Consumer<String> progress) {
        final Hosts hosts = new Hosts(rule);
        final String run = "run-%016x".formatted(ThreadLocalRandom.current().nextLong());
        final List<Future<RemoteHost>> reached = new ArrayList<>();
        try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            for (final HostAccess machine : machines) {
                progress.accept("reaching host " + machine.name() + " (" + machine.shown() + ")");
                reached.add(
                        each.submit(() ->
                                new RemoteHost(machine, build, run, SystemNanoClock.INSTANCE)));
            }
        }
        RuntimeException first = null;
        for (final Future<RemoteHost> one : reached) {
            if (one.state() == Future.State.SUCCESS) {
                final RemoteHost opened = one.resultNow();
                hosts.remote.add(opened);
                hosts.byName.put(opened.host(), opened);
            } else if (first == null) {
                first = (RuntimeException) one.exceptionNow();
            }
        }
        if (first != null) {
            hosts.end();
            throw first;
        }
        return hosts;
    }

    @Override
    public Map<String, Placement> place(final List<RoleInstance> instances) {
        final Map<String, Placement> placed = new HashMap<>();
        rule.place(instances).forEach((role, host) -> placed.put(role, byName.get(host)));
        return placed;
    }

    @Override
    public Map<String, Map<String, Object>> environments() {
        final Map<String, Map<String, Object>> groups = new LinkedHashMap<>();
        for (final RemoteHost host : remote) {
            final Map<String, Object> flat = new LinkedHashMap<>();
            host.environment()
                    .forEach((group, facts) ->
                            facts.forEach((name, fact) -> flat.put(group + "." + name, fact)));
            groups.put("host " + host.host(), flat);
        }
        return groups;
    }

    /** Ends agents and everything they started; returns sentences about problems. */
    private List<String> end() {
        final List<String> troubles = new ArrayList<>();
        for (final RemoteHost host : remote) {
            try {
                host.close();
            } catch (final UserError e) {
                troubles.add(e.getMessage());
            }
        }
        remote.clear();
        return troubles;
    }

    /**
     * Ends agents and everything they started.
     *
     * @throws UserError if something was left running
     */
    @Override
    public void close() {
        final List<String> troubles = end();
        if (!troubles.isEmpty()) {
            throw UserError.environment(String.join(" ", troubles));
        }
    }
}
