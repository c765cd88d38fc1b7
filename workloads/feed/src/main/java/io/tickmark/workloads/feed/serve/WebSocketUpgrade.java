package io.tickmark.workloads.feed.serve;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.FlexBase64;
import io.undertow.util.HeaderValues;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.Methods;
import io.undertow.util.Protocols;
import io.undertow.util.StatusCodes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Consumer;
import org.xnio.StreamConnection;

/**
 * The opening handshake (RFC 6455, section 4.2). The frames are ours: they are the hot path, and a
 * framed channel would put a queue and an allocation before each.
 */
final class WebSocketUpgrade {
    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final String VERSION = "13";
    private static final int KEY_BYTES = 16;

    private WebSocketUpgrade() {}

    /** Takes the connection over, or answers with a problem. */
    static void upgrade(
            final HttpServerExchange exchange, final Consumer<StreamConnection> opened) {
        if (!has(exchange, Headers.UPGRADE, "websocket")
                || !has(exchange, Headers.SEC_WEB_SOCKET_VERSION, VERSION)) {
            exchange.getResponseHeaders().put(Headers.UPGRADE, "websocket");
            exchange.getResponseHeaders().put(Headers.CONNECTION, "Upgrade");
            exchange.getResponseHeaders().put(Headers.SEC_WEB_SOCKET_VERSION, VERSION);
            Problem.send(
                    exchange,
                    StatusCodes.UPGRADE_REQUIRED,
                    "This channel is a WebSocket: open it with version 13 of that protocol.");
            return;
        }
        final String wrong = wrong(exchange);
        if (!wrong.isEmpty()) {
            Problem.send(exchange, StatusCodes.BAD_REQUEST, wrong);
            return;
        }
        exchange.getResponseHeaders().put(Headers.SEC_WEB_SOCKET_ACCEPT, accept(key(exchange)));
        exchange.getResponseHeaders().put(Headers.UPGRADE, "websocket");
        exchange.upgradeChannel((connection, _) -> opened.accept(connection));
        exchange.endExchange();
    }

    /** What the request lacks (RFC 6455, section 4.2.1); empty where it is complete. */
    private static String wrong(final HttpServerExchange exchange) {
        if (!Methods.GET.equals(exchange.getRequestMethod())
                || !Protocols.HTTP_1_1.equals(exchange.getProtocol())) {
            return "A WebSocket is opened with GET and HTTP/1.1.";
        }
        if (!exchange.getRequestHeaders().contains(Headers.HOST)) {
            return "The header Host is missing.";
        }
        if (!has(exchange, Headers.CONNECTION, "upgrade")) {
            return "The header 'Connection: Upgrade' is missing: it makes the request one for a WebSocket.";
        }
        final String key = key(exchange);
        return key != null && isKey(key)
                ? ""
                : "The header Sec-WebSocket-Key must hold 16 bytes in Base64.";
    }

    /** Whether one of the values in a list of them, with commas, is this. */
    private static boolean has(
            final HttpServerExchange exchange, final HttpString name, final String wanted) {
        final HeaderValues values = exchange.getRequestHeaders().get(name);
        return values != null
                && values.stream()
                        .flatMap(each -> Arrays.stream(each.split(",")))
                        .anyMatch(each -> each.strip().equalsIgnoreCase(wanted));
    }

    private static String key(final HttpServerExchange exchange) {
        final HeaderValues keys = exchange.getRequestHeaders().get(Headers.SEC_WEB_SOCKET_KEY);
        return keys == null || keys.size() != 1 ? null : keys.getFirst().strip();
    }

    private static boolean isKey(final String key) {
        try {
            return Base64.getDecoder().decode(key).length == KEY_BYTES;
        } catch (final IllegalArgumentException _) {
            return false; // the answer reports what is wrong
        }
    }

    static String accept(final String key) {
        try {
            final byte[] hash =
                    MessageDigest.getInstance("SHA-1")
                            .digest((key + MAGIC).getBytes(StandardCharsets.US_ASCII));
            return FlexBase64.encodeString(hash, false);
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
