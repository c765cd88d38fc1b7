package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A {@code result.json} as a script reads it: any JSON reader, and the published schema.
 *
 * @param root the document
 */
record ResultDocument(JsonNode root) {
    private static final Path SCHEMA = Launch.ROOT.resolve("docs/result.schema.json");
    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    /** The one document that a text is, white space apart, and valid. */
    static ResultDocument parse(final String text) {
        final JsonNode root = MAPPER.readTree(text);
        try {
            final List<Error> errors =
                    SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                            .getSchema(MAPPER.readTree(Files.readString(SCHEMA)))
                            .validate(root);
            assertThat(errors).as(text).isEmpty();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ResultDocument(root);
    }

    static ResultDocument read(final Path file) throws IOException {
        return parse(Files.readString(file));
    }

    String text(final String key) {
        return root.path(key).asString();
    }

    List<JsonNode> trials() {
        return root.path("trials").valueStream().toList();
    }

    /** The one row there is. */
    JsonNode trial() {
        assertThat(trials()).hasSize(1);
        return trials().getFirst();
    }

    List<String> reasons() {
        return texts(root.path("reasons"));
    }

    static List<String> texts(final JsonNode array) {
        return array.valueStream().map(JsonNode::asString).toList();
    }
}
