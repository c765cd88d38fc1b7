package io.tickmark.workloads.feed.serve;

import io.tickmark.workloads.feed.session.Ending;
import io.tickmark.workloads.feed.session.Outlet;
import io.tickmark.workloads.feed.session.WebSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.conduits.ConduitStreamSinkChannel;

/** A connection that was taken over from HTTP; written to by the session's owner. */
final class SocketOutlet implements Outlet {
    /** How long a client may take to answer a close frame before it is disconnected. */
    private static final long GOODBYE_MS = 2_000;

    private final StreamConnection connection;
    private final Goodbyes goodbyes;
    private final ConduitStreamSinkChannel sink;
    private final AtomicBoolean isLeaving = new AtomicBoolean();
    private final AtomicBoolean isClosed = new AtomicBoolean();

    SocketOutlet(final StreamConnection connection, final Goodbyes goodbyes) {
        this.connection = connection;
        this.goodbyes = goodbyes;
        sink = connection.getSinkChannel();
    }

    @Override
    public void write(final ByteBuffer bytes) throws IOException {
        write(sink, bytes);
    }

    /** Writes until all is written, or the channel takes no more. */
    static void write(final WritableByteChannel to, final ByteBuffer bytes) throws IOException {
        int written = 1;
        while (bytes.hasRemaining() && written > 0) {
            written = to.write(bytes);
        }
    }

    /**
     * Sends a close frame and waits for the client's, or for its end (RFC 6455, section 7.1.1): to
     * close at once, with something unread, would reset the connection and take the frame with it.
     */
    @Override
    public void close(final Ending ending) {
        if (isClosed.get() || !isLeaving.compareAndSet(false, true)) {
            return;
        }
        goodbyes.begin();
        try {
            final ByteBuffer frame =
                    ByteBuffer.wrap(WebSocket.close(ending.kind().closeCode(), ending.reason()));
            write(frame);
            if (frame.hasRemaining()) {
                goodbyes.unnotified();
                close();
                return;
            }
            sink.shutdownWrites();
            sink.flush();
            connection.getIoThread().executeAfter(this::close, GOODBYE_MS, TimeUnit.MILLISECONDS);
        } catch (final IOException _) {
            goodbyes.unnotified();
            close();
        }
    }

    /** Whether only the client's close frame is still awaited. */
    boolean isLeaving() {
        return isLeaving.get();
    }

    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            IoUtils.safeClose(connection);
            goodbyes.end(this, isLeaving.get());
        }
    }
}
