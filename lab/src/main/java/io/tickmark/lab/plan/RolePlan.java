package io.tickmark.lab.plan;

import java.util.List;
import java.util.Map;

/**
 * A role of a test, and where and how its process runs.
 *
 * @param role name of the role
 * @param count number of instances
 * @param settings for only this role; they override the test's
 * @param cores for its hot threads, in order; empty for no pinning
 * @param process roles that name the same process share one JVM; empty for one JVM each
 * @param jvm of its process
 * @param environment variables of its process
 * @param wrapper command before the JVM's
 * @param hosts names of the machines that its instances take turns on; empty for no placement
 */
public record RolePlan(
        @PlanKey(help = "Name of the role.", required = true) String role,
        @PlanKey(help = "How many instances of it; 1 by default.", min = 1, max = 1024)
                Integer count,
        @PlanKey(help = "Settings for this role only; they override the test's.")
                Map<String, Object> settings,
        @PlanKey(
                        help = "Cores for its hot threads, in order; none by default.",
                        min = 0,
                        max = 8191)
                List<Integer> cores,
        @PlanKey(
                        help = "Roles that name the same process share one JVM.",
                        pattern = PlanPatterns.NAME)
                String process,
        @PlanKey(help = "The JVM of its process.") JvmPlan jvm,
        @PlanKey(help = "Environment variables of its process.") Map<String, String> environment,
        @PlanKey(help = "Command put before the JVM's, word by word.") List<String> wrapper,
        @PlanKey(
                        help =
                                "Hosts, by their names in the hosts file, that take turns in running it; used only with --hosts.",
                        pattern = PlanPatterns.NAME)
                List<String> hosts) {

    /** Fills in what was not given and copies lists and maps. */
    public RolePlan {
        count = count == null ? Integer.valueOf(1) : count;
        settings = TestPlan.plain(settings);
        cores = cores == null ? List.of() : List.copyOf(cores);
        process = process == null ? "" : process;
        jvm = jvm == null ? JvmPlan.DEFAULT : jvm;
        environment = TestPlan.copy(environment);
        wrapper = wrapper == null ? List.of() : List.copyOf(wrapper);
        hosts = hosts == null ? List.of() : List.copyOf(hosts);
    }

    /** The same role with changed settings, where it has its own. */
    RolePlan replacing(final Map<String, Object> changed) {
        final Map<String, Object> merged = new java.util.LinkedHashMap<>(settings);
        changed.forEach((key, value) -> merged.computeIfPresent(key, (same, old) -> value));
        return new RolePlan(role, count, merged, cores, process, jvm, environment, wrapper, hosts);
    }

    /** The same role with settings of its own, whatever those of its test are. */
    RolePlan adding(final Map<String, Object> own) {
        final Map<String, Object> merged = new java.util.LinkedHashMap<>(settings);
        merged.putAll(own);
        return new RolePlan(role, count, merged, cores, process, jvm, environment, wrapper, hosts);
    }

    /**
     * The same role on another JVM.
     *
     * @param other of its process
     * @return the role
     */
    public RolePlan on(final JvmPlan other) {
        return new RolePlan(
                role, count, settings, cores, process, other, environment, wrapper, hosts);
    }

    /**
     * A role in a separate process.
     *
     * @param role its name
     * @param settings for only this role
     * @return one instance of the role
     */
    public static RolePlan of(final String role, final Map<String, Object> settings) {
        return new RolePlan(role, 1, settings, null, null, null, null, null, null);
    }

    /**
     * Several instances of the same role.
     *
     * @param howMany at least 1
     * @return the role
     */
    public RolePlan times(final int howMany) {
        return new RolePlan(
                role, howMany, settings, cores, process, jvm, environment, wrapper, hosts);
    }
}
