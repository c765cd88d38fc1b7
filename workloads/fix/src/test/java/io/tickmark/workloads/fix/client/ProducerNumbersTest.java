package io.tickmark.workloads.fix.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProducerNumbersTest {
    private static final int PRODUCER = 70;
    private static final long END_NS = 1_000;

    private final ProducerNumbers numbers = new ProducerNumbers();

    @Test
    void shouldSayHowManyThereWereAsFarAsNumbersTell() {
        assertThat(numbers.take(PRODUCER, 4, 1)).isTrue();
        assertThat(numbers.take(PRODUCER, 4, 1)).as("again").isFalse();
        assertThat(numbers.total(PRODUCER)).isEqualTo(5);
        assertThat(numbers.total(PRODUCER + 1)).isZero();
        assertThat(ProducerNumbers.total(List.of(numbers))).isEqualTo(5);
    }

    @Test
    void shouldAddUpProducersEachAsFarAsTheBestInformedSessionKnows() {
        final ProducerNumbers other = new ProducerNumbers();
        numbers.take(PRODUCER, 1, 1);
        numbers.end(PRODUCER, 5, END_NS);
        other.take(PRODUCER, 0, 1);
        other.take(PRODUCER + 1, 2, 1);
        assertThat(ProducerNumbers.total(List.of(numbers, other))).isEqualTo(5 + 3);
        assertThat(ProducerNumbers.total(List.of())).isZero();
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
}
