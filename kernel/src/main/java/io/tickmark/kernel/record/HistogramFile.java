package io.tickmark.kernel.record;

import java.io.BufferedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** Writes {@link RoleFiles#HISTOGRAMS}; one thread at a time. */
final class HistogramFile {
    private final PrintStream out;
    private final HistogramLogWriter writer;
    private final WallTime wallTime;
    private final int repeat;

    HistogramFile(
            final RoleFolder folder, final WallTime wallTime, final int repeat, final long nowNs) {
        final RoleFolder.File file = folder.open(RoleFiles.HISTOGRAMS);
        this.out = new PrintStream(new BufferedOutputStream(file), false, StandardCharsets.UTF_8);
        this.writer = new HistogramLogWriter(out);
        this.wallTime = wallTime;
        this.repeat = repeat;
        if (file.isFresh()) {
            writer.outputLogFormatVersion();
            writer.outputComment("Latencies in ns; the column Interval_Max is in ms.");
            writer.outputStartTime(Math.floorDiv(wallTime.epochNs(nowNs), 1_000_000L));
            writer.outputLegend();
        }
    }

    void write(final Interval interval) {
        interval.latencies()
                .forEach((name, histogram) -> {
                    if (histogram.getTotalCount() > 0) {
                        write(interval, name, histogram);
                    }
                });
    }

    private void write(final Interval interval, final String name, final Histogram histogram) {
        histogram.setTag(new HistogramTag(name, repeat, interval.step()).toString());
        writer.outputIntervalHistogram(
                wallTime.epochSeconds(interval.startNs()),
                wallTime.epochSeconds(interval.endNs()),
                histogram);
    }

    void flush() {
        out.flush();
    }

    void close() {
        writer.close();
    }
}
