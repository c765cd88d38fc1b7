package io.tickmark.transport.tcp;

import io.tickmark.kernel.host.Errno;
import io.tickmark.kernel.host.Libc;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.socket.KernelTimes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One connected socket: frames out, frames in. A frame is the message's length, 4 bytes
 * little-endian, and the message. Single-threaded; allocates nothing after construction.
 */
final class TcpConnection {
    static final int MAX_PAYLOAD_BYTES = 256 << 10;
    static final int HEADER_BYTES = Integer.BYTES;

    private static final int MAX_FRAME_BYTES = HEADER_BYTES + MAX_PAYLOAD_BYTES;

    private final SocketChannel socket;
    private final Optional<KernelTimes> times;
    private final int batchBytes;
    private final ByteBuffer outBytes;
    private final UnsafeBuffer out;
    private final ByteBuffer inBytes;
    private final UnsafeBuffer in;
    private int written;
    private int filled;
    private int parsed;
    private int received;
    private boolean broken;
    private boolean garbled;
    private int lastSend;
    private long arrivedNs;

    /** {@code times} of the kernel, where it is to stamp messages. */
    TcpConnection(
            final SocketChannel socket, final int batchBytes, final Optional<KernelTimes> times) {
        this.socket = socket;
        this.times = times;
        this.batchBytes = batchBytes;
        outBytes = ByteBuffer.allocateDirect(Math.max(MAX_FRAME_BYTES, batchBytes));
        inBytes = ByteBuffer.allocateDirect(2 * MAX_FRAME_BYTES);
        out = new UnsafeBuffer(outBytes);
        in = new UnsafeBuffer(inBytes);
    }

    /** Whether a message can be taken; the rest of a partly written one is sent first. */
    boolean canTake(final int length) {
        return filled == 0 || batchBytes > 0 && filled + HEADER_BYTES + length <= batchBytes;
    }

    /** Takes a message; after {@link #canTake}. */
    void take(final DirectBuffer message, final int offset, final int length) {
        out.putInt(filled, length, ByteOrder.LITTLE_ENDIAN);
        out.putBytes(filled + HEADER_BYTES, message, offset, length);
        filled += HEADER_BYTES + length;
        if (times.isPresent()) {
            lastSend = times.get().sent(HEADER_BYTES + length);
        }
    }

    /** The number of the message taken last, for {@link #departedNs}. */
    int lastSend() {
        return lastSend;
    }

    /** When a message was handed to the network device; 0 where that is unknown. */
    long departedNs(final int send) {
        return times.isPresent() ? times.get().departedNs(send) : 0;
    }

    /** Takes the departures that the kernel has reported, for which a selector would return. */
    void takeDepartures() {
        if (times.isPresent() && !broken) {
            times.get().takeDepartures();
        }
    }

    /**
     * When the message that is being handed over reached the socket. The kernel tells that of the
     * last byte read, so it is unknown of a message that was read together with later bytes.
     */
    long arrivedNs() {
        return arrivedNs;
    }

    /** Writes as much as the socket takes; true when nothing is left. */
    boolean write() {
        if (filled == 0 || broken) {
            return true;
        }
        try {
            written += socket.write(outBytes.limit(filled).position(written));
        } catch (final IOException e) {
            broken = true;
            return true;
        }
        if (written < filled) {
            return false;
        }
        written = 0;
        filled = 0;
        return true;
    }

    /** Passes whole messages to the handler, reading at most once. */
    int read(final MessageHandler handler, final int limit) {
        final int handed = parse(handler, limit);
        if (handed == limit || broken) {
            return handed;
        }
        makeRoom();
        try {
            final int count =
                    times.isPresent()
                            ? readStamped(times.get())
                            : socket.read(inBytes.limit(inBytes.capacity()).position(received));
            if (count <= 0) {
                broken |= count < 0;
                return handed;
            }
            received += count;
        } catch (final IOException e) {
            broken = true;
            return handed;
        }
        return handed + parse(handler, limit - handed);
    }

    /** As the JDK's own call returns: 0 for nothing, negative at the end of the stream. */
    private int readStamped(final KernelTimes stamping) throws IOException {
        final long result =
                stamping.receive(in.addressOffset() + received, in.capacity() - received);
        if (result == -Errno.EAGAIN || result == -Errno.EINTR) {
            return 0;
        }
        if (result < 0) {
            throw new IOException(Libc.errorText((int) -result));
        }
        stamping.takeDepartures(); // what has been answered has departed
        return result == 0 ? -1 : (int) result;
    }

    private int parse(final MessageHandler handler, final int limit) {
        int handed = 0;
        while (handed < limit && hasMessage()) {
            final int length = in.getInt(parsed, ByteOrder.LITTLE_ENDIAN);
            final int start = parsed + HEADER_BYTES;
            parsed = start + length;
            arrivedNs = times.isPresent() && parsed == received ? times.get().arrivedNs() : 0;
            handed++;
            handler.onMessage(in, start, length);
        }
        return handed;
    }

    /** Whether a whole message has already arrived; an invalid length breaks the connection. */
    boolean hasMessage() {
        if (received - parsed < HEADER_BYTES || broken) {
            return false;
        }
        final int length = in.getInt(parsed, ByteOrder.LITTLE_ENDIAN);
        if (length < 0 || length > MAX_PAYLOAD_BYTES) {
            garbled = true;
            broken = true;
            return false;
        }
        return received - parsed >= HEADER_BYTES + length;
    }

    private void makeRoom() {
        if (parsed == received) {
            parsed = 0;
            received = 0;
        } else if (inBytes.capacity() - parsed < MAX_FRAME_BYTES) {
            in.putBytes(0, in, parsed, received - parsed);
            received -= parsed;
            parsed = 0;
        }
    }

    SocketChannel socket() {
        return socket;
    }

    /** Whether it was closed or received an invalid frame. */
    boolean isBroken() {
        return broken;
    }

    /** Whether it was closed because of an invalid length. */
    boolean isGarbled() {
        return garbled;
    }

    void close() {
        write();
        broken = true;
        CloseHelper.quietClose(socket);
    }
}
