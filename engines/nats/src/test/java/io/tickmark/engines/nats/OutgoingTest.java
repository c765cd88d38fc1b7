package io.tickmark.engines.nats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OutgoingTest {
    private final NatsLink.Outgoing outgoing = new NatsLink.Outgoing();

    private void gave(final int count, final int length) {
        for (int i = 0; i < count; i++) {
            outgoing.gave(length);
        }
    }

    @Test
    void shouldTakeEachMessageThatWaitsForAsLongAsTheLongest() {
        gave(3, 100);
        gave(1, 65_536);
        assertThat(outgoing.mostBytes(1, 0)).isEqualTo(3 * 65_536);

        gave(1, 100_000);
        assertThat(outgoing.mostBytes(2, 0)).isEqualTo(3 * 100_000);
        assertThat(outgoing.mostBytes(5, 0)).isZero();
    }

    /** Short messages were refused as if all were long, until nothing waited any more. */
    @Test
    void shouldForgetALongMessageThatIsWrittenWhileOthersWait() {
        gave(1, 1_000_000);
        assertThat(outgoing.mostBytes(0, 0)).isEqualTo(1_000_000);

        gave(10, 100);
        assertThat(outgoing.mostBytes(1, 0)).isEqualTo(10 * 100);

        gave(10, 100);
        assertThat(outgoing.mostBytes(2, 0)).isEqualTo(19 * 100);
    }

    @Test
    void shouldKeepALongMessageThatWaitsBehindShortOnes() {
        gave(2, 100);
        assertThat(outgoing.mostBytes(1, 0)).isEqualTo(100);
        gave(1, 1_000_000);
        gave(2, 100);

        assertThat(outgoing.mostBytes(2, 0)).isEqualTo(3 * 1_000_000);
        assertThat(outgoing.mostBytes(4, 0)).isEqualTo(1_000_000);
    }

    @Test
    void shouldBeginAgainWhereTheClientConnectsAgain() {
        gave(10, 1000);
        assertThat(outgoing.mostBytes(2, 1)).isZero();

        gave(1, 100);
        assertThat(outgoing.mostBytes(2, 1)).isEqualTo(100);
    }
}
