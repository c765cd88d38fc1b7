package io.tickmark.report.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.HistogramTag;
import io.tickmark.lab.result.IntervalLog;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TimeLineTest {
    private final TimeLine line = new TimeLine();

    private static IntervalLog.Interval interval(
            final int step, final long startMs, final long ns) {
        final Histogram histogram = new Histogram(3);
        histogram.recordValue(ns);
        return new IntervalLog.Interval(
                new HistogramTag("roundTripNs", 1, step), startMs, histogram);
    }

    @Test
    void shouldAddUpRolesOfTheSameTime() {
        for (int role = 0; role < 10; role++) {
            line.add(interval(0, 10_000, 100));
            line.add(interval(0, 10_400, 900));
        }
        line.add(interval(0, 11_000, 50));

        assertThat(line.points()).hasSize(2);
        assertThat(line.points().getFirst())
                .isEqualTo(
                        new TimeLine.Point(
                                10_000, 0, 20, OptionalLong.of(100), OptionalLong.empty(), 900));
    }

    @Test
    void shouldNotMixSteps() {
        line.add(interval(0, 10_000, 100));
        line.add(interval(1, 10_100, 900));

        assertThat(line.points()).extracting(TimeLine.Point::step).containsExactly(0, 1);
    }

    @Test
    void shouldThinWithoutLosingAStall() {
        for (int second = 0; second < 3_600; second++) {
            line.add(interval(0, second * 1_000L, second == 1_234 ? 5_000_000 : 100));
        }

        assertThat(line.points()).hasSizeBetween(TimeLine.MAX_POINTS / 2, TimeLine.MAX_POINTS);
        assertThat(line.points()).extracting(TimeLine.Point::maxNs).anyMatch(ns -> ns >= 5_000_000);
        assertThat(line.points().stream().mapToLong(TimeLine.Point::count).sum()).isEqualTo(3_600);
    }

    @Test
    void shouldEndWithHostileTimes() {
        for (int at = 0; at < 600; at++) {
            line.add(interval(0, Long.MIN_VALUE / 1_000 * at, 100));
        }

        assertThat(line.points()).isNotEmpty();
    }
}
