package io.tickmark.lab.compare;

import io.tickmark.kernel.result.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** What two rows that are held against each other do not share, apart from what is compared. */
final class RowDifferences {
    private RowDifferences() {}

    static List<String> of(final RowPairs.Pair pair) {
        if (pair.other().isVoid()) {
            return List.of(); // it has nothing that could differ
        }
        final TrialResult first = pair.first().any();
        final TrialResult other = pair.other().any();
        final List<String> differences = new ArrayList<>();
        add(differences, "test", first.test(), other.test());
        add(differences, "channel", first.channel(), other.channel());
        add(
                differences,
                "payloadBytes",
                String.valueOf(first.payloadBytes()),
                String.valueOf(other.payloadBytes()));
        add(
                differences,
                "offeredRatePerSecond",
                number(first.offeredRatePerSecond()),
                number(other.offeredRatePerSecond()));
        add(differences, "labels", labels(pair.first()), labels(pair.other()));
        final double lostFirst = lostPart(pair.first());
        final double lostOther = lostPart(pair.other());
        if (lostFirst != lostOther) {
            differences.add(
                    String.format(
                            Locale.ROOT,
                            "lost %.3g %% against %.3g %%",
                            100 * lostFirst,
                            100 * lostOther));
        }
        return differences;
    }

    private static void add(
            final List<String> differences,
            final String what,
            final String first,
            final String other) {
        if (!first.equals(other)) {
            differences.add(
                    "%s %s against %s"
                            .formatted(
                                    what,
                                    first.isEmpty() ? "none" : first,
                                    other.isEmpty() ? "none" : other));
        }
    }

    private static String number(final double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }

    private static String labels(final SideRow row) {
        final Set<String> labels =
                row.repeats().stream()
                        .flatMap(trial -> trial.labels().stream())
                        .collect(Collectors.toCollection(TreeSet::new));
        return String.join(" ", labels);
    }

    private static double lostPart(final SideRow row) {
        final double expected = sum(row, TrialResult::expected);
        return expected > 0 ? sum(row, TrialResult::lostOnTheWay) / expected : 0;
    }

    private static double sum(final SideRow row, final ToDoubleFunction<TrialResult> count) {
        return row.repeats().stream().mapToDouble(count).sum();
    }
}
