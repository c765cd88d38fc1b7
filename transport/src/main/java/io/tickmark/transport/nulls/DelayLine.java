package io.tickmark.transport.nulls;

import io.tickmark.transport.MessageHandler;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RecordDescriptor;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * One way from one thread to another: messages with the time at which they come out. One writer and
 * one reader thread; allocates nothing once made.
 */
final class DelayLine implements ControlledMessageHandler {
    /** Comes out at once: no clock is read for it. */
    static final long AT_ONCE = Long.MIN_VALUE;

    /** The next release of an empty line. */
    static final long NEVER = Long.MAX_VALUE;

    /** Least part of the room that the largest message may fill, so that a pair and copies fit. */
    private static final int LARGEST_SHARE = 16;

    private static final int TIME_LENGTH = Long.BYTES;
    private static final int MESSAGE_TYPE = 1;

    private final OneToOneRingBuffer ring;
    private final NanoClock clock;
    private volatile boolean closed;
    private MessageHandler handler;
    private boolean peeking;
    private long peekedNs;
    private long nowNs;

    DelayLine(final int capacityBytes, final NanoClock clock) {
        this.clock = clock;
        ring =
                new OneToOneRingBuffer(
                        new UnsafeBuffer(
                                BufferUtil.allocateDirectAligned(
                                        capacityBytes + RingBufferDescriptor.TRAILER_LENGTH,
                                        BitUtil.CACHE_LINE_LENGTH)));
    }

    static int maxPayloadBytes(final int capacityBytes) {
        return capacityBytes / LARGEST_SHARE;
    }

    /** Room that a message takes, rounding included. */
    static int roomBytes(final int length) {
        return BitUtil.align(
                RecordDescriptor.HEADER_LENGTH + TIME_LENGTH + length, RecordDescriptor.ALIGNMENT);
    }

    /** Whether messages of so many bytes together fit; at the wrap one more has to. */
    boolean hasRoom(final int allBytes, final int largestBytes) {
        return ring.capacity() - ring.size() > allBytes + largestBytes;
    }

    /** Writer thread, after {@link #hasRoom}. */
    void put(final long releaseNs, final DirectBuffer message, final int offset, final int length) {
        final int index = ring.tryClaim(MESSAGE_TYPE, TIME_LENGTH + length);
        ring.buffer().putLong(index, releaseNs);
        ring.buffer().putBytes(index + TIME_LENGTH, message, offset, length);
        ring.commit(index);
    }

    /** Reader thread: hands over what is due. */
    int take(final MessageHandler taker, final int limit) {
        handler = taker;
        peeking = false;
        nowNs = AT_ONCE;
        return ring.controlledRead(this, limit);
    }

    /** Reader thread: when the oldest message comes out. */
    long nextReleaseNs() {
        peeking = true;
        peekedNs = NEVER;
        ring.controlledRead(this, 1);
        return peekedNs;
    }

    @Override
    public Action onMessage(
            final int type, final MutableDirectBuffer buffer, final int index, final int length) {
        final long releaseNs = buffer.getLong(index);
        if (peeking) {
            peekedNs = releaseNs;
            return Action.ABORT;
        }
        if (releaseNs != AT_ONCE && !isDue(releaseNs)) {
            return Action.ABORT;
        }
        handler.onMessage(buffer, index + TIME_LENGTH, length - TIME_LENGTH);
        return Action.COMMIT;
    }

    private boolean isDue(final long releaseNs) {
        if (nowNs == AT_ONCE || releaseNs > nowNs) {
            nowNs = clock.nanoTime();
        }
        return releaseNs <= nowNs;
    }

    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }
}
