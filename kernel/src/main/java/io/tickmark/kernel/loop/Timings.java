package io.tickmark.kernel.loop;

/**
 * Count, mean, deviation and range of latencies, as summaries and statistics files show them.
 * Single-threaded; adding allocates nothing.
 */
public final class Timings {
    private final Timings interval;
    private long count;
    private double sum;
    private double sumOfSquares;
    private long min;
    private long max;

    /** No latencies yet. */
    public Timings() {
        this(null);
    }

    private Timings(final Timings interval) {
        this.interval = interval;
    }

    /** The timings that a loop adds to: they also contain the latencies of the interval. */
    static Timings live() {
        return new Timings(new Timings());
    }

    /**
     * Adds a latency.
     *
     * @param ns the latency
     */
    public void add(final long ns) {
        if (interval != null) {
            interval.add(ns);
        }
        min = count == 0 ? ns : Math.min(min, ns);
        max = count == 0 ? ns : Math.max(max, ns);
        count++;
        sum += ns;
        sumOfSquares += (double) ns * ns;
    }

    /**
     * Adds others.
     *
     * @param others to add
     */
    public void add(final Timings others) {
        if (others.count == 0) {
            return;
        }
        min = count == 0 ? others.min : Math.min(min, others.min);
        max = count == 0 ? others.max : Math.max(max, others.max);
        count += others.count;
        sum += others.sum;
        sumOfSquares += others.sumOfSquares;
    }

    /** The latencies of a loop since the last call. */
    Timings takeInterval() {
        return interval.take();
    }

    /** Returns and resets the latencies so far; not those of the interval. */
    Timings take() {
        final Timings taken = new Timings();
        taken.add(this);
        clear();
        return taken;
    }

    /** Resets all; not those of the interval. */
    void clear() {
        count = 0;
        sum = 0;
        sumOfSquares = 0;
        min = 0;
        max = 0;
    }

    /**
     * How many.
     *
     * @return the count
     */
    public long count() {
        return count;
    }

    /**
     * Arithmetic mean.
     *
     * @return us, 0 where there are none
     */
    public double meanUs() {
        return count == 0 ? 0 : sum / count / 1e3;
    }

    /**
     * Standard deviation of the population.
     *
     * @return us, 0 where there are none
     */
    public double deviationUs() {
        if (count == 0) {
            return 0;
        }
        final double mean = sum / count;
        return Math.sqrt(Math.max(0, sumOfSquares / count - mean * mean)) / 1e3;
    }

    /**
     * Smallest.
     *
     * @return us, 0 where there are none
     */
    public double minUs() {
        return min / 1e3;
    }

    /**
     * Largest.
     *
     * @return us, 0 where there are none
     */
    public double maxUs() {
        return max / 1e3;
    }
}
