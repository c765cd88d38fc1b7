package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoredPositionsTest {
    private final StoredPositions positions = new StoredPositions(7);

    @Test
    void shouldGoOnBehindWhatTheTopicHasHad() {
        assertThat(positions.next()).isEqualTo(7);
        assertThat(positions.stable()).isEqualTo(6);
        positions.advance();

        assertThat(positions.stableUpTo(7)).isTrue();
        assertThat(positions.stableUpTo(7)).isFalse();
        assertThat(positions.next()).isEqualTo(8);
        assertThat(positions.stable()).isEqualTo(7);
    }

    @Test
    void shouldEndWhereAnotherProgramWrites() {
        assertThat(positions.isInPlace(7, 7)).isTrue();
        assertThat(positions.hasFailed()).isFalse();

        assertThat(positions.isInPlace(8, 9)).isFalse();
        assertThat(positions.hasEnded()).isTrue();
        assertThat(positions.failure())
                .isEqualTo(
                        "message 8 was stored as number 9: another program writes to this topic");
    }

    @Test
    void shouldKeepTheFirstFailureAndCallNothingStableAfterIt() {
        positions.fail("message 7 was refused", false);
        positions.fail("message 8 was refused", true);

        assertThat(positions.failure()).isEqualTo("message 7 was refused");
        assertThat(positions.hasEnded()).isFalse();
        assertThat(positions.stableUpTo(9)).isFalse();
        assertThat(positions.stable()).isEqualTo(6);
    }
}
