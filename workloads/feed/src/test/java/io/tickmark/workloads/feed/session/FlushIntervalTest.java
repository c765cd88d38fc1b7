package io.tickmark.workloads.feed.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlushIntervalTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "10, 2", "200, 2", "9000, 90"})
    void shouldBeHeldWhereOnePercentOrOneOrTwoWereLate(final long flushes, final long late) {
        assertThat(FlushInterval.isHeld(flushes, late)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"10, 3", "200, 3", "9000, 91"})
    void shouldNotBeHeldWhereMoreWereLate(final long flushes, final long late) {
        assertThat(FlushInterval.isHeld(flushes, late)).isFalse();
    }
}
