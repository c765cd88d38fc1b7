package io.tickmark.console;

import io.tickmark.workloads.feed.serve.Problem;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.Methods;
import io.undertow.util.StatusCodes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** The files of the page, from the jar, compressed when they were built. */
final class PageHandler implements HttpHandler {
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
            Problem.send(exchange, StatusCodes.METHOD_NOT_ALLOWED, "The page is read with GET.");
            return;
        }
        final String path =
                exchange.getRequestPath().equals("/") ? "/index.html" : exchange.getRequestPath();
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
