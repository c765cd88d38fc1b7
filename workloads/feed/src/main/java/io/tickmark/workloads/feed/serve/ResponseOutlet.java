package io.tickmark.workloads.feed.serve;

import io.tickmark.workloads.feed.session.Outlet;
import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.xnio.IoUtils;
import org.xnio.channels.StreamSinkChannel;

/** A response that does not end: events, or a stream of bytes. */
final class ResponseOutlet implements Outlet {
    private final HttpServerExchange exchange;
    private final StreamSinkChannel sink;
    private final Goodbyes goodbyes;

    ResponseOutlet(final HttpServerExchange exchange, final Goodbyes goodbyes) {
        this.goodbyes = goodbyes;
        this.exchange = exchange;
        sink = exchange.getResponseChannel();
    }

    @Override
    public void write(final ByteBuffer bytes) throws IOException {
        int written = 1;
        while (bytes.hasRemaining() && written > 0) {
            written = sink.write(bytes);
        }
    }

    @Override
    public void flush() throws IOException {
        sink.flush();
    }

    @Override
    public void close() {
        try {
            sink.shutdownWrites();
            sink.flush();
        } catch (final IOException _) {
            goodbyes.untold(); // the client is gone; so is the connection in a moment
        }
        IoUtils.safeClose(exchange.getConnection());
    }
}
