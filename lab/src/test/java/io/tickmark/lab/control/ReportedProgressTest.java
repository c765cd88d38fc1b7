package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.lab.control.RoleState.ReportedProgress;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ReportedProgressTest {
    private final ReportedProgress told = new ReportedProgress();

    @Test
    void shouldSplitTotalsIntoSteps() {
        told.add(1, -1, Map.of(Counts.RECEIVED, 0L));
        told.add(2, 0, Map.of(Counts.RECEIVED, 40L));
        told.add(3, 0, Map.of(Counts.RECEIVED, 90L));
        told.add(4, 2, Map.of(Counts.RECEIVED, 120L));

        assertThat(told.received()).extracting(StepResult::step).containsExactly(0, 2);
        assertThat(told.received())
                .extracting(step -> step.counts().get(Counts.RECEIVED))
                .containsExactly(90L, 30L);
    }

    @Test
    void shouldKeepASubscriberThatWasOnlyWarmedUp() {
        told.add(1, -1, Map.of(Counts.RECEIVED, 5L));

        assertThat(told.received())
                .singleElement()
                .satisfies(step ->
                        assertThat(step.counts()).containsExactly(Map.entry(Counts.RECEIVED, 0L)));
    }

    @Test
    void shouldNotTakeAPublisherForASubscriber() {
        told.add(1, 0, Map.of(Counts.SENT, 5L, "echoed", 3L));

        assertThat(told.received()).isEmpty();
    }

    @Test
    void shouldKnowWhenACounterMovedLast() {
        told.add(1, 0, Map.of(Counts.SENT, 5L));
        told.add(2, 0, Map.of(Counts.SENT, 6L));
        told.add(3, 0, Map.of(Counts.SENT, 6L));

        assertThat(told.lastMovedNs()).isEqualTo(2);
    }
}
