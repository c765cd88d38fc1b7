package io.tickmark.console;

import io.tickmark.workloads.feed.serve.AccessToken;
import io.tickmark.workloads.feed.serve.ChannelList;
import io.tickmark.workloads.feed.serve.FeedHandler;
import io.tickmark.workloads.feed.serve.FeedServer;
import io.tickmark.workloads.feed.serve.Problem;
import io.tickmark.workloads.feed.serve.RequestLimit;
import io.tickmark.workloads.feed.serve.SecurityHandler;
import io.tickmark.workloads.feed.serve.TrustedProxies;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.PathHandler;
import io.undertow.util.Headers;
import io.undertow.util.Methods;
import io.undertow.util.StatusCodes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.agrona.concurrent.SystemNanoClock;

/** The page, its control interface and its channels at one address. */
public final class ConsoleServer implements AutoCloseable {
    private static final int CONNECTIONS_PER_SESSION = 3;
    private static final int SPARE_CONNECTIONS = 64;

    private final FeedControl control;
    private final FeedHandler handler;
    private final FeedServer server;
    private final String token;

    /**
     * Starts.
     *
     * @param settings of the console
     * @param version of tickmark, for the page
     * @param archive writes result folders
     * @param measured gets what a page reports by itself
     * @param runs that can be watched and replayed
     */
    public ConsoleServer(
            final ConsoleSettings settings,
            final String version,
            final RowArchive archive,
            final RowListener measured,
            final RunSource runs) {
        final ChannelList channels = ChannelList.of(settings.channelFile());
        token = AccessToken.of(settings.token());
        control = new FeedControl(settings.feed(), settings.sessionThreads(), settings.running());
        final ConsoleState state = new ConsoleState(control, version, settings.isExposed());
        handler = new FeedHandler(control::hub, channels, settings.maxSessions());
        final PathHandler paths =
                new PathHandler(new PageHandler())
                        .addPrefixPath(
                                "/api",
                                new ApiHandler(
                                        control, state, channels, archive, measured, runs, token))
                        .addPrefixPath("/feed", handler);
        try {
            server =
                    new FeedServer(
                            settings.host(),
                            settings.port(),
                            1,
                            settings.maxSessions() * CONNECTIONS_PER_SESSION + SPARE_CONNECTIONS,
                            new SecurityHandler(
                                    token,
                                    settings.isExposed(),
                                    TrustedProxies.of(settings.trustedProxy()),
                                    SystemNanoClock.INSTANCE,
                                    RequestLimit.ofPages(),
                                    paths));
        } catch (final RuntimeException e) {
            control.close();
            throw e;
        }
    }

    /**
     * What to open in a browser.
     *
     * @return the address, with the token
     */
    public String address() {
        return server.address() + "/?token=" + token;
    }

    /**
     * How many pages, or other clients, opened a session since the feed was last changed.
     *
     * @return the count
     */
    public long sessionsOpened() {
        return control.hub().figures().counts().opened().get();
    }

    /**
     * Messages whose times count from their arrival here, as their source has another clock.
     *
     * @return the count
     */
    public long fromArrival() {
        return control.hub().feedFigures().fromArrival().get();
    }

    @Override
    public void close() {
        control.close(); // its clients are notified why their sessions end, while there is a
        // connection
        handler.close();
        server.close();
    }

    /** The files of the page, from the jar, compressed when they were built. */
    private static final class PageHandler implements HttpHandler {
        private static final String FOLDER = "/io/tickmark/console/page";
        private static final Pattern NAME = Pattern.compile("/(assets/)?[A-Za-z0-9_.-]+\\.[a-z]+");
        private static final Map<String, String> TYPES =
                Map.of(
                        "html", "text/html; charset=utf-8",
                        "js", "text/javascript; charset=utf-8",
                        "css", "text/css; charset=utf-8",
                        "svg", "image/svg+xml",
                        "webmanifest", "application/manifest+json",
                        "txt", "text/plain; charset=utf-8");

        private final Map<String, byte[]> files = new ConcurrentHashMap<>();

        @Override
        public void handleRequest(final HttpServerExchange exchange) {
            if (!Methods.GET.equals(exchange.getRequestMethod())
                    && !Methods.HEAD.equals(exchange.getRequestMethod())) {
                Problem.send(
                        exchange, StatusCodes.METHOD_NOT_ALLOWED, "The page is read with GET.");
                return;
            }
            final String path =
                    exchange.getRequestPath().equals("/")
                            ? "/index.html"
                            : exchange.getRequestPath();
            final String type = TYPES.get(path.substring(path.lastIndexOf('.') + 1));
            final byte[] plain = type == null || !NAME.matcher(path).matches() ? null : file(path);
            if (plain == null) {
                Problem.send(exchange, StatusCodes.NOT_FOUND, "There is no such page.");
                return;
            }
            final String accepted = exchange.getRequestHeaders().getFirst(Headers.ACCEPT_ENCODING);
            final byte[] packed =
                    accepted != null && accepted.contains("gzip") ? file(path + ".gz") : null;
            if (packed != null) {
                exchange.getResponseHeaders().put(Headers.CONTENT_ENCODING, "gzip");
            }
            exchange.getResponseHeaders().put(Headers.VARY, "Accept-Encoding");
            exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, type);
            // names of assets change with what is in them
            exchange.getResponseHeaders()
                    .put(
                            Headers.CACHE_CONTROL,
                            path.startsWith("/assets/")
                                    ? "public, max-age=31536000, immutable"
                                    : "no-cache");
            exchange.getResponseSender().send(ByteBuffer.wrap(packed == null ? plain : packed));
        }

        private byte[] file(final String path) {
            return files.computeIfAbsent(path, PageHandler::read);
        }

        private static byte[] read(final String path) {
            try (InputStream file = PageHandler.class.getResourceAsStream(FOLDER + path)) {
                return file == null ? null : file.readAllBytes();
            } catch (final IOException e) {
                throw new IllegalStateException(path + " cannot be read from the jar", e);
            }
        }
    }
}
