package io.tickmark.lab.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClockLineTest {
    private static final long MS = 1_000_000;

    /** Seven seconds ahead of the line, gaining 100 ns in each of its milliseconds, then steady. */
    private final ClockLine line =
            new ClockLine(
                    List.of(
                            new long[] {7_000 * MS, 0},
                            new long[] {7_001 * MS + 100, MS},
                            new long[] {7_002 * MS + 100, 2 * MS}));

    @Test
    void shouldFollowOffsetAndRateBetweenReadings() {
        assertThat(line.at(7_000 * MS)).isZero();
        assertThat(line.at(7_000 * MS + MS / 2 + 50)).isEqualTo(MS / 2);
        assertThat(line.at(7_001 * MS + 100)).isEqualTo(MS);
        assertThat(line.at(7_001 * MS + MS / 2 + 100)).isEqualTo(MS + MS / 2);
    }

    @Test
    void shouldGoOnLikeTheNearestReadingsBeforeAndAfterAll() {
        assertThat(line.at(6_999 * MS - 100)).isEqualTo(-MS);
        assertThat(line.at(7_003 * MS + 100)).isEqualTo(3 * MS);
    }

    @Test
    void shouldTakeASingleReadingForAnOffset() {
        assertThat(new ClockLine(List.of(new long[] {50, 20})).at(70)).isEqualTo(40);
        assertThat(ClockLine.SAME.at(70)).isEqualTo(70);
        assertThat(ClockLine.SAME.isKnown()).isFalse();
    }
}
