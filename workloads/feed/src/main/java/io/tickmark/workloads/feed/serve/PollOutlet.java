package io.tickmark.workloads.feed.serve;

import io.tickmark.workloads.feed.session.Outlet;
import io.tickmark.workloads.feed.session.Session;
import io.undertow.server.HttpServerExchange;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Requests that wait for something, one at a time. The server's threads leave a request here, the
 * session's owner answers it with whatever it has.
 */
final class PollOutlet implements Outlet {
    private final AtomicReference<HttpServerExchange> waiting = new AtomicReference<>();
    private final String contentType;
    private volatile Session session;
    private volatile boolean isClosed;

    PollOutlet(final String contentType) {
        this.contentType = contentType;
    }

    void serves(final Session of) {
        session = of;
    }

    Session session() {
        return session;
    }

    boolean isOver() {
        return isClosed;
    }

    /** A request that waits; one that waited already is answered with nothing. */
    void leave(final HttpServerExchange exchange) {
        final HttpServerExchange before = waiting.getAndSet(exchange);
        if (before != null) {
            answer(before, ByteBuffer.allocate(0));
        }
        if (isClosed) {
            close();
        }
    }

    @Override
    public boolean isReady() {
        return waiting.getAcquire() != null;
    }

    @Override
    public void write(final ByteBuffer bytes) {
        final HttpServerExchange exchange = waiting.getAndSet(null);
        if (exchange != null) {
            final ByteBuffer copy = ByteBuffer.allocate(bytes.remaining());
            copy.put(bytes).flip();
            answer(exchange, copy);
        }
    }

    /** On the exchange's own thread, which alone may touch it now. */
    private void answer(final HttpServerExchange exchange, final ByteBuffer bytes) {
        exchange.getIoThread()
                .execute(() -> {
                    exchange.getResponseHeaders()
                            .put(io.undertow.util.Headers.CONTENT_TYPE, contentType);
                    exchange.getResponseSender().send(bytes);
                });
    }

    @Override
    public void close() {
        isClosed = true;
        final HttpServerExchange exchange = waiting.getAndSet(null);
        if (exchange != null) {
            answer(exchange, ByteBuffer.allocate(0));
        }
    }
}
