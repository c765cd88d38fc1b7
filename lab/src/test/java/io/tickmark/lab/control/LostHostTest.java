package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.ClockOffset;
import io.tickmark.kernel.time.ClockReading;
import io.tickmark.lab.mock.MockSettings.Trouble;
import io.tickmark.lab.place.LocalPlacement;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.place.Placement;
import io.tickmark.lab.place.Placements;
import io.tickmark.lab.place.RoleLaunch;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A host that answers nothing more once the roles have been started on it. */
@Timeout(180)
class LostHostTest extends RunTesting {
    private static final String LOST = "Host far was lost: its pod ended.";

    private static final class Far implements Placement {
        /** Seconds behind: however busy the machine is, the start is still ahead. */
        private static final long BEHIND_NS = TimeUnit.SECONDS.toNanos(3);

        private final Placement here = new LocalPlacement();
        private int readingsLeft;
        private int foldersLeft;

        Far(final int readingsLeft, final int foldersLeft) {
            this.readingsLeft = readingsLeft;
            this.foldersLeft = foldersLeft;
        }

        @Override
        public PlacedProcess start(final RoleLaunch launch) {
            return here.start(launch);
        }

        @Override
        public String host() {
            return "far";
        }

        @Override
        public ClockReading clock() {
            if (readingsLeft-- == 0) {
                throw UserError.environment(LOST);
            }
            return new ClockReading(0, new ClockOffset(BEHIND_NS, 0, 1));
        }

        @Override
        public String folder(final Path folder) {
            if (foldersLeft-- == 0) {
                throw UserError.environment(LOST);
            }
            return here.folder(folder);
        }
    }

    private RunOutcome runOn(final Far far) {
        return new RunControl(
                        plan(alone(Trouble.NOTHING).build()),
                        options(folder).on(Placements.all(far)),
                        RunListener.SILENT)
                .run();
    }

    private void assertThatItIsVoid(final RunOutcome outcome) {
        assertThat(only(outcome).verdict()).isEqualTo(Verdict.VOID);
        assertThat(only(outcome).reasons()).first().isEqualTo(LOST);
        assertThat(outcome.exitCode()).isEqualTo(Verdict.VOID.exitCode());
    }

    /** Before the roles prepare, once they are connected, and when they are done. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldVoidTheTrialWhoseHostDoesNotTellItsTime(final int readings) {
        assertThatItIsVoid(runOn(new Far(readings, 1_000)));
    }

    /** The run had ended there, with nothing kept. */
    @Test
    void shouldVoidTheTrialWhoseHostIsLostBeforeItsRolesPrepare() {
        assertThatItIsVoid(runOn(new Far(1_000, 1)));
    }
}
