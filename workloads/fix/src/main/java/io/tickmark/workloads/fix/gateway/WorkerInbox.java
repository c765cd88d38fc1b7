package io.tickmark.workloads.fix.gateway;

import java.nio.ByteBuffer;
import org.agrona.BitUtil;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/** Messages that other workers bring: copied into one ring, so nothing is allocated or shared. */
final class WorkerInbox {
    private static final int LEAST_RING_BYTES = 1 << 22;

    /** The ring takes no message longer than an eighth of itself. */
    private static final int LONGEST_PART = 8;

    private static final int MESSAGE = 1;
    private static final int LIMIT = 256;

    private final ManyToOneRingBuffer ring;
    private final FanOutMessage message = new FanOutMessage();
    private FanOut current;
    private final MessageHandler handler =
            (type, buffer, index, length) -> {
                message.decode(buffer, index);
                current.gather(message);
            };

    /**
     * An inbox for messages up to this many bytes, as received from the network. The copied part is
     * shorter: standard header and trailer have at least 60 bytes, which are not copied, and exceed
     * the lengths put before the body.
     */
    WorkerInbox(final int maxMessageBytes) {
        final int ringBytes =
                BitUtil.findNextPositivePowerOfTwo(
                        Math.max(LEAST_RING_BYTES, LONGEST_PART * maxMessageBytes));
        ring =
                new ManyToOneRingBuffer(
                        new UnsafeBuffer(
                                ByteBuffer.allocateDirect(
                                        ringBytes + RingBufferDescriptor.TRAILER_LENGTH)));
    }

    /** Copies a message in; false while the ring is full. Any worker. */
    boolean offer(final FanOutMessage from) {
        final int index = ring.tryClaim(MESSAGE, from.encodedLength());
        if (index < 0) {
            return false;
        }
        from.encode(ring.buffer(), index);
        ring.commit(index);
        return true;
    }

    /** Passes on the available messages; the owner only. */
    int drain(final FanOut to) {
        current = to;
        return ring.read(handler, LIMIT);
    }

    boolean isEmpty() {
        return ring.size() == 0;
    }
}
