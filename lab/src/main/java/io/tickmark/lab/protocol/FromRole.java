package io.tickmark.lab.protocol;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.tickmark.kernel.record.Deliveries;
import io.tickmark.kernel.record.LatencyInterval;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.settings.UserError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;

/** Messages of a role process. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = FromRole.Hello.class, name = "hello"),
    @JsonSubTypes.Type(value = FromRole.Bound.class, name = "bound"),
    @JsonSubTypes.Type(value = FromRole.Ready.class, name = "ready"),
    @JsonSubTypes.Type(value = FromRole.Progress.class, name = "progress"),
    @JsonSubTypes.Type(value = FromRole.Output.class, name = "tell"),
    @JsonSubTypes.Type(value = FromRole.Step.class, name = "step"),
    @JsonSubTypes.Type(value = FromRole.Delivered.class, name = "delivered"),
    @JsonSubTypes.Type(value = FromRole.Result.class, name = "result"),
    @JsonSubTypes.Type(value = FromRole.Failed.class, name = "failed"),
    @JsonSubTypes.Type(value = FromRole.NoiseResult.class, name = "noise-result"),
    @JsonSubTypes.Type(value = FromRole.Bye.class, name = "bye")
})
public sealed interface FromRole {
    /** Version of the protocol; both sides must speak the same. */
    String PROTOCOL = "tickmark.role/1";

    /**
     * The process is running.
     *
     * @param protocol it speaks
     * @param pid of the process, which a wrapper command may hide
     * @param java version it runs on
     */
    record Hello(String protocol, long pid, String java) implements FromRole {
        /** Checks that no value is missing. */
        public Hello {
            requireNonNull(protocol);
        }
    }

    /**
     * The role is prepared.
     *
     * @param id of the role
     * @param endpoints it bound
     */
    record Bound(String id, Endpoints endpoints) implements FromRole {
        /** Checks that no value is missing. */
        public Bound {
            requireNonNull(id);
            requireNonNull(endpoints);
        }
    }

    /**
     * The role is connected and can start.
     *
     * @param id of the role
     */
    record Ready(String id) implements FromRole {
        /** Checks that no value is missing. */
        public Ready {
            requireNonNull(id);
        }
    }

    /**
     * Sent once a second while measuring. Gauges and latencies may be absent, because an older
     * build of tickmark does not send them.
     *
     * @param id of the role
     * @param step number, -1 before the first
     * @param label of the step
     * @param inStep whether the step is still in progress
     * @param elapsedNs since the first step began, by the role's clock
     * @param counters totals by name
     * @param gauges current values, by name
     * @param latencies since the line before, by name
     */
    @JsonDeserialize(using = Progress.ProgressReader.class)
    record Progress(
            String id,
            int step,
            String label,
            boolean inStep,
            long elapsedNs,
            Map<String, Long> counters,
            Map<String, Long> gauges,
            Map<String, LatencyInterval> latencies)
            implements FromRole {
        /** Checks that no value is missing. */
        public Progress {
            requireNonNull(id);
            requireNonNull(label);
            requireNonNull(counters);
            gauges = gauges == null ? Map.of() : gauges;
            latencies = latencies == null ? Map.of() : latencies;
        }

        /**
         * A line of a role.
         *
         * @param id of the role
         * @param progress as its recording reports it
         * @return the line
         */
        public static Progress of(
                final String id, final io.tickmark.kernel.record.Progress progress) {
            return new Progress(
                    id,
                    progress.step(),
                    progress.label(),
                    progress.inStep(),
                    progress.elapsedNs(),
                    progress.counters(),
                    progress.gauges(),
                    progress.latencies());
        }

        /**
         * The progress.
         *
         * @return as the role's recording reported it
         */
        public io.tickmark.kernel.record.Progress progress() {
            return new io.tickmark.kernel.record.Progress(
                    step, label, inStep, elapsedNs, counters, gauges, latencies);
        }

        /**
         * Reads the progress of a role, the line that arrives every second from each of a thousand
         * roles: without reflection on fields and constructors, which is most of the cost where
         * only the first compiler runs. It accepts exactly what reflective binding would accept.
         */
        private static final class ProgressReader extends ValueDeserializer<Progress> {
            private static final int LATENCY_NUMBERS = 6;

            /** Reads a value of a map. */
            private interface Value<T> {
                T read(JsonParser parser, DeserializationContext context);
            }

            @Override
            public Progress deserialize(
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
                        case "latencies" ->
                                latencies = map(parser, context, ProgressReader::latency);
                        default -> context.handleUnknownProperty(parser, this, handledType(), key);
                    }
                }
                if (id == null || label == null || counters == null) {
                    return context.reportInputMismatch(
                            handledType(), "a progress needs 'id', 'label' and 'counters'");
                }
                return new Progress(
                        id, step, label, inStep, elapsedNs, counters, gauges, latencies);
            }

            @Override
            public Class<?> handledType() {
                return Progress.class;
            }

            /** The type, which is first, may already have been read. */
            private static String first(final JsonParser parser) {
                return parser.currentToken() == JsonToken.PROPERTY_NAME
                        ? parser.currentName()
                        : parser.currentToken() == JsonToken.START_OBJECT
                                ? parser.nextName()
                                : null;
            }

            private static String text(
                    final JsonParser parser, final DeserializationContext context) {
                return parser.currentToken() == JsonToken.VALUE_STRING
                        ? parser.getString()
                        : (String) context.handleUnexpectedToken(String.class, parser);
            }

            private static Long number(
                    final JsonParser parser, final DeserializationContext context) {
                return parser.getLongValue();
            }

            private static <T> Map<String, T> map(
                    final JsonParser parser,
                    final DeserializationContext context,
                    final Value<T> value) {
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
                    return context.reportInputMismatch(
                            LatencyInterval.class, "an object is expected");
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
                    return context.reportInputMismatch(
                            LatencyInterval.class, "'buckets' is missing");
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
    }

    /**
     * A line for the user.
     *
     * @param id of the role
     * @param line without a line end
     */
    record Output(String id, String line) implements FromRole {
        /** Checks that no value is missing. */
        public Output {
            requireNonNull(id);
            requireNonNull(line);
        }
    }

    /**
     * What was measured in one step; all of them are sent before the result.
     *
     * @param id of the role
     * @param step as measured
     */
    record Step(String id, StepLine step) implements FromRole {
        /** Checks that no value is missing. */
        public Step {
            requireNonNull(id);
            requireNonNull(step);
        }
    }

    /**
     * When messages arrived after one of the planned faults; all of them are sent before the
     * result.
     *
     * @param id of the role
     * @param latency by which they were recorded
     * @param fault index among those sent to the role, from 0
     * @param after what arrived after it
     */
    record Delivered(String id, String latency, int fault, Deliveries.AfterFault after)
            implements FromRole {
        /** Checks that no value is missing. */
        public Delivered {
            requireNonNull(id);
            requireNonNull(latency);
            requireNonNull(after);
        }
    }

    /**
     * The role has measured; its last message.
     *
     * @param id of the role
     * @param metrics by name
     * @param warnings sentences
     * @param failure why it failed, empty when it did not
     */
    record Result(String id, Map<String, Object> metrics, List<String> warnings, String failure)
            implements FromRole {
        /** Checks that no value is missing. */
        public Result {
            requireNonNull(id);
            requireNonNull(metrics);
            requireNonNull(warnings);
            requireNonNull(failure);
        }
    }

    /**
     * The role could not continue; its last message.
     *
     * @param id of the role
     * @param kind of the user's error; absent for a defect
     * @param sentence what happened
     */
    record Failed(String id, UserError.Kind kind, String sentence) implements FromRole {
        /** Checks that no value is missing. */
        public Failed {
            requireNonNull(id);
            requireNonNull(sentence);
        }
    }

    /**
     * The noise floor.
     *
     * @param noise as measured
     */
    record NoiseResult(NoiseSummary noise) implements FromRole {
        /** Checks that no value is missing. */
        public NoiseResult {
            requireNonNull(noise);
        }
    }

    /** The process ends. */
    record Bye() implements FromRole {}
}
