package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.lab.mock.MockSettings.Trouble;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.plan.FaultPlan;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.verdict.Labels;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FaultyTrialTest extends RunTesting {
    @Test
    void shouldNotVoidATrialForPlannedFaults() {
        final RunOutcome outcome =
                run(
                        TestPlan.builder("t", "mock")
                                .setting("lasting", "6s") // the faults come before its end
                                .role(role("mock-sender", Map.of()))
                                .role(role("mock-receiver", Map.of()).times(2))
                                .fault(
                                        new FaultPlan(
                                                "mock-receiver",
                                                2,
                                                null,
                                                Duration.ofMillis(300),
                                                FaultPlan.Action.KILL))
                                .fault(
                                        new FaultPlan(
                                                "mock-receiver",
                                                1,
                                                null,
                                                Duration.ofMillis(300),
                                                FaultPlan.Action.STOP))
                                .fault(
                                        new FaultPlan(
                                                "mock-receiver",
                                                1,
                                                null,
                                                Duration.ofMillis(700),
                                                FaultPlan.Action.CONTINUE))
                                .criteria(
                                        Settings.read(
                                                Criteria.class,
                                                Map.of("maxLostPart", 1),
                                                key -> key))
                                .repeats(2)
                                .build());

        assertThat(outcome.result().reasons()).isEmpty();
        assertThat(outcome.result().trials()).hasSize(2);
        assertThat(outcome.result().trials())
                .allSatisfy(row -> {
                    assertThat(row.verdict()).isEqualTo(Verdict.PASS);
                    assertThat(row.subscribers()).isEqualTo(2);
                    assertThat(metric(row, "mock-receiver-1", "faults"))
                            .asString()
                            .as("when they were done, not when they were planned")
                            .matches("suspended at \\d+m?s; resumed at \\d+m?s");
                    assertThat(metric(row, "mock-receiver-2", "faults"))
                            .asString()
                            .matches("killed at \\d+m?s");
                });
    }

    @Test
    void shouldChargeWhatTheOnlySubscriberMissedWhenItWasKilledAsPlanned() {
        final RunOutcome outcome =
                run(
                        TestPlan.builder("t", "mock")
                                // The kill happens in the first step, also on a busy machine.
                                .setting("lasting", "5s")
                                .setting("sizes", "64,128")
                                .role(role("mock-sender", Map.of()))
                                .role(role("mock-receiver", Map.of()))
                                .fault(
                                        new FaultPlan(
                                                "mock-receiver",
                                                1,
                                                null,
                                                Duration.ofMillis(500),
                                                FaultPlan.Action.KILL))
                                .build());

        assertThat(outcome.result().trials())
                .hasSize(2)
                .allSatisfy(row -> {
                    assertThat(row.labels()).contains(Labels.ROLE_KILLED);
                    assertThat(row.expected()).isEqualTo(100);
                    assertThat(row.lost()).isEqualTo(100 - row.received());
                });
        final TrialResult second = outcome.result().trials().getLast();
        assertThat(second.lost()).isEqualTo(100);
        assertThat(second.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(second.roles().getLast().warnings().getFirst())
                .startsWith("Killed as planned after 500ms;");
    }

    @Test
    void shouldVoidATrialThatEndedBeforeItsFault() {
        final RunOutcome outcome =
                run(
                        test(Trouble.NOTHING)
                                .fault(
                                        new FaultPlan(
                                                "mock-receiver",
                                                1,
                                                null,
                                                Duration.ofMinutes(2),
                                                FaultPlan.Action.KILL))
                                .repeats(2)
                                .build());

        assertThat(outcome.result().trials())
                .hasSize(2)
                .allSatisfy(row -> {
                    assertThat(row.verdict()).isEqualTo(Verdict.VOID);
                    assertThat(row.reasons())
                            .singleElement()
                            .asString()
                            .matches(
                                    "The fault at 2m was not injected \\(kill mock-receiver-1\\): the trial ended after "
                                            + "\\d+m?s; plan it earlier, or let the trial last longer\\.");
                    assertThat(row.received()).as("what was measured").isEqualTo(100);
                });
    }

    @Test
    void shouldHandAFaultOfAMemberToItsRole() {
        final RunOutcome outcome =
                run(
                        inOneProcess(Trouble.NOTHING)
                                .setting("lasting", "6s") // the faults come before its end
                                .role(role("mock-observer", Map.of()))
                                .fault(
                                        new FaultPlan(
                                                "mock-observer",
                                                1,
                                                2,
                                                Duration.ofMillis(1),
                                                FaultPlan.Action.KILL))
                                .build());

        assertThat(only(outcome).verdict()).isEqualTo(Verdict.PASS);
        assertThat(metric(only(outcome), "mock-observer-1", "faults")).isEqualTo("had 1");
    }

    /** A channel that was typed can have fewer members than that of the plan. */
    @Test
    void shouldSayWhoCannotTakeAFault() {
        final RunOutcome outcome =
                run(
                        test(Trouble.NOTHING)
                                .setting("lasting", "20s")
                                .fault(
                                        new FaultPlan(
                                                "mock-receiver",
                                                1,
                                                2,
                                                Duration.ofMillis(1),
                                                FaultPlan.Action.KILL))
                                .build());

        assertThat(only(outcome).verdict()).isEqualTo(Verdict.VOID);
        assertThat(only(outcome).reasons())
                .containsExactly(
                        "mock-receiver-1: faults: this role runs no processes of its own; leave 'member' out, or"
                                + " name another role.");
        assertThat(outcome.exitCode()).isEqualTo(2);
    }
}
