package io.tickmark.workloads.market.measure;

/**
 * Count, mean, deviation and range of latencies, as the summaries and statistics files of the field
 * show them. Single thread, allocates nothing.
 */
public final class Timings {
    private long count;
    private double sum;
    private double sumOfSquares;
    private long min;
    private long max;

    /** None yet. */
    public Timings() {}

    /**
     * Adds a latency.
     *
     * @param ns the latency
     */
    public void add(final long ns) {
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

    /** Forgets all. */
    public void clear() {
        count = 0;
        sum = 0;
        sumOfSquares = 0;
        min = 0;
        max = 0;
    }

    /**
     * These, as they are now.
     *
     * @return a copy
     */
    public Timings copy() {
        final Timings copy = new Timings();
        copy.add(this);
        return copy;
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
