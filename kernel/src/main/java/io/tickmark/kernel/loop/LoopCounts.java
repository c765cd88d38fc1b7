package io.tickmark.kernel.loop;

import io.tickmark.kernel.record.Recording;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Counts and timings of one loop: so far, up to the steady state and in it, and in each interval.
 * The loop writes {@link #live()} and calls all other methods while it runs; other threads read
 * only after it has ended.
 *
 * @param <T> record of counts, see {@link Columns}
 */
public final class LoopCounts<T extends Record> {
    private final Columns<T> columns;
    private final int number;
    private final T live;
    private T startup;
    private T intervalStart;
    private long intervalStartNs;

    /**
     * What a loop did in one interval.
     *
     * @param <T> record of counts
     * @param number of the loop, from 1
     * @param endNs end of the interval
     * @param lengthNs of the interval
     * @param counts and latencies of the interval
     * @param totals up to its end, without latencies
     */
    public record Row<T extends Record>(
            int number, long endNs, long lengthNs, T counts, T totals) {}

    /**
     * All 0.
     *
     * @param columns that the role declares
     * @param number of the loop, from 1
     * @param recording of the role
     */
    public LoopCounts(final Columns<T> columns, final int number, final Recording recording) {
        this.columns = columns;
        this.number = number;
        live = columns.live(recording, suffix(number));
        intervalStart = columns.zero();
    }

    /**
     * Suffix of the names that a loop records under, as a recorder has one writer: the first one
     * has the plain names.
     *
     * @param number of the loop, from 1
     * @return empty, or {@code -2}
     */
    public static String suffix(final int number) {
        return number == 1 ? "" : "-" + number;
    }

    /**
     * The latencies of all loops under their plain names.
     *
     * @param byLoop as recorded
     * @return sums; takes ownership of the given histograms
     */
    public static Map<String, Histogram> joined(final Map<String, Histogram> byLoop) {
        final Map<String, Histogram> joined = new LinkedHashMap<>();
        byLoop.forEach((name, histogram) -> {
            final Histogram sum = joined.putIfAbsent(name.replaceFirst("-\\d+$", ""), histogram);
            if (sum != null) {
                sum.add(histogram);
            }
        });
        return joined;
    }

    /**
     * Number of the loop.
     *
     * @return from 1
     */
    public int number() {
        return number;
    }

    /**
     * The counters and latencies that the loop writes; writing neither waits nor allocates.
     *
     * @return always the same
     */
    public T live() {
        return live;
    }

    /** Resets everything, to be called after the warm-up. */
    public void clear() {
        columns.clear(live);
    }

    /** Everything counted from now on belongs to the steady state. */
    public void beginSteady() {
        startup = columns.sum(List.of(live));
        columns.moveTimings(live, startup, false);
    }

    /**
     * Counts up to the steady state.
     *
     * @return a copy; all so far, where it has not begun
     */
    public T startup() {
        return columns.sum(List.of(startup == null ? live : startup));
    }

    /**
     * Counts of the steady state.
     *
     * @return a copy; 0 where it has not begun
     */
    public T steady() {
        return startup == null ? columns.zero() : columns.minus(live, startup);
    }

    /**
     * Begins the first interval; what was counted before is in it.
     *
     * @param nowNs current time
     */
    public void beginIntervals(final long nowNs) {
        intervalStartNs = nowNs;
    }

    /**
     * Ends an interval and begins the next.
     *
     * @param nowNs current time
     * @return what was counted in it
     */
    public Row<T> takeInterval(final long nowNs) {
        final T totals = columns.sum(List.of(live));
        final T counts = columns.minus(totals, intervalStart);
        columns.moveTimings(live, counts, true);
        final Row<T> row = new Row<>(number, nowNs, nowNs - intervalStartNs, counts, totals);
        intervalStart = totals;
        intervalStartNs = nowNs;
        return row;
    }
}
