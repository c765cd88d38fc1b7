package io.tickmark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.console.BrowserRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a page measured, as a result folder. */
class BrowserRunsTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir private Path folder;

    private Path written(final String feedPerSecond) {
        final BrowserRow row =
                BrowserRow.read(
                        JSON.readTree(
                                """
                                {"name": "a", "seconds": 10, "messages": 9900, "lost": 0, "feedPerSecond": %s,
                                 "limit": "none", "behindPart": 0, "buckets": [[1000000, 9900]], "notPositive": 0,
                                 "settings": {"channel": "ws-binary", "messageBytes": 64, "rate": 1000}}\
                                """
                                        .formatted(feedPerSecond)));
        return Path.of(new ConsoleCommand.BrowserRuns(folder).write(List.of(row)));
    }

    private static JsonNode trial(final Path run) throws IOException {
        return JSON.readTree(Files.readString(run.resolve("result.json"))).at("/trials/0");
    }

    @Test
    void shouldSayNothingOfTheRateWhereTheFeedIsUnknown() throws IOException {
        final Path run = written("null");
        assertThat(trial(run).path("offeredRatePerSecond").asDouble(-1)).isZero();
        assertThat(Files.readString(run.resolve("report.html"))).doesNotContain("achieved 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"990", "0"})
    void shouldSayWhatAKnownFeedAchieved(final String made) throws IOException {
        final Path run = written(made);
        assertThat(trial(run).path("offeredRatePerSecond").asDouble(-1)).isEqualTo(1000);
        assertThat(Files.readString(run.resolve("report.html"))).contains("achieved " + made);
    }
}
