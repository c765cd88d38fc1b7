package io.tickmark.report.page;

import io.tickmark.lab.verdict.Headline;
import io.tickmark.report.page.PageData.TimeLineData;
import io.tickmark.report.rows.Block;
import io.tickmark.report.rows.MergedRow;
import io.tickmark.report.series.BlockSeries;
import io.tickmark.report.series.MeanLine;
import io.tickmark.report.series.RepeatSeries;
import io.tickmark.report.series.TimeLine;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Printable;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The time lines of a block as the page shows them. */
final class TimeLines {
    private static final double MS_PER_S = 1e3;
    private static final double MIB = 1 << 20;
    private static final MathContext DIGITS = new MathContext(5);

    /** Most latencies of a repeat, each a chart. */
    private static final int MOST_LATENCIES = 12;

    private final List<String> latencies = new ArrayList<>();
    private final Map<Integer, String> stepNames = new LinkedHashMap<>();

    private TimeLines(final Block block, final BlockSeries series, final Figures figures) {
        Headline.nameOf(series.latencies()).ifPresent(latencies::add);
        series.latencies().stream()
                .filter(name -> !latencies.contains(name))
                .limit(MOST_LATENCIES - latencies.size())
                .forEach(latencies::add);
        for (final MergedRow row : block.rows()) {
            stepNames.put(row.any().step(), block.stepName(row, figures));
        }
    }

    static List<TimeLineData> of(
            final Block block, final BlockSeries series, final Figures figures) {
        final TimeLines lines = new TimeLines(block, series, figures);
        return series.repeats().stream().map(lines::of).toList();
    }

    private TimeLineData of(final RepeatSeries series) {
        final long originMs = series.startMs();
        final Map<String, PageData.LatencyLine> latencyLines = new LinkedHashMap<>();
        for (final String name : latencies) {
            final List<TimeLine.Point> points = series.latency(name);
            if (!points.isEmpty()) {
                latencyLines.put(name, latency(points, originMs));
            }
        }
        final Map<String, PageData.Line> rates = new LinkedHashMap<>();
        series.rates()
                .forEach(
                        (name, points) -> rates.put(Printable.of(name), line(points, originMs, 1)));
        return new TimeLineData(
                series.repeat(),
                series.steps().stream()
                        .map(span ->
                                new PageData.Span(
                                        span.step(),
                                        stepNames.getOrDefault(span.step(), ""),
                                        seconds(span.startMs() - originMs),
                                        seconds(span.endMs() - originMs)))
                        .toList(),
                latencyLines,
                rates,
                series.roles().stream()
                        .map(role ->
                                new PageData.RoleLines(
                                        Printable.of(role.role()),
                                        line(role.cpuPercent(), originMs, 1),
                                        line(role.residentBytes(), originMs, MIB)))
                        .toList(),
                series.roleCount());
    }

    private static PageData.LatencyLine latency(
            final List<TimeLine.Point> points, final long originMs) {
        return new PageData.LatencyLine(
                points.stream().map(point -> seconds(point.startMs() - originMs)).toList(),
                points.stream().map(TimeLine.Point::step).toList(),
                points.stream().map(TimeLine.Point::p50Ns).toList(),
                points.stream().map(TimeLine.Point::p99Ns).toList(),
                points.stream().map(TimeLine.Point::maxNs).toList());
    }

    private static PageData.Line line(
            final List<MeanLine.Point> points, final long originMs, final double unit) {
        return new PageData.Line(
                points.stream().map(point -> seconds(point.startMs() - originMs)).toList(),
                points.stream().map(point -> rounded(point.value() / unit)).toList());
    }

    private static double rounded(final double value) {
        return BigDecimal.valueOf(value).round(DIGITS).doubleValue();
    }

    private static double seconds(final long ms) {
        return ms / MS_PER_S;
    }
}
