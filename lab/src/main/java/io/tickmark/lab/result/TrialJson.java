package io.tickmark.lab.result;

import io.tickmark.kernel.result.TrialResult;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A trial's latencies stand in its JSON as keys of the trial itself ({@code roundTripNs}), each
 * workload's own beside those that all know; in the record they are a map.
 */
final class TrialJson {
    private static final String TRIALS = "trials";
    private static final String LATENCIES = "latencies";
    private static final Set<String> OTHERS =
            Arrays.stream(TrialResult.class.getRecordComponents())
                    .map(RecordComponent::getName)
                    .filter(name -> !name.equals(LATENCIES))
                    .collect(Collectors.toUnmodifiableSet());

    private TrialJson() {}

    /** Puts the entries of each trial's map where the map stands. */
    static JsonNode flat(final JsonNode run) {
        for (final JsonNode trial : run.path(TRIALS)) {
            final ObjectNode object = (ObjectNode) trial;
            final ObjectNode whole = object.deepCopy();
            object.removeAll();
            whole.propertyStream()
                    .forEach(entry -> {
                        if (entry.getKey().equals(LATENCIES)) {
                            object.setAll((ObjectNode) entry.getValue());
                        } else {
                            object.set(entry.getKey(), entry.getValue());
                        }
                    });
        }
        return run;
    }

    /** Gathers in a map what is not a component of the record; for trees that fit the schema. */
    static JsonNode gathered(final JsonNode run) {
        for (final JsonNode trial : run.path(TRIALS)) {
            final ObjectNode object = (ObjectNode) trial;
            final ObjectNode latencies = object.objectNode();
            object.propertyStream()
                    .filter(entry -> !OTHERS.contains(entry.getKey()))
                    .forEach(entry -> latencies.set(entry.getKey(), entry.getValue()));
            latencies.propertyNames().forEach(object::remove);
            object.set(LATENCIES, latencies);
        }
        return run;
    }
}
