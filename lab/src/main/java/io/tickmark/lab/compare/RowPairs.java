package io.tickmark.lab.compare;

import io.tickmark.lab.compare.SideRow.Key;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Which rows of two runs are held against each other: those of the same test, channel and step;
 * then, where a test was done on one channel in each run, those of the two channels; then, where
 * each run has one test, those of the two tests. What has no counterpart is named.
 */
final class RowPairs {
    /** Two rows. */
    record Pair(SideRow first, SideRow other) {}

    private final List<Pair> pairs = new ArrayList<>();
    private final List<String> alone = new ArrayList<>();
    private final Side first;
    private final Side other;

    RowPairs(final Side first, final Side other) {
        this.first = first;
        this.other = other;
        final Map<Key, SideRow> left = byKey(first);
        final Map<Key, SideRow> right = byKey(other);
        match(left, right, UnaryOperator.identity());
        match(left, right, key -> key.withChannel(""));
        match(left, right, key -> new Key("", "", key.step(), key.label()));
        left.values().forEach(row -> alone.add(alone(row, first, other)));
        right.values().forEach(row -> alone.add(alone(row, other, first)));
    }

    List<Pair> pairs() {
        return pairs;
    }

    /** Rows without a counterpart, sentences. */
    List<String> alone() {
        return alone;
    }

    private static String alone(final SideRow row, final Side has, final Side lacks) {
        return "%s is in %s alone; %s has no such row."
                .formatted(row.place(), has.name(), lacks.name());
    }

    private Map<Key, SideRow> byKey(final Side side) {
        final Map<Key, SideRow> rows = new LinkedHashMap<>();
        for (final SideRow row : SideRow.of(side)) {
            if (row.repeats().isEmpty()) {
                alone.add(
                        "%s has no result in %s: every repeat is void."
                                .formatted(row.place(), side.name()));
            } else {
                rows.put(row.key(), row);
            }
        }
        return rows;
    }

    /** Pairs rows whose key, loosened, is that of one row on each side. */
    private void match(
            final Map<Key, SideRow> left,
            final Map<Key, SideRow> right,
            final UnaryOperator<Key> loosened) {
        final Map<Key, List<SideRow>> lefts = grouped(left, loosened);
        final Map<Key, List<SideRow>> rights = grouped(right, loosened);
        lefts.forEach((key, rows) -> {
            final List<SideRow> others = rights.getOrDefault(key, List.of());
            if (rows.size() == 1 && others.size() == 1) {
                pairs.add(new Pair(rows.getFirst(), others.getFirst()));
                left.remove(rows.getFirst().key());
                right.remove(others.getFirst().key());
            }
        });
    }

    private static Map<Key, List<SideRow>> grouped(
            final Map<Key, SideRow> rows, final UnaryOperator<Key> loosened) {
        return rows.values().stream()
                .collect(
                        Collectors.groupingBy(
                                row -> loosened.apply(row.key()),
                                LinkedHashMap::new,
                                Collectors.toList()));
    }

    /** Why nothing can be compared. */
    Optional<String> nothing() {
        return pairs.isEmpty()
                ? Optional.of(
                        "%s and %s have no row in common: %s"
                                .formatted(first.path(), other.path(), String.join(" ", alone)))
                : Optional.empty();
    }
}
