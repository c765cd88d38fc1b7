package io.tickmark.console;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.feed.source.FeedSettings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * What a page or a script wants of the feed.
 *
 * @param settings of the feed
 * @param isRunning whether it is to run
 */
record FeedWish(FeedSettings settings, boolean isRunning) {
    private static final Set<String> NUMBERS =
            Set.of("symbols", "threads", "sleepMs", "rate", "messageBytes", "seed");

    /** Reads a wish; what it does not say stays as it is. */
    static FeedWish read(final JsonNode json, final FeedSettings now, final boolean isRunning) {
        if (!json.isObject()) {
            throw UserError.usage("The body must be a JSON object.");
        }
        final Map<String, Object> values = new LinkedHashMap<>(Settings.toMap(now));
        boolean wanted = isRunning;
        for (final Map.Entry<String, JsonNode> member : json.properties()) {
            final String key = member.getKey();
            final JsonNode value = member.getValue();
            if (key.equals("isRunning") && value.isBoolean()) {
                wanted = value.asBoolean();
            } else if (NUMBERS.contains(key) && value.isNumber()) {
                values.put(
                        key.equals("sleepMs") ? "sleep" : key,
                        key.equals("sleepMs") ? value.asString() + "ms" : value.asString());
            } else if (key.equals("source") && value.isString()) {
                throw UserError.usage(
                        "member 'source': is chosen when the console starts, with --source.");
            } else {
                throw UserError.usage(
                        "member '%s': is unknown, or not of its type; see /api/openapi.json."
                                .formatted(key));
            }
        }
        return new FeedWish(
                Settings.read(FeedSettings.class, values, key -> "member '" + key + "'"), wanted);
    }
}
