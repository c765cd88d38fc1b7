package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.SearchSummary.Purpose;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.control.PlanRun.RoleProcesses;
import io.tickmark.lab.control.PlanRun.SearchTrials;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.RoleResolver;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.tail.TailReader;
import java.time.Duration;
import java.util.Map;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;

class SearchTrialsTest {
    private static final TrialRun.Tools TOOLS =
            new TrialRun.Tools(
                    new RunEvents(),
                    SystemNanoClock.INSTANCE,
                    RunListener.SILENT,
                    Duration.ZERO,
                    Duration.ofSeconds(1),
                    SystemEpochNanoClock.INSTANCE,
                    new TailReader());

    /**
     * The search keeps its results: a rate may be too low for a role only once others were tried.
     */
    @Test
    void shouldBeVoidWhereARoleRefusesTheSetting() {
        final TestPlan test =
                TestPlan.builder("t", "mock")
                        .role(RolePlan.of("mock-sender", Map.of("samples", 0)))
                        .build();
        try (SearchTrials trials =
                new SearchTrials(
                        () ->
                                new RoleProcesses(() -> {
                                    throw new AssertionError("nothing is to be started");
                                }),
                        new RoleResolver(RoleCatalog.load()),
                        "mock:a",
                        TOOLS,
                        Duration.ZERO,
                        0,
                        1)) {
            final TrialEnd end = trials.serve(test, Purpose.SEARCH, false).orElseThrow();

            assertThat(end.userError()).contains(UserError.Kind.USAGE);
            assertThat(end.rows())
                    .singleElement()
                    .satisfies(row -> {
                        assertThat(row.verdict()).isEqualTo(Verdict.VOID);
                        assertThat(row.reasons()).first().asString().contains("--samples");
                    });
        }
    }
}
