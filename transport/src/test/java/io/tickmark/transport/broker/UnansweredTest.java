package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnansweredTest {
    private final Unanswered unanswered = new Unanswered();

    @Test
    void shouldTakeOffWhatIsAnswered() {
        assertThat(unanswered.add()).isTrue();
        assertThat(unanswered.add()).isTrue();

        assertThat(unanswered.takeOff()).isTrue();
        assertThat(unanswered.end()).isOne();
    }

    @Test
    void shouldCountEachMessageOnceWhereTheAnswerComesAfterTheEnd() {
        unanswered.add();

        assertThat(unanswered.end()).isOne();
        assertThat(unanswered.takeOff()).isFalse();
        assertThat(unanswered.end()).as("the second time").isZero();
    }

    @Test
    void shouldTakeNothingMoreOnceItHasEnded() {
        unanswered.end();

        assertThat(unanswered.add()).isFalse();
        assertThat(unanswered.takeOff()).as("it was not sent").isFalse();
        assertThat(unanswered.add()).isFalse();
    }
}
