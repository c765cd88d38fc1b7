package io.tickmark.lab.protocol;

import io.tickmark.kernel.record.LatencyInterval;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;

/**
 * Reads the progress of a role, the line that arrives every second from each of a thousand roles:
 * without reflection on fields and constructors, which is most of the cost where only the first
 * compiler runs. It accepts exactly what reflective binding would accept.
 */
final class ProgressReader extends ValueDeserializer<FromRole.Progress> {
    private static final int LATENCY_NUMBERS = 6;

    /** Reads a value of a map. */
    private interface Value<T> {
        T read(JsonParser parser, DeserializationContext context);
    }

    @Override
    public FromRole.Progress deserialize(
            final JsonParser parser, final DeserializationContext context) {
        String id = null;
        int step = 0;
        String label = null;
        boolean inStep = false;
        long elapsedNs = 0;
        Map<String, Long> counters = null;
        Map<String, Long> gauges = null;
        Map<String, LatencyInterval> latencies = null;
        for (String key = first(parser); key != null; key = parser.nextName()) {
            parser.nextToken();
            switch (key) {
                case "id" -> id = text(parser, context);
                case "step" -> step = parser.getIntValue();
                case "label" -> label = text(parser, context);
                case "inStep" -> inStep = parser.getBooleanValue();
                case "elapsedNs" -> elapsedNs = parser.getLongValue();
                case "counters" -> counters = map(parser, context, ProgressReader::number);
                case "gauges" -> gauges = map(parser, context, ProgressReader::number);
                case "latencies" -> latencies = map(parser, context, ProgressReader::latency);
                default -> context.handleUnknownProperty(parser, this, handledType(), key);
            }
        }
        if (id == null || label == null || counters == null) {
            return context.reportInputMismatch(
                    handledType(), "a progress needs 'id', 'label' and 'counters'");
        }
        return new FromRole.Progress(
                id, step, label, inStep, elapsedNs, counters, gauges, latencies);
    }

    @Override
    public Class<?> handledType() {
        return FromRole.Progress.class;
    }

    /** The type, which is first, may already have been read. */
    private static String first(final JsonParser parser) {
        return parser.currentToken() == JsonToken.PROPERTY_NAME
                ? parser.currentName()
                : parser.currentToken() == JsonToken.START_OBJECT ? parser.nextName() : null;
    }

    private static String text(final JsonParser parser, final DeserializationContext context) {
        return parser.currentToken() == JsonToken.VALUE_STRING
                ? parser.getString()
                : (String) context.handleUnexpectedToken(String.class, parser);
    }

    private static Long number(final JsonParser parser, final DeserializationContext context) {
        return parser.getLongValue();
    }

    private static <T> Map<String, T> map(
            final JsonParser parser, final DeserializationContext context, final Value<T> value) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            return context.reportInputMismatch(Map.class, "an object is expected");
        }
        final Map<String, T> map = new LinkedHashMap<>();
        for (String key = parser.nextName(); key != null; key = parser.nextName()) {
            parser.nextToken();
            map.put(key, value.read(parser, context));
        }
        return map;
    }

    /** An absent percentile is omitted; a latency is above 0. */
    private static OptionalLong ifPositive(final long ns) {
        return ns > 0 ? OptionalLong.of(ns) : OptionalLong.empty();
    }

    private static LatencyInterval latency(
            final JsonParser parser, final DeserializationContext context) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            return context.reportInputMismatch(LatencyInterval.class, "an object is expected");
        }
        final long[] numbers = new long[LATENCY_NUMBERS];
        String buckets = null;
        for (String key = parser.nextName(); key != null; key = parser.nextName()) {
            parser.nextToken();
            switch (key) {
                case "count" -> numbers[0] = parser.getLongValue();
                case "sumNs" -> numbers[1] = parser.getLongValue();
                case "p50Ns" -> numbers[2] = parser.getLongValue();
                case "p99Ns" -> numbers[3] = parser.getLongValue();
                case "p999Ns" -> numbers[4] = parser.getLongValue();
                case "maxNs" -> numbers[5] = parser.getLongValue();
                case "buckets" -> buckets = text(parser, context);
                default ->
                        context.reportInputMismatch(
                                LatencyInterval.class, "not a key of it: " + key);
            }
        }
        if (buckets == null) {
            return context.reportInputMismatch(LatencyInterval.class, "'buckets' is missing");
        }
        try {
            return new LatencyInterval(
                    numbers[0],
                    numbers[1],
                    ifPositive(numbers[2]),
                    ifPositive(numbers[3]),
                    ifPositive(numbers[4]),
                    numbers[5],
                    buckets);
        } catch (final IllegalArgumentException e) {
            return context.reportInputMismatch(LatencyInterval.class, e.getMessage());
        }
    }
}
