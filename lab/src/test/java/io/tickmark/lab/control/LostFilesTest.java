package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.mock.MockSettings.Trouble;
import io.tickmark.lab.place.LocalPlacement;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.place.Placements;
import io.tickmark.lab.place.RoleLaunch;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Roles on a host whose files do not arrive. */
@Timeout(60)
class LostFilesTest extends RunTesting {
    private record Torn() implements Placement {
        private static final Placement HERE = new LocalPlacement();

        @Override
        public PlacedProcess start(final RoleLaunch launch) {
            return HERE.start(launch);
        }

        @Override
        public void collect(final Path folder) {
            throw UserError.environment("Host h2 was lost.");
        }
    }

    private RunOutcome runWith(final Trouble trouble) {
        return new RunControl(
                        plan(test(trouble).build()),
                        options(folder).on(Placements.all(new Torn())),
                        RunListener.SILENT)
                .run();
    }

    @Test
    void shouldSayOnceThatFilesOfRolesAreMissing() {
        final RunOutcome outcome = runWith(Trouble.NOTHING);

        assertThat(outcome.result().verdict()).isEqualTo(Verdict.PASS);
        assertThat(outcome.problems()).containsExactly("Host h2 was lost.");
        assertThat(outcome.exitCode()).isEqualTo(3);
    }

    @Test
    void shouldLeaveItToAVoidTrialToSayWhatWasLost() {
        final RunOutcome outcome = runWith(Trouble.DIES);

        assertThat(outcome.result().verdict()).isEqualTo(Verdict.VOID);
        assertThat(outcome.problems()).isEmpty();
    }
}
