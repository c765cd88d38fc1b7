package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.transport.TransportBuffer;
import io.tickmark.kernel.record.Counter;
import io.tickmark.workloads.market.rssl.PackedWriter;
import java.nio.ByteBuffer;

/**
 * Messages to one peer, in order: written to its connection while that has output buffers, then to
 * a separate bounded queue. Never waits. Single-threaded; allocates only while the queue grows.
 */
final class Outbox {
    /** Where every encoded message has its stream. */
    private static final int STREAM_AT = 4;

    private static final int FIRST_BYTES = 1 << 16;

    private final PackedWriter writer;
    private final long maxQueuedBytes;
    private final Counter noBuffer;
    private final JsonFields json;
    private ByteBuffer queue = ByteBuffer.allocate(0);
    private int head;
    private boolean dirty;
    private boolean overflowed;
    private long mostQueuedBytes;

    /** Set for a peer that speaks JSON; null for all others. */
    Outbox(
            final PackedWriter writer,
            final long maxQueuedBytes,
            final Counter noBuffer,
            final JsonFields json) {
        this.writer = writer;
        this.json = json;
        this.noBuffer = noBuffer;
        this.maxQueuedBytes = maxQueuedBytes;
    }

    /** Sends an encoded message of an item of a service on another stream. */
    void send(final Buffer any, final int streamId, final HubService service) {
        send(json == null ? any : json.of(any, service), streamId);
    }

    /** Sends an encoded message on another stream: one that has no fields, or is not JSON. */
    void send(final Buffer message, final int streamId) {
        final int length = message.length();
        if (head == queue.position()
                && write(message.data(), message.position(), length, streamId)) {
            return;
        }
        noBuffer.increment();
        keep(message.data(), message.position(), length, streamId);
    }

    private boolean write(
            final ByteBuffer from, final int at, final int length, final int streamId) {
        final TransportBuffer buffer = writer.beginRaw(length);
        if (buffer == null) {
            return false;
        }
        final ByteBuffer to = buffer.data();
        final int start = to.position();
        to.put(start, from, at, length);
        to.putInt(start + STREAM_AT, streamId);
        to.position(start + length);
        writer.end();
        dirty = true;
        return true;
    }

    private void keep(final ByteBuffer from, final int at, final int length, final int streamId) {
        final int needed = Integer.BYTES + length;
        if (queuedBytes() + needed > maxQueuedBytes) {
            overflowed = true;
            return;
        }
        if (queue.remaining() < needed) {
            makeRoom(needed);
        }
        queue.putInt(length);
        final int start = queue.position();
        queue.put(start, from, at, length);
        queue.putInt(start + STREAM_AT, streamId);
        queue.position(start + length);
        mostQueuedBytes = Math.max(mostQueuedBytes, queuedBytes());
    }

    private void makeRoom(final int needed) {
        final int queued = queue.position() - head;
        final int wanted = queued + needed;
        final ByteBuffer to =
                wanted > queue.capacity() / 2
                        ? ByteBuffer.allocate(Math.max(FIRST_BYTES, 2 * wanted))
                        : queue;
        to.put(0, queue, head, queued);
        to.limit(to.capacity()).position(queued);
        queue = to;
        head = 0;
    }

    /** Sends what is queued, as far as there are output buffers. */
    void drain() {
        while (head < queue.position()) {
            final int length = queue.getInt(head);
            final int at = head + Integer.BYTES;
            if (!write(queue, at, length, queue.getInt(at + STREAM_AT))) {
                return;
            }
            head = at + length;
        }
        queue.clear();
        head = 0;
    }

    /** Passes packed messages to the connection; to be called before a pause. */
    void flush() {
        if (dirty) {
            writer.flush();
            dirty = writer.mustWrite();
        }
    }

    /** Whether something waits for output buffers, in the queue or packed already. */
    boolean isBehind() {
        return dirty || queuedBytes() > 0;
    }

    /** Bytes in the queue, which wait for output buffers. */
    long queuedBytes() {
        return queue.position() - head;
    }

    long mostQueuedBytes() {
        return mostQueuedBytes;
    }

    /** Whether a message found no room: the peer has missed it and must go. */
    boolean hasOverflowed() {
        return overflowed;
    }

    /** Whether the library refused a message while the connection was up: the peer misses it. */
    boolean hasLost() {
        return writer.hasLost();
    }

    /** The library's error. */
    String failure() {
        return writer.failure();
    }
}
