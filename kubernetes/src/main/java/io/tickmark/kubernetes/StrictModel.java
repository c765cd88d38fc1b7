package io.tickmark.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Reads what is meant for Kubernetes, and refuses what its model does not have; the client alone
 * would carry a misspelt key along, and a server ignore it.
 */
final class StrictModel {
    private static final ObjectMapper MAPPER =
            new ObjectMapper()
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .setAnnotationIntrospector(new NoUnknownKeys());

    private StrictModel() {}

    private static final class NoUnknownKeys extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1L;

        @Override
        public Boolean hasAnySetter(final Annotated member) {
            return Boolean.FALSE;
        }
    }

    /** What is wrong is in the message: the key, and its location. */
    static final class NotInModelException extends Exception {
        private static final long serialVersionUID = 1L;

        NotInModelException(final String message) {
            super(message);
        }
    }

    static <T> T read(final Object tree, final Class<T> type) throws NotInModelException {
        try {
            return MAPPER.readValue(MAPPER.writeValueAsString(tree), type);
        } catch (final JsonMappingException e) {
            throw new NotInModelException(
                    "%s: %s"
                            .formatted(
                                    e.getPath().stream()
                                            .map(step ->
                                                    step.getFieldName() == null
                                                            ? "[" + step.getIndex() + "]"
                                                            : step.getFieldName())
                                            .collect(Collectors.joining(".")),
                                    e.getOriginalMessage().split("[\n(]", 2)[0].strip()));
        } catch (final JsonProcessingException e) {
            throw new NotInModelException(e.getOriginalMessage());
        }
    }

    /** A value as maps and lists. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> tree(final Object value) {
        return MAPPER.convertValue(value, LinkedHashMap.class);
    }
}
