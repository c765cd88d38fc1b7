package io.tickmark.kernel.time;

/**
 * The times at which messages are wanted. Single thread, allocates nothing. Times never go back;
 * the grid is fixed when the schedule starts and a late sender does not move it.
 */
public interface Schedule {
    /**
     * Fixes the grid.
     *
     * @param startNs time of the first message
     */
    void start(long startNs);

    /**
     * Intended time of the next message; every call moves on by one message.
     *
     * @param nowNs current time; only schedules without a grid (as fast as possible, sleep) look at
     *     it
     * @return ns on the clock of {@code startNs}
     */
    long nextNs(long nowNs);

    /**
     * Mean rate asked for.
     *
     * @return messages per second; 0 where the schedule has no rate (as fast as possible)
     */
    double ratePerSecond();

    /**
     * Whether a number of gaps need not come to the mean rate.
     *
     * @return true for random gaps, and for bursts, which a run may end in the middle of
     */
    default boolean isUneven() {
        return false;
    }

    /**
     * Whether each message is wanted as soon as the one before was sent, so that none has a time of
     * its own to be held to.
     *
     * @return true for as fast as possible
     */
    default boolean isUnpaced() {
        return false;
    }
}
