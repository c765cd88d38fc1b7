package io.tickmark.kernel.time;

/**
 * The times at which messages are due. Single-threaded, allocates nothing. Times never go back; the
 * grid is fixed when the schedule starts and a late sender does not move it.
 */
public interface Schedule {
    /**
     * Fixes the grid.
     *
     * @param startNs time of the first message
     */
    void start(long startNs);

    /**
     * Intended time of the next message; every call advances by one message.
     *
     * @param nowNs current time; only schedules without a grid (as fast as possible, sleep) look at
     *     it
     * @return ns on the clock of {@code startNs}
     */
    long nextNs(long nowNs);

    /**
     * Mean rate of the schedule.
     *
     * @return messages per second; 0 where the schedule has no rate (as fast as possible)
     */
    double ratePerSecond();

    /**
     * Whether the mean over some gaps may differ from the mean rate.
     *
     * @return true for random gaps, and for bursts, as a run may end in the middle of one
     */
    default boolean isUneven() {
        return false;
    }

    /**
     * Whether each message is due as soon as the one before was sent, so that none has a due time
     * to be held to.
     *
     * @return true for as fast as possible
     */
    default boolean isUnpaced() {
        return false;
    }
}
