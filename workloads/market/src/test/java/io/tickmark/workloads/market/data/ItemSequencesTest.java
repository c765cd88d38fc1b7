package io.tickmark.workloads.market.data;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ItemSequencesTest {
    private final ItemSequences sequences = new ItemSequences(2);

    @Test
    void shouldCountWhatIsMissingAfterAnImage() {
        sequences.onImage(0, 10);
        sequences.onMessage(0, 11);
        sequences.onMessage(0, 14);

        assertThat(sequences.received()).isEqualTo(2);
        assertThat(sequences.lost()).isEqualTo(2);
        assertThat(sequences.last(0)).isEqualTo(14);
    }

    @Test
    void shouldRecogniseRepeatedMessages() {
        sequences.onImage(1, 0);

        assertThat(sequences.onMessage(1, 1)).isTrue();
        assertThat(sequences.onMessage(1, 1)).isFalse();
        assertThat(sequences.repeated()).isEqualTo(1);
        assertThat(sequences.lost()).isZero();
    }

    @Test
    void shouldBeginWithTheFirstMessageWhereThereWasNoImage() {
        sequences.onMessage(0, 7);
        sequences.onMessage(0, 8);

        assertThat(sequences.lost()).isZero();
        assertThat(sequences.received()).isEqualTo(2);
    }

    @Test
    void shouldBeginAnewForAnItemThatWasForgotten() {
        sequences.onMessage(0, 7);
        sequences.forget(0);
        sequences.onMessage(0, 1);

        assertThat(sequences.repeated()).isZero();
        assertThat(sequences.lost()).isZero();
    }
}
