package io.tickmark.kernel.record;

import io.tickmark.kernel.result.Percentiles;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** Writes {@link RoleFiles#STATS}, one row for each interval; one thread at a time. */
final class StatsFile {
    private static final int P50 = 50;
    private static final int P99 = 99;

    private final RoleFolder.File file;
    private final WallTime wallTime;
    private final int repeat;
    private String header = "";

    StatsFile(final RoleFolder folder, final WallTime wallTime, final int repeat) {
        this.file = folder.open(RoleFiles.STATS);
        this.wallTime = wallTime;
        this.repeat = repeat;
    }

    void write(final Interval interval, final ResourceSample resources) {
        final String columns =
                String.join(
                        ",",
                        columns(
                                interval.totals().keySet(),
                                interval.gauges().keySet(),
                                interval.latencies().keySet()));
        if (!columns.equals(header)) {
            header = columns;
            line(columns);
        }
        line(String.join(",", cells(interval, resources)));
    }

    private void line(final String text) {
        final byte[] bytes = (text + '\n').getBytes(StandardCharsets.UTF_8);
        file.write(bytes, 0, bytes.length);
    }

    private static List<String> columns(
            final Set<String> counters, final Set<String> gauges, final Set<String> latencies) {
        final List<String> columns =
                new ArrayList<>(List.of("time", "repeat", "step", "label", "seconds"));
        for (final String counter : counters) {
            columns.add(cell(counter));
            columns.add(cell(counter + "PerSecond"));
        }
        gauges.forEach(gauge -> columns.add(cell(gauge)));
        for (final String latency : latencies) {
            for (final String figure : List.of("count", "p50", "p99", "max")) {
                columns.add(cell(latency + "." + figure));
            }
        }
        columns.add("cpuPercent");
        columns.add("residentBytes");
        return columns;
    }

    private List<String> cells(final Interval interval, final ResourceSample resources) {
        final List<String> cells = new ArrayList<>();
        cells.add(wallTime.iso(interval.endNs()));
        cells.add(Integer.toString(repeat));
        cells.add(Integer.toString(interval.step()));
        cells.add(cell(interval.label()));
        cells.add(decimal((interval.endNs() - interval.startNs()) / 1e9));
        interval.totals()
                .forEach((name, total) -> {
                    cells.add(Long.toString(total));
                    cells.add(decimal(interval.rate(name)));
                });
        interval.gauges().values().forEach(value -> cells.add(Long.toString(value)));
        for (final Histogram histogram : interval.latencies().values()) {
            cells.add(Long.toString(histogram.getTotalCount()));
            cells.add(told(Percentiles.of(histogram, P50)));
            cells.add(told(Percentiles.of(histogram, P99)));
            cells.add(histogram.getTotalCount() == 0 ? "" : Long.toString(histogram.getMaxValue()));
        }
        cells.add(Double.isNaN(resources.cpuPercent()) ? "" : decimal(resources.cpuPercent()));
        cells.add(resources.residentBytes() < 0 ? "" : Long.toString(resources.residentBytes()));
        return cells;
    }

    private static String told(final OptionalLong ns) {
        return ns.isPresent() ? Long.toString(ns.getAsLong()) : "";
    }

    private static String decimal(final double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    /** Quoted where RFC 4180 wants it. */
    private static String cell(final String text) {
        return text.matches("[^\",\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    void close() {
        if (header.isEmpty() && file.isFresh()) {
            line(String.join(",", columns(Set.of(), Set.of(), Set.of())));
        }
        file.close();
    }
}
