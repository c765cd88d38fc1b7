package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.lab.mock.MockSettings.Trouble;
import io.tickmark.lab.place.Launch;
import io.tickmark.lab.place.LocalPlacement;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.plan.RoleCatalog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class StrangeProcessTest extends RunTesting {
    private static final String STRANGER =
            "echo '{\"type\":\"hello\",\"protocol\":\"tickmark.role/0\",\"pid\":1,\"java\":\"1\"}';"
                    + " exec cat > /dev/null";

    @Test
    void shouldVoidATrialWhoseProcessSpeaksAnotherVersion() {
        final Placement stranger =
                launch ->
                        new LocalPlacement()
                                .start(
                                        new Launch(
                                                launch.name(),
                                                List.of("/bin/sh", "-c", STRANGER),
                                                Map.of()));
        final RunOptions options =
                new RunOptions(
                        folder,
                        Optional.empty(),
                        RoleCatalog.load(),
                        stranger,
                        scheme -> List.of(),
                        "0",
                        Map.of(),
                        Duration.ofSeconds(1));

        final RunOutcome outcome =
                new RunControl(plan(test(Trouble.NOTHING).build()), options, RunListener.SILENT)
                        .run();

        assertThat(only(outcome).reasons().getFirst())
                .contains("speaks tickmark.role/0 and not tickmark.role/1");
    }

    @Test
    void shouldVoidATrialWhoseProcessSendsALineWithoutEnd() {
        final Placement endless =
                launch ->
                        new LocalPlacement()
                                .start(
                                        new Launch(
                                                launch.name(),
                                                List.of("/bin/cat", "/dev/zero"),
                                                Map.of()));
        final RunOptions options =
                new RunOptions(
                        folder,
                        Optional.empty(),
                        RoleCatalog.load(),
                        endless,
                        scheme -> List.of(),
                        "0",
                        Map.of(),
                        Duration.ofSeconds(1));

        final RunOutcome outcome =
                new RunControl(plan(test(Trouble.NOTHING).build()), options, RunListener.SILENT)
                        .run();

        assertThat(only(outcome).reasons().getFirst()).contains("sent a line without end");
    }
}
