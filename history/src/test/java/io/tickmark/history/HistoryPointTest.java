package io.tickmark.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tickmark.history.HistoryPoint.Series;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryPointTest {
    private static List<HistoryPoint> points(final String figure, final double... values) {
        final Series series = new Series("lab-3", "", "", "ping", "shm:", 0, 64, figure);
        return Arrays.stream(values)
                .mapToObj(value -> new HistoryPoint("run", "2026-03-11", series, value))
                .toList();
    }

    /** Zero counted as one: a first loss was no change, and a first part a fall. */
    @ParameterizedTest
    @ValueSource(strings = {"undisturbedLeftOutPart.max", "lost", "roundTripNs.p99"})
    void shouldSetZeroBelowAllOthers(final String figure) {
        assertThat(HistoryPoint.logs(points(figure, 0, 0.01, 1, 1_000)))
                .isSorted()
                .doesNotHaveDuplicates()
                .startsWith(0);
    }

    @Test
    void shouldTakeTheMeanOfEqualValuesForTheirValue() {
        assertThat(HistoryPoint.mean(points("lost", 0, 0))).isZero();
        assertThat(HistoryPoint.mean(points("undisturbedLeftOutPart.max", 0.02, 0.02)))
                .isEqualTo(0.02, within(1e-9));
        assertThat(HistoryPoint.mean(points("roundTripNs.p99", 2_400, 2_400)))
                .isEqualTo(2_400, within(1e-6));
    }

    @Test
    void shouldFindThatAFirstMessageOfEachRunWasLost() {
        final double[] lost = new double[20];
        Arrays.fill(lost, 10, 20, 1);

        assertThat(ChangePoints.of(HistoryPoint.logs(points("lost", lost)))).containsExactly(10);
    }
}
