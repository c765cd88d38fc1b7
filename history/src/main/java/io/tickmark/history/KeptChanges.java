package io.tickmark.history;

import io.tickmark.history.ChangePoints.Found;
import io.tickmark.history.ChangePoints.Settled;
import io.tickmark.history.HistoryPoint.Series;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Changes of series, kept in the database beside the runs. A fingerprint of the points that they
 * were computed from stands beside them: a run that is deleted, or entered between others, makes
 * them be computed anew.
 */
final class KeptChanges {
    private static final String KEEP =
            "insert into kept_changes (plan, series, fingerprint, changes, settled_values, settled_fingerprint,"
                    + " settled_changes) values (?, ?, ?, ?, ?, ?, ?) on conflict (plan, series) do update set"
                    + " fingerprint = excluded.fingerprint, changes = excluded.changes,"
                    + " settled_values = excluded.settled_values,"
                    + " settled_fingerprint = excluded.settled_fingerprint,"
                    + " settled_changes = excluded.settled_changes";

    private KeptChanges() {}

    /** A row of the table. */
    private record Kept(
            String fingerprint,
            List<Integer> changes,
            Settled settled,
            String settledFingerprint) {}

    static Changes of(
            final Connection connection,
            final String plan,
            final Map<Series, List<HistoryPoint>> trends) {
        final Map<Series, List<Integer>> changes = new HashMap<>();
        final Map<String, Kept> computed = new HashMap<>();
        int windows = 0;
        String notKept = "";
        try {
            final Map<String, Kept> kept = read(connection, plan);
            for (final Map.Entry<Series, List<HistoryPoint>> trend : trends.entrySet()) {
                final List<HistoryPoint> points = trend.getValue();
                final String key = key(trend.getKey());
                final Kept before = kept.get(key);
                final String fingerprint = fingerprint(points);
                if (before != null && before.fingerprint().equals(fingerprint)) {
                    changes.put(trend.getKey(), before.changes());
                    continue;
                }
                final Found found =
                        ChangePoints.after(settled(before, points), HistoryPoint.logs(points));
                windows += found.windows();
                changes.put(trend.getKey(), found.changes());
                computed.put(
                        key,
                        new Kept(
                                fingerprint,
                                found.changes(),
                                found.settled(),
                                fingerprint(points.subList(0, found.settled().values()))));
            }
            if (!computed.isEmpty()) {
                Transaction.run(
                        connection,
                        open -> {
                            keep(open, plan, computed);
                            return null;
                        });
            }
        } catch (final SQLException e) {
            notKept = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            // a place that may only be read: what is missing is computed, and told as not kept
            for (final Map.Entry<Series, List<HistoryPoint>> trend : trends.entrySet()) {
                if (!changes.containsKey(trend.getKey())) {
                    final Found found =
                            ChangePoints.after(
                                    Settled.NOTHING, HistoryPoint.logs(trend.getValue()));
                    windows += found.windows();
                    changes.put(trend.getKey(), found.changes());
                }
            }
        }
        return new Changes(changes, windows, notKept);
    }

    /** What was settled holds as long as the points that it was computed from are the same. */
    private static Settled settled(final Kept before, final List<HistoryPoint> points) {
        return before != null
                        && before.settled().values() <= points.size()
                        && before.settledFingerprint()
                                .equals(fingerprint(points.subList(0, before.settled().values())))
                ? before.settled()
                : Settled.NOTHING;
    }

    private static Map<String, Kept> read(final Connection connection, final String plan)
            throws SQLException {
        final Map<String, Kept> kept = new HashMap<>();
        try (PreparedStatement select =
                connection.prepareStatement(
                        "select series, fingerprint, changes, settled_values, settled_fingerprint, settled_changes"
                                + " from kept_changes where plan = ?")) {
            select.setString(1, plan);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    kept.put(
                            rows.getString(1),
                            new Kept(
                                    rows.getString(2),
                                    numbers(rows.getString(3)),
                                    new Settled(rows.getInt(4), numbers(rows.getString(6))),
                                    rows.getString(5)));
                }
            }
        }
        return kept;
    }

    private static void keep(
            final Connection open, final String plan, final Map<String, Kept> computed)
            throws SQLException {
        try (PreparedStatement insert = open.prepareStatement(KEEP)) {
            for (final Map.Entry<String, Kept> entry : computed.entrySet()) {
                final Kept kept = entry.getValue();
                insert.setString(1, plan);
                insert.setString(2, entry.getKey());
                insert.setString(3, kept.fingerprint());
                insert.setString(4, text(kept.changes()));
                insert.setInt(5, kept.settled().values());
                insert.setString(6, kept.settledFingerprint());
                insert.setString(7, text(kept.settled().changes()));
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private static String text(final List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static List<Integer> numbers(final String text) {
        return text.isEmpty()
                ? List.of()
                : Stream.of(text.split(",")).map(Integer::valueOf).toList();
    }

    /** Channels are longer than what an index takes. */
    private static String key(final Series series) {
        final MessageDigest digest = sha256();
        Stream.of(
                        series.machine(),
                        series.placement(),
                        series.test(),
                        series.channel(),
                        series.figure())
                .forEach(text -> {
                    digest.update(text.getBytes(StandardCharsets.UTF_8));
                    digest.update((byte) 0);
                });
        digest.update(
                ByteBuffer.allocate(2 * Integer.BYTES)
                        .putInt(series.step())
                        .putInt(series.payloadBytes())
                        .array());
        return HexFormat.of().formatHex(digest.digest());
    }

    private static String fingerprint(final List<HistoryPoint> points) {
        final MessageDigest digest = sha256();
        final ByteBuffer value = ByteBuffer.allocate(Double.BYTES);
        for (final HistoryPoint point : points) {
            digest.update(point.run().getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
            digest.update(value.putDouble(0, point.value()).array());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
