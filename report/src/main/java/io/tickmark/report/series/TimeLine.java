package io.tickmark.report.series;

import io.tickmark.lab.result.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Puts intervals of one repeat, of all roles, on one time line. When there are too many points,
 * neighbours are added up: histograms add exactly, so no stall is thinned away. Single thread.
 */
public final class TimeLine {
    /** Most points of a line; fewer than half of it only where there is less to show. */
    public static final int MAX_POINTS = 240;

    private static final int DIGITS = 3;
    private static final long FIRST_BIN_MS = 500;

    private TreeMap<Key, Bin> bins = new TreeMap<>();
    private long binMs = FIRST_BIN_MS;

    private record Key(int step, long bin) implements Comparable<Key> {
        @Override
        public int compareTo(final Key other) {
            return bin != other.bin
                    ? Long.compare(bin, other.bin)
                    : Integer.compare(step, other.step);
        }
    }

    private record Bin(long startMs, Histogram histogram) {
        Bin plus(final long otherStartMs, final Histogram other) {
            histogram.add(other);
            return new Bin(Math.min(startMs, otherStartMs), histogram);
        }
    }

    /**
     * A point of the line.
     *
     * @param startMs when the first interval in it began, since 1970
     * @param step to which its messages belong
     * @param count messages
     * @param p50Ns median
     * @param p99Ns 99th percentile
     * @param maxNs longest
     */
    public record Point(long startMs, int step, long count, long p50Ns, long p99Ns, long maxNs) {}

    /** A line without points. */
    public TimeLine() {}

    /**
     * Adds an interval; its histogram is not kept.
     *
     * @param interval of this line's repeat and latency
     */
    public void add(final Interval interval) {
        if (interval.histogram().getTotalCount() == 0) {
            return;
        }
        final Key key = new Key(interval.tag().step(), Math.floorDiv(interval.startMs(), binMs));
        final Bin bin = bins.getOrDefault(key, new Bin(interval.startMs(), new Histogram(DIGITS)));
        bins.put(key, bin.plus(interval.startMs(), interval.histogram()));
        while (bins.size() > MAX_POINTS && binMs < Long.MAX_VALUE / 4) {
            coarsen();
        }
    }

    private void coarsen() {
        final TreeMap<Key, Bin> coarse = new TreeMap<>();
        bins.forEach((key, bin) ->
                coarse.merge(
                        new Key(key.step(), Math.floorDiv(key.bin(), 2)),
                        bin,
                        (left, right) -> left.plus(right.startMs(), right.histogram())));
        bins = coarse;
        binMs *= 2;
    }

    /**
     * The line so far.
     *
     * @return points in the order of time
     */
    public List<Point> points() {
        final List<Point> points = new ArrayList<>();
        bins.forEach((key, bin) -> points.add(point(key, bin)));
        return points;
    }

    private static Point point(final Key key, final Bin bin) {
        final Histogram histogram = bin.histogram();
        return new Point(
                bin.startMs(),
                key.step(),
                histogram.getTotalCount(),
                histogram.getValueAtPercentile(50),
                histogram.getValueAtPercentile(99),
                histogram.getMaxValue());
    }
}
