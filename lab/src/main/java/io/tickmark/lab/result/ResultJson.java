package io.tickmark.lab.result;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes and reads {@code result.json}. Written results conform to {@link #schema()}; text that
 * does not conform is refused with the place of the first error.
 */
public final class ResultJson {
    /** Largest file read: a thousand rows take about 4 MB. */
    private static final long MAX_BYTES = 256L << 20;

    private ResultJson() {}

    /**
     * A result as JSON text.
     *
     * @param result to write
     * @return indented text with a line end
     */
    public static String write(final RunResult result) {
        return Json.pretty().writeValueAsString(TrialJson.flat(Json.pretty().valueToTree(result)))
                + "\n";
    }

    /**
     * Reads a {@code result.json}.
     *
     * @param file to read
     * @return the result
     * @throws UserError if it cannot be read or is not a result of this version
     */
    public static RunResult read(final Path file) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw UserError.usage(
                        file
                                + ": larger than "
                                + (MAX_BYTES >> 20)
                                + " MiB; this is not a result.");
            }
            return read(Files.readString(file), file.toString());
        } catch (final IOException e) {
            throw UserError.usage(
                    file
                            + ": cannot be read ("
                            + IoReason.of(e)
                            + "); name a result folder that holds a result.json.");
        }
    }

    /**
     * Reads JSON text.
     *
     * @param text to read
     * @param name the user's name for the text, for errors
     * @return the result
     * @throws UserError if it is not a result of this version
     */
    public static RunResult read(final String text, final String name) {
        try {
            final JsonNode tree = TrialJson.withNamesOfToday(Json.line().readTree(text));
            final List<Error> errors = SchemaHolder.SCHEMA.validate(tree);
            if (!errors.isEmpty()) {
                throw notAResult(name, tree, errors.getFirst().toString());
            }
            return Json.line().treeToValue(TrialJson.gathered(tree), RunResult.class);
        } catch (final JacksonException e) {
            final String line =
                    e.getLocation() == null ? "" : " (line " + e.getLocation().getLineNr() + ")";
            throw UserError.usage(
                    name
                            + ": not a result of format "
                            + RunResult.SCHEMA
                            + ": "
                            + e.getOriginalMessage()
                            + line
                            + "; it was cut off or damaged, so copy it again from where it was written.");
        }
    }

    /** Only another format is reported as another version. */
    private static UserError notAResult(final String name, final JsonNode tree, final String why) {
        final String schema = tree.path("schema").asString("");
        if (schema.startsWith("tickmark.result/") && !schema.equals(RunResult.SCHEMA)) {
            return UserError.usage(
                    "%s: not a result of format %s: it is of format %s; read it with the version of tickmark that wrote it (%s)."
                            .formatted(
                                    name,
                                    RunResult.SCHEMA,
                                    schema,
                                    tree.path("tickmark").asString("an unknown one")));
        }
        return UserError.usage(
                "%s: not a result of format %s: %s; %s"
                        .formatted(
                                name,
                                RunResult.SCHEMA,
                                why,
                                schema.isEmpty()
                                        ? "name a result.json, or the folder that holds one."
                                        : "it was changed after it was written, or written by a later tickmark (%s)."
                                                .formatted(
                                                        tree.path("tickmark")
                                                                .asString("it names none"))));
    }

    /**
     * The JSON schema (draft 2020-12) of {@code result.json}.
     *
     * @return its text
     */
    public static String schema() {
        try (InputStream in = ResultJson.class.getResourceAsStream("result.schema.json")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class SchemaHolder {
        private static final Schema SCHEMA =
                SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                        .getSchema(schema(), InputFormat.JSON);
    }

    /**
     * A trial's latencies are keys of the trial itself in its JSON ({@code roundTripNs}), those of
     * a workload beside the common ones; in the record they are a map.
     */
    private static final class TrialJson {
        private static final String TRIALS = "trials";
        private static final String LATENCIES = "latencies";
        private static final Set<String> OTHERS =
                Arrays.stream(TrialResult.class.getRecordComponents())
                        .map(RecordComponent::getName)
                        .filter(name -> !name.equals(LATENCIES))
                        .collect(Collectors.toUnmodifiableSet());

        private TrialJson() {}

        /** Names of a watched thread's keys that early results of 0.2.0 have. */
        private static final Map<String, String> FORMER =
                Map.of("untoldPart", "unattributedPart", "whyUntold", "whyUnattributed");

        /** Renames what results had under another name, so that they stay readable. */
        static JsonNode withNamesOfToday(final JsonNode run) {
            for (final JsonNode trial : run.path(TRIALS)) {
                for (final JsonNode thread : trial.path("tail").path("threads")) {
                    FORMER.forEach((former, name) -> {
                        if (thread instanceof final ObjectNode object && object.has(former)) {
                            object.set(name, object.remove(former));
                        }
                    });
                }
            }
            return run;
        }

        /** Puts the entries of each trial's map in place of the map. */
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

        /**
         * Collects keys that are not components of the record in a map; for trees that conform to
         * the schema.
         */
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
}
