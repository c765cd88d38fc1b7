package io.tickmark.kernel.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "100ns, 100",
        "5us, 5000",
        "5µs, 5000",
        "2ms, 2000000",
        "1.5 ms, 1500000",
        "10s, 10000000000",
        "1m, 60000000000",
        "1h, 3600000000000",
        "0, 0",
        "0s, 0"
    })
    void shouldReadEveryUnit(final String text, final long ns) {
        assertThat(Durations.parse(text, "--linger")).isEqualTo(Duration.ofNanos(ns));
    }

    @Test
    void shouldAskForAUnit() {
        assertThatThrownBy(() -> Durations.parse("10", "--linger"))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("--linger is 10 without a unit; write for example 10s");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "s", "ten seconds", "1x", "1.2.3s", ".s", "1S", "1M", "1e3s", "1s2"})
    void shouldRefuseWhatIsNoDuration(final String text) {
        assertThatThrownBy(() -> Durations.parse(text, "--linger"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--linger is \"" + text + "\", which is not a duration");
    }

    @Test
    void shouldRefuseNegativeFineAndEndlessOnes() {
        assertThatThrownBy(() -> Durations.parse("-1s", "x")).hasMessageContaining("negative");
        assertThatThrownBy(() -> Durations.parse("0.5ns", "x")).hasMessageContaining("whole nano");
        assertThatThrownBy(() -> Durations.parse("9999999999h", "x"))
                .hasMessageContaining("292 years");
        assertThatThrownBy(() -> Durations.parse("9".repeat(1000) + "h", "x"))
                .hasMessageContaining("not a duration");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "1ns", "1500us", "90s", "2m", "1h", "36000001ms"})
    void shouldWriteTheLargestWholeUnit(final String text) {
        assertThat(Durations.format(Durations.parse(text, "x"))).isEqualTo(text);
    }
}
