package io.tickmark.workloads.feed.serve;

import io.tickmark.kernel.host.LimitFacts;
import io.tickmark.kernel.settings.CannotListen;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.HttpHandler;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import org.xnio.Options;

/** The HTTP server: threads, limits of connections and requests, an address. */
public final class FeedServer implements AutoCloseable {
    private static final int WORKERS = 4;
    private static final int BACKLOG = 1024;
    private static final int MAX_HEADERS = 64;
    private static final int MAX_HEADER_BYTES = 16 * 1024;
    private static final long MAX_BODY_BYTES = 4_000_000;
    private static final int REQUEST_MS = 10_000;

    /** For files, libraries and what else the process opens beside its clients' connections. */
    private static final int SPARE_HANDLES = 64;

    static {
        // otherwise it prints a greeting to standard error
        System.setProperty("org.jboss.logging.provider", "slf4j");
    }

    private final Undertow undertow;
    private final String host;

    /**
     * Starts.
     *
     * @param host to bind
     * @param port to bind, 0 for any
     * @param ioThreads that read and accept
     * @param maxConnections beyond which no client is accepted: it waits until another leaves;
     *     fewer where the process may not open so many file handles
     * @param handler of requests
     * @throws UserError if the address cannot be bound
     */
    public FeedServer(
            final String host,
            final int port,
            final int ioThreads,
            final int maxConnections,
            final HttpHandler handler) {
        this.host = host;
        final int most = most(maxConnections);
        undertow =
                Undertow.builder()
                        .addHttpListener(port, host)
                        .setIoThreads(ioThreads)
                        .setWorkerThreads(WORKERS)
                        .setSocketOption(Options.TCP_NODELAY, true)
                        .setSocketOption(Options.BACKLOG, BACKLOG)
                        .setSocketOption(Options.CONNECTION_HIGH_WATER, most)
                        .setSocketOption(Options.CONNECTION_LOW_WATER, most - 1)
                        .setServerOption(UndertowOptions.MAX_HEADERS, MAX_HEADERS)
                        .setServerOption(UndertowOptions.MAX_HEADER_SIZE, MAX_HEADER_BYTES)
                        .setServerOption(UndertowOptions.MAX_PARAMETERS, MAX_HEADERS)
                        .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, MAX_BODY_BYTES)
                        .setServerOption(UndertowOptions.REQUEST_PARSE_TIMEOUT, REQUEST_MS)
                        .setServerOption(UndertowOptions.NO_REQUEST_TIMEOUT, 3 * REQUEST_MS)
                        .setServerOption(UndertowOptions.ALWAYS_SET_DATE, false)
                        .setHandler(handler)
                        .build();
        start(host, port);
    }

    /**
     * Where accept failed because no handles were left, the thread that accepts would try without a
     * pause.
     */
    private static int most(final int maxConnections) {
        final long free = LimitFacts.freeFiles().orElse(Long.MAX_VALUE);
        return Math.clamp(free - SPARE_HANDLES, 1, maxConnections);
    }

    private void start(final String address, final int port) {
        try {
            undertow.start();
        } catch (final RuntimeException e) {
            if (e.getCause() instanceof BindException) {
                throw CannotListen.on("--port " + port, address, e);
            }
            if (e.getCause() instanceof final IOException cause) {
                throw UserError.environment(
                        "%s:%d: the server cannot start: %s."
                                .formatted(address, port, IoReason.of(cause)),
                        e);
            }
            throw e;
        }
    }

    /**
     * The address it listens on.
     *
     * @return such as {@code http://127.0.0.1:8400}
     */
    public String address() {
        final InetSocketAddress bound =
                (InetSocketAddress) undertow.getListenerInfo().getFirst().getAddress();
        final String name = host.contains(":") ? "[" + host + "]" : host;
        return "http://" + name + ":" + bound.getPort();
    }

    @Override
    public void close() {
        undertow.stop();
    }
}
