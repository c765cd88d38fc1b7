package io.tickmark.workloads.market.measure;

import java.util.SplittableRandom;

/**
 * Divides a rate into bursts on a fixed tick grid: tick k is at start + k / ticksPerSecond whatever
 * happened before, a rate that does not divide is spread evenly, and late ticks are caught up one
 * by one. In each burst the requested number of messages is selected at random to carry a time
 * stamp. Single-threaded, allocates nothing.
 */
public final class TickBursts {
    /**
     * Messages that a loop sends before it looks at the rest of its work. A rate that cannot be
     * held is behind by ever more: sent all at once, it would keep the loop from reading, from its
     * statistics and from its end.
     */
    public static final int MOST_IN_A_TURN = 4096;

    private static final long SECOND_NS = 1_000_000_000L;

    private final long ratePerSecond;
    private final long marksPerSecond;
    private final int ticksPerSecond;
    private final SplittableRandom random;
    private long startNs;
    private long tick;
    private long intendedNs;
    private long nextTickNs;
    private long rateRest;
    private long marksRest;
    private long left;
    private long marksLeft;
    private boolean waited;
    private long tightSends;
    private long maxTightSends;
    private long maxLagNs;

    /**
     * Bursts of a rate; nothing is due before {@link #start}.
     *
     * @param ratePerSecond messages, 0 for none
     * @param marksPerSecond of these messages that carry a time stamp
     * @param ticksPerSecond at least 1
     * @param seed of the choice within a burst
     */
    public TickBursts(
            final long ratePerSecond,
            final long marksPerSecond,
            final int ticksPerSecond,
            final long seed) {
        this.ratePerSecond = ratePerSecond;
        this.marksPerSecond = Math.min(ratePerSecond, marksPerSecond);
        this.ticksPerSecond = ticksPerSecond;
        this.random = new SplittableRandom(seed);
        nextTickNs = Long.MAX_VALUE;
    }

    /**
     * Fixes the grid.
     *
     * @param atNs time of the first tick
     */
    public void start(final long atNs) {
        startNs = atNs;
        tick = 0;
        rateRest = 0;
        marksRest = 0;
        left = 0;
        marksLeft = 0;
        nextTickNs = ratePerSecond == 0 ? Long.MAX_VALUE : atNs;
        forgetFigures();
    }

    /** Resets {@link #maxLagNs} and {@link #maxTightSends}. */
    public void forgetFigures() {
        waited = true;
        tightSends = 0;
        maxTightSends = 0;
        maxLagNs = 0;
    }

    /**
     * Whether a message is to be sent now.
     *
     * @param nowNs current time
     * @return true until the bursts of all ticks that have come are sent
     */
    public boolean isDue(final long nowNs) {
        while (left == 0) {
            if (nextTickNs == Long.MAX_VALUE || nowNs - nextTickNs < 0) {
                waited = true;
                return false;
            }
            beginTick();
        }
        return true;
    }

    private void beginTick() {
        intendedNs = nextTickNs;
        rateRest += ratePerSecond;
        left = rateRest / ticksPerSecond;
        rateRest %= ticksPerSecond;
        marksRest += marksPerSecond;
        marksLeft = Math.min(left, marksRest / ticksPerSecond);
        marksRest -= marksLeft * ticksPerSecond;
        tick++;
        // whole seconds apart, so that no product overflows
        final long withinSecond = tick % ticksPerSecond * SECOND_NS;
        nextTickNs =
                startNs
                        + tick / ticksPerSecond * SECOND_NS
                        + (withinSecond + ticksPerSecond / 2) / ticksPerSecond;
    }

    /**
     * Whether the message that is due carries a time stamp; to be called at most once for each
     * message.
     *
     * @return true for the messages picked, each of a burst with the same chance
     */
    public boolean isMarked() {
        return marksLeft > 0 && (marksLeft >= left || random.nextLong(left) < marksLeft);
    }

    /**
     * The message that was due is sent.
     *
     * @param nowNs current time
     * @param marked what {@link #isMarked} returned for it
     */
    public void sent(final long nowNs, final boolean marked) {
        left--;
        if (marked) {
            marksLeft--;
        }
        tightSends = waited ? 1 : tightSends + 1;
        waited = false;
        maxTightSends = Math.max(maxTightSends, tightSends);
        maxLagNs = Math.max(maxLagNs, nowNs - intendedNs);
    }

    /**
     * The due time of the current message: the time of its tick.
     *
     * @return ns
     */
    public long intendedNs() {
        return intendedNs;
    }

    /**
     * When the next tick is due.
     *
     * @return ns, {@link Long#MAX_VALUE} where there is no rate
     */
    public long nextTickNs() {
        return left > 0 ? intendedNs : nextTickNs;
    }

    /**
     * Requested rate.
     *
     * @return messages per second
     */
    public long ratePerSecond() {
        return ratePerSecond;
    }

    /**
     * The messages of a period that must have been sent at its end: those of its ticks, but for the
     * last, whose burst may take until the next one.
     *
     * @param fromNs its beginning, which is after the start
     * @param toNs its end
     * @return the count
     */
    public long leastIn(final long fromNs, final long toNs) {
        return Math.max(0, dueBy(toNs - SECOND_NS / ticksPerSecond) - dueBy(fromNs));
    }

    /** Of all ticks up to a time, in whole seconds and the rest, so that no product overflows. */
    private long dueBy(final long atNs) {
        final long sinceNs = atNs - startNs;
        if (sinceNs < 0) {
            return 0;
        }
        final long ticks = sinceNs % SECOND_NS * ticksPerSecond / SECOND_NS + 1;
        return sinceNs / SECOND_NS * ratePerSecond + ticks * ratePerSecond / ticksPerSecond;
    }

    /**
     * Most messages sent in a row without once waiting for a tick.
     *
     * @return the count
     */
    public long maxTightSends() {
        return maxTightSends;
    }

    /**
     * Largest delay of a message after its tick.
     *
     * @return ns
     */
    public long maxLagNs() {
        return maxLagNs;
    }
}
