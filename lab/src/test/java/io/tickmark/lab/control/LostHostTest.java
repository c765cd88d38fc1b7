package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.ClockReading;
import io.tickmark.lab.mock.MockSettings.Trouble;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A host that answers nothing more once the roles have been started on it. */
@Timeout(180)
class LostHostTest extends RunTesting {
    private static final String LOST = "Host far was lost: its pod ended.";

    private static final class Lost extends FarHost {
        private int readingsLeft;
        private int foldersLeft;

        Lost(final int readingsLeft, final int foldersLeft) {
            this.readingsLeft = readingsLeft;
            this.foldersLeft = foldersLeft;
        }

        @Override
        public ClockReading clock() {
            if (readingsLeft-- == 0) {
                throw UserError.environment(LOST);
            }
            return super.clock();
        }

        @Override
        public String folder(final Path folder) {
            if (foldersLeft-- == 0) {
                throw UserError.environment(LOST);
            }
            return super.folder(folder);
        }
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
        assertThatItIsVoid(run(alone(Trouble.NOTHING).build(), new Lost(readings, 1_000)));
    }

    /** The run had ended there, with nothing kept. */
    @Test
    void shouldVoidTheTrialWhoseHostIsLostBeforeItsRolesPrepare() {
        assertThatItIsVoid(run(alone(Trouble.NOTHING).build(), new Lost(1_000, 1)));
    }
}
