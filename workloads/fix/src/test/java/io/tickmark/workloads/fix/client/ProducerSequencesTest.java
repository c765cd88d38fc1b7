package io.tickmark.workloads.fix.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.fix.client.ProducerSequences.Unended;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProducerSequencesTest {
    private static final int PRODUCER = 70;
    private static final long END_NS = 1_000;

    private final ProducerSequences numbers = new ProducerSequences();

    @Test
    void shouldSayHowManyThereWereAsFarAsNumbersTell() {
        assertThat(numbers.take(PRODUCER, 4, 1)).isTrue();
        assertThat(numbers.take(PRODUCER, 4, 1)).as("again").isFalse();
        assertThat(numbers.total(PRODUCER)).isEqualTo(5);
        assertThat(numbers.total(PRODUCER + 1)).isZero();
        assertThat(ProducerSequences.total(List.of(numbers))).isEqualTo(5);
    }

    @Test
    void shouldAddUpProducersEachAsFarAsTheBestInformedSessionKnows() {
        final ProducerSequences other = new ProducerSequences();
        numbers.take(PRODUCER, 1, 1);
        numbers.end(PRODUCER, 5, END_NS);
        other.take(PRODUCER, 0, 1);
        other.take(PRODUCER + 1, 2, 1);
        assertThat(ProducerSequences.total(List.of(numbers, other))).isEqualTo(5 + 3);
        assertThat(ProducerSequences.total(List.of())).isZero();
    }

    @Test
    void shouldBelieveTheLastWord() {
        numbers.take(PRODUCER, 4, 1);
        numbers.end(PRODUCER, 9, END_NS);
        assertThat(numbers.total(PRODUCER)).isEqualTo(9);
    }

    @Test
    void shouldTakeWhatComesAgainAfterTheLastWordForNoOtherRun() {
        numbers.take(PRODUCER, 0, 1);
        numbers.end(PRODUCER, 1, END_NS);
        assertThat(numbers.take(PRODUCER, 0, 1)).isFalse();
        numbers.end(PRODUCER, 1, END_NS);
        assertThat(numbers.total(PRODUCER)).isEqualTo(1);
    }

    @Test
    void shouldAddUpRunsAlsoWhereTheBeginningOfOneIsMissing() {
        numbers.take(PRODUCER, 0, 1);
        numbers.end(PRODUCER, 1, END_NS);
        assertThat(numbers.take(PRODUCER, 3, END_NS + 1)).isTrue();
        assertThat(numbers.total(PRODUCER)).isEqualTo(5);
        numbers.end(PRODUCER, 6, 2 * END_NS);
        numbers.end(PRODUCER, 2, 3 * END_NS);
        assertThat(numbers.total(PRODUCER)).as("nothing came of the third").isEqualTo(9);
    }

    @Test
    void shouldTellWhoseEndReachedNobody() {
        final ProducerSequences other = new ProducerSequences();
        numbers.take(1, 3, 1);
        other.take(1, 5, 1);
        numbers.take(2, 0, 1);
        other.end(2, 1, END_NS); // of which the other session received nothing else
        numbers.end(3, 9, END_NS);
        assertThat(ProducerSequences.unended(List.of(numbers, other)))
                .containsExactly(new Unended(1, 5));
        other.end(1, 6, END_NS);
        assertThat(ProducerSequences.unended(List.of(numbers, other))).isEmpty();
    }

    @Test
    void shouldTellThatASecondRunHasNotEndedThoughTheFirstHas() {
        final ProducerSequences other = new ProducerSequences();
        for (final ProducerSequences each : List.of(numbers, other)) {
            each.take(1, 7, 1);
            each.end(1, 8, END_NS);
        }
        numbers.take(1, 2, END_NS + 1);
        assertThat(ProducerSequences.unended(List.of(numbers, other)))
                .containsExactly(new Unended(1, 2));
        other.end(1, 3, 2 * END_NS);
        assertThat(ProducerSequences.unended(List.of(numbers, other))).isEmpty();
    }
}
