package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.lab.control.RoleState.ReportedProgress;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ReportedProgressTest {
    private final ReportedProgress progress = new ReportedProgress();

    @Test
    void shouldSplitTotalsIntoSteps() {
        progress.add(1, -1, Map.of(Counts.RECEIVED, 0L));
        progress.add(2, 0, Map.of(Counts.RECEIVED, 40L));
        progress.add(3, 0, Map.of(Counts.RECEIVED, 90L));
        progress.add(4, 2, Map.of(Counts.RECEIVED, 120L));

        assertThat(progress.received()).extracting(StepResult::step).containsExactly(0, 2);
        assertThat(progress.received())
                .extracting(step -> step.counts().get(Counts.RECEIVED))
                .containsExactly(90L, 30L);
    }

    @Test
    void shouldAddUpWhatSeveralThreadsReceived() {
        progress.add(
                1,
                0,
                Map.of(Counts.RECEIVED, 40L, Counts.RECEIVED + "-2", 30L, "receivedLate", 9L));

        assertThat(progress.received())
                .singleElement()
                .satisfies(step ->
                        assertThat(step.counts()).containsExactly(Map.entry(Counts.RECEIVED, 70L)));
    }

    @Test
    void shouldKeepASubscriberThatWasOnlyWarmedUp() {
        progress.add(1, -1, Map.of(Counts.RECEIVED, 5L));

        assertThat(progress.received())
                .singleElement()
                .satisfies(step ->
                        assertThat(step.counts()).containsExactly(Map.entry(Counts.RECEIVED, 0L)));
    }

    @Test
    void shouldNotTakeAPublisherForASubscriber() {
        progress.add(1, 0, Map.of(Counts.SENT, 5L, "echoed", 3L));

        assertThat(progress.received()).isEmpty();
    }

    @Test
    void shouldKnowWhenACounterMovedLast() {
        progress.add(1, 0, Map.of(Counts.SENT, 5L));
        progress.add(2, 0, Map.of(Counts.SENT, 6L));
        progress.add(3, 0, Map.of(Counts.SENT, 6L));

        assertThat(progress.lastMovedNs()).isEqualTo(2);
    }
}
