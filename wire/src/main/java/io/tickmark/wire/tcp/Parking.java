package io.tickmark.wire.tcp;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Segments of a flow that wait for bytes before them, by sequence; bounded, and all flows together
 * as well. Single thread.
 */
final class Parking {
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
            int sequence, int payloadBytes, UnsafeBuffer captured, long timeNs, long position) {}

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

    Parked first() {
        return segments.getFirst();
    }

    Parked takeFirst() {
        final Parked first = segments.removeFirst();
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
