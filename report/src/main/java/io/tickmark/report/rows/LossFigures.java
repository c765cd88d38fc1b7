package io.tickmark.report.rows;

import io.tickmark.kernel.result.TrialResult;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Losses that an engine repaired, and those that were permanent; where increasing losses were
 * injected, the limit: the part from which on it could not keep up.
 */
public final class LossFigures {
    private static final String INJECTED = "lossPart";
    private static final String ASKED_AGAIN = "naksSent";
    private static final String SENT_AGAIN = "retransmitsSent";
    private static final String GIVEN_UP = "lossGapFills";
    private static final String VOID = "void";
    private static final String UNKNOWN = "n/a";

    private record Entry(Block block, MergedRow row, double injectedPart) {
        /** Whether reception is known: not for a void row, nor for only a publisher. */
        boolean isKnown() {
            return !row.isVoid() && Sides.isReceiverKnown(row.any());
        }

        boolean isWhole() {
            return row.sum(TrialResult::lostOnTheWay) == 0 && row.isRateHeld();
        }
    }

    private LossFigures() {}

    /** A table of one test; empty where no engine repaired anything or had losses injected. */
    static Optional<SideTable> of(final List<Block> blocks) {
        final List<Entry> entries = new ArrayList<>();
        for (final Block block : blocks) {
            for (final MergedRow row : block.rows()) {
                if (figures(row, SENT_AGAIN).length > 0) {
                    entries.add(new Entry(block, row, highest(row, INJECTED)));
                }
            }
        }
        final boolean said =
                entries.stream()
                        .anyMatch(entry ->
                                entry.injectedPart() > 0 || sum(entry.row(), SENT_AGAIN) > 0);
        return said
                ? Optional.of(
                        new SideTable(
                                "Losses on the wire, repaired and final" + cliff(entries),
                                2,
                                2,
                                List.of(
                                        "channel",
                                        "step",
                                        "injected",
                                        "NAKs",
                                        "retransmits",
                                        "gaps given up",
                                        "lost for good",
                                        "achieved/s"),
                                entries.stream().map(LossFigures::cells).toList()))
                : Optional.empty();
    }

    /**
     * How often an engine sent something again, or asked for it again, in a row in which nothing
     * was dropped on purpose.
     *
     * @param row with what its roles reported
     * @return over all repeats; 0 where losses were injected, or nothing is known of any
     */
    public static long repaired(final MergedRow row) {
        return highest(row, INJECTED) > 0
                ? 0
                : Math.max(sum(row, SENT_AGAIN), sum(row, ASKED_AGAIN));
    }

    private static List<String> cells(final Entry entry) {
        final MergedRow row = entry.row();
        return List.of(
                Printable.of(entry.block().channel()),
                entry.block().stepName(row, Figures.ASCII),
                percent(entry.injectedPart()),
                Figures.count(sum(row, ASKED_AGAIN)),
                Figures.count(sum(row, SENT_AGAIN)),
                Figures.count(sum(row, GIVEN_UP)),
                lost(entry),
                row.isVoid() || !Sides.isSenderKnown(row.any())
                        ? UNKNOWN
                        : Figures.count(
                                Math.round(row.median(TrialResult::achievedRatePerSecond))));
    }

    private static String lost(final Entry entry) {
        return entry.isKnown()
                ? Figures.count(entry.row().sum(TrialResult::lostOnTheWay))
                : entry.row().isVoid() ? VOID : UNKNOWN;
    }

    /** Only where increasing parts were injected; rows without known figures are ignored. */
    private static String cliff(final List<Entry> entries) {
        final boolean isSweep = entries.stream().map(Entry::injectedPart).distinct().count() > 1;
        if (!isSweep) {
            return "";
        }
        final List<Entry> known =
                entries.stream()
                        .filter(Entry::isKnown)
                        .sorted(Comparator.comparingDouble(Entry::injectedPart))
                        .toList();
        final Optional<Entry> broken = known.stream().filter(entry -> !entry.isWhole()).findFirst();
        final String said;
        if (known.isEmpty()) {
            said = "; the cliff was not located";
        } else if (broken.isEmpty()) {
            said = "; no cliff up to " + percent(known.getLast().injectedPart());
        } else {
            said = cliff(known, broken.get().injectedPart());
        }
        final String unknown =
                entries.stream()
                        .filter(entry -> !entry.isKnown())
                        .map(Entry::injectedPart)
                        .sorted()
                        .distinct()
                        .map(LossFigures::percent)
                        .collect(Collectors.joining(", "));
        return said + (unknown.isEmpty() ? "" : " (nothing is known of " + unknown + ")");
    }

    private static String cliff(final List<Entry> known, final double at) {
        return known.stream()
                .map(Entry::injectedPart)
                .filter(part -> part < at)
                .max(Comparator.naturalOrder())
                .map(whole ->
                        "; the cliff: all was repaired at the rate asked for up to "
                                + percent(whole)
                                + ", not at "
                                + percent(at))
                .orElse(
                        "; the cliff was not located: already at "
                                + percent(at)
                                + " injected loss, messages went missing or the rate was not held");
    }

    private static String percent(final double part) {
        return part == 0 ? "0 %" : Figures.digits(100 * part) + " %";
    }

    private static double[] figures(final MergedRow row, final String name) {
        return row.repeats().stream()
                .map(TrialResult::roles)
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .map(role -> role.metrics().get(name))
                .filter(Number.class::isInstance)
                .mapToDouble(value -> ((Number) value).doubleValue())
                .toArray();
    }

    private static long sum(final MergedRow row, final String name) {
        long sum = 0;
        for (final double figure : figures(row, name)) {
            sum += (long) figure;
        }
        return sum;
    }

    private static double highest(final MergedRow row, final String name) {
        double highest = 0;
        for (final double figure : figures(row, name)) {
            highest = Math.max(highest, figure);
        }
        return highest;
    }
}
