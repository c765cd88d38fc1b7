package io.tickmark.report.rows;

import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    private static final String DRIVER = "driverDirectory";
    private static final String VOID = "void";
    private static final String UNKNOWN = "n/a";

    /** What a driver repaired is known of a trial, not of its steps: the first one shows it. */
    private static final String SHOWN_ABOVE = "as above";

    private record Entry(Block block, MergedRow row, double injectedPart, boolean isFirst) {
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
            boolean isFirst = true;
            for (final MergedRow row : block.rows()) {
                if (isReported(row, SENT_AGAIN)) {
                    entries.add(new Entry(block, row, highest(trials(row), INJECTED), isFirst));
                    isFirst = false;
                }
            }
        }
        final boolean said =
                entries.stream()
                        .anyMatch(entry ->
                                entry.injectedPart() > 0
                                        || sum(entry.block().roles(), SENT_AGAIN) > 0);
        final String allSteps = entries.stream().allMatch(Entry::isFirst) ? "" : ", all steps";
        return said
                ? Optional.of(
                        new SideTable(
                                "Losses on the wire, repaired and final" + repairLimit(entries),
                                2,
                                2,
                                List.of(
                                        "channel",
                                        "step",
                                        "injected",
                                        "NAKs" + allSteps,
                                        "retransmits" + allSteps,
                                        "gaps given up" + allSteps,
                                        "lost for good",
                                        "achieved/s"),
                                entries.stream().map(LossFigures::cells).toList()))
                : Optional.empty();
    }

    /**
     * How often an engine sent something again, or asked for it again, in a block in which nothing
     * was dropped on purpose.
     *
     * @param block with what its roles reported
     * @return over all repeats; 0 where losses were injected, or nothing is known of any
     */
    public static long repaired(final Block block) {
        final List<List<RoleSummary>> trials = block.roles();
        return highest(trials, INJECTED) > 0
                ? 0
                : Math.max(sum(trials, SENT_AGAIN), sum(trials, ASKED_AGAIN));
    }

    private static List<String> cells(final Entry entry) {
        final MergedRow row = entry.row();
        return List.of(
                Printable.of(entry.block().channel()),
                entry.block().stepName(row, Figures.ASCII),
                percent(entry.injectedPart()),
                ofAllSteps(entry, ASKED_AGAIN),
                ofAllSteps(entry, SENT_AGAIN),
                ofAllSteps(entry, GIVEN_UP),
                lost(entry),
                row.isVoid() || !Sides.isSenderKnown(row.any())
                        ? UNKNOWN
                        : Figures.count(
                                Math.round(row.median(TrialResult::achievedRatePerSecond))));
    }

    private static String ofAllSteps(final Entry entry, final String name) {
        return entry.isFirst() ? Figures.count(sum(entry.block().roles(), name)) : SHOWN_ABOVE;
    }

    private static String lost(final Entry entry) {
        return entry.isKnown()
                ? Figures.count(entry.row().sum(TrialResult::lostOnTheWay))
                : entry.row().isVoid() ? VOID : UNKNOWN;
    }

    /** Only where increasing parts were injected; rows without known figures are ignored. */
    private static String repairLimit(final List<Entry> entries) {
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
            said = "; repair limit not found";
        } else if (broken.isEmpty()) {
            said = "; no repair limit up to " + percent(known.getLast().injectedPart());
        } else {
            said = repairLimit(known, broken.get().injectedPart());
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

    private static String repairLimit(final List<Entry> known, final double at) {
        return known.stream()
                .map(Entry::injectedPart)
                .filter(part -> part < at)
                .max(Comparator.naturalOrder())
                .map(whole ->
                        "; repair limit: everything was repaired at the requested rate up to "
                                + percent(whole)
                                + ", not at "
                                + percent(at))
                .orElse(
                        "; repair limit not found: already at "
                                + percent(at)
                                + " injected loss, messages went missing or the rate was not held");
    }

    private static String percent(final double part) {
        return part == 0 ? "0 %" : Figures.digits(100 * part) + " %";
    }

    private static List<List<RoleSummary>> trials(final MergedRow row) {
        return row.repeats().stream().map(TrialResult::roles).filter(Objects::nonNull).toList();
    }

    /**
     * A driver counts for all who use it: roles on the same one name the same counter, each from
     * when it opened its channel, so that the largest of their figures is the driver's.
     */
    private static long sum(final List<List<RoleSummary>> trials, final String name) {
        long sum = 0;
        for (final List<RoleSummary> roles : trials) {
            final Map<String, Long> byDriver = new HashMap<>();
            roles.forEach(
                    role -> byDriver.merge(driver(role), (long) figure(role, name), Math::max));
            sum += byDriver.values().stream().mapToLong(Long::longValue).sum();
        }
        return sum;
    }

    /** Directories are of one host; a role that names none counts by itself. */
    private static String driver(final RoleSummary role) {
        return role.metrics().get(DRIVER) instanceof final String directory
                ? directory + " on " + role.host()
                : role.role() + " " + role.index();
    }

    private static double highest(final List<List<RoleSummary>> trials, final String name) {
        return trials.stream()
                .flatMap(List::stream)
                .mapToDouble(role -> figure(role, name))
                .max()
                .orElse(0);
    }

    private static boolean isReported(final MergedRow row, final String name) {
        return trials(row).stream()
                .flatMap(List::stream)
                .anyMatch(role -> role.metrics().get(name) instanceof Number);
    }

    private static double figure(final RoleSummary role, final String name) {
        return role.metrics().get(name) instanceof final Number figure ? figure.doubleValue() : 0;
    }
}
