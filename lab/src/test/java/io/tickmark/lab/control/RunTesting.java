package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.mock.MockSettings.Trouble;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.place.Placements;
import io.tickmark.lab.plan.JvmPlan;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Runs plans of mock roles in real processes, and ensures that nothing is left behind. */
abstract class RunTesting {
    /** Starts fast; its measurements do not matter here. */
    static final JvmPlan SMALL =
            new JvmPlan("32m", JvmPlan.Collector.SERIAL, List.of("-XX:TieredStopAtLevel=1"));

    @TempDir Path folder;

    @AfterEach
    void shouldLeaveNoChildBehind() {
        assertThat(ProcessHandle.current().descendants().filter(ProcessHandle::isAlive)).isEmpty();
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name ->
                        name.startsWith("link-")
                                || name.startsWith("errors-of-")
                                || name.startsWith("orders-of-"));
    }

    static RolePlan role(final String name, final Map<String, Object> settings) {
        return new RolePlan(name, 1, settings, null, null, SMALL, null, null, null);
    }

    static TestPlan.Builder test(final Trouble troubleOfReceiver) {
        return TestPlan.builder("t", "mock")
                .channel("mock:a")
                .role(role("mock-sender", Map.of()))
                .role(role("mock-receiver", Map.of("trouble", troubleOfReceiver)));
    }

    /** In the process that it shares with the others: starting one costs a second of a core. */
    static RolePlan sharing(final String name, final Map<String, Object> settings) {
        return new RolePlan(name, 1, settings, null, "both", SMALL, null, null, null);
    }

    /** Of a test that is not about processes. */
    static TestPlan.Builder inOneProcess(final Trouble troubleOfReceiver) {
        return TestPlan.builder("t", "mock")
                .channel("mock:a")
                .role(sharing("mock-sender", Map.of()))
                .role(sharing("mock-receiver", Map.of("trouble", troubleOfReceiver)));
    }

    static TestPlan.Builder alone(final Trouble trouble) {
        return TestPlan.builder("t", "mock")
                .channel("mock:a")
                .role(role("mock-receiver", Map.of("trouble", trouble)));
    }

    static Plan plan(final TestPlan test) {
        return Plan.named("p").withNoise(Duration.ZERO).with(test);
    }

    RunOutcome run(final TestPlan test) {
        return run(plan(test), RunListener.SILENT);
    }

    RunOutcome run(final Plan plan, final RunListener listener) {
        return new RunControl(plan, options(folder), listener).run();
    }

    RunOutcome run(final TestPlan test, final Placement elsewhere) {
        return new RunControl(
                        plan(test),
                        options(folder).on(Placements.all(elsewhere)),
                        RunListener.SILENT)
                .run();
    }

    static RunOptions options(final Path results) {
        return RunOptions.local(results, Optional.empty(), scheme -> List.of(), "0", Map.of());
    }

    static TrialResult only(final RunOutcome outcome) {
        assertThat(outcome.result().trials()).hasSize(1);
        return outcome.result().trials().getFirst();
    }

    static Object metric(final TrialResult row, final String role, final String name) {
        return row.roles().stream()
                .filter(summary -> (summary.role() + "-" + summary.index()).equals(role))
                .findFirst()
                .orElseThrow()
                .metrics()
                .get(name);
    }
}
