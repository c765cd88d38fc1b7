package io.tickmark.history;

import static org.assertj.core.api.Assertions.assertThat;

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
        try (Connection old = DriverManager.getConnection("jdbc:sqlite:" + file("old.db"));
                Statement statement = old.createStatement()) {
            for (final String sql : FIRST) {
                statement.executeUpdate(sql);
            }
        }
        return file("old.db");
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
