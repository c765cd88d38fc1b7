package io.tickmark.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProgressTextTest {
    private static final long LEFT_NS = 65_000_000_000L;

    @Test
    void shouldSayHowFarHowLongAndWhat() {
        assertThat(ProgressText.of(0.5, LEFT_NS, "3/19 latency udp://127.0.0.1:0", 80))
                .isEqualTo(
                        "[=========        ]  50%, 1 min 05 s left 3/19 latency udp://127.0.0.1:0");
    }

    @Test
    void shouldCutWhatRunsWhereItDoesNotFit() {
        assertThat(ProgressText.of(0, LEFT_NS, "3/19 latency udp://127.0.0.1:0", 48))
                .isEqualTo("[       ]   0%, 1 min 05 s left 3/19 latency udp");
    }

    @Test
    void shouldLeaveOutTheTimeOnTheSmallestTerminals() {
        assertThat(ProgressText.of(0.37, LEFT_NS, "what", 20)).isEqualTo(" 37%");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 3, 10, 19, 20, 21, 22, 25, 30, 40, 60, 132, 1000})
    void shouldNeverBeLongerThanTheLine(final int columns) {
        for (final double donePart : new double[] {-1, 0, 0.5, 1, 7}) {
            assertThat(
                            ProgressText.of(
                                            donePart,
                                            LEFT_NS,
                                            "3/19 latency udp://127.0.0.1:0",
                                            columns)
                                    .length())
                    .isLessThanOrEqualTo(Math.max(0, columns));
        }
    }

    @Test
    void shouldShowNoMoreThanAllAndNoLessThanNoTime() {
        assertThat(ProgressText.of(7, -5, "", 60)).contains("100%, 0 s left");
    }

    @ParameterizedTest
    @CsvSource({"48.4, 48 s", "89, 89 s", "170, 3 min", "5340, 89 min", "5400, 1.5 h"})
    void shouldSayAboutHowLong(final double seconds, final String text) {
        assertThat(ProgressText.roughly((long) (seconds * 1e9))).isEqualTo(text);
    }
}
