package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.lab.mock.MockSettings.Trouble;
import io.tickmark.lab.place.ClassPaths;
import io.tickmark.lab.place.Launch;
import io.tickmark.lab.place.LocalPlacement;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.place.Placements;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.TestPlan;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class StrangeProcessTest extends RunTesting {
    private static final String STRANGER =
            "echo '{\"type\":\"hello\",\"protocol\":\"tickmark.role/0\",\"pid\":1,\"java\":\"1\"}';"
                    + " exec cat > /dev/null";

    /** Says hello and never reads; more than the capacity of a pipe is stuck in it. */
    private static final String DEAF =
            "echo '{\"type\":\"hello\",\"protocol\":\"tickmark.role/1\",\"pid\":1,\"java\":\"1\"}';"
                    + " exec sleep 300";

    @Test
    void shouldVoidATrialWhoseProcessSpeaksAnotherVersion() {
        final Placement stranger =
                launch ->
                        new LocalPlacement()
                                .start(
                                        new Launch(
                                                launch.process(),
                                                List.of("/bin/sh", "-c", STRANGER),
                                                Map.of()));
        final RunOptions options =
                new RunOptions(
                        folder,
                        Optional.empty(),
                        RoleCatalog.load(),
                        Placements.all(stranger),
                        new ClassPaths(),
                        scheme -> List.of(),
                        "0",
                        Map.of(),
                        Duration.ofSeconds(1),
                        SystemEpochNanoClock.INSTANCE);

        final RunOutcome outcome =
                new RunControl(plan(test(Trouble.NOTHING).build()), options, RunListener.SILENT)
                        .run();

        assertThat(only(outcome).reasons().getFirst())
                .contains("speaks tickmark.role/0 and not tickmark.role/1");
    }

    @Test
    void shouldVoidATrialWhoseProcessDoesNotReadItsOrders() {
        final Placement deaf =
                launch ->
                        new LocalPlacement()
                                .start(
                                        new Launch(
                                                launch.process(),
                                                List.of("/bin/sh", "-c", DEAF),
                                                Map.of()));
        final RunOptions options =
                new RunOptions(
                        folder,
                        Optional.empty(),
                        RoleCatalog.load(),
                        Placements.all(deaf),
                        new ClassPaths(),
                        scheme -> List.of(),
                        "0",
                        Map.of(),
                        Duration.ofSeconds(1),
                        SystemEpochNanoClock.INSTANCE);
        final TestPlan test =
                TestPlan.builder("t", "mock")
                        .role(role("mock-sender", Map.of("channel", "x".repeat(200_000))))
                        .build();

        final RunOutcome outcome = new RunControl(plan(test), options, RunListener.SILENT).run();

        assertThat(only(outcome).reasons())
                .containsExactly(
                        "The process of mock-sender-1 has not read its commands for 5 s: it hangs.");
    }

    @Test
    void shouldVoidATrialWhoseProcessSendsALineWithoutEnd() {
        final Placement endless =
                launch ->
                        new LocalPlacement()
                                .start(
                                        new Launch(
                                                launch.process(),
                                                List.of("/bin/cat", "/dev/zero"),
                                                Map.of()));
        final RunOptions options =
                new RunOptions(
                        folder,
                        Optional.empty(),
                        RoleCatalog.load(),
                        Placements.all(endless),
                        new ClassPaths(),
                        scheme -> List.of(),
                        "0",
                        Map.of(),
                        Duration.ofSeconds(1),
                        SystemEpochNanoClock.INSTANCE);

        final RunOutcome outcome =
                new RunControl(plan(test(Trouble.NOTHING).build()), options, RunListener.SILENT)
                        .run();

        assertThat(only(outcome).reasons().getFirst()).contains("sent a line without end");
    }
}
