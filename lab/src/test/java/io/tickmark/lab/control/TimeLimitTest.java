package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.lab.control.TrialRun.TimeLimit;
import io.tickmark.lab.plan.TestPlan;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class TimeLimitTest {
    private static final long SECOND_NS = 1_000_000_000;
    private static final long EXPECTED_NS = 10 * SECOND_NS;

    private final TimeLimit guessed =
            TimeLimit.of(TestPlan.builder("t", "mock").build(), EXPECTED_NS, 0);

    @Test
    void shouldLetATrialRunInItsTimeHoweverStillItIs() {
        assertThat(guessed.isOver(60 * SECOND_NS, 60 * SECOND_NS)).isFalse();
    }

    @Test
    void shouldGiveUpATrialThatStandsStillBeyondItsTime() {
        assertThat(guessed.isOver(61 * SECOND_NS, 6 * SECOND_NS)).isTrue();
    }

    @Test
    void shouldExtendATrialWhoseMessagesAdvance() {
        assertThat(guessed.isOver(61 * SECOND_NS, SECOND_NS)).isFalse();
        assertThat(guessed.isOver(299 * SECOND_NS, SECOND_NS)).isFalse();
    }

    @Test
    void shouldNotExtendForEver() {
        assertThat(guessed.isOver(301 * SECOND_NS, SECOND_NS)).isTrue();
    }

    @Test
    void shouldLetARoleStandStillAsLongAsItWaitsForWhatItLost() {
        final TimeLimit patient =
                TimeLimit.of(TestPlan.builder("t", "mock").build(), EXPECTED_NS, 30 * SECOND_NS);

        assertThat(patient.isOver(89 * SECOND_NS, 29 * SECOND_NS)).isFalse();
        assertThat(patient.isOver(95 * SECOND_NS, 31 * SECOND_NS))
                .as("it lost something late, and still waits")
                .isFalse();
        assertThat(patient.isOver(95 * SECOND_NS, 36 * SECOND_NS)).isTrue();
    }

    @Test
    void shouldHoldTheTimeThatAPlanSays() {
        final TimeLimit said =
                TimeLimit.of(
                        TestPlan.builder("t", "mock").timeout(Duration.ofSeconds(2)).build(),
                        EXPECTED_NS,
                        60 * SECOND_NS);

        assertThat(said.isOver(3 * SECOND_NS, 0)).isTrue();
    }
}
