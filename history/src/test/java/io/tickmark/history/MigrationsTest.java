package io.tickmark.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tickmark.kernel.settings.UserError;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrationsTest {
    /**
     * What the first version left behind, word for word and with a run in it: not made from {@link
     * Migrations}, so that a change of a version that is out there shows. Never to be edited.
     */
    private static final List<String> FIRST =
            List.of(
                    "CREATE TABLE schema_version (version integer not null)",
                    "CREATE TABLE run (id varchar(36) primary key, started_at varchar(64) not null,"
                            + " plan varchar(1000) not null, tickmark varchar(200) not null,"
                            + " host varchar(1000) not null, verdict varchar(8) not null,"
                            + " folder varchar(4000) not null)",
                    "CREATE TABLE figure (run_id varchar(36) not null references run (id), test varchar(1000) not null,"
                            + " channel varchar(4000) not null, step integer not null, payload_bytes integer not null,"
                            + " name varchar(200) not null, value double precision not null)",
                    "CREATE INDEX figure_run on figure (run_id)",
                    "CREATE INDEX run_plan on run (plan)",
                    "INSERT INTO schema_version VALUES (1)",
                    "INSERT INTO run VALUES ('0ff7fe99', '2025-01-01T00:00:00Z', 'demo', '0.1.0', 'lab-3', 'pass',"
                            + " '/srv/results/old')",
                    "INSERT INTO figure VALUES ('0ff7fe99', 'ping', 'shm:', 0, 64, 'roundTripNs.p50', 90.0)");

    private static final Ran RUN = Ran.at("2025-01-01T00:00:00Z", 90);
    private static final Path FOLDER = Path.of("/srv/results/old");

    @TempDir private Path folder;

    private String file(final String name) {
        return folder.resolve(name).toString();
    }

    private String old() throws SQLException {
        execute("jdbc:sqlite:" + file("old.db"), FIRST);
        return file("old.db");
    }

    /**
     * More than the first version could hold: what later ones added, up to the one before. The
     * first run was started before the second one, on a machine of another time zone.
     */
    private static final List<String> LATER =
            List.of(
                    "INSERT INTO run VALUES ('5c0ffee1', '2025-01-03T08:00:00+09:00', 'demo', '0.1.0', 'lab-4', 'pass', '/srv/b',"
                            + " 'lab-4 (Zen 5, 2 cores)', 'latency-sub on h2')",
                    "INSERT INTO run VALUES ('5c0ffee2', '2025-01-03T00:00:00Z', 'demo', '0.1.0', 'lab-4', 'void', '/srv/c',"
                            + " 'lab-4 (Zen 5, 2 cores)', 'latency-sub on h2')",
                    "INSERT INTO figure VALUES ('5c0ffee1', 'ping', 'shm:', 0, 64, 'roundTripNs.p50', 91.5, '')",
                    "INSERT INTO figure VALUES ('5c0ffee1', 'ping', 'shm:', 1, 128, 'roundTripNs.p50', 95.25, 'yield')",
                    "INSERT INTO figure VALUES ('5c0ffee2', 'ping', 'shm:', 0, 64, 'roundTripNs.p50', 99, '')",
                    "INSERT INTO tag VALUES ('5c0ffee1', 'release-2')",
                    "INSERT INTO kept_changes VALUES ('demo', 'gone', 'f', '', 0, 'f', '')");

    private static void execute(final String url, final List<String> statements)
            throws SQLException {
        try (Connection old = DriverManager.getConnection(url);
                Statement statement = old.createStatement()) {
            for (final String sql : statements) {
                statement.executeUpdate(sql);
            }
        }
    }

    /** Of the version before figures were stored apart from what they are figures of. */
    private static void fillAsOfVersion5(final String url) throws SQLException {
        execute(url, FIRST);
        for (int version = 2; version <= 5; version++) {
            execute(url, Migrations.VERSIONS.get(version - 1));
        }
        execute(url, LATER);
        execute(url, List.of("UPDATE schema_version SET version = 5"));
    }

    private static void shouldHaveKeptAll(final String place) {
        for (int opened = 0; opened < 2; opened++) { // brought once, and then left alone
            try (History history = History.open(place)) {
                assertThat(history.runs(Ran.PLAN, ""))
                        .extracting(HistoryRun::id)
                        .containsExactly("0ff7fe99", "5c0ffee1", "5c0ffee2");
                assertThat(history.runs("", "release-2"))
                        .extracting(HistoryRun::id)
                        .containsExactly("5c0ffee1");
                assertThat(history.figures(Ran.PLAN)).containsExactly("roundTripNs.p50");
                assertThat(history.trends(Ran.PLAN).values().stream().flatMap(List::stream))
                        .extracting(
                                HistoryPoint::run,
                                point -> point.series().machine(),
                                point -> point.series().placement(),
                                point -> point.series().idle(),
                                point -> point.series().payloadBytes(),
                                HistoryPoint::value)
                        .containsExactlyInAnyOrder(
                                tuple("0ff7fe99", "lab-3", "", "", 64, 90.0),
                                tuple(
                                        "5c0ffee1",
                                        "lab-4 (Zen 5, 2 cores)",
                                        "latency-sub on h2",
                                        "",
                                        64,
                                        91.5),
                                tuple(
                                        "5c0ffee1",
                                        "lab-4 (Zen 5, 2 cores)",
                                        "latency-sub on h2",
                                        "yield",
                                        128,
                                        95.25));
            }
        }
    }

    @Test
    void shouldBringAFileWithRunsOfManyKindsUpToDate() throws SQLException {
        fillAsOfVersion5("jdbc:sqlite:" + file("old.db"));

        shouldHaveKeptAll(file("old.db"));
    }

    @Test
    void shouldBringAServersDatabaseWithRunsUpToDate() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            final String fifth = server.database("fifth");
            fillAsOfVersion5(fifth);
            final String first = server.database("first");
            execute(first, FIRST);

            shouldHaveKeptAll(fifth);
            try (History history = History.open(first)) {
                assertThat(history.enter(RUN.result(), FOLDER)).isEqualTo("0ff7fe99");
                assertThat(history.trends(Ran.PLAN).values())
                        .singleElement()
                        .satisfies(points ->
                                assertThat(points)
                                        .extracting(HistoryPoint::value)
                                        .containsExactly(90.0));
            }
        }
    }

    /** Nobody sees half of it: where moving fails, all is as it was. */
    @Test
    void shouldLeaveADatabaseAsItWasThatCannotBeBroughtUpToDate() throws SQLException {
        final String url = "jdbc:sqlite:" + file("old.db");
        fillAsOfVersion5(url);
        execute(url, List.of("CREATE TABLE series_value (mine integer)"));
        final List<String> before = schema(file("old.db"));

        assertThatThrownBy(() -> History.open(file("old.db")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("series_value already exists");

        assertThat(schema(file("old.db"))).isEqualTo(before);
    }

    /** The look at the version drops why it failed: the work that follows says it. */
    @Test
    void shouldSayWhyADatabaseWhoseVersionCannotBeAskedIsOfNoUse() throws SQLException {
        execute(
                "jdbc:sqlite:" + file("odd.db"),
                List.of("CREATE TABLE schema_version (number integer)"));

        assertThatThrownBy(() -> History.open(file("odd.db")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no such column: version");
    }

    /** What went wrong first is told, and that it could not be undone either comes with it. */
    @Test
    void shouldTellTheFirstReasonWhereUndoingFailsToo() {
        final SQLException first = new SQLException("the disk is full");
        final Connection broken =
                (Connection)
                        Proxy.newProxyInstance(
                                getClass().getClassLoader(),
                                new Class<?>[] {Connection.class},
                                (_, method, _) -> {
                                    if (method.getName().equals("rollback")) {
                                        throw new SQLException("the connection is gone");
                                    }
                                    return null;
                                });

        assertThatThrownBy(() ->
                        Transaction.run(
                                broken,
                                _ -> {
                                    throw first;
                                }))
                .isSameAs(first)
                .satisfies(error ->
                        assertThat(error.getSuppressed())
                                .singleElement()
                                .asString()
                                .contains("the connection is gone"));
    }

    private static List<String> schema(final String file) throws SQLException {
        final List<String> schema = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "select sql from sqlite_master where sql is not null order by sql")) {
            while (rows.next()) {
                schema.add(rows.getString(1));
            }
        }
        return schema;
    }

    @Test
    void shouldBringADatabaseOfTheFirstVersionUpToDate() throws SQLException {
        try (History history = History.open(old())) {
            history.tag("0ff7fe99", "old");
            assertThat(history.runs(Ran.PLAN, "old")).hasSize(1);
            assertThat(history.trends(Ran.PLAN))
                    .hasSize(1)
                    .allSatisfy((series, points) -> {
                        assertThat(series.machine()).isEqualTo("lab-3");
                        assertThat(points).extracting(HistoryPoint::value).containsExactly(90.0);
                    });
        }
    }

    @Test
    void shouldLeaveOldAndNewDatabasesWithTheSameTables() throws SQLException {
        try (History history = History.open(old());
                History other = History.open(file("new.db"))) {
            assertThat(history.runs("", "")).hasSize(1);
            assertThat(other.runs("", "")).isEmpty();
        }

        assertThat(schema(file("old.db"))).isEqualTo(schema(file("new.db")));
    }

    @Test
    void shouldCompleteAnEntryOfAnEarlierVersionInsteadOfDoublingIt() throws SQLException {
        assertThat(RunId.old(RUN.result(), FOLDER)).isEqualTo("0ff7fe99");
        try (History history = History.open(old())) {
            assertThat(history.enter(RUN.result(), FOLDER)).isEqualTo("0ff7fe99");
            assertThat(history.runs("", "")).hasSize(1);
            assertThat(history.trends(Ran.PLAN).keySet())
                    .extracting(HistoryPoint.Series::machine)
                    .containsExactly("lab-3 (Zen 5, 2 cores)");
        }
    }

    @Test
    void shouldEnterARunOfTheSameSecondAndFolderOnAnotherHost() throws SQLException {
        try (History history = History.open(old())) {
            history.enter(RUN.on("lab-4", "Zen 5").result(), FOLDER);
            assertThat(history.runs("", "")).hasSize(2);
        }
    }
}
