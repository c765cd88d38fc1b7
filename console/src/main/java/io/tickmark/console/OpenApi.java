package io.tickmark.console;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The description of the control interface (OpenAPI 3.1). */
final class OpenApi {
    private static final String FILE = "/io/tickmark/console/openapi.json";

    private OpenApi() {}

    static String text() {
        try (InputStream file = OpenApi.class.getResourceAsStream(FILE)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (final IOException e) {
            throw new IllegalStateException(FILE + " is not in the jar", e);
        }
    }
}
