package io.tickmark.wire.tcp;

import io.tickmark.wire.net.Addresses;
import io.tickmark.wire.net.IpPacket;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One direction of a connection: puts its bytes in order. Sequence numbers are compared by their
 * difference, so they may wrap around. Bytes missing in the middle are waited for; when the other
 * direction acknowledges them they were on the wire and only the capture lacks them: a hole, passed
 * over. Where the other direction is not captured nothing tells of an acknowledgement: then a hole
 * is given up after a time, or once as much waits behind it as is kept. Single thread; allocates
 * only for segments out of order.
 */
public final class TcpFlow {
    /**
     * Captures put packets of several cores together, so that an acknowledgement may stand before
     * what it acknowledges; more than this it does not.
     */
    static final long GRACE_NS = 1_000_000;

    /** So many segments far below what was seen last: another connection of the same ports. */
    private static final int OLD_BEFORE_RESTART = 8;

    private static final int FAR_BYTES = 1 << 24;

    private final long sourceHigh;
    private final long sourceLow;
    private final long destinationHigh;
    private final long destinationLow;
    private final int ports;
    private final TcpCounts counts;
    private final Parking parking;
    private ByteStream stream = ByteStream.NONE;
    private TcpFlow reverse;
    private boolean isStarted;
    private boolean isClosed;
    private boolean hasFin;
    private int finAt;
    private int next;
    private int acknowledged;
    private long acknowledgedNs;
    private boolean hasAcknowledged;
    private long coveredSinceNs = Long.MIN_VALUE;

    /** Time of the first segment that found bytes missing before it, while some wait. */
    private long holeSinceNs;

    private long lastNs;
    private int oldInARow;
    private long segments;
    private long retransmissions;
    private long holes;

    TcpFlow(final IpPacket ip, final TcpSegment segment, final TcpCounts counts) {
        sourceHigh = ip.sourceHigh();
        sourceLow = ip.sourceLow();
        destinationHigh = ip.destinationHigh();
        destinationLow = ip.destinationLow();
        ports = segment.sourcePort() << Short.SIZE | segment.destinationPort();
        this.counts = counts;
        parking = new Parking(counts);
    }

    boolean isOf(final IpPacket ip, final int otherPorts) {
        return ports == otherPorts
                && sourceLow == ip.sourceLow()
                && destinationLow == ip.destinationLow()
                && sourceHigh == ip.sourceHigh()
                && destinationHigh == ip.destinationHigh();
    }

    boolean isReverseOf(final IpPacket ip, final int reversedPorts) {
        return ports == reversedPorts
                && sourceLow == ip.destinationLow()
                && destinationLow == ip.sourceLow()
                && sourceHigh == ip.destinationHigh()
                && destinationHigh == ip.sourceHigh();
    }

    void open(final ByteStream to, final TcpFlow other) {
        stream = to;
        reverse = other;
        if (other != null) {
            other.reverse = this;
        }
    }

    void onSegment(final TcpSegment segment) {
        lastNs = segment.timeNs();
        if (segment.isAck()) {
            if (!hasAcknowledged || acknowledged != segment.acknowledged()) {
                acknowledgedNs = segment.timeNs();
            }
            acknowledged = segment.acknowledged();
            hasAcknowledged = true;
            if (reverse != null && !reverse.parking.isEmpty()) {
                reverse.resolve(segment.timeNs());
            }
        }
        if (segment.isSyn()) {
            start(segment);
        } else if (segment.payloadBytes() > 0) {
            onPayload(segment);
        }
        if (!parking.isEmpty()) {
            resolve(segment.timeNs());
        }
        isClosed |= segment.isLast();
        if (segment.isFin()) {
            hasFin = true;
            finAt = segment.sequence() + segment.payloadBytes();
        }
    }

    /** A handshake seen twice begins nothing; one with another number is another connection. */
    private void start(final TcpSegment segment) {
        final int first = segment.sequence() + 1;
        if (isStarted && (first == next || next - first > 0 && next - first < FAR_BYTES)) {
            return;
        }
        if (isStarted) {
            end(segment.timeNs());
            stream.onGap();
        }
        if (reverse != null) {
            reverse.hasAcknowledged = false; // that was of the connection before
        }
        next = first;
        isStarted = true;
        isClosed = false;
        hasFin = false;
    }

    private void onPayload(final TcpSegment segment) {
        segments++;
        counts.segments++;
        counts.payloadBytes += segment.payloadBytes();
        if (!isStarted) {
            counts.midStreams++;
            isStarted = true;
            next = segment.sequence();
            stream.onGap();
        }
        final int ahead = segment.sequence() - next;
        if (ahead > 0) {
            park(segment, ahead);
        } else if (ahead == 0) {
            oldInARow = 0;
            deliver(segment, 0);
        } else {
            onOld(segment, -ahead);
        }
    }

    private void onOld(final TcpSegment segment, final int behind) {
        if (behind == 1 && segment.isProbeSized()) {
            counts.keepAlives++;
            return;
        }
        if (behind > FAR_BYTES && ++oldInARow >= OLD_BEFORE_RESTART) {
            restart(segment);
            return;
        }
        counts.retransmissions++;
        retransmissions++;
        if (behind < segment.payloadBytes()) {
            deliver(segment, behind);
        }
    }

    private void restart(final TcpSegment segment) {
        parking.clear();
        counts.midStreams++;
        oldInARow = 0;
        next = segment.sequence();
        stream.onGap();
        deliver(segment, 0);
    }

    private void park(final TcpSegment segment, final int ahead) {
        if (parking.isEmpty()) {
            holeSinceNs = segment.timeNs();
        }
        if (!parking.add(segment)) {
            counts.retransmissions++;
            retransmissions++;
        } else if (parking.isFull() || ahead > FAR_BYTES) {
            skip();
        }
    }

    /** Hands on what is new of a segment, then what waited for it. */
    private void deliver(final TcpSegment segment, final int seen) {
        if (!parking.isEmpty()) {
            counts.outOfOrder++;
        }
        hand(
                segment.buffer(),
                segment.payload() + seen,
                segment.capturedBytes() - seen,
                segment.payloadBytes() - seen,
                segment.timeNs(),
                segment.position());
        while (!parking.isEmpty() && parking.first().sequence() - next <= 0) {
            unpark(parking.takeFirst(), segment.timeNs());
        }
        laterHole();
    }

    /** What waits now waits for another hole. */
    private void laterHole() {
        if (!parking.isEmpty()) {
            holeSinceNs = parking.first().timeNs();
        }
    }

    /**
     * Gives a hole up for which nothing came for so long. Where the other direction was seen since,
     * its acknowledgements tell whether the bytes were on the wire.
     */
    void giveUp(final long nowNs, final long patienceNs) {
        while (!parking.isEmpty()
                && nowNs - holeSinceNs > patienceNs
                && (reverse == null || reverse.lastNs < holeSinceNs)) {
            counts.givenUp++;
            skip();
        }
    }

    private void unpark(final Parking.Parked parked, final long timeNs) {
        final int seen = next - parked.sequence();
        if (seen >= parked.payloadBytes()) {
            return;
        }
        hand(
                parked.captured(),
                seen,
                parked.captured().capacity() - seen,
                parked.payloadBytes() - seen,
                timeNs,
                parked.position());
    }

    private void hand(
            final DirectBuffer buffer,
            final int offset,
            final int captured,
            final int payloadBytes,
            final long timeNs,
            final long position) {
        next += payloadBytes;
        if (captured > 0) {
            stream.onBytes(buffer, offset, captured, timeNs, position);
        }
        if (captured < payloadBytes) {
            counts.truncatedBytes += payloadBytes - Math.max(0, captured);
            stream.onGap();
        }
    }

    /** Passes over what the other side has acknowledged without that it was captured. */
    private void resolve(final long nowNs) {
        if (reverse == null || !reverse.hasAcknowledged || reverse.acknowledged - next <= 0) {
            coveredSinceNs = Long.MIN_VALUE;
            return;
        }
        if (coveredSinceNs == Long.MIN_VALUE) {
            coveredSinceNs = nowNs;
        } else if (nowNs - coveredSinceNs > GRACE_NS) {
            skip();
        }
    }

    /** Continues after the hole, with the times at which those segments were captured. */
    private void skip() {
        coveredSinceNs = Long.MIN_VALUE;
        final int missing = parking.first().sequence() - next;
        next = parking.first().sequence();
        hole(missing);
        while (!parking.isEmpty() && parking.first().sequence() - next <= 0) {
            final Parking.Parked parked = parking.takeFirst();
            unpark(parked, parked.timeNs());
        }
        laterHole();
    }

    /**
     * Hands on what still waits, and passes over what the other side has acknowledged behind it; at
     * the end of the capture or of the connection.
     */
    void end(final long nowNs) {
        while (!parking.isEmpty()) {
            skip();
        }
        if (isStarted && reverse != null && reverse.hasAcknowledged) {
            final int missing = missing(nowNs);
            if (missing > 0 && missing <= FAR_BYTES) {
                next += missing;
                hole(missing);
            }
        }
    }

    /**
     * Bytes that were acknowledged and not captured. A FIN is acknowledged like a byte: where it
     * was not captured, one byte is taken for it. In a connection that goes on what was
     * acknowledged a moment ago may only stand behind that, in the file that ends here.
     */
    private int missing(final long nowNs) {
        final int unseen = reverse.acknowledged - next;
        if (hasFin) {
            return Math.min(unseen, finAt - next);
        }
        final boolean isFresh = nowNs - reverse.acknowledgedNs <= GRACE_NS;
        return unseen == 1 || isFresh && !isClosed && !reverse.isClosed ? 0 : unseen;
    }

    private void hole(final int bytes) {
        counts.holes++;
        holes++;
        counts.holeBytes += bytes & 0xffff_ffffL;
        stream.onGap();
    }

    /** Ends a flow of which no more is taken. */
    void forget(final long nowNs) {
        end(nowNs);
        stream.onForgotten();
    }

    long hash() {
        return TcpFlows.hash(sourceLow, destinationLow, ports);
    }

    long lastNs() {
        return lastNs;
    }

    boolean isClosed() {
        return isClosed;
    }

    /**
     * Port it comes from.
     *
     * @return 0 to 65535
     */
    public int sourcePort() {
        return ports >>> Short.SIZE;
    }

    /**
     * Destination port.
     *
     * @return 0 to 65535
     */
    public int destinationPort() {
        return ports & 0xffff;
    }

    /**
     * Address and port it comes from.
     *
     * @return as users write them
     */
    public String source() {
        return Addresses.text(sourceHigh, sourceLow, sourcePort());
    }

    /**
     * Destination address and port.
     *
     * @return as users write them
     */
    public String destination() {
        return Addresses.text(destinationHigh, destinationLow, destinationPort());
    }

    /**
     * Address and port it comes from.
     *
     * @return a hash of both
     */
    public long sourceEnd() {
        return Addresses.hash(sourceHigh, sourceLow, sourcePort());
    }

    /**
     * Destination address and port.
     *
     * @return a hash of both
     */
    public long destinationEnd() {
        return Addresses.hash(destinationHigh, destinationLow, destinationPort());
    }

    /**
     * Segments with bytes.
     *
     * @return the count
     */
    public long segments() {
        return segments;
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
     * Places where the capture lacks bytes.
     *
     * @return the count
     */
    public long holes() {
        return holes;
    }

    /**
     * Segments of a flow that wait for bytes before them, by sequence; bounded, and all flows
     * together as well. Single thread.
     */
    static final class Parking {
        static final int MAX_SEGMENTS = 1024;
        static final int MAX_BYTES = 4 << 20;

        /** Of all flows: a capture of thousands with a hole each does not fill the memory. */
        static final long MAX_TOTAL_BYTES = 64 << 20;

        private final List<Parked> segments = new ArrayList<>();
        private final TcpCounts counts;
        private int bytes;

        /**
         * A waiting segment.
         *
         * @param sequence of its first byte
         * @param payloadBytes on the wire
         * @param captured what is there of them
         * @param timeNs when it was captured
         * @param position of its packet
         */
        record Parked(
                int sequence,
                int payloadBytes,
                UnsafeBuffer captured,
                long timeNs,
                long position) {}

        Parking(final TcpCounts counts) {
            this.counts = counts;
        }

        boolean isEmpty() {
            return segments.isEmpty();
        }

        boolean isFull() {
            return segments.size() >= MAX_SEGMENTS
                    || bytes >= MAX_BYTES
                    || counts.parkedBytes >= MAX_TOTAL_BYTES;
        }

        /** Keeps a copy; false when all of it waits already. */
        boolean add(final TcpSegment segment) {
            final int sequence = segment.sequence();
            int at = segments.size();
            while (at > 0 && segments.get(at - 1).sequence() - sequence > 0) {
                at--;
            }
            if (at > 0 && segments.get(at - 1).sequence() == sequence) {
                if (segments.get(at - 1).payloadBytes() >= segment.payloadBytes()) {
                    return false;
                }
            }
            final UnsafeBuffer copy = new UnsafeBuffer(new byte[segment.capturedBytes()]);
            copy.putBytes(0, segment.buffer(), segment.payload(), segment.capturedBytes());
            segments.add(
                    at,
                    new Parked(
                            sequence,
                            segment.payloadBytes(),
                            copy,
                            segment.timeNs(),
                            segment.position()));
            bytes += copy.capacity();
            counts.parkedBytes += copy.capacity();
            return true;
        }

        Parking.Parked first() {
            return segments.getFirst();
        }

        Parking.Parked takeFirst() {
            final Parking.Parked first = segments.removeFirst();
            bytes -= first.captured().capacity();
            counts.parkedBytes -= first.captured().capacity();
            return first;
        }

        void clear() {
            segments.clear();
            counts.parkedBytes -= bytes;
            bytes = 0;
        }
    }
}
