package io.tickmark.wire.tcp;

/** What was counted of TCP; all directions together. Single thread. */
public final class TcpCounts {
    long packets;
    long segments;
    long payloadBytes;
    long retransmissions;
    long outOfOrder;
    long keepAlives;
    long holes;
    long holeBytes;
    long givenUp;
    long midStreams;
    long malformed;
    long truncatedBytes;

    /** What waits in all flows, for a bound on it. */
    long parkedBytes;

    TcpCounts() {}

    /**
     * Packets with TCP in them.
     *
     * @return the count
     */
    public long packets() {
        return packets;
    }

    /**
     * Those that carry bytes.
     *
     * @return the count
     */
    public long segments() {
        return segments;
    }

    /**
     * Bytes that they carry.
     *
     * @return the sum, retransmitted ones included
     */
    public long payloadBytes() {
        return payloadBytes;
    }

    /**
     * Segments that begin with bytes seen before.
     *
     * @return the count
     */
    public long retransmissions() {
        return retransmissions;
    }

    /**
     * Segments that arrived after a later one: reordered, or sent again after a loss on the way to
     * the capture.
     *
     * @return the count
     */
    public long outOfOrder() {
        return outOfOrder;
    }

    /**
     * Keep-alive probes.
     *
     * @return the count
     */
    public long keepAlives() {
        return keepAlives;
    }

    /**
     * Places where bytes are missing in the capture that were on the wire: the receiver
     * acknowledged them, or no more came.
     *
     * @return the count
     */
    public long holes() {
        return holes;
    }

    /**
     * How many bytes those are.
     *
     * @return the sum
     */
    public long holeBytes() {
        return holeBytes;
    }

    /**
     * Of these places those that were given up after a time, as nothing of the other direction was
     * captured that tells of them.
     *
     * @return the count
     */
    public long givenUp() {
        return givenUp;
    }

    /**
     * Whether segments wait for bytes before them, in any direction.
     *
     * @return true: messages of one direction may come later than what they caused in another
     */
    public boolean isWaiting() {
        return parkedBytes > 0;
    }

    /**
     * Directions whose beginning was not captured.
     *
     * @return the count
     */
    public long midStreams() {
        return midStreams;
    }

    /**
     * Packets whose TCP header is cut off or cannot be right.
     *
     * @return the count
     */
    public long malformed() {
        return malformed;
    }

    /**
     * Bytes of segments that the capture cut off (its snap length).
     *
     * @return the sum
     */
    public long truncatedBytes() {
        return truncatedBytes;
    }
}
