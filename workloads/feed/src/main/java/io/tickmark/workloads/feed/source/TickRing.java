package io.tickmark.workloads.feed.source;

import io.tickmark.workloads.feed.tick.Tick;
import org.agrona.BufferUtil;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/** Messages on their way from one feed thread to one owner of sessions; allocates nothing. */
public final class TickRing implements TickSink {
    private static final int TYPE = 1;

    /** Messages of the smallest size that fit: a tenth of a second of a fast feed. */
    private static final int MESSAGES = 1 << 16;

    private static final int BYTES = Integer.highestOneBit(MESSAGES * Tick.LENGTH) * 2;

    private final int messageBytes;
    private final OneToOneRingBuffer ring =
            new OneToOneRingBuffer(
                    new UnsafeBuffer(
                            BufferUtil.allocateDirectAligned(
                                    BYTES + RingBufferDescriptor.TRAILER_LENGTH, Long.BYTES)));

    /**
     * A ring without a message.
     *
     * @param messageBytes of each message
     */
    public TickRing(final int messageBytes) {
        this.messageBytes = messageBytes;
    }

    @Override
    public int claim() {
        final int index = ring.tryClaim(TYPE, messageBytes);
        return index < 0 ? NO_ROOM : index;
    }

    @Override
    public MutableDirectBuffer buffer() {
        return ring.buffer();
    }

    @Override
    public void commit(final int claim) {
        ring.commit(claim);
    }

    /**
     * Reads the available ticks.
     *
     * @param handler gets buffer and offset of each message
     * @param limit most messages
     * @return how many were read
     */
    public int read(final MessageHandler handler, final int limit) {
        return ring.read(handler, limit);
    }
}
