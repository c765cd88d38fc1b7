package io.tickmark.workloads.feed.serve;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.feed.session.SessionSettings;
import io.undertow.server.HttpServerExchange;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** What stands behind the question mark of an address. */
final class Query {
    /** Not settings of a session. */
    private static final Set<String> OTHERS =
            Set.of("session", "after", "token", "frame", "ordinal");

    private Query() {}

    static String text(final HttpServerExchange exchange, final String name) {
        final Deque<String> values = exchange.getQueryParameters().get(name);
        return values == null ? "" : values.getFirst();
    }

    static boolean has(final HttpServerExchange exchange, final String name) {
        return exchange.getQueryParameters().containsKey(name);
    }

    static long number(final HttpServerExchange exchange, final String name) {
        final String text = text(exchange, name);
        try {
            final long number = text.isEmpty() ? 0 : Long.parseLong(text);
            if (number >= 0) {
                return number;
            }
        } catch (final NumberFormatException _) {
            // said below
        }
        throw UserError.usage(
                "query parameter '%s': must be a whole number from 0.".formatted(name));
    }

    /** What a client wants of a channel. */
    static SessionSettings session(
            final HttpServerExchange exchange, final ChannelSettings channel) {
        final Map<String, Object> values = new LinkedHashMap<>();
        values.put("flush", io.tickmark.kernel.settings.Durations.format(channel.flush()));
        exchange.getQueryParameters()
                .forEach((name, given) -> {
                    if (given.size() > 1) {
                        throw UserError.usage(
                                "query parameter '%s': is given %d times; give it once."
                                        .formatted(name, given.size()));
                    }
                    if (!OTHERS.contains(name)) {
                        values.put(name, given.getFirst());
                    }
                });
        return Settings.read(SessionSettings.class, values, key -> "query parameter '" + key + "'");
    }
}
