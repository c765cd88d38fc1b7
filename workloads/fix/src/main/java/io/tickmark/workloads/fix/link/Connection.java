package io.tickmark.workloads.fix.link;

import io.tickmark.workloads.fix.session.FixSession;
import io.tickmark.workloads.fix.session.OutBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.util.Arrays;

/**
 * A session and its socket. Single-threaded; allocates nothing while messages are complete or
 * shorter than earlier ones.
 */
public final class Connection implements AutoCloseable {
    private final ByteLink link;
    private final FixSession session;
    private SelectionKey key;
    private byte[] rest = new byte[256];
    private int restLength;
    private boolean isBlocked;
    private long blockedSinceNs;
    private boolean isReading = true;
    private boolean isWaitingForRoom;
    private boolean isClosed;

    /**
     * A connection.
     *
     * @param link connected
     * @param session fresh
     */
    public Connection(final ByteLink link, final FixSession session) {
        this.link = link;
        this.session = session;
    }

    /**
     * Sets where the socket is registered.
     *
     * @param selected with interest in reading
     */
    public void registered(final SelectionKey selected) {
        key = selected;
    }

    /**
     * Reads once and hands the bytes to the session.
     *
     * @param io of the thread
     * @return bytes read, 0 for none; when the other side has closed, the session has ended
     */
    public int receive(final IoBuffers io) {
        final ByteBuffer reading = io.reading();
        reading.clear();
        final int count;
        try {
            count = link.read(reading);
        } catch (final IOException e) {
            lost(Tls.reason(e));
            return 0;
        }
        if (count < 0) {
            lost("the other side closed the connection");
            return 0;
        }
        if (count > 0) {
            System.arraycopy(rest, 0, io.bytes(), 0, restLength);
            reading.flip();
            reading.get(io.bytes(), restLength, count);
            take(io, restLength + count);
        }
        return count;
    }

    private void take(final IoBuffers io, final int limit) {
        final int taken = session.onBytes(io.received(), 0, limit);
        if (session.isMoved()) { // all of it is for the thread that takes over
            rest = Arrays.copyOf(io.bytes(), limit);
            restLength = limit;
            return;
        }
        restLength = limit - taken;
        if (rest.length < restLength) {
            rest = new byte[Integer.highestOneBit(restLength) * 2];
        }
        System.arraycopy(io.bytes(), taken, rest, 0, restLength);
    }

    /**
     * Hands its socket over to another thread: it is no longer registered here, and not closed.
     *
     * @return the bytes received, for a new connection to {@link #begin} with
     */
    public byte[] handOver() {
        isClosed = true;
        key.cancel();
        return Arrays.copyOf(rest, restLength);
    }

    /**
     * Handles bytes that another thread received before.
     *
     * @param io of the thread
     * @param received nothing, or what {@link #handOver} gave
     */
    public void begin(final IoBuffers io, final byte[] received) {
        if (received.length > 0) {
            System.arraycopy(received, 0, io.bytes(), 0, received.length);
            take(io, received.length);
        }
    }

    private void lost(final String why) {
        session.end(why);
        session.out().clear();
        close();
    }

    /**
     * Writes pending bytes, at most a buffer at once.
     *
     * @param io of the thread
     * @param nowNs time of the pass
     * @return whether nothing is left
     */
    public boolean flush(final IoBuffers io, final long nowNs) {
        if (isClosed) {
            return true;
        }
        try {
            return write(io, nowNs);
        } catch (final IOException e) {
            lost(Tls.reason(e));
            return true;
        } catch (final CancelledKeyException e) {
            lost(String.valueOf(e.getMessage()));
            return true;
        }
    }

    private boolean write(final IoBuffers io, final long nowNs) throws IOException {
        final OutBuffer out = session.out();
        final ByteBuffer writing = io.writing();
        writing.clear();
        out.copyTo(writing);
        writing.flip();
        link.write(writing);
        final int written = writing.position();
        out.written(written);
        final boolean isRefused = writing.hasRemaining() || link.isWaiting();
        if (isRefused && (!isBlocked || written > 0)) {
            blockedSinceNs = nowNs;
        }
        isBlocked = isRefused;
        final boolean hasRest =
                isRefused || out.waiting() > 0; // nothing else wakes the thread for it
        if (hasRest != isWaitingForRoom) {
            isWaitingForRoom = hasRest;
            selectAsNeeded();
        }
        if (session.state() == FixSession.State.ENDED && out.waiting() == 0 && !isRefused) {
            close();
        }
        return out.waiting() == 0;
    }

    private void selectAsNeeded() {
        key.interestOps(
                (isReading ? SelectionKey.OP_READ : 0)
                        | (isWaitingForRoom ? SelectionKey.OP_WRITE : 0));
    }

    /**
     * Stops reading: the other side finds a slow reader, which still sends its heartbeats. Nothing
     * where it is closed.
     */
    public void stopReading() {
        if (isClosed) {
            return; // its key is cancelled
        }
        isReading = false;
        session.ignoreSilence();
        selectAsNeeded();
    }

    /**
     * Whether the socket accepts nothing.
     *
     * @return true until it is writable again
     */
    public boolean isBlocked() {
        return isBlocked;
    }

    /**
     * How long the socket has accepted nothing.
     *
     * @param nowNs time of the pass
     * @return ns, 0 while it accepts data
     */
    public long blockedNs(final long nowNs) {
        return isBlocked ? nowNs - blockedSinceNs : 0;
    }

    /**
     * The session.
     *
     * @return it
     */
    public FixSession session() {
        return session;
    }

    /**
     * The link.
     *
     * @return it
     */
    public ByteLink link() {
        return link;
    }

    /**
     * Whether the socket is closed.
     *
     * @return true once it is
     */
    public boolean isClosed() {
        return isClosed;
    }

    /** Closes the socket; pending bytes are lost. Idempotent. */
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            if (key != null) {
                key.cancel();
            }
            link.close();
            session.end("closed");
        }
    }
}
