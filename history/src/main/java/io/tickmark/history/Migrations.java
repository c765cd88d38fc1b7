package io.tickmark.history;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

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
                                    + " primary key (run_id, tag))"));

    private Migrations() {}

    /** Brings a database to the last version; one of a later tickmark is refused. */
    static void bring(final Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
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
                statement.executeUpdate("delete from schema_version");
                statement.executeUpdate(
                        "insert into schema_version (version) values (" + next + ")");
            }
            connection.commit();
        } catch (final SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private static int version(final Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery("select max(version) from schema_version")) {
            return rows.next() ? rows.getInt(1) : 0;
        }
    }
}
