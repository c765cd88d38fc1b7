package io.tickmark.lab.cores;

import io.tickmark.kernel.host.CoreList;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.RoleInstance;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.RoleResolver;
import io.tickmark.lab.plan.TestPlan;
import java.util.ArrayList;
import java.util.List;

/** Copies of a test, one for each placement. */
public final class PlacedTests {
    private PlacedTests() {}

    /**
     * How many hot threads of a test can be placed.
     *
     * @param test on one channel
     * @param roles known
     * @return the sum over its roles, without the threads of engines
     * @throws UserError if the settings of a role name cores themselves: those win over any
     *     placement
     */
    public static int hotThreads(final TestPlan test, final RoleCatalog roles) {
        int hotThreads = 0;
        for (final RoleInstance role :
                new RoleResolver(roles).resolve(test, test.channels().getFirst())) {
            final int placeable = placeable(role);
            if (placeable > 0) {
                checkLeftToThePlan(test, role);
            }
            hotThreads += placeable;
        }
        return hotThreads;
    }

    private static void checkLeftToThePlan(final TestPlan test, final RoleInstance role) {
        role.hotThreads().stream()
                .filter(thread -> thread.core() >= 0)
                .findFirst()
                .ifPresent(thread -> {
                    throw UserError.usage(
                            ("test %s: a setting of role %s puts its thread '%s' on core %d, so that it cannot be"
                                            + " placed elsewhere; leave that setting out.")
                                    .formatted(
                                            test.name(),
                                            role.plan().role(),
                                            thread.name(),
                                            thread.core()));
                });
    }

    private static int placeable(final RoleInstance role) {
        return role.factory().isPlaceable() ? role.hotThreads().size() : 0;
    }

    /**
     * The test with its hot threads as a placement says. Other threads are kept to the housekeeping
     * CPUs by {@code taskset} before the JVM; hot threads leave that mask when they pin themselves.
     *
     * @param test on one channel
     * @param placement of its threads
     * @param catalog roles there are
     * @return a test whose name ends in that of the placement
     */
    public static TestPlan placed(
            final TestPlan test, final CorePlacement placement, final RoleCatalog catalog) {
        final List<RoleInstance> instances =
                new RoleResolver(catalog).resolve(test, test.channels().getFirst());
        final List<RolePlan> roles = new ArrayList<>();
        int next = 0;
        int instance = 0;
        for (final RolePlan role : test.roles()) {
            final List<Integer> cores = new ArrayList<>();
            for (int i = 0; i < role.count(); i++) {
                for (int thread = 0; thread < placeable(instances.get(instance)); thread++) {
                    if (!placement.hot().isEmpty()) {
                        cores.add(placement.hot().get(next++ % placement.hot().size()));
                    }
                }
                instance++;
            }
            roles.add(
                    new RolePlan(
                            role.role(),
                            role.count(),
                            role.settings(),
                            cores,
                            role.process(),
                            role.jvm(),
                            role.environment(),
                            wrapper(role, placement),
                            role.hosts()));
        }
        return new TestPlan(
                test.name() + "-" + placement.name(),
                test.workload(),
                test.channels(),
                test.repeats(),
                test.settings(),
                roles,
                test.criteria(),
                test.faults(),
                null,
                test.timeout());
    }

    private static List<String> wrapper(final RolePlan role, final CorePlacement placement) {
        if (placement.housekeeping().isEmpty()) {
            return role.wrapper();
        }
        final List<String> wrapper = new ArrayList<>(List.of("taskset", "-c"));
        wrapper.add(CoreList.format(placement.housekeeping()));
        wrapper.addAll(role.wrapper());
        return wrapper;
    }
}
