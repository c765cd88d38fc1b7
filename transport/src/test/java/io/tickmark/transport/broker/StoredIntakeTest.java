package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoredIntakeTest {
    private final StoredIntake intake = new StoredIntake("queue", 3);

    private boolean isPassedOn(final StoredMessage<Long> message) {
        final boolean isNext = intake.isNext(message);
        if (isNext) {
            intake.passOn(message);
        }
        return isNext;
    }

    private static StoredMessage<Long> message(final long ordinal) {
        return new StoredMessage<>(ordinal, true, new byte[1], 1, 0L);
    }

    @Test
    void shouldBeginWithTheFirstMessageThatIsWantedAndReportNothing() {
        assertThat(isPassedOn(message(2))).isFalse();
        assertThat(intake.ordinal()).isEqualTo(-1);
        assertThat(isPassedOn(message(3))).isTrue();
        assertThat(isPassedOn(message(5))).isTrue();

        assertThat(intake.ordinal()).isEqualTo(5);
        assertThat(intake.sentence()).isEmpty();
    }

    @Test
    void shouldLeaveOutAndReportWhatWasDeliveredBefore() {
        isPassedOn(message(4));

        assertThat(isPassedOn(message(4))).isFalse();
        assertThat(intake.sentence())
                .contains(
                        "Reading the queue met a problem: message 4 after message 4; it is left out, because another"
                                + " program writes to the queue.");
    }

    @Test
    void shouldLeaveOutAndCountWhatIsDamaged() {
        final StoredMessage<Long> damaged = new StoredMessage<>(-1, false, new byte[1], 1, 0L);

        assertThat(isPassedOn(damaged)).isFalse();
        assertThat(isPassedOn(damaged)).isFalse();
        assertThat(intake.ordinal()).isEqualTo(-1);
        assertThat(intake.sentence())
                .contains(
                        "Reading the queue met 2 problems, the first: a message that no test has written, or whose checksum"
                                + " is wrong; it is left out.");
    }
}
