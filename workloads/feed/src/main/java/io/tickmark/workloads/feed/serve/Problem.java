package io.tickmark.workloads.feed.serve;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.StatusCodes;
import java.nio.charset.StandardCharsets;

/** Errors as problem details (RFC 9457). */
public final class Problem {
    private Problem() {}

    /**
     * Answers with a problem.
     *
     * @param exchange to answer
     * @param status of HTTP
     * @param detail a sentence: what was wrong and what to do
     */
    public static void send(
            final HttpServerExchange exchange, final int status, final String detail) {
        exchange.setStatusCode(status);
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/problem+json");
        exchange.getResponseSender()
                .send(
                        "{\"type\":\"about:blank\",\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\"}"
                                .formatted(StatusCodes.getReason(status), status, escaped(detail)),
                        StandardCharsets.UTF_8);
    }

    /** As JSON requires text (RFC 8259, section 7). */
    static String escaped(final String text) {
        final StringBuilder escaped = new StringBuilder(text.length() + 8);
        for (int i = 0; i < text.length(); i++) {
            final char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                escaped.append('\\').append(c);
            } else if (c < ' ') {
                escaped.append("\\u%04x".formatted((int) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
