package io.tickmark.history;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The versions of the database: each is the one before with these statements. */
final class Migrations {
    static final List<List<String>> VERSIONS =
            List.of(
                    List.of(
                            "create table run (id varchar(36) primary key, started_at varchar(64) not null,"
                                    + " plan varchar(1000) not null, tickmark varchar(200) not null,"
                                    + " host varchar(1000) not null, verdict varchar(8) not null,"
                                    + " folder varchar(4000) not null)",
                            "create table figure (run_id varchar(36) not null references run (id), test varchar(1000) not null,"
                                    + " channel varchar(4000) not null, step integer not null, payload_bytes integer not null,"
                                    + " name varchar(200) not null, value double precision not null)",
                            "create index figure_run on figure (run_id)",
                            "create index run_plan on run (plan)"),
                    List.of(
                            "create table tag (run_id varchar(36) not null references run (id), tag varchar(200) not null,"
                                    + " primary key (run_id, tag))"),
                    List.of(
                            "alter table run add column machine text not null default ''",
                            "alter table run add column placement text not null default ''"),
                    List.of(
                            "create index figure_run_name on figure (run_id, name)",
                            "drop index figure_run",
                            "create table kept_changes (plan varchar(1000) not null, series varchar(64) not null,"
                                    + " fingerprint varchar(64) not null, changes text not null,"
                                    + " settled_values integer not null, settled_fingerprint varchar(64) not null,"
                                    + " settled_changes text not null, primary key (plan, series))"),
                    List.of("alter table figure add column idle text not null default ''"),
                    // Test, channel and name of a figure are stored once: repeated with every value
                    // they
                    // were most of the database, and most of the time that it took to read a trend.
                    List.of(
                            "create table series (id varchar(16) primary key, plan varchar(1000) not null,"
                                    + " test varchar(1000) not null, channel varchar(4000) not null, step integer not null,"
                                    + " payload_bytes integer not null, name varchar(200) not null, idle text not null)",
                            "create index series_plan on series (plan, name, step, payload_bytes)",
                            "create table series_value (series_id varchar(16) not null references series (id),"
                                    + " run_id varchar(36) not null references run (id), value double precision not null)"),
                    // The text has the offset of its machine: two offsets do not sort by time.
                    List.of("alter table run add column started_ms bigint not null default 0"));

    /** The version that stores what a figure is of apart from its values. */
    private static final int SERIES = 6;

    /** The version that orders runs by the time at which they were started. */
    private static final int STARTED_MS = 7;

    /** Of PostgreSQL's advisory locks the one that is held while tables are made; any number. */
    private static final long LOCK = 0x7469636b6d61726bL;

    private Migrations() {}

    /** Brings a database to the last version; one of a later tickmark is refused. */
    static void bring(final Connection connection) throws SQLException {
        // Checked first, so that a reader takes no lock and needs no write permission.
        if (seen(connection) == VERSIONS.size()) {
            return;
        }
        Transaction.run(
                connection,
                open -> {
                    try (Statement statement = open.createStatement()) {
                        alone(statement);
                        bring(statement);
                    }
                    return null;
                });
    }

    /** The version, 0 where there is none or the look fails: the work that follows says why. */
    private static int seen(final Connection connection) {
        try (Statement statement = connection.createStatement()) {
            return version(statement);
        } catch (final SQLException e) {
            return 0;
        }
    }

    /**
     * Two that open an empty database at once must not both make its tables. SQLite's transaction
     * has the lock already; PostgreSQL's would find out when it is too late, "if not exists" or
     * not.
     */
    private static void alone(final Statement statement) throws SQLException {
        final String product = statement.getConnection().getMetaData().getDatabaseProductName();
        if (product.equals("PostgreSQL")) {
            statement.execute("select pg_advisory_xact_lock(" + LOCK + ")");
        }
    }

    private static void bring(final Statement statement) throws SQLException {
        statement.executeUpdate(
                "create table if not exists schema_version (version integer not null)");
        final int version = version(statement);
        if (version > VERSIONS.size()) {
            throw new SQLException(
                    "it is of version %d, made by a later tickmark; this one knows up to %d"
                            .formatted(version, VERSIONS.size()));
        }
        for (int next = version + 1; next <= VERSIONS.size(); next++) {
            for (final String sql : VERSIONS.get(next - 1)) {
                statement.executeUpdate(sql);
            }
            if (next == SERIES) {
                moveFigures(statement);
            }
            if (next == STARTED_MS) {
                fillTimes(statement);
            }
            statement.executeUpdate("delete from schema_version");
            statement.executeUpdate("insert into schema_version (version) values (" + next + ")");
        }
    }

    private static void fillTimes(final Statement statement) throws SQLException {
        final Map<String, String> times = new HashMap<>();
        try (ResultSet rows = statement.executeQuery("select id, started_at from run")) {
            while (rows.next()) {
                times.put(rows.getString(1), rows.getString(2));
            }
        }
        try (PreparedStatement update =
                statement
                        .getConnection()
                        .prepareStatement("update run set started_ms = ? where id = ?")) {
            for (final Map.Entry<String, String> run : times.entrySet()) {
                update.setLong(1, startedMs(run.getValue()));
                update.setString(2, run.getKey());
                update.executeUpdate();
            }
        }
    }

    /**
     * The time at which a run was started.
     *
     * @param startedAt as in a result (ISO 8601 with its offset)
     * @return milliseconds since 1970-01-01T00:00Z; 0 for what is no such time
     */
    static long startedMs(final String startedAt) {
        try {
            return OffsetDateTime.parse(startedAt).toInstant().toEpochMilli();
        } catch (final DateTimeParseException e) {
            return 0;
        }
    }

    private static void moveFigures(final Statement statement) throws SQLException {
        final List<StoredSeries> all = new ArrayList<>();
        try (ResultSet rows =
                statement.executeQuery(
                        "select distinct r.plan, f.test, f.channel, f.step, f.payload_bytes, f.name, f.idle"
                                + " from figure f join run r on r.id = f.run_id")) {
            while (rows.next()) {
                all.add(StoredSeries.read(rows, 1));
            }
        }
        for (final StoredSeries series : all) {
            series.keep(statement.getConnection());
        }
        statement.executeUpdate(
                "insert into series_value (series_id, run_id, value) select s.id, f.run_id, f.value from figure f"
                        + " join run r on r.id = f.run_id join series s on s.plan = r.plan and s.name = f.name"
                        + " and s.step = f.step and s.payload_bytes = f.payload_bytes and s.test = f.test"
                        + " and s.channel = f.channel and s.idle = f.idle order by s.id, f.run_id");
        statement.executeUpdate("drop table figure");
        // Last: an index that grows with each of a million rows is written many times.
        statement.executeUpdate(
                "create index series_value_of on series_value (series_id, run_id, value)");
    }

    private static int version(final Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery("select max(version) from schema_version")) {
            return rows.next() ? rows.getInt(1) : 0;
        }
    }
}
