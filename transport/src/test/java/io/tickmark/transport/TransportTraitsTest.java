package io.tickmark.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TransportTraitsTest {
    @Test
    void shouldPromiseNothingThatIsNotSaid() {
        assertThat(TransportTraits.upTo(2000))
                .isEqualTo(
                        new TransportTraits(false, false, false, false, false, false, true, 2000));
    }

    @Test
    void shouldPromiseWhatIsSaidByName() {
        final TransportTraits none = TransportTraits.upTo(1);

        assertThat(none.reliable(true).reliable()).isTrue();
        assertThat(none.ordered(true).ordered()).isTrue();
        assertThat(none.backPressured(true).backPressured()).isTrue();
        assertThat(none.detectsDisconnect(true).detectsDisconnect()).isTrue();
        assertThat(none.fansOut(true).fansOut()).isTrue();
        assertThat(none.claims(true).claims()).isTrue();
        assertThat(none.allocates(false).allocates()).isFalse();
        assertThat(none.ordered(true).reliable(true).reliable(false)).isEqualTo(none.ordered(true));
    }
}
