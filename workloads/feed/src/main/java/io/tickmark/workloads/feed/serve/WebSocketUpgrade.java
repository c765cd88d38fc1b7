package io.tickmark.workloads.feed.serve;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.FlexBase64;
import io.undertow.util.Headers;
import io.undertow.util.Methods;
import io.undertow.util.StatusCodes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.function.Consumer;
import org.xnio.StreamConnection;

/**
 * The opening handshake (RFC 6455, section 4.2). The frames are ours: they are the hot path, and a
 * framed channel would put a queue and an allocation before each.
 */
final class WebSocketUpgrade {
    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int KEY_CHARACTERS = 24;

    private WebSocketUpgrade() {}

    /** Takes the connection over, or answers with a problem. */
    static void upgrade(
            final HttpServerExchange exchange, final Consumer<StreamConnection> opened) {
        final String key = exchange.getRequestHeaders().getFirst(Headers.SEC_WEB_SOCKET_KEY);
        if (!Methods.GET.equals(exchange.getRequestMethod())
                || !exchange.getRequestHeaders().contains(Headers.UPGRADE)
                || !"websocket"
                        .equalsIgnoreCase(exchange.getRequestHeaders().getFirst(Headers.UPGRADE))
                || !"13"
                        .equals(
                                exchange.getRequestHeaders()
                                        .getFirst(Headers.SEC_WEB_SOCKET_VERSION))
                || key == null
                || key.length() != KEY_CHARACTERS) {
            Problem.send(
                    exchange,
                    StatusCodes.UPGRADE_REQUIRED,
                    "This channel is a WebSocket: open it with version 13 of that protocol.");
            return;
        }
        exchange.getResponseHeaders().put(Headers.SEC_WEB_SOCKET_ACCEPT, accept(key));
        exchange.getResponseHeaders().put(Headers.UPGRADE, "websocket");
        exchange.upgradeChannel((connection, _) -> opened.accept(connection));
        exchange.endExchange();
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
