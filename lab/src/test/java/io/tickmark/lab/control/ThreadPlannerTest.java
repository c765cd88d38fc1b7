package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.role.IdleMode;
import io.tickmark.lab.control.HostThreads.ThreadPlanner;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.place.RoleLaunch;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.RoleInstance;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.RoleResolver;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.protocol.ToRole.ThreadPlan;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ThreadPlannerTest {
    private static List<RoleInstance> instances(final int receivers, final List<Integer> cores) {
        return new RoleResolver(RoleCatalog.load())
                .resolve(
                        TestPlan.builder("t", "mock")
                                .role(RolePlan.of("mock-sender", Map.of()))
                                .role(
                                        new RolePlan(
                                                "mock-receiver",
                                                receivers,
                                                Map.of(),
                                                cores,
                                                null,
                                                null,
                                                null,
                                                null,
                                                null))
                                .build(),
                        "");
    }

    private record Host(String host, int cores) implements Placement {
        @Override
        public PlacedProcess start(final RoleLaunch launch) {
            throw new UnsupportedOperationException();
        }
    }

    /** The machine with the fewest cores for its threads labels the row; stalls are of each. */
    @Test
    void shouldKnowTheCoresOfEachHost() {
        final List<RoleInstance> instances = instances(3, List.of());
        final Host large = new Host("large", 8);
        final Host small = new Host("small", 2);

        final HostThreads threads =
                new HostThreads(
                        instances, role -> role.role().equals("mock-sender") ? large : small);

        assertThat(threads.areOnSeveralHosts()).isTrue();
        assertThat(threads.cores()).isEqualTo(2);
        assertThat(threads.hotThreads()).isEqualTo(3);
        assertThat(threads.cores(instances.getFirst())).isEqualTo(8);
        assertThat(threads.hotThreads(instances.getFirst())).isEqualTo(1);
        assertThat(threads.cores(instances.getLast())).isEqualTo(2);
        assertThat(threads.hotThreads(instances.getLast())).isEqualTo(3);
        assertThat(new HostThreads(instances, _ -> large).areOnSeveralHosts()).isFalse();
    }

    @Test
    void shouldSpinWhileEveryHotThreadCanHaveACore() {
        final List<RoleInstance> instances = instances(1, List.of());
        final ThreadPlanner planner = new ThreadPlanner(instances, 2, 2);

        assertThat(planner.of(instances.get(0)))
                .containsExactly(new ThreadPlan("sender", IdleMode.SPIN, "", -1));
        assertThat(planner.of(instances.get(1)))
                .containsExactly(new ThreadPlan("receiver", IdleMode.SPIN, "", -1));
        assertThat(planner.noiseCores()).containsExactly(-1, -1);
    }

    @Test
    void shouldBeAdaptiveBeyondThat() {
        final List<RoleInstance> instances = instances(2, List.of());
        final ThreadPlanner planner = new ThreadPlanner(instances, 2, 2);

        assertThat(planner.hotThreads()).isEqualTo(3);
        assertThat(planner.cores()).isEqualTo(2);
        assertThat(instances.stream().map(role -> planner.of(role).getFirst().idle()))
                .containsOnly(IdleMode.ADAPTIVE);
        assertThat(planner.noiseCores()).containsExactly(-1, -1);
    }

    @Test
    void shouldBeAdaptiveWhereTheEngineKeepsTheLastCoresBusy() {
        final List<RoleInstance> instances =
                new RoleResolver(RoleCatalog.load())
                        .resolve(
                                TestPlan.builder("t", "mock")
                                        .role(
                                                RolePlan.of(
                                                        "mock-sender", Map.of("engineThreads", 2)))
                                        .role(
                                                RolePlan.of(
                                                        "mock-receiver",
                                                        Map.of("engineThreads", 1)))
                                        .build(),
                                "");

        final ThreadPlanner planner = new ThreadPlanner(instances, 4, 4);
        assertThat(planner.of(instances.getFirst()))
                .containsExactly(
                        new ThreadPlan(
                                "sender",
                                IdleMode.ADAPTIVE,
                                "2 hot threads and 3 of the engine on 4 cores",
                                -1));
        assertThat(planner.hotThreads()).as("those of roles").isEqualTo(2);
        assertThat(new ThreadPlanner(instances, 5, 5).of(instances.getFirst()))
                .containsExactly(new ThreadPlan("sender", IdleMode.SPIN, "", -1));
    }

    @Test
    void shouldGiveTheInstancesOfARoleItsCoresInTurn() {
        final List<RoleInstance> instances = instances(3, List.of(2, 5));
        final ThreadPlanner planner = new ThreadPlanner(instances, 8, 8);

        assertThat(instances.stream().skip(1).map(role -> planner.of(role).getFirst().core()))
                .containsExactly(2, 5, 2);
        assertThat(planner.noiseCores()).containsExactly(2, 5, -1);
    }

    @Test
    void shouldTakeTheCoreThatTheSettingsName() {
        final List<RoleInstance> instances =
                new RoleResolver(RoleCatalog.load())
                        .resolve(
                                TestPlan.builder("t", "mock")
                                        .setting("core", 1)
                                        .role(RolePlan.of("mock-sender", Map.of()))
                                        .role(RolePlan.of("mock-receiver", Map.of()))
                                        .build(),
                                "");
        final ThreadPlanner planner = new ThreadPlanner(instances, 8, 8);

        assertThat(instances.stream().map(role -> planner.of(role).getFirst().core()))
                .containsExactly(1, 1);
        assertThat(planner.noiseCores()).containsExactly(1);
        assertThat(planner.hotThreads()).as("two share the one core").isEqualTo(2);
        assertThat(planner.cores()).isEqualTo(1);
        assertThat(planner.of(instances.getLast()).getFirst().idle()).isEqualTo(IdleMode.ADAPTIVE);
    }
}
