package io.tickmark.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.history.HistoryPoint.Series;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {
    @TempDir private Path folder;

    private String file() {
        return folder.resolve("history.db").toString();
    }

    private static void shouldKeep(final String place) {
        final String first;
        try (History history = History.open(place)) {
            first = history.enter(Ran.at("2026-01-02T00:00:00Z", 100).result(), Path.of("a"));
            history.enter(Ran.at("2026-01-01T00:00:00Z", 90).result(), Path.of("b"));
            history.enter(
                    Ran.at("2026-01-03T00:00:00Z", 900).as(Verdict.VOID).result(), Path.of("c"));
            assertThat(history.enter(Ran.at("2026-01-02T00:00:00Z", 100).result(), Path.of("a")))
                    .isEqualTo(first);
            history.tag(first, "release");
            history.tag(first, "release");
        }
        try (History history = History.open(place)) {
            assertThat(history.runs("demo", ""))
                    .extracting(HistoryRun::startedAt)
                    .containsExactly(
                            "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z");
            assertThat(history.runs("", "release"))
                    .extracting(HistoryRun::id)
                    .containsExactly(first);
            assertThat(history.runs("other", "")).isEmpty();
            assertThat(history.trends("demo"))
                    .containsOnlyKeys(
                            new Series(
                                    "lab-3 (Zen 5, 2 cores)",
                                    "",
                                    "",
                                    "ping",
                                    "shm:",
                                    0,
                                    64,
                                    "roundTripNs.p50"))
                    .allSatisfy((series, points) ->
                            assertThat(points)
                                    .extracting(HistoryPoint::value)
                                    .containsExactly(90.0, 100.0));
            history.delete(first);
            assertThat(history.runs("", "")).hasSize(2);
            assertThatThrownBy(() -> history.tag(first, "gone"))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("is not a run of the history");
        }
    }

    @Test
    void shouldKeepRunsInAFile() {
        shouldKeep(file());
    }

    @Test
    void shouldKeepRunsOnAServer() throws IOException, InterruptedException {
        try (PostgresServer server = PostgresServer.start()) {
            shouldKeep(server.url());
            server.control("stop");
            assertThatThrownBy(() -> History.open(server.url()))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("cannot be used");
            server.control("start");
        }
    }

    @Test
    void shouldRefuseADatabaseOfALaterVersion() throws SQLException {
        try (History _ = History.open(file())) {
            assertThat(Path.of(file())).exists();
        }
        try (Connection later = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = later.createStatement()) {
            statement.executeUpdate("update schema_version set version = 99");
        }

        assertThatThrownBy(() -> History.open(file()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("version 99, made by a later tickmark");
    }

    @Test
    void shouldSayWhatIsWrongWithAFile() throws IOException {
        Files.writeString(
                folder.resolve("history.db"), "this is no database, it is a text of some length");

        assertThatThrownBy(() -> History.open(file()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("history.db cannot be used");
        assertThatThrownBy(() -> History.open(folder.resolve("no/such/folder.db").toString()))
                .isInstanceOf(UserError.class);
    }

    /** Beside the figures as measured, and only where every repeat has one. */
    @Test
    void shouldKeepLatenciesThatTheMachineDidNotDisturb() {
        try (History history = History.open(file())) {
            history.enter(
                    Ran.at("2026-01-01T00:00:00Z", 90).undisturbed(80L, 300L, 70L).result(),
                    Path.of("a"));
            history.enter(
                    Ran.at("2026-01-02T00:00:00Z", 90).undisturbed(80L, 0L, 70L).result(),
                    Path.of("b"));

            assertThat(history.figures("demo"))
                    .contains(
                            "roundTripNs.p50",
                            "undisturbedNs.p50",
                            "undisturbedNs.p99",
                            "undisturbedLeftOutPart.max")
                    .doesNotContain("undisturbedNs.p999");
            assertThat(history.trends("demo", List.of("undisturbedNs.p50")))
                    .hasSize(1)
                    .allSatisfy((series, points) ->
                            assertThat(points)
                                    .extracting(HistoryPoint::value)
                                    .containsExactly(80.0));
        }
    }

    /** Their medians were kept: what a minority of the repeats lost reached no trend. */
    @Test
    void shouldKeepWhatAllRepeatsLostTogether() {
        try (History history = History.open(file())) {
            history.enter(Ran.at("2026-01-01T00:00:00Z", 90).losing(0, 0, 5), Path.of("a"));

            assertThat(history.trends("demo"))
                    .hasSize(2)
                    .allSatisfy((series, points) ->
                            assertThat(points)
                                    .as(series.figure())
                                    .extracting(HistoryPoint::value)
                                    .containsExactly(5.0));
        }
    }

    /** A step of a one-way time that is no larger may be that of the clocks. */
    @Test
    void shouldKeepHowWellTheClocksOfTheHostsWereKnown() {
        try (History history = History.open(file())) {
            history.enter(
                    Ran.at("2026-01-01T00:00:00Z", 90)
                            .with("stream-pub", "h2", "Zen 5")
                            .with("stream-sub", "h3", "Zen 5")
                            .clockedWithin(4_000)
                            .result(),
                    Path.of("a"));

            assertThat(history.trends("demo"))
                    .hasSize(2)
                    .anySatisfy((series, points) -> {
                        assertThat(series.figure()).isEqualTo("clockBoundNs.max");
                        assertThat(points)
                                .extracting(HistoryPoint::value)
                                .as("of both hosts")
                                .containsExactly(8_000.0);
                    });
        }
    }

    @Test
    void shouldBeginALineOfItsOwnWhereThreadsWaitedOtherwise() {
        try (History history = History.open(folder.resolve("h.db").toString())) {
            for (final Ran ran :
                    List.of(
                            Ran.at("2026-01-01T00:00:00Z", 100),
                            Ran.at("2026-01-02T00:00:00Z", 101).waiting("spin"),
                            Ran.at("2026-01-03T00:00:00Z", 150).waiting("adaptive"))) {
                history.enter(ran.result(), Path.of(ran.startedAt()));
            }

            final Map<String, Integer> pointsByIdle = new TreeMap<>();
            history.trends(Ran.PLAN)
                    .forEach((series, points) -> pointsByIdle.put(series.idle(), points.size()));
            assertThat(pointsByIdle)
                    .as("an earlier version did not say that threads spun")
                    .isEqualTo(Map.of("", 2, "adaptive", 1));
        }
    }
}
