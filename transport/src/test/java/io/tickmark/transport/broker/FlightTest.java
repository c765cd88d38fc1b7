package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FlightTest {
    private final Flight flight = new Flight(4, 100);

    private void send(final int count) {
        for (int i = 0; i < count; i++) {
            flight.add(25);
        }
    }

    @Test
    void shouldTakeOffWhatWasAcknowledgedBeforeOlderOnesTogetherWithThese() {
        send(4);

        assertThat(flight.answer(2)).isZero();
        assertThat(flight.answer(1)).isZero();
        assertThat(flight.hasRoom(1)).isFalse();
        assertThat(flight.answer(0)).isEqualTo(3);
        assertThat(flight.hasRoom(75)).isTrue();
        assertThat(flight.hasRoom(76)).isFalse();
        assertThat(flight.answer(3)).isEqualTo(4);
        assertThat(flight.isEmpty()).isTrue();
    }

    /** Places of messages are used again. */
    @Test
    void shouldNotTakeOffAMessageForAnEarlierOneThatHadItsPlace() {
        for (int round = 0; round < 3; round++) {
            send(4);
            for (int number = 4 * round + 3; number > 4 * round; number--) {
                flight.answer(number);
                flight.answer(number);
            }
            assertThat(flight.hasRoom(1)).isFalse();
            assertThat(flight.answer(4 * round)).isEqualTo(4 * round + 4);
        }
    }

    @Test
    void shouldAllowASingleMessageHoweverLongItIs() {
        assertThat(flight.hasRoom(1000)).isTrue();
        flight.add(1000);
        assertThat(flight.hasRoom(1)).isFalse();
        flight.takeBack();
        assertThat(flight.isEmpty()).isTrue();
    }

    @Test
    void shouldTakeOffTheOldestTogetherButNoneThatWasNotSent() {
        send(4);
        flight.answerUpTo(3);
        assertThat(flight.answered()).isEqualTo(3);
        assertThat(flight.hasRoom(75)).isTrue();
        assertThat(flight.hasRoom(76)).isFalse();

        flight.answerUpTo(2);
        assertThat(flight.answered()).isEqualTo(3);

        flight.answerUpTo(Long.MAX_VALUE);
        assertThat(flight.isEmpty()).isTrue();
        send(1);
        assertThat(flight.hasRoom(76)).isFalse();
    }

    /** Short messages were refused as if all were long, until nothing waited any more. */
    @Test
    void shouldForgetALongMessageThatIsTakenOffWhileOthersAreNot() {
        flight.add(90);
        flight.add(5);
        flight.add(5);
        assertThat(flight.hasRoom(1)).isFalse();

        flight.answerUpTo(1);
        assertThat(flight.hasRoom(90)).isTrue();
        assertThat(flight.hasRoom(91)).isFalse();
    }
}
