package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.control.InterleavedRun.NamedListener;
import io.tickmark.lab.plan.TestPlan;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NamedListenerTest {
    /** Messages lost for good had been counted under another name than those in transit. */
    @Test
    void shouldNameRowsAsItNamesTrials() {
        final List<String> heard = new ArrayList<>();
        final RunListener listener =
                new NamedListener(
                        "A",
                        new RunListener() {
                            @Override
                            public void trialStarted(final TrialKey trial) {
                                heard.add(trial.test());
                            }

                            @Override
                            public void rowFinished(final TrialResult row) {
                                heard.add(row.test());
                            }
                        });
        final TrialKey key = new TrialKey("ping", "latency", "shm:", 1, 1, 2, 0);
        final TestPlan test = TestPlan.builder("ping", "latency").channel("shm:").build();
        listener.trialStarted(key);
        TrialEnd.notStarted(key, test, UserError.environment("Nothing is here."))
                .rows()
                .forEach(listener::rowFinished);

        assertThat(heard).containsExactly("A: ping", "A: ping");
    }
}
