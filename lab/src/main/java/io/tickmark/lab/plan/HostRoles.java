package io.tickmark.lab.plan;

import io.tickmark.kernel.settings.UserError;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which role runs on which host.
 *
 * @param file the user's name for the file that lists the hosts
 * @param hosts their names, at least one
 * @param roles names of hosts that take turns, by the role's name; a role's own {@code hosts} in
 *     the plan wins
 */
public record HostRoles(String file, List<String> hosts, Map<String, List<String>> roles) {
    /** Copies list and map. */
    public HostRoles {
        hosts = List.copyOf(hosts);
        roles = Map.copyOf(roles);
    }

    /**
     * Which host each instance of a test runs on: as the plan says, otherwise as this file says. Of
     * the roles that neither places, the first is placed on the first host, and the others take
     * turns on the hosts after it, or join it where there are none. A role that shares a process
     * with a placed role, that has to be on one host with others ({@link
     * RoleInstance#staysOnOneHost()}), or that watches the others joins them.
     *
     * @param instances of the test
     * @return name of the host by id of the role
     * @throws UserError if the plan names a host that is not listed, or puts roles of one process
     *     on two hosts (usage); if roles that have to be on one host are placed on several
     *     (environment: other tests of the plan can be run)
     */
    public Map<String, String> place(final List<RoleInstance> instances) {
        final Map<String, String> placed = new LinkedHashMap<>();
        final Map<String, String> processes = new HashMap<>();
        final List<String> rest = hosts.subList(Math.min(1, hosts.size() - 1), hosts.size());
        final Optional<String> common = common(instances);
        String first = null;
        String firstHost = hosts.getFirst();
        int turn = 0;
        for (final RoleInstance role : instances) {
            final List<String> own = said(role);
            final String host;
            if (!own.isEmpty()) {
                host = own.get((role.index() - 1) % own.size());
                check(role, host);
            } else if (processes.containsKey(role.process())) {
                host = processes.get(role.process());
            } else if (common.isPresent() && role.staysOnOneHost()) {
                host = common.get();
            } else if (!placed.isEmpty() && role.factory().isObserver()) {
                host = firstHost;
            } else {
                first = first == null ? role.role() : first;
                host =
                        first.equals(role.role())
                                ? hosts.getFirst()
                                : rest.get(turn++ % rest.size());
            }
            firstHost = placed.isEmpty() ? host : firstHost;
            placed.put(role.id(), host);
            final String together = processes.putIfAbsent(role.process(), host);
            if (together != null && !together.equals(host)) {
                throw UserError.usage(
                        "%s shares the process %s, which runs on %s, and cannot run on %s; place them together."
                                .formatted(role.id(), role.process(), together, host));
            }
        }
        return placed;
    }

    private List<String> said(final RoleInstance role) {
        return role.plan().hosts().isEmpty()
                ? roles.getOrDefault(role.role(), List.of())
                : role.plan().hosts();
    }

    /**
     * The host of all that have to be on one: that of the explicitly placed ones, otherwise the
     * first.
     */
    private Optional<String> common(final List<RoleInstance> instances) {
        String host = null;
        RoleInstance by = null;
        boolean isNeeded = false;
        for (final RoleInstance role : instances) {
            if (!role.staysOnOneHost()) {
                continue;
            }
            isNeeded = true;
            final List<String> own = said(role);
            if (own.isEmpty()) {
                continue;
            }
            final String named = own.get((role.index() - 1) % own.size());
            if (host != null && !host.equals(named)) {
                throw UserError.environment(
                        "%s is placed on %s and %s on %s, but their channel (%s) works within one host only; place them together."
                                .formatted(by.id(), host, role.id(), named, role.channel()));
            }
            host = named;
            by = role;
        }
        return isNeeded ? Optional.of(host == null ? hosts.getFirst() : host) : Optional.empty();
    }

    private void check(final RoleInstance role, final String host) {
        if (!hosts.contains(host)) {
            throw UserError.usage(
                    "%s is to run on host %s, which %s does not list."
                            .formatted(role.role(), host, file));
        }
    }
}
