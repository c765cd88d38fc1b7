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
import io.tickmark.lab.search.Backlog;
import io.tickmark.lab.search.Capacity;
import io.tickmark.lab.search.RateSearch;
import io.tickmark.lab.search.SearchGoal;
import io.tickmark.lab.verdict.Labels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.function.DoublePredicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.agrona.concurrent.NanoClock;

/**
 * Searches one test on one channel: a burst at full speed to know where to begin, the search, the
 * answer again in new processes, and a soak. Trials of the search share warm processes.
 * Single-threaded.
 */
final class SearchRun {
    /** How many widths the answer may be lowered until it is confirmed. */
    private static final int MOST_STEPS_DOWN = 8;

    private static final RateSearch.Found NOTHING_FOUND =
            new RateSearch.Found(OptionalDouble.empty(), OptionalDouble.empty(), List.of(), false);

    private final String test;
    private final String channel;
    private final SearchGoal goal;
    private final RateTrials trials;
    private final RateUnit unit;
    private final NanoClock clock;
    private final Consumer<End> listener;
    private final RateSearch search;
    private long startedNs;
    private double seed;
    private double answer;

    /** The lowest rate that the confirmations refused. */
    private double refused = Double.MAX_VALUE;

    private final List<RateSearch.Tried> confirming = new ArrayList<>();
    private final List<TrialResult> rows = new ArrayList<>();
    private final List<String> reasons = new ArrayList<>();

    /** Runs trials of a test on the channel. */
    interface Trials {
        /**
         * One trial.
         *
         * @param changed test with its rate and length
         * @param purpose of it
         * @param isInNewProcesses whether those of the last trial must not be used again
         * @return how it ended; empty where the run has to end. Nobody has looked into what delayed
         *     its messages, unless whether it is a measurement depends on that
         */
        Optional<TrialEnd> serve(TestPlan changed, Purpose purpose, boolean isInNewProcesses);

        /**
         * Looks into what delayed the messages of rows, where nobody has.
         *
         * @param rows of a trial that was served
         * @param criteria of the search
         * @return the same with their tails, as far as these are known
         */
        List<TrialResult> examined(List<TrialResult> rows, Criteria criteria);
    }

    /**
     * The outcome of a search.
     *
     * @param rows of the trials at the answer: those that confirm it and a soak that it held, or
     *     the last of the search itself where there are none; where acknowledged messages were
     *     lost, those that lost them
     * @param summary of the search
     * @param userError of a trial that could not be run for a reason that the user can correct
     */
    record End(List<TrialResult> rows, SearchSummary summary, Optional<UserError.Kind> userError) {}

    /** The reported state of a search; rates as requested, 0 where there is none. */
    private record Bounds(
            double lower,
            double upper,
            double strict,
            Optional<Capacity.ConfidenceInterval> interval) {}

    /** The last rate that was tried, and whether it held. */
    private record Descent(double rate, boolean isHeld) {}

    /** {@code goal} has a width; {@code listener} receives the results so far after each trial. */
    SearchRun(
            final TestPlan test,
            final String channel,
            final SearchGoal goal,
            final Trials trials,
            final NanoClock clock,
            final Consumer<End> listener) {
        this.test = test.name();
        this.channel = channel;
        this.goal = goal;
        this.trials =
                new RateTrials(
                        test.withCriteria(criteria(test.criteria(), goal)).searching(goal),
                        goal,
                        trials,
                        this::keep);
        unit = this.trials.unit();
        this.clock = clock;
        this.listener = listener;
        search = new RateSearch(goal, searching());
    }

    /** A search without a part of the rate that must be held would call every rate held. */
    private static Criteria criteria(final Criteria ofTest, final SearchGoal goal) {
        final Criteria criteria = ofTest.withMaxLostPart(goal.lossRatio());
        return criteria.minRateHeldPart() > 0
                ? criteria
                : criteria.withMinRateHeldPart(Criteria.DEFAULT.minRateHeldPart());
    }

    End run() {
        startedNs = clock.nanoTime();
        seed = goal.seedRate() > 0 ? goal.seedRate() : burst();
        final RateSearch.Found found = trials.isBroken() ? NOTHING_FOUND : search.run(seed);
        final long searchNs = clock.nanoTime() - startedNs;
        if (found.isWhole()) { // one that is being ended has no time
            trials.examine(found.lowerBound().orElse(0), found.upperBound().orElse(0));
        }
        double strict = 0;
        if (found.isWhole() && found.lowerBound().isPresent()) {
            answer = confirmed(found.lowerBound().getAsDouble());
            strict = goal.soak().isZero() || answer == 0 || trials.isBroken() ? 0 : soaked();
        } else if (found.isWhole()) {
            reasons.add(
                    "No rate held: even %.0f per second was too much."
                            .formatted(unit.corrected(found.upperBound().orElse(goal.minRate()))));
        }
        return new End(
                rowsOfTheAnswer(),
                summary(
                        bounds(found, strict, Capacity.of(tried(found), goal.confidence())),
                        searchNs,
                        verdict()),
                trials.userError());
    }

    /** Void: the search is still running, or its controller was killed. */
    private End soFar() {
        return new End(
                rowsOfTheAnswer(),
                summary(
                        bounds(search.soFar(), 0, Optional.empty()),
                        clock.nanoTime() - startedNs,
                        Verdict.VOID),
                trials.userError());
    }

    /** The answer; where the search has none yet, the best bounds so far. */
    private Bounds bounds(
            final RateSearch.Found found,
            final double strict,
            final Optional<Capacity.ConfidenceInterval> interval) {
        final double upper = Math.min(found.upperBound().orElse(Double.MAX_VALUE), refused);
        final double bestSoFar = found.isWhole() ? 0 : found.lowerBound().orElse(0);
        final double lower = answer > 0 ? answer : bestSoFar < upper ? bestSoFar : 0;
        return new Bounds(
                trials.losing().isEmpty() ? lower : 0,
                upper == Double.MAX_VALUE ? 0 : upper,
                strict,
                interval);
    }

    /** The trials that look for the answer, at rates that can be set. */
    private RateSearch.Trials searching() {
        return new RateSearch.Trials() {
            @Override
            public Optional<Boolean> isBad(final double ratePerSecond, final long durationNs) {
                return trials.outcome(Purpose.SEARCH, ratePerSecond, durationNs, false)
                        .map(outcome -> outcome == Outcome.BAD);
            }

            @Override
            public double settable(final double ratePerSecond) {
                return unit.nearest(ratePerSecond);
            }
        };
    }

    private SearchSummary summary(final Bounds bounds, final long searchNs, final Verdict verdict) {
        final List<String> all = new ArrayList<>(reasons());
        if (verdict == Verdict.VOID) {
            unconfirmed(bounds).ifPresent(all::add);
        }
        return new SearchSummary(
                test,
                channel,
                unit.corrected(bounds.lower()),
                unit.corrected(bounds.upper()),
                goal.confidence(),
                unit.corrected(
                        bounds.interval()
                                .map(Capacity.ConfidenceInterval::lowPerSecond)
                                .orElse(0.0)),
                unit.corrected(
                        bounds.interval()
                                .map(Capacity.ConfidenceInterval::highPerSecond)
                                .orElse(0.0)),
                unit.corrected(bounds.strict()),
                goal.soak().toNanos(),
                seed,
                goal.width(),
                goal.finalTrial().toNanos(),
                goal.durationSum().toNanos(),
                goal.exceedRatio(),
                searchNs,
                trials.done(),
                goal.referenceRate(),
                goal.reference(),
                goal.fidelity(),
                goal.messagesPerSend(),
                verdict,
                all);
    }

    /** The state that a stopped search leaves, which must not be taken for its answer. */
    private Optional<String> unconfirmed(final Bounds bounds) {
        final List<String> parts = new ArrayList<>();
        if (bounds.lower() > 0) {
            parts.add(String.format(Locale.ROOT, "%.0f held", unit.corrected(bounds.lower())));
        }
        if (bounds.upper() > 0) {
            parts.add(
                    String.format(
                            Locale.ROOT, "%.0f did not hold", unit.corrected(bounds.upper())));
        }
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "Unconfirmed, because the search was ended: so far, in messages per second, %s."
                                .formatted(String.join(" and ", parts)));
    }

    private List<TrialResult> rowsOfTheAnswer() {
        if (!trials.losing().isEmpty()) {
            return trials.losing();
        }
        // of a search that nothing confirms, the last trial that held
        return rows.isEmpty() ? trials.lastHeld(answer) : List.copyOf(rows);
    }

    private List<String> reasons() {
        return Stream.concat(reasons.stream(), trials.reasons().stream()).toList();
    }

    /** Trials of the search and its confirmations, as new processes may sustain less. */
    private List<RateSearch.Tried> tried(final RateSearch.Found found) {
        return Stream.concat(found.trials().stream(), confirming.stream()).toList();
    }

    private Verdict verdict() {
        if (trials.isBroken() && trials.losing().isEmpty()) {
            return Verdict.VOID;
        }
        return reasons().isEmpty() ? Verdict.PASS : Verdict.FAIL;
    }

    /** What arrives of a burst at full speed; losses are expected in it. */
    private double burst() {
        final Optional<TrialEnd> end =
                trials.measured(Purpose.SEED, 0, goal.initialTrial().toNanos(), false);
        final double arrived =
                SearchJudge.most(
                        end.map(TrialEnd::rows).orElse(List.of()),
                        TrialResult::arrivedRatePerSecond);
        return arrived > 0 ? arrived : goal.minRate();
    }

    /** The answer, lowered by widths until it holds in new processes; 0 where it never does. */
    private double confirmed(final double lowerBound) {
        final Descent descent = descend(lowerBound, this::isConfirmed);
        if (descent.isHeld() || trials.isBroken()) {
            return descent.rate();
        }
        reasons.add(
                String.format(
                        Locale.ROOT,
                        "%.0f per second held in warm processes, but nothing down to %.0f did in new ones.",
                        unit.corrected(lowerBound),
                        unit.corrected(descent.rate())));
        return 0;
    }

    private boolean isConfirmed(final double rate) {
        final long fullNs = goal.finalTrial().toNanos();
        int bad = 0;
        for (int i = 0; i < goal.confirmations() && !trials.isBroken(); i++) {
            final Optional<Outcome> outcome =
                    trials.outcome(Purpose.CONFIRMATION, rate, fullNs, true);
            final boolean isBad = outcome.filter(Outcome.BAD::equals).isPresent();
            outcome.ifPresent(any -> confirming.add(new RateSearch.Tried(rate, fullNs, isBad)));
            bad += isBad ? 1 : 0;
        }
        if (trials.isBroken()) {
            return false;
        }
        final boolean isConfirmed = bad <= goal.exceedRatio() * goal.confirmations();
        if (!isConfirmed) {
            refused = rate;
            rows.clear(); // of a rate that is not the answer, including the good ones
        }
        return isConfirmed;
    }

    /**
     * The highest rate from the answer down that holds for long without one bad moment. Where none
     * does the search has failed: an answer that its own soak refutes must not pass.
     */
    private double soaked() {
        final Descent descent =
                descend(
                        answer,
                        rate ->
                                trials.outcome(Purpose.SOAK, rate, goal.soak().toNanos(), true)
                                        .filter(Outcome.GOOD::equals)
                                        .isPresent());
        if (descent.isHeld()) {
            return descent.rate();
        }
        if (!trials.isBroken()) {
            reasons.add(
                    String.format(
                            Locale.ROOT,
                            "%.0f per second held in trials of %s, but no soak of %s held, down to %.0f per"
                                    + " second: the answer is not confirmed. Make the trials longer"
                                    + " (finalTrial, durationSum) or the soak shorter. The last soak: %s",
                            unit.corrected(answer),
                            Durations.format(goal.finalTrial()),
                            Durations.format(goal.soak()),
                            unit.corrected(descent.rate()),
                            trials.lastReason()));
        }
        return 0;
    }

    /** Lowers a rate by widths until it holds, not below the range of the search. */
    private Descent descend(final double from, final DoublePredicate holds) {
        final double lowest = unit.nearest(goal.minRate());
        double rate = from;
        for (int step = 0; ; step++) {
            final boolean isHeld = holds.test(rate);
            final double lower = Math.max(unit.below(rate, goal.width()), lowest);
            if (isHeld || trials.isBroken() || step == MOST_STEPS_DOWN || lower >= rate) {
                return new Descent(rate, isHeld);
            }
            rate = lower;
        }
    }

    private void keep(
            final Purpose purpose,
            final double rate,
            final boolean isGood,
            final List<TrialResult> ofTrial) {
        if (isGood
                && (purpose == Purpose.CONFIRMATION || purpose == Purpose.SOAK && rate == answer)) {
            rows.addAll(ofTrial); // a trial at a lower rate is not a repeat of these
        }
        listener.accept(soFar());
    }

    /**
     * The trials of one search, each repeated until it is a measurement at the requested rate, or
     * until the search has to be aborted. Single-threaded.
     */
    private static final class RateTrials {
        /** How often a trial that was not a measurement is repeated. */
        private static final int RETRIES = 2;

        private final TestPlan test;
        private final SearchGoal goal;
        private final SearchRun.Trials trials;
        private final Kept kept;
        private final SearchJudge judge;
        private final RateUnit unit = new RateUnit();
        private final List<Done> done = new ArrayList<>();
        private final List<String> reasons = new ArrayList<>();
        private List<TrialResult> losing = List.of();
        private Optional<UserError.Kind> userError = Optional.empty();
        private boolean isBroken;

        /** Receives each trial when it is done, including those that were not a measurement. */
        @FunctionalInterface
        interface Kept {
            /**
             * {@code rate} is the requested one; {@code ofTrial} are the rows, and whether all are
             * good.
             */
            void keep(Purpose purpose, double rate, boolean isGood, List<TrialResult> ofTrial);
        }

        /**
         * A trial that was done.
         *
         * @param rate the requested one
         * @param durationNs the requested one
         * @param isLeftOut whether it is done again because it perhaps was no measurement
         * @param isExamined whether somebody looked into what delayed its messages
         */
        private record Done(
                Purpose purpose,
                double rate,
                long durationNs,
                List<TrialResult> rows,
                boolean isLeftOut,
                boolean isExamined) {
            boolean isAt(final double other) {
                return purpose == Purpose.SEARCH && rate == other;
            }

            boolean isOfSearchUpTo(final double other) {
                return purpose == Purpose.SEARCH && rate <= other;
            }

            Done with(final List<TrialResult> examined) {
                return new Done(purpose, rate, durationNs, examined, isLeftOut, true);
            }
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

        /** The unit of the setting that is searched over. */
        RateUnit unit() {
            return unit;
        }

        /** All trials, in order. */
        List<SearchTrial> done() {
            return done.stream().map(this::told).toList();
        }

        /** Why the last trial is not good. */
        String lastReason() {
            return told(done.getLast()).reason();
        }

        private SearchTrial told(final Done trial) {
            final boolean isExamined =
                    trial.isExamined() || trial.rows().stream().allMatch(row -> row.tail() != null);
            return judge.trial(
                    trial.purpose(),
                    trial.rate(),
                    trial.durationNs(),
                    trial.rows(),
                    trial.isLeftOut(),
                    !isExamined);
        }

        /** The rows of the last trial of the search that held at a rate; none where none did. */
        List<TrialResult> lastHeld(final double rate) {
            return done.stream()
                    .filter(trial -> trial.isAt(rate) && isGood(trial.rows()))
                    .map(Done::rows)
                    .reduce(List.of(), (_, later) -> later);
        }

        private boolean isGood(final List<TrialResult> ofTrial) {
            return judge.outcome(ofTrial) == Outcome.GOOD;
        }

        /**
         * Looks into the trials of the search that decided: those at its bounds, and all others
         * that speak against the upper one.
         *
         * @param lower bound, 0 for none
         * @param upper bound, 0 for none
         */
        void examine(final double lower, final double upper) {
            final double upTo = upper * (1 + goal.width() / 2); // rates are set in whole units
            done.replaceAll(trial ->
                    trial.isAt(lower)
                                    || trial.isAt(upper)
                                    || trial.isOfSearchUpTo(upTo) && !isGood(trial.rows())
                            ? trial.with(examined(trial.rows()))
                            : trial);
        }

        private List<TrialResult> examined(final List<TrialResult> ofTrial) {
            return trials.examined(ofTrial, test.criteria());
        }

        /** Why it was aborted; empty where it was not, or was interrupted. */
        List<String> reasons() {
            return reasons;
        }

        /** Whether no more trials are possible. */
        boolean isBroken() {
            return isBroken;
        }

        /** Rows that lost acknowledged messages, which ends a search; mostly none. */
        List<TrialResult> losing() {
            return losing;
        }

        /** Set where the last trial was not run for a reason that the user can correct. */
        Optional<UserError.Kind> userError() {
            return userError;
        }

        /** The result of a rate; empty where no more trials are possible. */
        Optional<Outcome> outcome(
                final Purpose purpose,
                final double rate,
                final long durationNs,
                final boolean isInNewProcesses) {
            return measured(purpose, rate, durationNs, isInNewProcesses)
                    .map(end -> judge.outcome(end.rows()));
        }

        /**
         * A trial that is a measurement; rate 0 is full speed. Empty where none is possible. One
         * that does not hold, and perhaps is none, is left out once.
         */
        Optional<TrialEnd> measured(
                final Purpose purpose,
                final double asked,
                final long durationNs,
                final boolean isInNewProcesses) {
            final double rate = unit.nearest(asked);
            final long setting = unit.setting(rate);
            boolean wasLeftOut = false;
            int voids = 0;
            while (voids <= RETRIES) {
                final Optional<TrialEnd> served =
                        trials.serve(
                                test.withSettings(
                                        Map.of(
                                                goal.rateKey(),
                                                setting,
                                                goal.durationKey(),
                                                Duration.ofNanos(durationNs))),
                                purpose,
                                isInNewProcesses || voids > 0);
                if (served.isEmpty()) {
                    isBroken = true;
                    return Optional.empty();
                }
                final TrialEnd asServed = served.get();
                final boolean decides = decides(purpose, asServed.rows());
                final TrialEnd end = decides ? asServed.with(examined(asServed.rows())) : asServed;
                final List<TrialResult> ofTrial = end.rows();
                final double offered = SearchJudge.most(ofTrial, TrialResult::offeredRatePerSecond);
                final boolean isAtAnotherRate =
                        setting > 0
                                && offered > 0
                                && judge.outcome(ofTrial) != Outcome.VOID
                                && unit.learn(offered, setting, durationNs);
                final boolean isLeftOut =
                        !wasLeftOut
                                && purpose != Purpose.SEED
                                && !isAtAnotherRate
                                && judge.isPerhapsNoMeasurement(ofTrial);
                userError = end.userError();
                keep(
                        new Done(
                                isAtAnotherRate ? Purpose.SEED : purpose,
                                rate,
                                durationNs,
                                ofTrial,
                                isLeftOut,
                                decides));
                if (losesAcknowledged(rate, ofTrial)) {
                    return Optional.empty();
                }
                if (isAtAnotherRate) {
                    return measured(purpose, asked, durationNs, isInNewProcesses);
                }
                if (isLeftOut) {
                    wasLeftOut = true;
                } else if (judge.outcome(ofTrial) == Outcome.VOID) {
                    voids++;
                } else {
                    return setting > 0 && offered <= 0 ? unpaced(setting) : Optional.of(end);
                }
            }
            isBroken = true;
            reasons.add(
                    "Aborted: trials at %.0f per second were void. %s"
                            .formatted(unit.corrected(rate), lastReason()));
            return Optional.empty();
        }

        /** Whatever rate is requested for such a trial, it says nothing about that rate. */
        private Optional<TrialEnd> unpaced(final long setting) {
            isBroken = true;
            userError = Optional.of(UserError.Kind.USAGE);
            reasons.add(
                    ("Aborted: with '%s' at %d the test did not keep to a rate, so that there is none to search; give it "
                                    + "a pace that follows that setting (not 'sleep' or 'as-fast-as-possible'), and a "
                                    + "--max-rate at which it is kept.")
                            .formatted(goal.rateKey(), setting));
            return Optional.empty();
        }

        /**
         * A store that loses what it has acknowledged has no rate that holds, no matter how low.
         */
        private boolean losesAcknowledged(final double rate, final List<TrialResult> ofTrial) {
            losing = ofTrial.stream().filter(SearchJudge::losesAcknowledged).toList();
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

        /**
         * Whether it is clear at once that a trial decides; of those of the search itself it is
         * clear only when the bounds are.
         */
        private static boolean decides(final Purpose purpose, final List<TrialResult> ofTrial) {
            return purpose == Purpose.CONFIRMATION
                    || purpose == Purpose.SOAK
                    || ofTrial.stream().anyMatch(SearchJudge::losesAcknowledged);
        }

        private void keep(final Done trial) {
            done.add(trial);
            kept.keep(trial.purpose(), trial.rate(), isGood(trial.rows()), trial.rows());
        }
    }

    /**
     * What the rows of one trial say about its rate.
     *
     * @param criteria of the search
     */
    private record SearchJudge(Criteria criteria) {
        Outcome outcome(final List<TrialResult> ofTrial) {
            return switch (ofTrial.stream()
                    .map(TrialResult::verdict)
                    .reduce(Verdict.PASS, Verdict::worse)) {
                case PASS -> backlog(ofTrial).isPresent() ? Outcome.BAD : Outcome.GOOD;
                case FAIL -> Outcome.BAD;
                case VOID -> Outcome.VOID;
            };
        }

        /**
         * Whether a rate is refused by what may be no measurement: it is tried once more. A store
         * that lost what it had acknowledged did so whoever had the core.
         */
        boolean isPerhapsNoMeasurement(final List<TrialResult> ofTrial) {
            return outcome(ofTrial) == Outcome.BAD
                    && has(ofTrial, Labels.PERHAPS_TAKEN)
                    && ofTrial.stream().noneMatch(SearchJudge::losesAcknowledged);
        }

        static boolean losesAcknowledged(final TrialResult row) {
            return row.counts().getOrDefault(Counts.NOT_FOUND, 0L) > 0;
        }

        private static boolean has(final List<TrialResult> ofTrial, final String label) {
            return ofTrial.stream().anyMatch(row -> row.labels().contains(label));
        }

        /**
         * Checks that are not among the plan's criteria: a store hides for a while that a rate is
         * too high.
         */
        private Optional<String> backlog(final List<TrialResult> ofTrial) {
            return ofTrial.stream()
                    .flatMap(row ->
                            Backlog.of(row, criteria.minRateHeldPart(), criteria.maxWouldBlock())
                                    .stream())
                    .findFirst();
        }

        /**
         * The trial for the summary of the search; {@code rate} is the requested one, and one that
         * is left out is void.
         */
        SearchTrial trial(
                final Purpose purpose,
                final double rate,
                final long durationNs,
                final List<TrialResult> ofTrial,
                final boolean isLeftOut,
                final boolean isNotExamined) {
            final Outcome outcome = isLeftOut ? Outcome.VOID : outcome(ofTrial);
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
                            .orElse(""),
                    has(ofTrial, Labels.DISTURBED),
                    has(ofTrial, Labels.PERHAPS_TAKEN),
                    isNotExamined);
        }

        static double most(
                final List<TrialResult> ofTrial, final ToDoubleFunction<TrialResult> figure) {
            return ofTrial.stream().mapToDouble(figure).max().orElse(0);
        }
    }
}
