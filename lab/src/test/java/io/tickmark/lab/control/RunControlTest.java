package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.mock.MockSettings.Trouble;
import io.tickmark.lab.plan.FaultPlan;
import io.tickmark.lab.plan.JvmPlan;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.result.ResultFolder;
import io.tickmark.lab.result.ResultJson;
import io.tickmark.lab.verdict.Labels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class RunControlTest {
    /** Starts fast; what it measures is of no interest here. */
    private static final JvmPlan SMALL =
            new JvmPlan("32m", JvmPlan.Collector.SERIAL, List.of("-XX:TieredStopAtLevel=1"));

    @TempDir private Path folder;

    @AfterEach
    void shouldLeaveNoChildBehind() {
        assertThat(ProcessHandle.current().descendants().filter(ProcessHandle::isAlive)).isEmpty();
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("link-") || name.startsWith("errors-of-"));
    }

    private static RolePlan role(final String name, final Map<String, Object> settings) {
        return new RolePlan(name, 1, settings, null, null, SMALL, null, null);
    }

    private static TestPlan.Builder test(final Trouble troubleOfReceiver) {
        return TestPlan.builder("t", "mock")
                .channel("mock:a")
                .role(role("mock-sender", Map.of()))
                .role(role("mock-receiver", Map.of("trouble", troubleOfReceiver)));
    }

    private static Plan plan(final TestPlan test) {
        return Plan.named("p").withNoise(Duration.ZERO).with(test);
    }

    private RunOutcome run(final TestPlan test) {
        return run(plan(test), RunListener.SILENT);
    }

    private RunOutcome run(final Plan plan, final RunListener listener) {
        return new RunControl(plan, options(folder), listener).run();
    }

    private static RunOptions options(final Path results) {
        return RunOptions.local(results, Optional.empty(), scheme -> List.of(), "0", Map.of());
    }

    private static TrialResult only(final RunOutcome outcome) {
        assertThat(outcome.result().trials()).hasSize(1);
        return outcome.result().trials().getFirst();
    }

    private static Object metric(final TrialResult row, final String role, final String name) {
        return row.roles().stream()
                .filter(summary -> (summary.role() + "-" + summary.index()).equals(role))
                .findFirst()
                .orElseThrow()
                .metrics()
                .get(name);
    }

    @Test
    void shouldMeasureWithTwoRolesInTwoProcessesAndServeAllRepeatsWithThem() throws IOException {
        final RunOutcome outcome =
                run(
                        plan(test(Trouble.NOTHING).repeats(2).setting("sizes", "64,256").build())
                                .withNoise(Duration.ofMillis(20)),
                        RunListener.SILENT);

        assertThat(outcome.result().reasons()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
        final List<TrialResult> rows = outcome.result().trials();
        assertThat(rows).extracting(TrialResult::repeat).containsExactly(1, 1, 2, 2);
        assertThat(rows).extracting(TrialResult::payloadBytes).containsExactly(64, 256, 64, 256);
        assertThat(rows)
                .allSatisfy(row -> {
                    assertThat(row.verdict()).isEqualTo(Verdict.PASS);
                    assertThat(row.sent()).isEqualTo(100);
                    assertThat(row.expected()).isEqualTo(100);
                    assertThat(row.received()).isEqualTo(100);
                    assertThat(row.roundTripNs().count()).isEqualTo(100);
                    assertThat(row.labels()).contains(Labels.CLOSED_LOOP);
                    assertThat(row.noiseBefore()).isNotNull();
                    assertThat(metric(row, "mock-receiver-1", "heard")).isEqualTo("mock:a#bound");
                    assertThat(metric(row, "mock-sender-1", "jvm")).asString().contains("-Xmx32m");
                });
        assertThat(rows)
                .extracting(row -> metric(row, "mock-sender-1", "pid"))
                .containsOnly(metric(rows.getFirst(), "mock-sender-1", "pid"))
                .doesNotContain(metric(rows.getFirst(), "mock-receiver-1", "pid"));
        assertThat(outcome.result().aggregates()).hasSize(2);
        final Path results = outcome.folder().orElseThrow();
        assertThat(ResultJson.read(results.resolve(ResultFolder.RESULT)).trials()).hasSize(4);
        assertThat(results.resolve("roles/t-mock-a-mock-sender-1/stats.csv")).exists();
        assertThat(results.resolve("roles/t-mock-a-mock-sender-1/latency.hlog")).exists();
        assertThat(Files.readString(results.resolve("roles/t-mock-a-mock-sender-1/summary.txt")))
                .contains("repeat 2");
        for (final String file : List.of("plan.yaml", "environment.json", "noise.json")) {
            assertThat(results.resolve(file)).isNotEmptyFile();
        }
    }

    @Test
    void shouldCountALossAgainstTheCriteria() {
        final RunOutcome outcome = run(test(Trouble.LOSES).build());

        final TrialResult row = only(outcome);
        assertThat(row.lost()).isEqualTo(1);
        assertThat(row.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(outcome.result().reasons())
                .containsExactly(
                        "t on mock:a, 64 B, repeat 1: Lost 1 of 100 messages expected (1.000 %); at most 0.000 % may be lost.");
        assertThat(outcome.exitCode()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "PREPARE_FAILS, port 7 is in use; choose another., 3",
        "CONNECT_FAILS, nobody answers; start the peer., 3",
        "RUN_FAILS, too long for this channel, 2",
        "RUN_BREAKS, failed by a defect: java.lang.IllegalStateException: a defect, 1",
    })
    void shouldVoidATrialWhoseRoleFails(
            final Trouble trouble, final String reason, final int exitCode) {
        final RunOutcome outcome = run(test(trouble).build());

        assertThat(only(outcome).verdict()).isEqualTo(Verdict.VOID);
        assertThat(only(outcome).reasons()).hasSize(1);
        assertThat(only(outcome).reasons().getFirst())
                .startsWith("mock-receiver-1: ")
                .contains(reason);
        assertThat(outcome.exitCode()).isEqualTo(exitCode);
    }

    @Test
    void shouldVoidATrialWhoseRoleDiesAndGoOnWithFreshProcesses() {
        final RunOutcome outcome = run(test(Trouble.DIES).repeats(2).build());

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
                .containsExactly("mock-receiver-1 has said nothing for 5 s: it hangs.");
        assertThat(only(outcome).sent()).as("what the sender measured is kept").isEqualTo(100);
    }

    @Test
    void shouldVoidATrialThatTakesTooLong() {
        final RunOutcome outcome =
                run(test(Trouble.NEVER_ENDS).timeout(Duration.ofMillis(1500)).build());

        assertThat(only(outcome).reasons())
                .containsExactly("mock-receiver-1 did not end within 1.5 s.");
    }

    @Test
    void shouldVoidATrialWhoseRoleFloodsItsOutput() throws IOException {
        final RunOutcome outcome = run(test(Trouble.FLOODS).build());

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
                            final String role,
                            final String step,
                            final Map<String, Long> counters) {
                        control[0].stop();
                    }
                };
        final TestPlan test =
                test(Trouble.NOTHING)
                        .setting("lasting", "20s")
                        .setting("sizes", "64,128")
                        .repeats(3)
                        .build();
        control[0] = new RunControl(plan(test), options(folder), stopper);

        final RunOutcome outcome = control[0].run();

        assertThat(outcome.result().verdict()).isEqualTo(Verdict.VOID);
        assertThat(outcome.result().reasons()).first().isEqualTo("interrupted");
        assertThat(only(outcome).reasons()).containsExactly("The run was interrupted.");
        assertThat(only(outcome).sent()).isEqualTo(100);
        assertThat(only(outcome).durationNs()).isLessThan(Duration.ofSeconds(20).toNanos());
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.folder().orElseThrow().resolve(ResultFolder.RESULT)).exists();
    }

    @Test
    void shouldRunWithWrapperEnvironmentOptionsAndCoresAndRecordThem() {
        final RolePlan wrapped =
                new RolePlan(
                        "mock-sender",
                        1,
                        Map.of(),
                        List.of(0),
                        "p1",
                        new JvmPlan("40m", JvmPlan.Collector.SERIAL, List.of("-Dmock=blue")),
                        Map.of("MOCK", "red green"),
                        List.of("nice", "-n", "3"));
        final RolePlan shared =
                new RolePlan(
                        "mock-receiver",
                        2,
                        Map.of(),
                        null,
                        "p1",
                        wrapped.jvm(),
                        wrapped.environment(),
                        wrapped.wrapper());
        final RunOutcome outcome =
                run(TestPlan.builder("t", "mock").role(wrapped).role(shared).build());

        final TrialResult row = only(outcome);
        assertThat(row.reasons()).isEmpty();
        assertThat(row.subscribers()).isEqualTo(2);
        assertThat(row.expected()).isEqualTo(200);
        assertThat(metric(row, "mock-sender-1", "mockVariable")).isEqualTo("red green");
        assertThat(metric(row, "mock-sender-1", "mockProperty")).isEqualTo("blue");
        assertThat(metric(row, "mock-sender-1", "niceness")).isEqualTo("3");
        assertThat(metric(row, "mock-sender-1", "wrapper")).isEqualTo("nice -n 3");
        assertThat(metric(row, "mock-sender-1", "environment")).isEqualTo("MOCK=red green");
        assertThat(metric(row, "mock-sender-1", "threads")).asString().contains("on core 0");
        assertThat(metric(row, "mock-receiver-2", "pid"))
                .isEqualTo(metric(row, "mock-sender-1", "pid"));
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
                        List.of("no-such-wrapper"));

        final RunOutcome outcome = run(TestPlan.builder("t", "mock").role(lost).build());

        assertThat(only(outcome).reasons().getFirst())
                .contains("exit code 127")
                .contains("no-such-wrapper");
    }

    @Test
    void shouldNotVoidATrialForPlannedFaults() {
        final RunOutcome outcome =
                run(
                        TestPlan.builder("t", "mock")
                                .setting("lasting", "2s")
                                .role(role("mock-sender", Map.of()))
                                .role(role("mock-receiver", Map.of()).times(2))
                                .fault(
                                        new FaultPlan(
                                                "mock-receiver",
                                                2,
                                                Duration.ofMillis(300),
                                                FaultPlan.Action.KILL))
                                .fault(
                                        new FaultPlan(
                                                "mock-receiver",
                                                1,
                                                Duration.ofMillis(300),
                                                FaultPlan.Action.STOP))
                                .fault(
                                        new FaultPlan(
                                                "mock-receiver",
                                                1,
                                                Duration.ofMillis(900),
                                                FaultPlan.Action.CONTINUE))
                                .repeats(2)
                                .build());

        assertThat(outcome.result().reasons()).isEmpty();
        assertThat(outcome.result().trials()).hasSize(2);
        assertThat(outcome.result().trials())
                .allSatisfy(row -> {
                    assertThat(row.verdict()).isEqualTo(Verdict.PASS);
                    assertThat(row.subscribers()).isEqualTo(1);
                });
    }

    @Test
    void shouldGoOnWithoutAFolderWhereNoneCanBeMade() throws IOException {
        final Path file = Files.writeString(folder.resolve("file"), "in the way");
        final RunOutcome outcome =
                new RunControl(
                                plan(test(Trouble.NOTHING).build()),
                                options(file),
                                RunListener.SILENT)
                        .run();

        assertThat(only(outcome).verdict()).isEqualTo(Verdict.PASS);
        assertThat(outcome.folder()).isEmpty();
        assertThat(outcome.problems()).hasSize(1);
        assertThat(outcome.problems().getFirst()).contains(file.toString()).contains("--out");
        assertThat(outcome.exitCode()).isEqualTo(3);
    }

    @Test
    void shouldCheckAllBeforeAnythingStarts() {
        final TestPlan wrong =
                TestPlan.builder("t", "mock")
                        .role(role("mock-sender", Map.of("sizes", "7")))
                        .build();

        assertThatThrownBy(() -> run(wrong))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--sizes");
        assertThat(folder).isEmptyDirectory();
    }
}
