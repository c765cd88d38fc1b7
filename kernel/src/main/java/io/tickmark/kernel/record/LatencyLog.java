package io.tickmark.kernel.record;

import io.tickmark.kernel.result.Counts;
import java.nio.ByteBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * Log of each latency of one kind: one writer thread, drained to {@code latency.csv} by the
 * reporter's thread. The hot side allocates nothing and never waits: a latency for which the ring
 * has no room is counted as not logged.
 */
public final class LatencyLog {
    static final int SENT_OFFSET = 0;
    static final int RECEIVED_OFFSET = 8;
    static final int LATENCY_OFFSET = 16;
    static final int SOURCE_OFFSET = 24;
    static final int SEQUENCE_OFFSET = 28;
    static final int RECORD_LENGTH = 32;

    /** The step of latencies before the first step: warm-up, which is not written. */
    static final int NO_STEP = -1;

    /** Room for about 200,000 latencies. */
    private static final int RING_BYTES = 1 << 23;

    private final String kind;
    private final OneToOneRingBuffer ring;
    private final Counter notLogged = new Counter(Counts.NOT_LOGGED);
    private int messageType = typeOf(NO_STEP);

    private LatencyLog(final String kind, final OneToOneRingBuffer ring) {
        this.kind = kind;
        this.ring = ring;
    }

    static LatencyLog on(final String kind) {
        return new LatencyLog(kind, ring(RING_BYTES));
    }

    /**
     * A log that ignores latencies and counts nothing, for roles without a requested log.
     *
     * @return a log that is off
     */
    public static LatencyLog off() {
        return new LatencyLog("", null);
    }

    private static OneToOneRingBuffer ring(final int bytes) {
        return new OneToOneRingBuffer(
                new UnsafeBuffer(
                        ByteBuffer.allocateDirect(bytes + RingBufferDescriptor.TRAILER_LENGTH)));
    }

    /**
     * Logs one latency; writer thread only.
     *
     * @param sentNs when the message was sent
     * @param receivedNs when it, or its echo, was received
     * @param latencyNs the latency recorded for it
     * @param source of its stamp, 0 to 65535
     * @param sequence of its stamp; messages of a group have one time, and differ only in this
     */
    public void log(
            final long sentNs,
            final long receivedNs,
            final long latencyNs,
            final int source,
            final int sequence) {
        if (ring == null) {
            return;
        }
        final int index = ring.tryClaim(messageType, RECORD_LENGTH);
        if (index < 0) {
            notLogged.increment();
            return;
        }
        ring.buffer().putLong(index + SENT_OFFSET, sentNs);
        ring.buffer().putLong(index + RECEIVED_OFFSET, receivedNs);
        ring.buffer().putLong(index + LATENCY_OFFSET, latencyNs);
        ring.buffer().putInt(index + SOURCE_OFFSET, source);
        ring.buffer().putInt(index + SEQUENCE_OFFSET, sequence);
        ring.commit(index);
    }

    /**
     * Latencies from now on belong to this step; writer thread, or another thread while it writes
     * nothing.
     */
    void step(final int step) {
        messageType = typeOf(step);
    }

    /** The ring requires a type above 0. */
    private static int typeOf(final int step) {
        return step + 2;
    }

    /** The step of a record as the ring returns it. */
    static int stepOf(final int messageType) {
        return messageType - 2;
    }

    /** Reporter's thread only; returns how many records there were. */
    int drain(final MessageHandler handler) {
        return ring == null ? 0 : ring.read(handler);
    }

    /**
     * Which latency it logs.
     *
     * @return the name, empty for a log that is off
     */
    public String kind() {
        return kind;
    }

    /**
     * Latencies not logged so far because the ring was full.
     *
     * @return the count
     */
    public long notLogged() {
        return notLogged.get();
    }
}
