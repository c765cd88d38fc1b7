package io.tickmark.lab.control;

import io.tickmark.kernel.result.SearchSummary.Outcome;
import io.tickmark.kernel.result.SearchSummary.Purpose;
import io.tickmark.kernel.result.SearchSummary.SearchTrial;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.search.Backlog;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What the rows of one trial say of its rate.
 *
 * @param criteria of the search
 */
record SearchJudge(Criteria criteria) {
    Outcome outcome(final List<TrialResult> ofTrial) {
        return switch (ofTrial.stream()
                .map(TrialResult::verdict)
                .reduce(Verdict.PASS, Verdict::worse)) {
            case PASS -> backlog(ofTrial).isPresent() ? Outcome.BAD : Outcome.GOOD;
            case FAIL -> Outcome.BAD;
            case VOID -> Outcome.VOID;
        };
    }

    /** What the plan's criteria do not judge: a store hides for a while that a rate is too high. */
    private Optional<String> backlog(final List<TrialResult> ofTrial) {
        return ofTrial.stream()
                .flatMap(row ->
                        Backlog.of(row, criteria.minRateHeldPart(), criteria.maxWouldBlock())
                                .stream())
                .findFirst();
    }

    /** The trial as the summary of the search has it; {@code rate} was asked for. */
    SearchTrial told(
            final Purpose purpose,
            final double rate,
            final long durationNs,
            final List<TrialResult> ofTrial) {
        final Outcome outcome = outcome(ofTrial);
        final double offered = most(ofTrial, TrialResult::offeredRatePerSecond);
        return new SearchTrial(
                purpose,
                outcome == Outcome.VOID || offered <= 0 ? rate : offered,
                most(ofTrial, TrialResult::achievedRatePerSecond),
                durationNs,
                outcome,
                ofTrial.stream()
                        .flatMap(row -> row.reasons().stream())
                        .findFirst()
                        .or(() -> backlog(ofTrial))
                        .orElse(""));
    }

    static double most(
            final List<TrialResult> ofTrial, final ToDoubleFunction<TrialResult> figure) {
        return ofTrial.stream().mapToDouble(figure).max().orElse(0);
    }
}
