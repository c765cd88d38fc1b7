package io.tickmark.lab.control;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.SearchSummary.Outcome;
import io.tickmark.kernel.result.SearchSummary.Purpose;
import io.tickmark.kernel.result.SearchSummary.SearchTrial;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.search.SearchGoal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The trials of one search, each done until it is a measurement at the rate that was asked for, or
 * until the search has to be broken off. One thread.
 */
final class RateTrials {
    /** A trial that was no measurement is done again this often. */
    private static final int RETRIES = 2;

    private final TestPlan test;
    private final SearchGoal goal;
    private final SearchRun.Trials trials;
    private final Kept kept;
    private final SearchJudge judge;
    private final RateUnit unit = new RateUnit();
    private final List<SearchTrial> done = new ArrayList<>();
    private final List<String> reasons = new ArrayList<>();
    private List<TrialResult> losing = List.of();
    private Optional<UserError.Kind> userError = Optional.empty();
    private boolean isBroken;

    /** Hears of each trial when it is done, those too that were no measurement. */
    @FunctionalInterface
    interface Kept {
        /** {@code rate} was asked for; {@code ofTrial} are the rows, all good or not. */
        void keep(Purpose purpose, double rate, boolean isGood, List<TrialResult> ofTrial);
    }

    /** Trials of a test whose criteria are those of the search. */
    RateTrials(
            final TestPlan test,
            final SearchGoal goal,
            final SearchRun.Trials trials,
            final Kept kept) {
        this.test = test;
        this.goal = goal;
        this.trials = trials;
        this.kept = kept;
        judge = new SearchJudge(test.criteria());
    }

    /** What the setting means that is searched over. */
    RateUnit unit() {
        return unit;
    }

    /** All that were done, in order. */
    List<SearchTrial> done() {
        return done;
    }

    /** Why it was broken off; empty where it was not, or by an interruption. */
    List<String> reasons() {
        return reasons;
    }

    /** Whether no more trials are to be had. */
    boolean isBroken() {
        return isBroken;
    }

    /** Rows that lost acknowledged messages, which ends a search; mostly none. */
    List<TrialResult> losing() {
        return losing;
    }

    /** Set where the last trial was none for a reason that the user can put right. */
    Optional<UserError.Kind> userError() {
        return userError;
    }

    /** How a rate did; empty where no more trials are to be had. */
    Optional<Outcome> outcome(
            final Purpose purpose,
            final double rate,
            final long durationNs,
            final boolean isInNewProcesses) {
        return measured(purpose, rate, durationNs, isInNewProcesses)
                .map(end -> judge.outcome(end.rows()));
    }

    /** A trial that is a measurement; rate 0 is full speed. Empty where there is none to be had. */
    Optional<TrialEnd> measured(
            final Purpose purpose,
            final double asked,
            final long durationNs,
            final boolean isInNewProcesses) {
        final double rate = unit.nearest(asked);
        final long setting = unit.setting(rate);
        for (int attempt = 0; attempt <= RETRIES; attempt++) {
            final Optional<TrialEnd> end =
                    trials.serve(
                            test.withSettings(
                                    Map.of(
                                            goal.rateKey(),
                                            setting,
                                            goal.durationKey(),
                                            Duration.ofNanos(durationNs))),
                            isInNewProcesses || attempt > 0);
            if (end.isEmpty()) {
                isBroken = true;
                return Optional.empty();
            }
            final List<TrialResult> ofTrial = end.get().rows();
            final double offered = SearchJudge.most(ofTrial, TrialResult::offeredRatePerSecond);
            final boolean isAtAnotherRate =
                    setting > 0
                            && offered > 0
                            && judge.outcome(ofTrial) != Outcome.VOID
                            && unit.learn(offered, setting, durationNs);
            keep(isAtAnotherRate ? Purpose.SEED : purpose, rate, durationNs, end.get());
            if (losesAcknowledged(rate, ofTrial)) {
                return Optional.empty();
            }
            if (isAtAnotherRate) {
                return measured(purpose, asked, durationNs, isInNewProcesses);
            }
            if (judge.outcome(ofTrial) != Outcome.VOID) {
                return setting > 0 && offered <= 0 ? unpaced(setting) : end;
            }
        }
        isBroken = true;
        reasons.add(
                "Broken off: trials at %.0f per second were void. %s"
                        .formatted(unit.corrected(rate), done.getLast().reason()));
        return Optional.empty();
    }

    /** At whatever rate such a trial is asked for, it tells nothing of that rate. */
    private Optional<TrialEnd> unpaced(final long setting) {
        isBroken = true;
        userError = Optional.of(UserError.Kind.USAGE);
        reasons.add(
                ("Broken off: with '%s' at %d the test kept to no rate, so that there is none to search; give it a"
                                + " pace that follows that setting (not 'sleep' or 'as-fast-as-possible'), and a"
                                + " --max-rate at which it is kept.")
                        .formatted(goal.rateKey(), setting));
        return Optional.empty();
    }

    /** A store that loses what it has acknowledged has no rate that holds, however low. */
    private boolean losesAcknowledged(final double rate, final List<TrialResult> ofTrial) {
        losing =
                ofTrial.stream()
                        .filter(row -> row.counts().getOrDefault(Counts.NOT_FOUND, 0L) > 0)
                        .toList();
        if (losing.isEmpty()) {
            return false;
        }
        isBroken = true;
        reasons.add(
                "Ended: acknowledged messages were lost at %.0f per second. %s"
                        .formatted(
                                unit.corrected(rate),
                                String.join(" ", losing.getFirst().reasons())));
        return true;
    }

    private void keep(
            final Purpose purpose, final double rate, final long durationNs, final TrialEnd end) {
        userError = end.userError();
        done.add(judge.told(purpose, rate, durationNs, end.rows()));
        kept.keep(purpose, rate, judge.outcome(end.rows()) == Outcome.GOOD, end.rows());
    }
}
