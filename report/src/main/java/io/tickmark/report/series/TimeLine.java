package io.tickmark.report.series;

import io.tickmark.kernel.result.Percentiles;
import io.tickmark.lab.result.IntervalBins;
import io.tickmark.lab.result.IntervalLog;
import java.util.List;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/** Latencies of one repeat, of all roles, on one time line. Single-threaded. */
public final class TimeLine {
    /** Most points of a line; fewer than half of it only where there is less to show. */
    public static final int MAX_POINTS = 240;

    private static final long FIRST_BIN_MS = 500;

    private final IntervalBins bins = new IntervalBins(FIRST_BIN_MS, MAX_POINTS);

    /**
     * A point of the line.
     *
     * @param startMs when the first interval in it began, since 1970
     * @param step to which its messages belong
     * @param count messages
     * @param p50Ns median; empty with fewer than ten messages above it
     * @param p99Ns 99th percentile; likewise
     * @param maxNs longest
     */
    public record Point(
            long startMs,
            int step,
            long count,
            OptionalLong p50Ns,
            OptionalLong p99Ns,
            long maxNs) {}

    /** A line without points. */
    public TimeLine() {}

    /**
     * Adds an interval; its histogram is not kept.
     *
     * @param interval of this line's repeat and latency
     */
    public void add(final IntervalLog.Interval interval) {
        bins.add(interval);
    }

    /**
     * The line so far.
     *
     * @return points in the order of time
     */
    public List<Point> points() {
        return bins.bins().stream().map(TimeLine::point).toList();
    }

    private static Point point(final IntervalBins.Bin bin) {
        final Histogram histogram = bin.histogram();
        return new Point(
                bin.startMs(),
                bin.step(),
                histogram.getTotalCount(),
                Percentiles.of(histogram, 50),
                Percentiles.of(histogram, 99),
                histogram.getMaxValue());
    }
}
