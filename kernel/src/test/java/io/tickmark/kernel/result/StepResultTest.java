package io.tickmark.kernel.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StepResultTest {
    private static StepResult sent(final long durationNs) {
        return StepResult.sent(
                1, "", 64, Counts.ofSender(500, 3, 20, 7), durationNs, 1000, Map.of());
    }

    @Test
    void shouldHaveTheRateThatASenderAchieved() {
        assertThat(sent(500_000_000).achievedRatePerSecond()).isEqualTo(1000);
        assertThat(sent(0).achievedRatePerSecond()).isZero();
        assertThat(sent(1).counts())
                .containsEntry(Counts.SENT, 500L)
                .containsEntry(Counts.MAX_TIGHT_SENDS, 3L)
                .containsEntry(Counts.MAX_LAG_NS, 20L)
                .containsEntry(Counts.BACK_PRESSURED, 7L);
    }

    @Test
    void shouldKeepEverythingElseWhereReasonsAreAdded() {
        final StepResult step = sent(1000);
        assertThat(step.because(List.of("why")))
                .usingRecursiveComparison()
                .ignoringFields("reasons")
                .isEqualTo(step);
        assertThat(step.because(List.of("why")).reasons()).containsExactly("why");
    }
}
