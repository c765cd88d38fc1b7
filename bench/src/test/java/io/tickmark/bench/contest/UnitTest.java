package io.tickmark.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class UnitTest {
    @Test
    void shouldReadWellAtEachSize() {
        assertThat(Unit.NANOSECONDS.text(31.24)).isEqualTo("31.2 ns");
        assertThat(Unit.NANOSECONDS.text(130)).isEqualTo("130 ns");
        assertThat(Unit.NANOSECONDS.text(5418)).isEqualTo("5.42 us");
        assertThat(Unit.PER_SECOND.text(999)).isEqualTo("999 /s");
        assertThat(Unit.PER_SECOND.text(440_100)).isEqualTo("440.1 k/s");
        assertThat(Unit.PER_SECOND.text(8_400_000)).isEqualTo("8.40 M/s");
        assertThat(Unit.BYTES.text(0.0004)).isEqualTo("0.000 B");
    }
}
