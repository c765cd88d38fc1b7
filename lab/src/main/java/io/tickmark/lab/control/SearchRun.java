package io.tickmark.lab.control;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.SearchSummary;
import io.tickmark.kernel.result.SearchSummary.Outcome;
import io.tickmark.kernel.result.SearchSummary.Purpose;
import io.tickmark.kernel.result.SearchSummary.SearchTrial;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.search.Capacity;
import io.tickmark.lab.search.RateSearch;
import io.tickmark.lab.search.SearchGoal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.agrona.concurrent.NanoClock;

/**
 * Searches one test on one channel: a burst at full speed to know where to begin, the search, the
 * answer again in new processes, and a soak. Trials of the search share warm processes. One thread.
 */
final class SearchRun {
    /** A trial that was no measurement is done again this often. */
    private static final int RETRIES = 2;

    /** How many widths the answer may be lowered until it is confirmed. */
    private static final int MOST_STEPS_DOWN = 8;

    private final TestPlan test;
    private final String channel;
    private final SearchGoal goal;
    private final Trials trials;
    private final NanoClock clock;
    private final SearchJudge judge;
    private final RateUnit unit = new RateUnit();
    private final List<SearchTrial> done = new ArrayList<>();
    private final List<RateSearch.Tried> confirming = new ArrayList<>();
    private final List<TrialResult> rows = new ArrayList<>();

    /** Of each rate that held in the search the last trial, for where nothing confirms it. */
    private final Map<Double, List<TrialResult>> held = new HashMap<>();

    private final List<String> reasons = new ArrayList<>();
    private Optional<UserError.Kind> userError = Optional.empty();
    private boolean isBroken;
    private boolean hasLostAcknowledged;

    /** Does trials of a test on the channel. */
    interface Trials {
        /**
         * One trial.
         *
         * @param changed test with its rate and length
         * @param isInNewProcesses whether those of the last trial must not be used again
         * @return how it ended; empty where the run is to end
         */
        Optional<TrialEnd> serve(TestPlan changed, boolean isInNewProcesses);
    }

    /**
     * What came of it.
     *
     * @param rows of the trials at the answer: those that confirm it, or the last of the search
     *     itself where none do
     * @param summary of the search
     * @param userError of a trial that could not be done for a reason that the user can put right
     */
    record End(List<TrialResult> rows, SearchSummary summary, Optional<UserError.Kind> userError) {}

    /** {@code goal} has a width. */
    SearchRun(
            final TestPlan test,
            final String channel,
            final SearchGoal goal,
            final Trials trials,
            final NanoClock clock) {
        final Criteria criteria = criteria(test.criteria(), goal);
        this.test = test.withCriteria(criteria).searching(goal);
        judge = new SearchJudge(criteria);
        this.channel = channel;
        this.goal = goal;
        this.trials = trials;
        this.clock = clock;
    }

    /** A search without a part of the rate that must be held would call every rate held. */
    private static Criteria criteria(final Criteria ofTest, final SearchGoal goal) {
        final Criteria criteria = ofTest.withMaxLostPart(goal.lossRatio());
        return criteria.minRateHeldPart() > 0
                ? criteria
                : criteria.withMinRateHeldPart(Criteria.DEFAULT.minRateHeldPart());
    }

    End run() {
        final long startedNs = clock.nanoTime();
        final double seed = goal.seedRate() > 0 ? goal.seedRate() : burst();
        final RateSearch.Found found =
                isBroken
                        ? new RateSearch.Found(
                                java.util.OptionalDouble.empty(),
                                java.util.OptionalDouble.empty(),
                                List.of(),
                                false)
                        : new RateSearch(
                                        goal,
                                        (rate, durationNs) ->
                                                trial(Purpose.SEARCH, rate, durationNs, false)
                                                        .map(outcome -> outcome == Outcome.BAD))
                                .run(seed);
        final long searchNs = clock.nanoTime() - startedNs;
        double answer = found.isWhole() ? found.lowerBound().orElse(0) : 0;
        double strict = 0;
        if (answer > 0) {
            answer = confirmed(answer);
            strict = goal.soak().isZero() || answer == 0 ? 0 : soaked(answer);
        } else if (found.isWhole()) {
            reasons.add(
                    "No rate held: even %.0f per second was too much.".formatted(goal.minRate()));
        }
        if (rows.isEmpty()) {
            rows.addAll(held.getOrDefault(answer, List.of()));
        }
        return new End(rows, summary(found, answer, strict, seed, searchNs), userError);
    }

    private SearchSummary summary(
            final RateSearch.Found found,
            final double answer,
            final double strict,
            final double seed,
            final long searchNs) {
        final Optional<Capacity.Interval> interval = Capacity.of(tried(found), goal.confidence());
        return new SearchSummary(
                test.name(),
                channel,
                hasLostAcknowledged ? 0 : unit.corrected(answer),
                unit.corrected(found.upperBound().orElse(0)),
                goal.confidence(),
                unit.corrected(interval.map(Capacity.Interval::lowPerSecond).orElse(0.0)),
                unit.corrected(interval.map(Capacity.Interval::highPerSecond).orElse(0.0)),
                unit.corrected(strict),
                goal.soak().toNanos(),
                seed,
                goal.width(),
                goal.finalTrial().toNanos(),
                goal.durationSum().toNanos(),
                goal.exceedRatio(),
                searchNs,
                done,
                goal.referenceRate(),
                goal.reference(),
                goal.fidelity(),
                goal.messagesPerSend(),
                verdict(),
                reasons);
    }

    /** Those of the search and those that were to confirm it: new processes may hold less. */
    private List<RateSearch.Tried> tried(final RateSearch.Found found) {
        return Stream.concat(found.trials().stream(), confirming.stream()).toList();
    }

    private Verdict verdict() {
        if (isBroken && !hasLostAcknowledged) {
            return Verdict.VOID;
        }
        return reasons.isEmpty() ? Verdict.PASS : Verdict.FAIL;
    }

    /** What arrives of a burst at full speed; losses are expected in it. */
    private double burst() {
        final Optional<TrialEnd> end =
                measured(Purpose.SEED, 0, 2 * goal.initialTrial().toNanos(), false);
        final double arrived =
                SearchJudge.most(
                        end.map(TrialEnd::rows).orElse(List.of()), SearchRun::arrivedPerSecond);
        return arrived > 0 ? arrived : goal.minRate();
    }

    private static double arrivedPerSecond(final TrialResult row) {
        return row.expected() > 0
                ? row.achievedRatePerSecond() * row.received() / row.expected()
                : row.achievedRatePerSecond();
    }

    /** The answer, lowered by widths until it holds in new processes; 0 where it never does. */
    private double confirmed(final double lowerBound) {
        final long fullNs = goal.finalTrial().toNanos();
        double answer = lowerBound;
        for (int step = 0; step <= MOST_STEPS_DOWN && !isBroken; step++) {
            final double rate = answer;
            int bad = 0;
            for (int i = 0; i < goal.confirmations() && !isBroken; i++) {
                final Optional<Outcome> outcome = trial(Purpose.CONFIRMATION, rate, fullNs, true);
                final boolean isBad = outcome.filter(Outcome.BAD::equals).isPresent();
                outcome.ifPresent(any -> confirming.add(new RateSearch.Tried(rate, fullNs, isBad)));
                bad += isBad ? 1 : 0;
            }
            if (bad <= goal.exceedRatio() * goal.confirmations()) {
                return answer;
            }
            answer = answer / (1 + goal.width());
        }
        if (!isBroken) {
            reasons.add(
                    String.format(
                            Locale.ROOT,
                            "%.0f per second held in warm processes, but nothing down to %.0f did in new ones.",
                            lowerBound,
                            answer));
        }
        return isBroken ? lowerBound : 0;
    }

    /**
     * The highest rate from the answer down that holds for long without one bad moment. Where none
     * does the search has failed: an answer that its own soak refutes must not pass.
     */
    private double soaked(final double answer) {
        double rate = answer;
        for (int step = 0; step <= MOST_STEPS_DOWN && !isBroken; step++) {
            final Optional<Outcome> outcome =
                    trial(Purpose.SOAK, rate, goal.soak().toNanos(), true);
            if (outcome.filter(Outcome.GOOD::equals).isPresent()) {
                return rate;
            }
            rate = rate / (1 + goal.width());
        }
        if (!isBroken) {
            reasons.add(
                    String.format(
                            Locale.ROOT,
                            "%.0f per second held in trials of %s, but no soak of %s held, down to %.0f per"
                                    + " second: the answer is not confirmed. Make the trials longer"
                                    + " (finalTrial, durationSum) or the soak shorter. The last soak: %s",
                            answer,
                            Durations.format(goal.finalTrial()),
                            Durations.format(goal.soak()),
                            rate * (1 + goal.width()),
                            done.getLast().reason()));
        }
        return 0;
    }

    private Optional<Outcome> trial(
            final Purpose purpose,
            final double rate,
            final long durationNs,
            final boolean isInNewProcesses) {
        return measured(purpose, rate, durationNs, isInNewProcesses)
                .map(end -> judge.outcome(end.rows()));
    }

    /** A trial that is a measurement; empty where there is none to be had. */
    private Optional<TrialEnd> measured(
            final Purpose purpose,
            final double rate,
            final long durationNs,
            final boolean isInNewProcesses) {
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
                return measured(purpose, rate, durationNs, isInNewProcesses);
            }
            if (judge.outcome(ofTrial) != Outcome.VOID) {
                return setting > 0 && offered <= 0 ? unpaced(setting) : end;
            }
        }
        isBroken = true;
        reasons.add(
                "Broken off: trials at %.0f per second were void. %s"
                        .formatted(rate, done.getLast().reason()));
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
        final List<TrialResult> losing =
                ofTrial.stream()
                        .filter(row -> row.counts().getOrDefault(Counts.NOT_FOUND, 0L) > 0)
                        .toList();
        if (losing.isEmpty()) {
            return false;
        }
        isBroken = true;
        hasLostAcknowledged = true;
        rows.addAll(losing);
        reasons.add(
                "Ended: acknowledged messages were lost at %.0f per second. %s"
                        .formatted(rate, String.join(" ", losing.getFirst().reasons())));
        return true;
    }

    private void keep(
            final Purpose purpose, final double rate, final long durationNs, final TrialEnd end) {
        userError = end.userError();
        final List<TrialResult> ofTrial = end.rows();
        done.add(judge.told(purpose, rate, durationNs, ofTrial));
        if (judge.outcome(ofTrial) != Outcome.GOOD) {
            return;
        }
        if (purpose == Purpose.SEARCH) {
            held.put(rate, ofTrial);
        } else if (purpose != Purpose.SEED) {
            rows.addAll(ofTrial);
        }
    }
}
