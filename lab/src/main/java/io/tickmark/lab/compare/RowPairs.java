package io.tickmark.lab.compare;

import io.tickmark.lab.compare.SideRow.Key;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Which rows of two runs are compared with each other: those of the same test, channel and step;
 * then, where a test was done on one channel in each run, those of the two channels; then, where
 * each run has one test, those of the two tests. Rows without a counterpart are named.
 */
final class RowPairs {
    /** Two rows, of which the other may be void. */
    record Pair(SideRow first, SideRow other) {}

    private final List<Pair> pairs = new ArrayList<>();
    private final List<String> alone = new ArrayList<>();
    private final List<String> missing;
    private boolean isLeftOut;
    private final Side first;
    private final Side other;
    private final boolean isUnmeasured;

    RowPairs(final Side first, final Side other) {
        this.first = first;
        this.other = other;
        final Map<Key, SideRow> left = byKey(first);
        final Map<Key, SideRow> right = byKey(other);
        final List<UnaryOperator<Key>> ways = ways(channelsByTest(first), channelsByTest(other));
        ways.forEach(way -> match(left, right, way));
        ways.forEach(way -> matchVoid(left, byKey(other), way));
        missing = left.values().stream().map(row -> alone(row, first, other)).toList();
        alone.addAll(missing);
        right.values().forEach(row -> alone.add(alone(row, other, first)));
        isUnmeasured =
                isLeftOut
                        || left.values().stream().anyMatch(SideRow::isVoid)
                        || first.result().trials().isEmpty()
                        || other.result().trials().isEmpty();
    }

    /** What the keys of matching rows share, the strictest first. */
    private static List<UnaryOperator<Key>> ways(
            final Map<String, Set<String>> firstTests, final Map<String, Set<String>> otherTests) {
        final List<UnaryOperator<Key>> ways = new ArrayList<>();
        ways.add(UnaryOperator.identity());
        ways.add(key ->
                isOne(firstTests.get(key.test())) && isOne(otherTests.get(key.test()))
                        ? key.withChannel("")
                        : key);
        if (firstTests.size() == 1 && otherTests.size() == 1) {
            final boolean isOneChannel =
                    isOne(firstTests.values().iterator().next())
                            && isOne(otherTests.values().iterator().next());
            ways.add(
                    key -> new Key("", isOneChannel ? "" : key.channel(), key.step(), key.label()));
        }
        return ways;
    }

    private static boolean isOne(final Set<String> channels) {
        return channels != null && channels.size() == 1;
    }

    /** For the whole run, including void rows. */
    private static Map<String, Set<String>> channelsByTest(final Side side) {
        return SideRow.of(side).stream()
                .map(SideRow::key)
                .collect(
                        Collectors.groupingBy(
                                Key::test, Collectors.mapping(Key::channel, Collectors.toSet())));
    }

    /** Rows that the first run measured, and their counterparts. */
    List<Pair> pairs() {
        return pairs;
    }

    /** Rows without a counterpart, or without a result, sentences. */
    List<String> alone() {
        return alone;
    }

    /** Those of them that the first run has. */
    List<String> missing() {
        return missing;
    }

    private static String alone(final SideRow row, final Side has, final Side lacks) {
        return row.isVoid()
                ? noResult(row, has)
                : "%s is in %s alone; %s has no such row."
                        .formatted(row.place(), has.name(), lacks.name());
    }

    private static String noResult(final SideRow row, final Side side) {
        return "%s has no result in %s: every repeat is void.".formatted(row.place(), side.name());
    }

    private static Map<Key, SideRow> byKey(final Side side) {
        return SideRow.of(side).stream()
                .collect(
                        Collectors.toMap(
                                SideRow::key,
                                UnaryOperator.identity(),
                                (row, same) -> row,
                                LinkedHashMap::new));
    }

    /** Pairs rows whose key, loosened, matches one row on each side. */
    private void match(
            final Map<Key, SideRow> left,
            final Map<Key, SideRow> right,
            final UnaryOperator<Key> loosened) {
        final Map<Key, List<SideRow>> lefts = grouped(left, loosened);
        final Map<Key, List<SideRow>> rights = grouped(right, loosened);
        lefts.forEach((key, rows) -> {
            final List<SideRow> others = rights.getOrDefault(key, List.of());
            if (rows.size() == 1 && others.size() == 1) {
                add(new Pair(rows.getFirst(), others.getFirst()));
                left.remove(rows.getFirst().key());
                right.remove(others.getFirst().key());
            }
        });
    }

    /** A void trial has a row only for its first step, which represents all of them. */
    private void matchVoid(
            final Map<Key, SideRow> left,
            final Map<Key, SideRow> others,
            final UnaryOperator<Key> loosened) {
        final Map<Key, List<SideRow>> tests =
                grouped(others, key -> loosened.apply(key).withoutStep());
        for (final SideRow row : List.copyOf(left.values())) {
            final List<SideRow> rows =
                    tests.getOrDefault(loosened.apply(row.key()).withoutStep(), List.of());
            if (!rows.isEmpty() && !row.isVoid() && rows.stream().allMatch(SideRow::isVoid)) {
                add(new Pair(row, rows.getFirst()));
                left.remove(row.key());
            }
        }
    }

    /** Repeats that the machine or the user spoiled do not show that it cannot be measured. */
    private void add(final Pair pair) {
        final boolean isNotToBlame =
                pair.other().voids().stream().allMatch(BrokenCriteria::isSpoiled);
        if (!pair.first().isVoid() && !(pair.other().isVoid() && isNotToBlame)) {
            pairs.add(pair);
            return;
        }
        isLeftOut = true;
        if (pair.first().isVoid()) {
            alone.add(noResult(pair.first(), first));
        }
        if (pair.other().isVoid()) {
            alone.add(noResult(pair.other(), other));
        }
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
                        "%s and %s have no row that can be compared: %s"
                                .formatted(first.path(), other.path(), String.join(" ", alone)))
                : Optional.empty();
    }

    /**
     * Why nothing can be compared, where what the other run measured is not to blame: its repeats
     * were spoiled, the first run's are void, or one of both measured nothing.
     */
    Optional<String> undecided() {
        return isUnmeasured ? nothing() : Optional.empty();
    }
}
