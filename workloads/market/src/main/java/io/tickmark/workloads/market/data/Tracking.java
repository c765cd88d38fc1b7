package io.tickmark.workloads.market.data;

/**
 * The measuring fields of a message; one per sending thread, set before each message. Mutable so
 * that sending allocates nothing.
 */
public final class Tracking {
    private long sequence;
    private long takenNs;
    private long intendedNs;

    /** Nothing to carry yet. */
    public Tracking() {}

    /**
     * For a message without latency data.
     *
     * @param number of the message, from 1; 0 to carry none
     * @return this
     */
    public Tracking plain(final long number) {
        return timed(number, 0, 0);
    }

    /**
     * For a message with latency data.
     *
     * @param number of the message, from 1; 0 to carry none
     * @param encodingNs time taken just before the message is encoded
     * @param wantedNs when the schedule wanted it sent; 0 to carry none
     * @return this
     */
    public Tracking timed(final long number, final long encodingNs, final long wantedNs) {
        sequence = number;
        takenNs = encodingNs;
        intendedNs = wantedNs;
        return this;
    }

    /**
     * Whether it has latency data.
     *
     * @return true for a message with a time stamp
     */
    public boolean isTimed() {
        return takenNs != 0;
    }

    long sequence() {
        return sequence;
    }

    long takenNs() {
        return takenNs;
    }

    long intendedNs() {
        return intendedNs;
    }
}
