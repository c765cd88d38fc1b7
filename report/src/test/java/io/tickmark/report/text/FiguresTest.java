package io.tickmark.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FiguresTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0 ns",
        "87, 87.0 ns",
        "999, 999 ns",
        "9120, 9.12 us",
        "123456, 123 us",
        "999600, '1,000 us'",
        "1250000, 1.25 ms",
        "61000000000, 61.0 s"
    })
    void shouldShowTimesWithTheUnitThatFits(final long ns, final String shown) {
        assertThat(Figures.ASCII.time(ns)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({"12.34, 12.3/s", "9999.5, '10,000/s'", "440000, 440 k/s", "8400000, 8.40 M/s"})
    void shouldShowRatesWithTheUnitThatFits(final double perSecond, final String shown) {
        assertThat(Figures.ASCII.rate(perSecond)).isEqualTo(shown);
    }

    @Test
    void shouldNotShowALossAsNone() {
        assertThat(Figures.share(1, 50_000_000)).isEqualTo("0.00000200 %");
        assertThat(Figures.share(0, 50_000_000)).isEqualTo("0 %");
        assertThat(Figures.share(0, 0)).isEqualTo("n/a");
    }

    @Test
    void shouldWriteAMicroSignOnPages() {
        assertThat(Figures.TYPOGRAPHIC.time(9_120)).isEqualTo("9.12\u00a0µs");
    }
}
