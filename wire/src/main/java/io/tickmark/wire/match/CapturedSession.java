package io.tickmark.wire.match;

import io.tickmark.kernel.result.Percentiles;
import io.tickmark.wire.tcp.TcpFlow;
import java.util.OptionalLong;
import org.HdrHistogram.IntCountsHistogram;

/** One direction of a session: what came through and, of copies, how late. Single thread. */
public final class CapturedSession {
    private static final int DIGITS = 2;

    private final FixSide side;
    private final String from;
    private final String to;
    private final TcpFlow flow;
    private final String sender;
    private final String target;
    private final long highestNs;
    private boolean isListed;
    private IntCountsHistogram latencies;
    private long messages;
    private long unmatched;

    /** {@code highestNs} is the longest that a copy may come after its message. */
    CapturedSession(
            final FixSide side,
            final TcpFlow flow,
            final String sender,
            final String target,
            final long highestNs) {
        this.side = side;
        this.flow = flow;
        from = flow.source();
        to = flow.destination();
        this.sender = sender;
        this.target = target;
        this.highestNs = highestNs;
    }

    /** Only those that are listed keep latencies, so that sessions without end need no memory. */
    void listed() {
        isListed = true;
    }

    void onMessage() {
        messages++;
    }

    void onUnmatched() {
        unmatched++;
    }

    void record(final long latencyNs) {
        if (!isListed || latencyNs <= 0) { // cannot be: counted where all copies are
            return;
        }
        if (latencies == null) {
            latencies = new IntCountsHistogram(1, highestNs, DIGITS);
        }
        latencies.recordValue(Math.min(latencyNs, highestNs));
    }

    /**
     * Its direction.
     *
     * @return the side
     */
    public FixSide side() {
        return side;
    }

    /**
     * Where it comes from.
     *
     * @return address and port
     */
    public String from() {
        return from;
    }

    /**
     * Its destination.
     *
     * @return address and port
     */
    public String to() {
        return to;
    }

    /**
     * Its sender.
     *
     * @return SenderCompID (49) of its first message
     */
    public String sender() {
        return sender;
    }

    /**
     * To whom.
     *
     * @return TargetCompID (56) of its first message
     */
    public String target() {
        return target;
    }

    /**
     * Messages of the application.
     *
     * @return the count
     */
    public long messages() {
        return messages;
    }

    /**
     * Copies of which no message was seen going in.
     *
     * @return the count
     */
    public long unmatched() {
        return unmatched;
    }

    /**
     * Copies whose latency was recorded.
     *
     * @return the count
     */
    public long recorded() {
        return latencies == null ? 0 : latencies.getTotalCount();
    }

    /**
     * A percentile of the latencies of its copies, two digits exact.
     *
     * @param percentile 0 to 100
     * @return ns; empty with fewer than ten copies above it
     */
    public OptionalLong percentileNs(final double percentile) {
        return latencies == null ? OptionalLong.empty() : Percentiles.of(latencies, percentile);
    }

    /**
     * The longest latency of its copies, two digits exact.
     *
     * @return ns, 0 where there are none
     */
    public long maxNs() {
        return latencies == null ? 0 : latencies.getMaxValue();
    }

    /**
     * Segments with bytes.
     *
     * @return the count, of its connection's direction
     */
    public long segments() {
        return flow.segments();
    }

    /**
     * Segments that begin with bytes seen before.
     *
     * @return the count, of its connection's direction
     */
    public long retransmissions() {
        return flow.retransmissions();
    }

    /**
     * Places where the capture lacks bytes.
     *
     * @return the count, of its connection's direction
     */
    public long holes() {
        return flow.holes();
    }
}
