package io.tickmark.kernel.result;

import java.util.List;

/**
 * What a search for the highest rate that holds found on one channel. Terms are those of RFC 9971
 * (MLRsearch). Rates are messages per second of the whole test, as in its rows, regardless of the
 * unit of the setting that was searched over.
 *
 * @param test name of the test in the plan
 * @param channel as the plan has it
 * @param lowerBoundPerSecond relevant lower bound, the answer: the highest rate that held; 0 where
 *     none did
 * @param upperBoundPerSecond relevant upper bound: the lowest rate above it that did not hold; 0
 *     where every rate allowed held
 * @param confidence with which the rate at which half of the trials are bad lies between the next
 *     two
 * @param lowPerSecond lower end of that interval; 0 where it cannot be determined
 * @param highPerSecond upper end of that interval; 0 where it cannot be determined
 * @param strictRatePerSecond the highest rate that held a soak without one bad moment; 0 where none
 *     did or none was done
 * @param soakNs length of a soak
 * @param seedPerSecond the rate of a short burst at full speed, from which the search started
 * @param width goal width: largest part by which the bounds may differ
 * @param trialNs goal final trial duration
 * @param durationSumNs goal duration sum
 * @param exceedRatio goal exceed ratio: the part of that time that may be bad
 * @param searchNs how long the search took until the bounds were found, without soaks
 * @param trials in the order in which they were done
 * @param referencePerSecond figure of another source; 0 for none
 * @param reference what that figure is; empty for none
 * @param fidelity how faithfully the test represents it; empty for none
 * @param messagesPerSend messages of an application that one message is counted as beside it
 * @param verdict pass where bounds were found and confirmed; fail where no rate held, or none held
 *     the soak; void where it was aborted
 * @param reasons of the verdict, sentences
 */
public record SearchSummary(
        String test,
        String channel,
        double lowerBoundPerSecond,
        double upperBoundPerSecond,
        double confidence,
        double lowPerSecond,
        double highPerSecond,
        double strictRatePerSecond,
        long soakNs,
        double seedPerSecond,
        double width,
        long trialNs,
        long durationSumNs,
        double exceedRatio,
        long searchNs,
        List<SearchTrial> trials,
        double referencePerSecond,
        String reference,
        String fidelity,
        int messagesPerSend,
        Verdict verdict,
        List<String> reasons) {
    /** Copies the lists. */
    public SearchSummary {
        trials = List.copyOf(trials);
        reasons = List.copyOf(reasons);
    }

    /**
     * Whether its bounds are only the best so far: it was ended before anything confirmed them.
     *
     * @return false where there are no bounds
     */
    public boolean boundsAreUnconfirmed() {
        return verdict == Verdict.VOID && (lowerBoundPerSecond > 0 || upperBoundPerSecond > 0);
    }

    /** How a trial of a search went. */
    public enum Outcome {
        /** It held. */
        GOOD,
        /** It did not hold. */
        BAD,
        /** It was not a measurement, or perhaps none, and was repeated. */
        VOID
    }

    /** What a trial was for. */
    public enum Purpose {
        /** A burst at full speed, to know where to begin. */
        SEED,
        /** One of the trials that classify a rate. */
        SEARCH,
        /** The answer again, in new processes. */
        CONFIRMATION,
        /** The answer, for a long time. */
        SOAK
    }

    /**
     * One trial.
     *
     * @param purpose of it
     * @param ratePerSecond offered, or requested where it is void; frozen for the whole trial; 0
     *     for full speed
     * @param achievedPerSecond what was sent
     * @param durationNs the requested duration
     * @param outcome good, bad or void
     * @param reason why it is not good, a sentence; empty where it is
     * @param disturbed whether more than a tenth of its tail was due to the machine, as far as that
     *     is known; it was judged by the figures as measured
     * @param perhapsTaken whether another task, which may be none of the test's own, had a core of
     *     it for longer than makes a measurement
     * @param notExamined whether nobody looked into what delayed its messages, because it did not
     *     decide: then it is not known whether it was {@code disturbed}
     */
    public record SearchTrial(
            Purpose purpose,
            double ratePerSecond,
            double achievedPerSecond,
            long durationNs,
            Outcome outcome,
            String reason,
            boolean disturbed,
            boolean perhapsTaken,
            boolean notExamined) {}

    /**
     * The trials that show that its upper bound does not hold.
     *
     * @return those that did not hold at that rate or below; empty where every rate held
     */
    public List<SearchTrial> refuting() {
        final double upTo = upperBoundPerSecond * (1 + width / 2); // rates are set in whole units
        return trials.stream()
                .filter(trial -> trial.purpose() != Purpose.SEED && trial.outcome() == Outcome.BAD)
                .filter(trial -> trial.ratePerSecond() <= upTo)
                .toList();
    }
}
