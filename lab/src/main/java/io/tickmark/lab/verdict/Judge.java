package io.tickmark.lab.verdict;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.Percentiles;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.Plural;
import io.tickmark.lab.plan.Criteria;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** Checks one step against the criteria; each broken one is a sentence with both numbers. */
final class Judge {
    private final Criteria criteria;
    private final StepMerge step;
    private final LatencySummary headline;
    private final ClockBound clocks;
    private final boolean mayBeUntimed;
    private final boolean isAllKept;
    private final boolean isServerGone;
    private final List<String> broken = new ArrayList<>();

    /** What cannot be judged by what was measured: not broken, but not met either. */
    private final List<String> undecided = new ArrayList<>();

    /**
     * {@code headline} is null where the step has no latency; {@code mayBeUntimed} says that it
     * need not have one, {@code isAllKept} that a store deletes nothing, {@code isServerGone} that
     * a server had ended before the test.
     */
    Judge(
            final Criteria criteria,
            final StepMerge step,
            final LatencySummary headline,
            final ClockBound clocks,
            final boolean mayBeUntimed,
            final boolean isAllKept,
            final boolean isServerGone) {
        this.criteria = criteria;
        this.step = step;
        this.headline = headline;
        this.clocks = clocks;
        this.mayBeUntimed = mayBeUntimed;
        this.isAllKept = isAllKept;
        this.isServerGone = isServerGone;
    }

    /**
     * Judges; where noise is an excuse, and {@code isNoisy} says that it applies, a tail cannot
     * break a latency criterion: it makes the row void.
     */
    Judgement judge(final boolean isNoisy) {
        if (step.isCounting() && step.count(Counts.SENT) == 0 && step.count(Counts.RECEIVED) == 0) {
            broken.add("Nothing was measured: no message was sent or received.");
            broken.addAll(step.reasons()); // such as that a store was lost
            return new Judgement(Verdict.VOID, List.copyOf(broken));
        }
        final boolean beginsWithTheStore = step.lacksAcknowledged();
        if (beginsWithTheStore) {
            broken.addAll(step.reasons());
        }
        losses();
        counts();
        rate();
        if (!beginsWithTheStore) {
            broken.addAll(step.reasons());
        }
        kept();
        notTimed();
        notConfirmed();
        final List<String> slow = latencies();
        if (!slow.isEmpty() && isNoisy && broken.isEmpty()) {
            slow.add(NoiseRule.TOO_NOISY);
            slow.addAll(undecided);
            return new Judgement(Verdict.VOID, slow);
        }
        broken.addAll(slow);
        if (broken.isEmpty()) {
            return new Judgement(
                    undecided.isEmpty() ? Verdict.PASS : Verdict.VOID, List.copyOf(undecided));
        }
        return new Judgement(Verdict.FAIL, List.copyOf(broken));
    }

    private void losses() {
        final long lost = lost(step);
        final long expected =
                step.isExpectedKnown() ? step.expected() : step.count(Counts.RECEIVED) + lost;
        // A publisher that loses some on purpose has lost those that are never received.
        final long onPurpose = TrialResult.lostOnPurpose(step.counts(), step.subscribers());
        final long besides = lost - onPurpose;
        if (besides > criteria.maxLostPart() * expected) {
            broken.add(
                    "Lost %s of %s messages expected (%s)%s; at most %s may be lost."
                            .formatted(
                                    count(besides),
                                    count(expected),
                                    percent((double) besides / expected),
                                    onPurpose == 0
                                            ? ""
                                            : " besides %s on purpose".formatted(count(onPurpose)),
                                    percent(criteria.maxLostPart())));
        }
    }

    /**
     * Expected minus received and otherwise counted messages, where both are reported; otherwise
     * the loss that a role reports.
     */
    static long lost(final StepMerge step) {
        return step.isReceivedKnown() && step.isExpectedKnown()
                ? Math.max(
                        0,
                        step.expected()
                                - step.count(Counts.RECEIVED)
                                - step.notReceivedYetNotLost())
                : step.count(Counts.LOST) + step.count(Counts.LOST_AT_SUBSCRIBERS);
    }

    private void counts() {
        for (final Criteria.CountLimit limit : criteria.countLimits()) {
            final long count = step.count(limit.count());
            if (count > limit.most()) {
                broken.add(
                        "%s %s; at most %s may."
                                .formatted(
                                        Plural.of(count, limit.noun()),
                                        limit.words(),
                                        count(limit.most())));
            }
        }
    }

    /** What nobody could serve any more says nothing of what the server can hold. */
    private void rate() {
        if (!isSaturated(step, criteria)) {
            return;
        }
        if (isServerGone) {
            undecided.add(
                    "Held %s/s of the %s/s asked for, but the server had ended before the test did."
                            .formatted(
                                    rate(step.achievedRatePerSecond()),
                                    rate(step.offeredRatePerSecond())));
        } else {
            broken.add(
                    "Held %s/s of the %s/s asked for (%s); at least %s must be held."
                            .formatted(
                                    rate(step.achievedRatePerSecond()),
                                    rate(step.offeredRatePerSecond()),
                                    percent(
                                            step.achievedRatePerSecond()
                                                    / step.offeredRatePerSecond()),
                                    percent(criteria.minRateHeldPart())));
        }
    }

    /** A rate was requested and not held. */
    static boolean isSaturated(final StepMerge step, final Criteria criteria) {
        return step.offeredRatePerSecond() > 0
                && step.achievedRatePerSecond()
                        < criteria.minRateHeldPart() * step.offeredRatePerSecond();
    }

    /**
     * The store looks for each message that it acknowledged, where its publisher could record which
     * those are; from another host only their number is known, and only here.
     */
    private void kept() {
        final long acknowledged = step.count(Counts.ACKNOWLEDGED);
        final long missing = acknowledged - step.count(Counts.STORED);
        if (isAllKept
                && step.counts().containsKey(Counts.STORED)
                && missing > step.count(Counts.NOT_FOUND)
                && step.count(Counts.NOT_VERIFIED) == 0) {
            broken.add(
                    "The store has %s messages fewer than the %s that it acknowledged."
                            .formatted(count(missing), count(acknowledged)));
        }
    }

    /**
     * Each latency by itself: those that were timed of another kind say nothing of the missing
     * ones.
     */
    private void notTimed() {
        final Map<String, Long> missing = new LinkedHashMap<>();
        step.counts()
                .forEach((name, count) -> {
                    final int end = name.lastIndexOf('.');
                    if (end > 0 && Counts.isNotTimed(name)) {
                        missing.merge(name.substring(0, end), count, Long::sum);
                    }
                });
        long rest = TrialResult.notTimed(step.counts());
        for (final Map.Entry<String, Long> of : missing.entrySet()) {
            final Histogram timed = step.latencies().get(of.getKey());
            TrialResult.whyNotTimed(of.getValue(), timed == null ? 0 : timed.getTotalCount())
                    .ifPresent(why -> undecided.add(of.getKey() + ": " + why));
            rest -= of.getValue();
        }
        // Of a role that does not say which they are: they count as those that it is judged by.
        TrialResult.whyNotTimed(rest, headline == null ? 0 : headline.count())
                .ifPresent(undecided::add);
        final Histogram service = step.latencies().get(Latencies.SERVICE_NS);
        TrialResult.whyNotKept(
                        step.count(Counts.SEND_TIME_NOT_KEPT),
                        service == null ? 0 : service.getTotalCount())
                .ifPresent(undecided::add);
    }

    /** A publisher by itself knows of losses only from the subscribers that acknowledge its end. */
    private void notConfirmed() {
        final long silent = step.count(Counts.NOT_CONFIRMED);
        if (silent > 0 && !step.isReceivedKnown()) {
            undecided.add(
                    "What %s received is not known: %s did not acknowledge the end."
                            .formatted(
                                    Plural.of(silent, "subscriber"), silent == 1 ? "it" : "they"));
        }
    }

    private List<String> latencies() {
        final List<String> slow = new ArrayList<>();
        if (headline != null) {
            criteria.latencyLimits().forEach(limit -> slower(slow, limit));
        } else if (!mayBeUntimed) {
            unmeasured();
        }
        return slow;
    }

    /** What nobody has timed is not within its limit. */
    private void unmeasured() {
        final String keys =
                criteria.latencyLimits().stream()
                        .map(Criteria.LatencyLimit::key)
                        .collect(Collectors.joining(" and "));
        if (!keys.isEmpty()) {
            undecided.add("No latency was measured by which %s could be judged.".formatted(keys));
        }
    }

    /** Where there are too few latencies, a maximum within the limit is sufficient proof. */
    private void slower(final List<String> slow, final Criteria.LatencyLimit limit) {
        final OptionalLong ns = limit.figure().apply(headline);
        if (ns.isPresent()) {
            slower(slow, limit.name(), ns.getAsLong(), limit.most());
        } else if (headline.max() <= limit.most().toNanos()) {
            slower(slow, "maximum", headline.max(), limit.most());
        } else {
            undecided.add(
                    "The %s of the latency cannot be determined from %s: it needs %s; measure longer or more."
                            .formatted(
                                    limit.name(),
                                    count(headline.count()),
                                    count(
                                            Math.round(
                                                    Percentiles.FEWEST_ABOVE
                                                            / (1 - limit.percent() / 100)))));
        }
    }

    private void slower(
            final List<String> slow, final String figure, final long ns, final Duration most) {
        final long overNs = ns - most.toNanos();
        if (overNs > clocks.ns()) {
            slow.add(
                    "The %s of the latency is %s us; at most %s is allowed."
                            .formatted(figure, microseconds(ns), Durations.format(most)));
        } else if (overNs > -clocks.ns()) {
            (clocks.isExcuse() ? undecided : slow)
                    .add(
                            ("The %s of the latency is %s us, by clocks of hosts that are known to %s us; whether it"
                                            + " is more than %s cannot be told.")
                                    .formatted(
                                            figure,
                                            microseconds(ns),
                                            microseconds(clocks.ns()),
                                            Durations.format(most)));
        }
    }

    private static String microseconds(final long ns) {
        return String.format(Locale.ROOT, "%.3f", ns / 1e3);
    }

    private static String percent(final double part) {
        return String.format(Locale.ROOT, "%.4g %%", part * 100);
    }

    private static String count(final long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String rate(final double perSecond) {
        return String.format(Locale.ROOT, "%,.0f", perSecond);
    }

    /**
     * By how much the headline may be wrong because it is read from the clocks of two hosts.
     *
     * @param ns the bound; 0 where it is read from one clock
     * @param isExcuse whether a latency that is within it of its limit is undecided; otherwise it
     *     counts as above
     */
    record ClockBound(long ns, boolean isExcuse) {}

    /**
     * A verdict and why.
     *
     * @param verdict of a row
     * @param reasons sentences, empty for a pass
     */
    record Judgement(Verdict verdict, List<String> reasons) {}
}
