package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.Progress;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.lab.control.RoleLink.RoleLog;
import io.tickmark.lab.mock.MockSettings.Trouble;
import io.tickmark.lab.plan.RoleInstance;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.result.ResultFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class VoidTrialTest extends RunTesting {
    @ParameterizedTest
    @CsvSource({
        "PREPARE_FAILS, port 7 is in use; choose another., 3",
        "CONNECT_FAILS, nobody answers; start the peer., 3",
        "RUN_FAILS, too long for this channel, 2",
        "RUN_BREAKS, failed because of a defect: java.lang.IllegalStateException: a defect, 1",
    })
    void shouldVoidATrialWhoseRoleFails(
            final Trouble trouble, final String reason, final int exitCode) {
        final RunOutcome outcome = run(alone(trouble).build());

        assertThat(only(outcome).verdict()).isEqualTo(Verdict.VOID);
        assertThat(only(outcome).reasons()).hasSize(1);
        assertThat(only(outcome).reasons().getFirst())
                .startsWith("mock-receiver-1: ")
                .contains(reason);
        assertThat(outcome.exitCode()).isEqualTo(exitCode);
    }

    @Test
    void shouldVoidATrialWhoseRoleDiesAndGoOnWithFreshProcesses() {
        final RunOutcome outcome = run(alone(Trouble.DIES).repeats(2).build());

        assertThat(outcome.result().trials()).extracting(TrialResult::repeat).contains(1, 2);
        assertThat(outcome.result().trials())
                .allSatisfy(row -> {
                    assertThat(row.verdict()).isEqualTo(Verdict.VOID);
                    assertThat(row.reasons())
                            .containsExactly(
                                    "The process of mock-receiver-1 ended unexpectedly with exit code 42;"
                                            + " its last words: last words.");
                });
        assertThat(outcome.result().aggregates()).isEmpty();
        assertThat(outcome.exitCode()).isEqualTo(1);
    }

    @Test
    void shouldVoidATrialWhoseProcessHangs() {
        final RunOutcome outcome = run(test(Trouble.HANGS).build());

        assertThat(only(outcome).reasons())
                .containsExactly("mock-receiver-1 has said nothing for 15 s: it hangs.");
        assertThat(only(outcome).sent()).as("what the sender measured is kept").isEqualTo(100);
    }

    @Test
    void shouldVoidATrialThatTakesTooLongAndAlsoReportWhatAnotherRoleHadReported() {
        final RunOutcome outcome =
                run(
                        TestPlan.builder("t", "mock")
                                .channel("mock:a")
                                .role(sharing("mock-sender", Map.of("trouble", "never-ends")))
                                .role(sharing("mock-receiver", Map.of("trouble", "fails")))
                                .timeout(
                                        Duration.ofMillis(
                                                5500)) // the other has reported long before
                                .build());

        assertThat(only(outcome).reasons())
                .containsExactly(
                        "mock-sender-1 did not end within 5500ms.",
                        "mock-receiver-1: Nothing came.");
    }

    @Test
    void shouldVoidATrialWhoseRoleFloodsItsOutput() throws IOException {
        final RunOutcome outcome = run(alone(Trouble.FLOODS).build());

        assertThat(only(outcome).reasons())
                .containsExactly(
                        "The process of mock-receiver-1 wrote more than 16 MiB to its output.");
        final Path log =
                outcome.folder().orElseThrow().resolve("roles/t-mock-a-mock-receiver-1/role.log");
        assertThat(Files.size(log)).isBetween(RoleLog.KEPT_BYTES, RoleLog.KEPT_BYTES + 100);
        assertThat(Files.readString(log)).contains("bytes more.");
    }

    @Test
    void shouldKeepPrintsAndGarbageOutOfTheMessages() throws IOException {
        final RunOutcome outcome =
                run(
                        TestPlan.builder("t", "mock")
                                .role(role("mock-sender", Map.of("trouble", "prints")))
                                .role(role("mock-receiver", Map.of("trouble", "garbage")))
                                .build());

        assertThat(only(outcome).verdict()).isEqualTo(Verdict.PASS);
        final Path roles = outcome.folder().orElseThrow().resolve("roles");
        assertThat(Files.readString(roles.resolve("t-mock-sender-1/role.log")))
                .contains("printed by a library");
        assertThat(Files.readString(roles.resolve("t-mock-receiver-1/role.log")))
                .contains("[no message] {\"no\": \"message\"");
    }

    @Test
    void shouldEndSoonWhenStoppedAndKeepWhatWasMeasured() {
        final RunControl[] control = new RunControl[1];
        final RunListener stopper =
                new RunListener() {
                    @Override
                    public void progressed(
                            final TrialKey trial,
                            final RoleInstance role,
                            final Progress progress) {
                        if (progress.counters().getOrDefault(Counts.SENT, 0L) == 100) {
                            control[0].stop();
                        }
                    }
                };
        final TestPlan test =
                inOneProcess(Trouble.NOTHING)
                        .setting("lasting", "60s")
                        .setting("sizes", "64,128")
                        .repeats(3)
                        .build();
        control[0] = new RunControl(plan(test), options(folder), stopper);

        final RunOutcome outcome = control[0].run();

        assertThat(outcome.result().verdict()).isEqualTo(Verdict.VOID);
        assertThat(outcome.result().reasons()).first().isEqualTo("The run was interrupted.");
        assertThat(only(outcome).reasons()).containsExactly("The run was interrupted.");
        assertThat(only(outcome).sent()).isEqualTo(100);
        assertThat(only(outcome).durationNs()).isLessThan(Duration.ofSeconds(60).toNanos());
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.folder().orElseThrow().resolve(ResultFolder.RESULT)).exists();
    }

    @Test
    void shouldSayWhyAProcessDidNotStart() {
        final RolePlan lost =
                new RolePlan(
                        "mock-sender",
                        1,
                        Map.of(),
                        null,
                        null,
                        SMALL,
                        null,
                        List.of("no-such-wrapper"),
                        null);

        final RunOutcome outcome = run(TestPlan.builder("t", "mock").role(lost).build());

        assertThat(only(outcome).reasons().getFirst())
                .contains("exit code 127")
                .contains("no-such-wrapper");
    }
}
