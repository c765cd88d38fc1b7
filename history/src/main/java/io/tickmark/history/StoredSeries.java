package io.tickmark.history;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.stream.Stream;

/**
 * What a figure is of, as the database has it: once, however many runs have the figure. The machine
 * is the run's.
 *
 * @param plan name of the plan
 * @param test name of the test
 * @param channel as the plan has it
 * @param step number within a repeat
 * @param payloadBytes message length
 * @param figure its name
 * @param idle how the hot threads waited; empty where all spun
 */
record StoredSeries(
        String plan,
        String test,
        String channel,
        int step,
        int payloadBytes,
        String figure,
        String idle) {
    /** In the order of the components, as {@link #read} has them. */
    static final String COLUMNS = "plan, test, channel, step, payload_bytes, name, idle";

    private static final int ID_BYTES = 8;

    static StoredSeries read(final ResultSet rows, final int first) throws SQLException {
        return new StoredSeries(
                rows.getString(first),
                rows.getString(first + 1),
                rows.getString(first + 2),
                rows.getInt(first + 3),
                rows.getInt(first + 4),
                rows.getString(first + 5),
                rows.getString(first + 6));
    }

    /** A digest, so that two that enter runs at once find the same without asking each other. */
    String id() {
        final MessageDigest digest = sha256();
        Stream.of(plan, test, channel, figure, idle)
                .forEach(text -> {
                    digest.update(text.getBytes(StandardCharsets.UTF_8));
                    digest.update((byte) 0);
                });
        digest.update(
                ByteBuffer.allocate(2 * Integer.BYTES).putInt(step).putInt(payloadBytes).array());
        return HexFormat.of().formatHex(digest.digest(), 0, ID_BYTES);
    }

    /** Enters it where it is not there. */
    String keep(final Connection open) throws SQLException {
        final String id = id();
        try (PreparedStatement insert =
                open.prepareStatement(
                        "insert into series (id, "
                                + COLUMNS
                                + ") values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing")) {
            insert.setString(1, id);
            insert.setString(2, plan);
            insert.setString(3, test);
            insert.setString(4, channel);
            insert.setInt(5, step);
            insert.setInt(6, payloadBytes);
            insert.setString(7, figure);
            insert.setString(8, idle);
            insert.executeUpdate();
        }
        return id;
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
