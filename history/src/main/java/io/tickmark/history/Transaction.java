package io.tickmark.history;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Work on a database that is done as a whole or not at all. On SQLite it has the database's lock
 * from its beginning (see {@link History#open}), so it waits for its turn there and nowhere later.
 *
 * @param <T> what comes of it
 */
@FunctionalInterface
interface Transaction<T> {
    /**
     * Does it.
     *
     * @param connection with the transaction open
     * @return what comes of it
     * @throws SQLException if it goes wrong: nothing of it stays
     */
    T in(Connection connection) throws SQLException;

    /** Does it on a connection that commits by itself otherwise. */
    static <T> T run(final Connection connection, final Transaction<T> work) throws SQLException {
        connection.setAutoCommit(false);
        final T value;
        try {
            value = work.in(connection);
        } catch (final SQLException | RuntimeException e) {
            undo(connection, e);
            throw e;
        }
        // This commits. commit() would make SQLite's driver begin a new transaction and wait for
        // the lock again.
        connection.setAutoCommit(true);
        return value;
    }

    private static void undo(final Connection connection, final Exception cause) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (final SQLException e) {
            cause.addSuppressed(e); // the first reason is the one to tell
        }
    }
}
