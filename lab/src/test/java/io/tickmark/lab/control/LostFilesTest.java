package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.mock.MockSettings.Trouble;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Roles on a host whose files do not arrive. */
@Timeout(60)
class LostFilesTest extends RunTesting {
    private static final class Torn extends FarHost {
        @Override
        public void collect(final Path folder) {
            throw UserError.environment("Host far was lost.");
        }
    }

    @Test
    void shouldSayOnceThatFilesOfRolesAreMissing() {
        final RunOutcome outcome = run(test(Trouble.NOTHING).build(), new Torn());

        assertThat(outcome.result().verdict()).isEqualTo(Verdict.PASS);
        assertThat(outcome.problems()).containsExactly("Host far was lost.");
        assertThat(outcome.exitCode()).isEqualTo(3);
    }

    @Test
    void shouldLeaveItToAVoidTrialToSayWhatWasLost() {
        final RunOutcome outcome = run(test(Trouble.DIES).build(), new Torn());

        assertThat(outcome.result().verdict()).isEqualTo(Verdict.VOID);
        assertThat(outcome.problems()).isEmpty();
    }
}
