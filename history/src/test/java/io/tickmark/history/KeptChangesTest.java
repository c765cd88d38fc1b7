package io.tickmark.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.history.HistoryPoint.Series;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Thousands of runs: the work is counted, not its time. */
class KeptChangesTest {
    private static final String PLAN = "nightly";
    private static final int RUNS = 3_000;
    private static final List<String> FIGURES = List.of("roundTripNs.p50", "roundTripNs.p99");

    /** Windows of a series overlap by half at most. */
    private static final int MOST_WINDOWS = RUNS / (ChangePoints.WINDOW / 2);

    @TempDir private Path folder;
    private final SplittableRandom random = new SplittableRandom(7);

    /** What runs entered by the thousand would leave, in one transaction. */
    @BeforeEach
    void enterRuns() throws SQLException {
        try (History history = open()) {
            assertThat(history.runs("", "")).isEmpty();
        }
        insert(0, RUNS);
    }

    private History open() {
        return History.open(folder.resolve("h.db").toString());
    }

    private void insert(final int from, final int to) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("h.db"));
                PreparedStatement run =
                        connection.prepareStatement(
                                "insert into run (id, started_at, plan, tickmark, host, verdict, folder)"
                                        + " values (?, ?, '"
                                        + PLAN
                                        + "', '1', 'lab-3', 'pass', 'a')");
                PreparedStatement figure =
                        connection.prepareStatement(
                                "insert into series_value (run_id, series_id, value) values (?, ?, ?)")) {
            connection.setAutoCommit(false);
            final Map<String, String> series = new HashMap<>();
            for (final String name : FIGURES) {
                series.put(
                        name,
                        new StoredSeries(PLAN, "ping", "shm:", 0, 64, name, "").keep(connection));
            }
            for (int i = from; i < to; i++) {
                final String id = "run-%06d".formatted(i);
                run.setString(1, id);
                run.setString(2, Instant.ofEpochSecond(1_700_000_000L + i * 3600L).toString());
                run.addBatch();
                for (final String name : FIGURES) {
                    figure.setString(1, id);
                    figure.setString(2, series.get(name));
                    figure.setDouble(3, level(i) * (1 + 0.01 * random.nextGaussian()));
                    figure.addBatch();
                }
            }
            run.executeBatch();
            figure.executeBatch();
            connection.commit();
        }
    }

    /** A tenth slower from the thousandth run on. */
    private static double level(final int run) {
        return run < 1_000 ? 2_000 : 2_200;
    }

    private Changes look() {
        try (History history = open()) {
            return history.changes(PLAN, history.trends(PLAN));
        }
    }

    private static Map<Series, List<Integer>> fromScratch(final History history) {
        final Map<Series, List<Integer>> changes = new HashMap<>();
        history.trends(PLAN)
                .forEach((series, points) ->
                        changes.put(series, ChangePoints.of(HistoryPoint.logs(points))));
        return changes;
    }

    @Test
    void shouldLookOnceAtWhatItHasSeen() {
        final Changes first = look();
        assertThat(first.windows()).isBetween(2, 2 * MOST_WINDOWS);
        assertThat(first.bySeries())
                .hasSize(2)
                .allSatisfy((series, at) ->
                        assertThat(at).anyMatch(place -> Math.abs(place - 1_000) <= 3));

        final Changes again = look();

        assertThat(again.windows()).as("all of it was kept").isZero();
        assertThat(again.bySeries()).isEqualTo(first.bySeries());
        assertThat(again.notKept()).isEmpty();
    }

    @Test
    void shouldLookAtOneWindowOfEachSeriesForEachRunMore() throws SQLException {
        look();
        for (int more = 1; more <= 3; more++) {
            insert(RUNS + more - 1, RUNS + more);

            final Changes changes = look();

            assertThat(changes.windows()).as("a window may become full").isBetween(2, 4);
            try (History history = open()) {
                assertThat(changes.bySeries()).isEqualTo(fromScratch(history));
            }
        }
    }

    @Test
    void shouldLookAgainWhereRunsAreNoLongerTheSame() {
        look();
        try (History history = open()) {
            history.delete("run-000500");
        }

        final Changes changes = look();

        assertThat(changes.windows()).isGreaterThan(4);
        try (History history = open()) {
            assertThat(changes.bySeries())
                    .isEqualTo(fromScratch(history))
                    .allSatisfy((series, at) ->
                            assertThat(at).anyMatch(place -> Math.abs(place - 999) <= 3));
        }
    }

    @Test
    void shouldReportWhereNothingCanBeKept() throws Exception {
        try (Connection connection =
                        DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("h.db"));
                var statement = connection.createStatement()) {
            statement.executeUpdate(
                    "create trigger full before insert on kept_changes"
                            + " begin select raise(abort, 'the disk is full'); end");
        }

        final Changes changes = look();

        assertThat(changes.notKept()).contains("the disk is full");
        try (History history = open()) {
            assertThat(changes.bySeries()).isEqualTo(fromScratch(history));
        }
    }
}
