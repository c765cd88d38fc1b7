package io.tickmark.lab.verdict;

import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The verdict of a whole run.
 *
 * @param verdict the worst of all rows
 * @param reasons sentences that name test, channel and repeat
 */
public record RunVerdict(Verdict verdict, List<String> reasons) {
    /**
     * Sums up rows.
     *
     * @param rows of the run
     * @param isInterrupted whether it was ended before its end
     * @return the verdict; void when there is nothing
     */
    public static RunVerdict of(final List<TrialResult> rows, final boolean isInterrupted) {
        Verdict verdict = rows.isEmpty() || isInterrupted ? Verdict.VOID : Verdict.PASS;
        final Set<String> reasons = new LinkedHashSet<>();
        if (isInterrupted) {
            reasons.add("interrupted");
        }
        for (final TrialResult row : rows) {
            verdict = verdict.worse(row.verdict());
            for (final String reason : row.reasons()) {
                reasons.add(where(row) + ": " + reason);
            }
        }
        return new RunVerdict(verdict, new ArrayList<>(reasons));
    }

    private static String where(final TrialResult row) {
        return row.test()
                + (row.channel().isEmpty() ? "" : " on " + row.channel())
                + (row.verdict() == Verdict.VOID || row.payloadBytes() == 0
                        ? ""
                        : ", " + row.payloadBytes() + " B")
                + ", repeat "
                + row.repeat();
    }
}
