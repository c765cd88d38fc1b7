package io.tickmark.report.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.HistogramTag;
import io.tickmark.lab.result.IntervalLog;
import io.tickmark.report.series.RepeatSeries.RoleUsage;
import java.time.Instant;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RepeatSeriesTest {
    private final RepeatSeries series = new RepeatSeries(1);

    private void row(
            final String role, final long endMs, final String columns, final String cells) {
        final StatsRow row =
                StatsRow.of(StatsRow.split("step,seconds," + columns), "0,1.000," + cells);
        series.add(role, row, Instant.ofEpochMilli(endMs), true);
    }

    @Test
    void shouldHaveARateForEachCounterThatMoved() {
        row("consumer-1", 1_000, "images,imagesPerSecond,posts,postsPerSecond", "50,50,0,0");
        row("provider-1", 1_000, "sent,sentPerSecond,sent-2,sent-2PerSecond", "40,40,10,10");
        row("consumer-1", 2_000, "received,receivedPerSecond", "7,7");

        assertThat(series.rates().keySet()).containsExactly("sent", "received", "images");
        assertThat(series.rates().get("sent"))
                .as("threads of one role")
                .containsExactly(new MeanLine.Point(0, 50));
    }

    @Test
    void shouldReportARowWhoseFiguresAreNoNumbers() {
        assertThat(isWhole("1.000", "12")).isTrue();
        assertThat(isWhole("1.000", "")).as("not known").isTrue();
        assertThat(isWhole("0.000", "12")).as("too short to be drawn").isTrue();
        assertThat(isWhole("1.000", "1x")).isFalse();
        assertThat(isWhole("1.000", "-3")).isFalse();
        assertThat(isWhole("NaN", "12")).isFalse();
        assertThat(series.rates().get("sent")).containsExactly(new MeanLine.Point(0, 12));
    }

    private boolean isWhole(final String seconds, final String sentPerSecond) {
        return series.add(
                "publisher-1",
                StatsRow.of(
                        List.of("step", "seconds", "sentPerSecond"),
                        "0," + seconds + "," + sentPerSecond),
                Instant.ofEpochMilli(1_000),
                true);
    }

    @Test
    void shouldNotShowMoreRatesThanThereAreColours() {
        for (int counter = 0; counter < 20; counter++) {
            row("hub-1", 1_000, "c" + counter + "x,c" + counter + "xPerSecond", "1,1");
        }

        row("hub-1", 2_000, "none,nonePerSecond", "0,0");

        assertThat(series.rates()).hasSize(RepeatSeries.MOST_LINES);
        assertThat(series.rateCount()).isEqualTo(20);
    }

    @Test
    void shouldFollowCpuAndMemoryOfEachRole() {
        row("publisher-1", 1_000, "cpuPercent,residentBytes", "150.5,1048576");
        row("publisher-2", 1_000, "cpuPercent,residentBytes", ",2097152");
        row("hub-1", 2_000, "cpuPercent,residentBytes", "3,4194304");

        final List<RoleUsage> roles = series.roles();
        assertThat(roles)
                .extracting(RoleUsage::role)
                .containsExactly("publisher-1", "publisher-2", "hub");
        assertThat(roles.getFirst().cpuPercent()).containsExactly(new MeanLine.Point(0, 150.5));
        assertThat(roles.get(1).cpuPercent()).isEmpty();
        assertThat(roles.get(2).residentBytes())
                .containsExactly(new MeanLine.Point(1_000, 4_194_304));
    }

    @Test
    void shouldKeepTheRolesThatTookMostCpu() {
        for (int role = 1; role <= 30; role++) {
            row("client-" + role, 1_000, "cpuPercent", Integer.toString(role));
        }

        assertThat(series.roleCount()).isEqualTo(30);
        assertThat(series.roles())
                .extracting(RoleUsage::role)
                .hasSize(RepeatSeries.MOST_LINES)
                .startsWith("client-23")
                .endsWith("client-30");
    }

    @Test
    void shouldBeginWithItsFirstPoint() {
        final Histogram histogram = new Histogram(3);
        histogram.recordValue(700);
        series.add(
                "postServiceNs",
                new IntervalLog.Interval(new HistogramTag("x", 1, 1), 5_000, histogram));
        row("hub-1", 7_000, "cpuPercent", "1");

        assertThat(series.startMs()).isEqualTo(5_000);
        assertThat(series.latency("postServiceNs")).extracting(TimeLine.Point::step).contains(1);
        assertThat(series.latency("responseNs")).isEmpty();
        assertThat(series.steps()).extracting(RepeatSeries.Span::step).containsExactly(1, 0);
    }
}
