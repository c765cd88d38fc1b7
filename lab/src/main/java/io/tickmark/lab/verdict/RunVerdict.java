package io.tickmark.lab.verdict;

import io.tickmark.kernel.result.SearchSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The verdict of a whole run.
 *
 * @param verdict the worst of all rows
 * @param reasons sentences that name test, channel and repeat
 */
public record RunVerdict(Verdict verdict, List<String> reasons) {
    private static final String PARTIAL = "Partial: ";

    /** The reason of everything that a signal ended. */
    public static final String INTERRUPTED = "The run was interrupted.";

    /**
     * Summarises rows.
     *
     * @param rows of the run
     * @param searches of the run
     * @param isInterrupted whether it was ended before its end
     * @return the verdict; void when there are no rows
     */
    public static RunVerdict of(
            final List<TrialResult> rows,
            final List<SearchSummary> searches,
            final boolean isInterrupted) {
        return of(rows, searches, isInterrupted ? List.of(INTERRUPTED) : List.of());
    }

    /**
     * Sums up the rows there are while others are still to come.
     *
     * @param rows so far
     * @param searches so far
     * @param done trials so far
     * @param all trials of the plan
     * @return a void verdict that says how far the run is
     */
    public static RunVerdict partial(
            final List<TrialResult> rows,
            final List<SearchSummary> searches,
            final int done,
            final int all) {
        return of(
                rows,
                searches,
                List.of(
                        PARTIAL
                                + "written after %d of %d trials; the run continues, or its controller was killed."
                                        .formatted(done, all)));
    }

    /**
     * Whether a result was written while trials were still to come.
     *
     * @param reasons of the run
     * @return the one that says so, empty for a whole run
     */
    public static Optional<String> partial(final List<String> reasons) {
        return reasons.stream().filter(reason -> reason.startsWith(PARTIAL)).findFirst();
    }

    private static RunVerdict of(
            final List<TrialResult> rows,
            final List<SearchSummary> searches,
            final List<String> voids) {
        final boolean isEmpty = rows.isEmpty() && searches.isEmpty();
        Verdict verdict = isEmpty || !voids.isEmpty() ? Verdict.VOID : Verdict.PASS;
        final Set<String> reasons = new LinkedHashSet<>(voids);
        for (final TrialResult row : rows) {
            verdict = verdict.worse(row.verdict());
            for (final String reason : row.reasons()) {
                if (!voids.contains(reason)) {
                    reasons.add(where(row, isOfStep(row, reason)) + ": " + reason);
                }
            }
        }
        for (final SearchSummary search : searches) {
            verdict = verdict.worse(search.verdict());
            for (final String reason : search.reasons()) {
                reasons.add("search of " + where(search.test(), search.channel()) + ": " + reason);
            }
        }
        return new RunVerdict(verdict, new ArrayList<>(reasons));
    }

    private static String where(final String test, final String channel) {
        return test + (channel.isEmpty() ? "" : " on " + channel);
    }

    /** What makes a trial void is the same for all of its steps, except how much was taken. */
    private static boolean isOfStep(final TrialResult row, final String reason) {
        return row.payloadBytes() != 0
                && (row.verdict() != Verdict.VOID || TakenRule.isReason(reason));
    }

    private static String where(final TrialResult row, final boolean isOfStep) {
        return where(row.test(), row.channel())
                + (isOfStep ? ", " + row.payloadBytes() + " B" : "")
                + ", repeat "
                + row.repeat();
    }
}
