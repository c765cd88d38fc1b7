package io.tickmark.workloads.feed.serve;

import io.tickmark.workloads.feed.session.Outlet;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.conduits.ConduitStreamSinkChannel;

/** A connection that was taken over from HTTP; written to by the session's owner. */
final class SocketOutlet implements Outlet {
    private final StreamConnection connection;
    private final ConduitStreamSinkChannel sink;

    SocketOutlet(final StreamConnection connection) {
        this.connection = connection;
        sink = connection.getSinkChannel();
    }

    @Override
    public void write(final ByteBuffer bytes) throws IOException {
        int written = 1;
        while (bytes.hasRemaining() && written > 0) {
            written = sink.write(bytes);
        }
    }

    @Override
    public void close() {
        IoUtils.safeClose(connection);
    }
}
