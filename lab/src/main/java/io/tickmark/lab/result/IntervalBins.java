package io.tickmark.lab.result;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Puts intervals of one repeat, of all roles, on one time line. When there are too many, neighbours
 * are added up at once: histograms add exactly, so no stall is smoothed away, and a day takes no
 * more memory than some minutes. Single-threaded.
 */
public final class IntervalBins {
    private static final int DIGITS = 3;

    private final int mostBins;
    private TreeMap<Key, Bin> bins = new TreeMap<>();
    private long binMs;

    private record Key(long bin, int step) implements Comparable<Key> {
        @Override
        public int compareTo(final Key other) {
            return bin != other.bin
                    ? Long.compare(bin, other.bin)
                    : Integer.compare(step, other.step);
        }
    }

    /**
     * The recording of a period.
     *
     * @param step to which its messages belong
     * @param startMs when the first interval in it began, since 1970
     * @param histogram in ns; owned by the time line
     */
    public record Bin(int step, long startMs, Histogram histogram) {
        private Bin plus(final long otherStartMs, final Histogram other) {
            histogram.add(other);
            return new Bin(step, Math.min(startMs, otherStartMs), histogram);
        }
    }

    /**
     * A line without bins.
     *
     * @param firstBinMs length of a bin until there are too many
     * @param mostBins that are kept; fewer than half of it only where the recording is short
     */
    public IntervalBins(final long firstBinMs, final int mostBins) {
        this.binMs = firstBinMs;
        this.mostBins = mostBins;
    }

    /**
     * Adds an interval; its histogram is not kept, and an empty one is skipped.
     *
     * @param interval of this line's repeat and latency
     */
    public void add(final IntervalLog.Interval interval) {
        if (interval.histogram().getTotalCount() == 0) {
            return;
        }
        final int step = interval.tag().step();
        final Key key = new Key(Math.floorDiv(interval.startMs(), binMs), step);
        final Bin bin =
                bins.getOrDefault(key, new Bin(step, interval.startMs(), new Histogram(DIGITS)));
        bins.put(key, bin.plus(interval.startMs(), interval.histogram()));
        while (bins.size() > mostBins && binMs < Long.MAX_VALUE / 4) {
            coarsen();
        }
    }

    private void coarsen() {
        final TreeMap<Key, Bin> coarse = new TreeMap<>();
        bins.forEach((key, bin) ->
                coarse.merge(
                        new Key(Math.floorDiv(key.bin(), 2), key.step()),
                        bin,
                        (left, right) -> left.plus(right.startMs(), right.histogram())));
        bins = coarse;
        binMs *= 2;
    }

    /**
     * The line so far.
     *
     * @return bins in the order of time
     */
    public List<Bin> bins() {
        return new ArrayList<>(bins.values());
    }
}
