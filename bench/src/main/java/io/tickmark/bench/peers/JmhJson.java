package io.tickmark.bench.peers;

import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.lab.json.Json;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** What JMH writes with {@code -rf json -prof gc}. */
final class JmhJson {
    private JmhJson() {}

    /**
     * Time and allocation of one benchmark.
     *
     * @param text of the file
     * @param benchmark full name of the method
     * @return {@code ns} and {@code bytes}, each of one call
     */
    static Map<String, Double> figures(final String text, final String benchmark) {
        for (final JsonNode entry : tree(text)) {
            if (entry.path("benchmark").asString("").equals(benchmark)) {
                final JsonNode time = entry.path("primaryMetric");
                if (!time.path("scoreUnit").asString("").equals("ns/op")) {
                    throw new NotMeasured(benchmark + " is not in ns/op.");
                }
                return Map.of(
                        "ns", number(time, benchmark),
                        "bytes", number(allocation(entry), benchmark));
            }
        }
        throw new NotMeasured("JMH has not run " + benchmark + ".");
    }

    private static JsonNode tree(final String text) {
        try {
            return Json.line().readTree(text);
        } catch (final JacksonException e) {
            throw new NotMeasured("JMH wrote no result: " + e.getOriginalMessage() + ".", e);
        }
    }

    /** Older versions of JMH put a dot before the names of profilers' figures. */
    private static JsonNode allocation(final JsonNode entry) {
        final JsonNode all = entry.path("secondaryMetrics");
        final JsonNode plain = all.path("gc.alloc.rate.norm");
        return plain.isMissingNode() ? all.path("\u00b7gc.alloc.rate.norm") : plain;
    }

    private static double number(final JsonNode metric, final String benchmark) {
        final JsonNode score = metric.path("score");
        if (!score.isNumber()) {
            throw new NotMeasured(benchmark + " has no score; was it run with -prof gc?");
        }
        return score.asDouble();
    }
}
