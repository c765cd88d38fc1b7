package io.tickmark.transport.tcp;

import io.tickmark.kernel.host.Errno;
import io.tickmark.kernel.host.Libc;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.socket.KernelTimes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One connected socket: frames out, frames in, as its framing lays them out. Single-threaded;
 * allocates nothing itself once it is open.
 */
final class TcpConnection {
    private final SocketChannel socket;
    private final Framing framing;
    private final int maxFrameBytes;
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
    private boolean greeted;
    private int lastSend;
    private long arrivedNs;

    /** {@code times} of the kernel, where it is to stamp messages. */
    TcpConnection(
            final SocketChannel socket,
            final Framing framing,
            final int batchBytes,
            final Optional<KernelTimes> times) {
        this.socket = socket;
        this.framing = framing;
        maxFrameBytes = framing.headerBytes(Framing.MAX_PAYLOAD_BYTES) + Framing.MAX_PAYLOAD_BYTES;
        this.times = times;
        this.batchBytes = batchBytes;
        outBytes =
                ByteBuffer.allocateDirect(
                        Math.max(maxFrameBytes, batchBytes) + 2 * framing.maxReplyBytes());
        inBytes = ByteBuffer.allocateDirect(2 * maxFrameBytes);
        out = new UnsafeBuffer(outBytes);
        in = new UnsafeBuffer(inBytes);
    }

    /** Goes on opening it; true once messages can pass, which a broken one never lets. */
    boolean open() {
        if (!greeted) {
            greeted = true;
            add(framing.putGreeting(out, 0));
        }
        write();
        if (framing.isOpen() || broken) {
            return !broken;
        }
        fill();
        final int taken = framing.open(in, 0, received);
        if (taken == 0) {
            return false;
        }
        reply();
        garbled |= taken < 0;
        broken |= garbled;
        parsed = Math.max(0, taken);
        return !broken;
    }

    /** Why it could not be opened, or empty. */
    String refusal() {
        return framing.refusal();
    }

    /** Whether a message can be taken; the rest of a partly written one is sent first. */
    boolean canTake(final int length) {
        return filled == 0
                || batchBytes > 0 && filled + framing.headerBytes(length) + length <= batchBytes;
    }

    /** Takes a message; after {@link #canTake}. */
    void take(final DirectBuffer message, final int offset, final int length) {
        lastSend = add(framing.put(out, filled, message, offset, length));
    }

    /** Counts what was put after all else; returns its number where the kernel stamps. */
    private int add(final int bytes) {
        filled += bytes;
        return bytes > 0 && times.isPresent() ? times.get().sent(bytes) : 0;
    }

    /**
     * A call that comes while earlier answers wait for a slow peer is not answered (RFC 6455,
     * 5.5.3).
     */
    private void reply() {
        final int bytes = framing.replyBytes();
        if (bytes > 0 && filled + bytes + framing.maxReplyBytes() <= out.capacity()) {
            framing.putReply(out, filled);
            add(bytes);
        }
        write();
    }

    /** The number of the message taken last, for {@link #departedNs}. */
    int lastSend() {
        return lastSend;
    }

    /** When a message was handed to the network device; 0 where that is unknown. */
    long departedNs(final int send) {
        return times.isPresent() ? times.get().departedNs(send) : 0;
    }

    /** When the card stamped one on its way out, by its clock; 0 where that is unknown. */
    long cardDepartedNs(final int send) {
        return times.isPresent() ? times.get().cardDepartedNs(send) : 0;
    }

    /** When one was handed to the queueing discipline; 0 where that is unknown. */
    long queuedNs(final int send) {
        return times.isPresent() ? times.get().queuedNs(send) : 0;
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

    /** The same by the clock of the card. */
    long cardArrivedNs() {
        return arrivedNs == 0 ? 0 : times.orElseThrow().cardArrivedNs();
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
        fill();
        return handed + parse(handler, limit - handed);
    }

    private void fill() {
        makeRoom();
        try {
            final int count =
                    times.isPresent()
                            ? readStamped(times.get())
                            : socket.read(inBytes.limit(inBytes.capacity()).position(received));
            broken |= count < 0;
            received += Math.max(0, count);
        } catch (final IOException e) {
            broken = true;
        }
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
        while (handed < limit) {
            final int frame = wholeFrameBytes();
            if (frame == 0) {
                break;
            }
            final int start = parsed;
            parsed += frame;
            switch (framing.take(in, start, frame)) {
                case MESSAGE -> {
                    arrivedNs =
                            times.isPresent() && parsed == received ? times.get().arrivedNs() : 0;
                    handed++;
                    handler.onMessage(
                            framing.message(), framing.messageOffset(), framing.messageLength());
                }
                case PART -> {}
                case CALL -> reply();
                case CLOSE -> {
                    reply();
                    broken = true;
                }
            }
        }
        return handed;
    }

    /** Whether there is something to read already; an invalid frame breaks the connection. */
    boolean hasMessage() {
        return wholeFrameBytes() > 0;
    }

    private int wholeFrameBytes() {
        if (broken) {
            return 0;
        }
        final int bytes = framing.frameBytes(in, parsed, received);
        if (bytes == Framing.GARBLED) {
            garbled = true;
            broken = true;
            return 0;
        }
        return bytes;
    }

    private void makeRoom() {
        if (parsed == received) {
            parsed = 0;
            received = 0;
        } else if (inBytes.capacity() - parsed < maxFrameBytes) {
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

    /** Whether it was closed because of what it received. */
    boolean isGarbled() {
        return garbled;
    }

    /** Bytes before a message of this length. */
    int headerBytes(final int length) {
        return framing.headerBytes(length);
    }

    void close() {
        if (!broken) {
            if (filled + framing.maxReplyBytes() <= out.capacity()) {
                add(framing.putGoodbye(out, filled));
            }
            write();
        }
        broken = true;
        CloseHelper.quietClose(socket);
    }
}
