package io.tickmark.workloads.market.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.market.data.ItemSequences.StreamSequences;
import org.junit.jupiter.api.Test;

class StreamSequencesTest {
    private final StreamSequences sequences = new StreamSequences();

    @Test
    void shouldCountWhatIsMissingOfEachStream() {
        for (long stream = 5; stream < 50; stream++) {
            sequences.onMessage(stream, 1);
        }
        sequences.onMessage(7, 2);
        assertThat(sequences.lost()).isZero();

        sequences.onMessage(7, 4);
        sequences.onMessage(49, 3);
        assertThat(sequences.lost()).isEqualTo(2);
    }

    @Test
    void shouldBeginAnewOnAStreamThatHasEnded() {
        sequences.onMessage(7, 1);
        sequences.forget(7);
        sequences.forget(8);
        sequences.onMessage(7, 9);
        assertThat(sequences.lost()).isZero();
    }

    /** A hub takes a new stream for each request. */
    @Test
    void shouldKeepNothingOfStreamsThatHaveEnded() {
        for (long stream = 0; stream < 1000; stream++) {
            sequences.onMessage(stream, 1);
            sequences.onMessage(stream + 1, 1);
            sequences.onMessage(stream + 1, 3);
            sequences.forget(stream);
            sequences.forget(stream + 1);
        }
        assertThat(sequences.most()).isEqualTo(2);
        assertThat(sequences.lost()).isEqualTo(1000);
    }
}
