package io.tickmark.report.series;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A rate or another figure over time, summed over the roles that have it. A row counts in each bin
 * of time that it overlaps, so that roles whose seconds begin at different times add up. When there
 * are too many points, neighbours are merged by their mean. Single-threaded.
 */
public final class MeanLine {
    private static final long FIRST_BIN_MS = 1_000;

    /** No run is as long, and none so long after 1970. */
    private static final long MOST_MS = 1L << 52;

    private TreeMap<Long, Map<String, Share>> bins = new TreeMap<>();
    private long binMs = FIRST_BIN_MS;

    private record Share(long startMs, double area, double seconds) {
        Share plus(final Share other) {
            return new Share(
                    Math.min(startMs, other.startMs), area + other.area, seconds + other.seconds);
        }

        double mean() {
            return seconds > 0 ? area / seconds : 0;
        }
    }

    /**
     * A point of the line.
     *
     * @param startMs when the first row in it began, since 1970
     * @param value mean of each role in that time, summed over the roles
     */
    public record Point(long startMs, double value) {}

    /** A line without points. */
    public MeanLine() {}

    /**
     * Adds one row of a role's statistics; one with invalid figures is left out.
     *
     * @param role whose row it is
     * @param endMs when the row's time ended, since 1970
     * @param seconds its length
     * @param value mean in that time, zero or more
     * @return whether it was added; the caller counts those that were not
     */
    public boolean add(
            final String role, final long endMs, final double seconds, final double value) {
        if (!(seconds > 0 && seconds < Double.MAX_VALUE)
                || !(value >= 0 && value < Double.MAX_VALUE)) {
            return false;
        }
        final long lengthMs = Math.round(seconds * 1e3);
        final long startMs = endMs - lengthMs;
        if (Math.abs(endMs / 2) > MOST_MS || lengthMs > MOST_MS) {
            return false;
        }
        while (lengthMs / binMs > TimeLine.MAX_POINTS) {
            coarsen();
        }
        long atMs = startMs;
        do {
            final long bin = Math.floorDiv(atMs, binMs);
            final long nextMs = Math.min(endMs, (bin + 1) * binMs);
            final double part = lengthMs == 0 ? seconds : (nextMs - atMs) / 1e3;
            bins.computeIfAbsent(bin, key -> new HashMap<>())
                    .merge(role, new Share(atMs, value * part, part), Share::plus);
            atMs = nextMs;
        } while (atMs < endMs);
        while (bins.size() > TimeLine.MAX_POINTS && binMs < Long.MAX_VALUE / 4) {
            coarsen();
        }
        return true;
    }

    private void coarsen() {
        final TreeMap<Long, Map<String, Share>> coarse = new TreeMap<>();
        bins.forEach((bin, roles) -> {
            final Map<String, Share> into =
                    coarse.computeIfAbsent(Math.floorDiv(bin, 2), key -> new HashMap<>());
            roles.forEach((role, share) -> into.merge(role, share, Share::plus));
        });
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
        for (final Map<String, Share> roles : bins.values()) {
            points.add(
                    new Point(
                            roles.values().stream().mapToLong(Share::startMs).min().orElseThrow(),
                            roles.values().stream().mapToDouble(Share::mean).sum()));
        }
        return points;
    }
}
