package io.tickmark.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Channels of a user's own. */
class ChannelFileTest {
    private static final String CHANNELS =
            """
            channels:
              - {name: slow, title: "Lines, twice a second", transport: stream, encoding: json, flush: 500ms}
            """;

    private static HttpRequest get(final RunningConsole console, final String path) {
        return console.request(path).build();
    }

    private static String untilTheFirstMessages(final InputStream in) throws IOException {
        final StringBuilder text = new StringBuilder();
        while (text.indexOf("\"m\":") < 0) {
            final int next = in.read();
            assertThat(next).as("more after " + text).isNotNegative();
            text.append((char) next);
        }
        return text.toString();
    }

    @Test
    void shouldOfferTheChannelsOfAFileAndNoOthers(@TempDir final Path folder) throws Exception {
        final Path file = folder.resolve("channels.yaml");
        Files.writeString(file, CHANNELS);
        try (RunningConsole console =
                        new RunningConsole(
                                Map.of(
                                        "channelFile",
                                        file.toString(),
                                        "rate",
                                        100,
                                        "running",
                                        true));
                HttpClient http = HttpClient.newHttpClient()) {
            final JsonNode offered =
                    JsonMapper.shared()
                            .readTree(
                                    http.send(
                                                    get(console, "/api/channels"),
                                                    HttpResponse.BodyHandlers.ofString(
                                                            StandardCharsets.UTF_8))
                                            .body());
            assertThat(offered.size()).isEqualTo(1);
            assertThat(offered.path(0).path("title").asString(""))
                    .isEqualTo("Lines, twice a second");
            assertThat(offered.path(0).path("flushMs").asDouble(0)).isEqualTo(500);

            try (InputStream messages =
                    http.send(get(console, "/feed/slow"), HttpResponse.BodyHandlers.ofInputStream())
                            .body()) {
                assertThat(untilTheFirstMessages(messages)).contains("\"note\":\"hello\"");
            }
            assertThat(
                            http.send(
                                            get(console, "/feed/ws-binary"),
                                            HttpResponse.BodyHandlers.discarding())
                                    .statusCode())
                    .isEqualTo(404);
        }
    }
}
