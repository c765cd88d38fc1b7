package io.tickmark.workloads.market.data;

import com.refinitiv.eta.transport.TransportBuffer;
import java.nio.ByteBuffer;

/** A channel's buffer without a channel: room in front, as a real one has. */
public final class TransportBytes implements TransportBuffer {
    private final ByteBuffer bytes;
    private final int start;

    public TransportBytes(final int capacity, final int start) {
        bytes = ByteBuffer.allocate(start + capacity);
        this.start = start;
        bytes.position(start);
    }

    TransportBytes cleared() {
        bytes.clear().position(start);
        return this;
    }

    public byte[] written() {
        final byte[] copy = new byte[bytes.position() - start];
        bytes.get(start, copy);
        return copy;
    }

    @Override
    public ByteBuffer data() {
        return bytes;
    }

    @Override
    public int length() {
        return bytes.position() - start;
    }

    @Override
    public int copy(final ByteBuffer destination) {
        throw new AssertionError("not used");
    }

    @Override
    public int capacity() {
        return bytes.capacity() - start;
    }

    @Override
    public int dataStartPosition() {
        return start;
    }
}
