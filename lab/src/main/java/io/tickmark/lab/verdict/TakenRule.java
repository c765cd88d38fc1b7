package io.tickmark.lab.verdict;

import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TailSummary.WatchedThread;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.Criteria;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * When nothing can be concluded from a row because the machine had taken the cores of the test:
 * from one of the hot threads for more than {@link Criteria#maxTakenPart} of the time. What the
 * threads of the test take from each other belongs to the test, and makes nothing void.
 */
public final class TakenRule {
    /**
     * Environment variable of the controller: on a machine that is never quiet, a larger part than
     * the plan's, 0 to 1.
     */
    private static final String LIMIT = "TICKMARK_MAX_TAKEN_PART";

    private static final String BEGINNING = "Other tasks or the hypervisor used the core of ";

    /** Of earlier builds, some of which had no label for it. */
    private static final String FORMER_BEGINNING = "The machine had taken the core of ";

    private TakenRule() {}

    /**
     * The largest part that makes a measurement: the test's own, or the one that the environment of
     * this process allows.
     *
     * @param criteria of the test
     * @return 0 to 1
     * @throws UserError if the environment holds no such part
     */
    public static double most(final Criteria criteria) {
        return most(criteria, System.getenv().getOrDefault(LIMIT, ""));
    }

    /**
     * Checks the environment variable before anything is written or started.
     *
     * @throws UserError if it holds no such part
     */
    public static void checkLimit() {
        part(System.getenv().getOrDefault(LIMIT, ""));
    }

    static double most(final Criteria criteria, final String ofMachine) {
        return Math.max(criteria.maxTakenPart(), part(ofMachine));
    }

    /**
     * Applies the rule.
     *
     * @param row of a trial
     * @param tail of the row
     * @param most part of the time, 0 to 1
     * @return the row with its tail, void where more was taken from one of its threads; where it is
     *     not known who had so much, it has a label, and keeps its verdict
     */
    public static TrialResult applied(
            final TrialResult row, final TailSummary tail, final double most) {
        return applied(row.withTail(tail, Labels.with(row.labels(), tail)), most);
    }

    static TrialResult applied(final TrialResult row, final double most) {
        return row.tail().threads().stream()
                .filter(thread -> thread.takenPart() > most)
                .max(Comparator.comparingDouble(WatchedThread::takenPart))
                .map(thread -> voided(row, sentence(thread, most)))
                .orElseGet(() -> perhapsTaken(row, most));
    }

    private static TrialResult perhapsTaken(final TrialResult row, final double most) {
        final boolean isPossible =
                row.verdict() != Verdict.VOID
                        && row.tail().threads().stream()
                                .anyMatch(thread -> thread.mostTakenPart() > most);
        return isPossible
                ? row.withTail(
                        row.tail(),
                        Stream.concat(row.labels().stream(), Stream.of(Labels.PERHAPS_TAKEN))
                                .toList())
                : row;
    }

    /** A row that was void before is not labelled: that was not the machine's. */
    private static TrialResult voided(final TrialResult row, final String why) {
        final Stream<String> added =
                row.verdict() == Verdict.VOID ? Stream.empty() : Stream.of(Labels.TAKEN);
        return row.voided(why, Stream.concat(row.labels().stream(), added).toList());
    }

    /**
     * Whether rows are void because of this rule alone: what was measured is then not to blame.
     *
     * @param rows any
     * @return whether some are void, and all of these because of this rule
     */
    public static boolean isBehind(final Collection<TrialResult> rows) {
        final List<TrialResult> voids =
                rows.stream().filter(row -> row.verdict() == Verdict.VOID).toList();
        return !voids.isEmpty() && voids.stream().allMatch(TakenRule::isForThisAlone);
    }

    /**
     * Whether a row is void for this reason.
     *
     * @param reason of a row
     * @return whether this rule gave it
     */
    public static boolean isReason(final String reason) {
        return reason.startsWith(BEGINNING) || reason.startsWith(FORMER_BEGINNING);
    }

    /** Without the label, another reason may be the one for which it is void as well. */
    private static boolean isForThisAlone(final TrialResult row) {
        return row.labels().contains(Labels.TAKEN)
                || row.reasons().size() == 1 && isReason(row.reasons().getFirst());
    }

    private static String sentence(final WatchedThread thread, final double most) {
        return String.format(
                Locale.ROOT,
                BEGINNING
                        + "%s %d, %s, for %.1f %% of the time (mostly: %s); at most %.1f %% is"
                        + " accepted in a measurement. End what runs beside the test, pin its threads to cores that are free,"
                        + " or raise the"
                        + " quota of its control group; --explain names what ran.",
                thread.role(),
                thread.index(),
                thread.thread(),
                100 * thread.takenPart(),
                thread.takenBy(),
                100 * most);
    }

    private static double part(final String text) {
        if (text.isEmpty()) {
            return 0;
        }
        try {
            final double part = Double.parseDouble(text);
            if (part >= 0 && part <= 1) {
                return part;
            }
        } catch (final NumberFormatException e) {
            // said below
        }
        throw UserError.usage(
                "%s is \"%s\"; write a number from 0 to 1, for example 0.5."
                        .formatted(LIMIT, text));
    }
}
