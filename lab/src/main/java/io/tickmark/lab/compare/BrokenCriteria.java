package io.tickmark.lab.compare;

import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.lab.compare.Comparison.BrokenCriterion;
import io.tickmark.lab.compare.Comparison.RepeatCounts;
import io.tickmark.lab.verdict.NoiseRule;
import io.tickmark.lab.verdict.Reasons;
import io.tickmark.lab.verdict.RunVerdict;
import io.tickmark.lab.verdict.TakenRule;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which criteria the repeats of two rows break, how far, and which of them the other row breaks
 * clearly more than the first. That repeats are void is one of them.
 *
 * <p>A message that the first run lost once does not excuse that the other one loses half of all.
 * Losses come in bursts of any length, so the spread of a few repeats gives no interval for them:
 * by how many messages the other run breaks a criterion has to exceed what the first one shows by a
 * factor, and in how many repeats what is likely by chance.
 *
 * @param criteria that any repeat of either row breaks
 * @param sentences one for each that the other row breaks clearly more
 */
record BrokenCriteria(List<BrokenCriterion> criteria, List<String> sentences) {
    private static final String VOID = "Repeats are void.";

    /** A criterion that says how many messages broke it. */
    private static final Pattern COUNTING = Pattern.compile("(Lost )?# [a-z].*");

    private static final Pattern COUNT = Pattern.compile("(?:Lost )?(\\d[\\d,]{0,17}) ");

    /** Of two runs of the same build, the part that may differ in how many repeats break it. */
    private static final double FALSE_ALARMS = 0.05;

    /** How many times as many as in the first run's worst repeat, where each repeat has them. */
    private static final double MORE_IN_EACH = 2;

    /** Fewer repeats are more by chance too often. */
    private static final int FEWEST_TO_AGREE = 3;

    /** How many times as many as in the first run's worst repeat, in an average one. */
    private static final double MORE_ON_AVERAGE = 10;

    /** The largest part of what arrived in the first run's worst repeat, in an average one. */
    private static final double LEFT_ON_AVERAGE = 0.5;

    static BrokenCriteria of(final RowPairs.Pair pair) {
        final Set<String> names = new LinkedHashSet<>();
        Stream.of(pair.other(), pair.first())
                .flatMap(row -> row.repeats().stream())
                .flatMap(BrokenCriteria::reasons)
                .map(Reasons::criterion)
                .forEach(names::add);
        final List<BrokenCriterion> criteria = new ArrayList<>();
        final List<String> sentences = new ArrayList<>();
        for (final String name : names) {
            final RepeatCounts first = counts(pair.first(), name);
            final RepeatCounts other = counts(pair.other(), name);
            final boolean isWorse = isClearlyMore(first, other);
            criteria.add(new BrokenCriterion(name, isWorse, first, other));
            if (isWorse) {
                sentences.add(worst(pair.other(), name) + against(first, other, isCounting(name)));
            }
        }
        final RepeatCounts first = voids(pair.first());
        final RepeatCounts other = voids(pair.other());
        if (first.broken() + other.broken() > 0) {
            final boolean isWorse = pair.other().isVoid() || isClearlyMore(first, other);
            criteria.add(new BrokenCriterion(VOID, isWorse, first, other));
            if (isWorse) {
                sentences.add(whyVoid(pair));
            }
        }
        return new BrokenCriteria(List.copyOf(criteria), List.copyOf(sentences));
    }

    /** Whether the other run breaks a criterion so much more that this is not chance. */
    static boolean isClearlyMore(final RepeatCounts first, final RepeatCounts other) {
        final double worst = first.parts().max().orElse(0);
        final double average = other.parts().average().orElse(0);
        final boolean isMoreOnAverage = average > MORE_ON_AVERAGE * worst;
        final boolean isMoreInEach =
                Math.min(first.counts().size(), other.counts().size()) >= FEWEST_TO_AGREE
                        && other.parts().min().orElse(0) > MORE_IN_EACH * worst;
        final boolean isLittleLeft =
                first.expected() > 1
                        && average > first.parts().average().orElse(0)
                        && 1 - average <= LEFT_ON_AVERAGE * (1 - worst);
        return isMoreOften(first, other) || isMoreOnAverage || isMoreInEach || isLittleLeft;
    }

    /** One repeat is enough where the first run has none. */
    private static boolean isMoreOften(final RepeatCounts first, final RepeatCounts other) {
        return other.broken() > 0 && (first.broken() == 0 || chance(first, other) < FALSE_ALARMS);
    }

    /**
     * How likely the other run has as many broken repeats as it has, or more, if both runs break
     * the criterion equally often (R. A. Fisher, "The Design of Experiments", 1935, section 11).
     */
    private static double chance(final RepeatCounts first, final RepeatCounts other) {
        final int all = first.counts().size() + other.counts().size();
        final int drawn = other.counts().size();
        final int broken = (int) (first.broken() + other.broken());
        double sum = 0;
        for (int of = (int) other.broken(); of <= Math.min(broken, drawn); of++) {
            sum +=
                    Math.exp(
                            logOfWays(broken, of)
                                    + logOfWays(all - broken, drawn - of)
                                    - logOfWays(all, drawn));
        }
        return sum;
    }

    /**
     * The logarithm of how many ways there are to choose some of all; none gives minus infinity.
     */
    private static double logOfWays(final int all, final int some) {
        if (some < 0 || some > all) {
            return Double.NEGATIVE_INFINITY;
        }
        double sum = 0;
        for (int i = 1; i <= some; i++) {
            sum += Math.log((double) (all - some + i) / i);
        }
        return sum;
    }

    /** Whether the machine or the user made a repeat void, and not what was measured. */
    static boolean isSpoiled(final TrialResult trial) {
        return TakenRule.isBehind(List.of(trial))
                || trial.reasons().contains(RunVerdict.INTERRUPTED)
                || trial.reasons().contains(NoiseRule.TOO_NOISY);
    }

    private static Stream<String> reasons(final TrialResult trial) {
        return trial.verdict() == Verdict.FAIL ? trial.reasons().stream() : Stream.empty();
    }

    private static boolean isCounting(final String criterion) {
        return COUNTING.matcher(criterion).matches();
    }

    /** How many messages broke a criterion, as its reason says; otherwise 1. */
    private static long count(final String reason) {
        final Matcher count = COUNT.matcher(reason);
        return count.lookingAt() ? Long.parseLong(count.group(1).replace(",", "")) : 1;
    }

    private static RepeatCounts counts(final SideRow row, final String criterion) {
        final boolean isCounting = isCounting(criterion);
        return new RepeatCounts(
                isCounting ? expected(row) : 1,
                row.repeats().stream()
                        .map(trial -> {
                            final long count =
                                    reasons(trial)
                                            .filter(reason ->
                                                    Reasons.criterion(reason).equals(criterion))
                                            .mapToLong(BrokenCriteria::count)
                                            .sum();
                            return isCounting ? count : Math.min(1, count);
                        })
                        .toList());
    }

    /** Messages of an average repeat: two runs as fast as possible have different numbers. */
    private static double expected(final SideRow row) {
        return Math.max(
                1,
                row.repeats().stream()
                        .mapToLong(trial -> Math.max(trial.expected(), trial.sent()))
                        .average()
                        .orElse(1));
    }

    /** Void repeats for which what was measured is to blame, and those that nothing spoiled. */
    private static RepeatCounts voids(final SideRow row) {
        return new RepeatCounts(
                1,
                Stream.concat(
                                row.repeats().stream().map(trial -> 0L),
                                toBlame(row).stream().map(trial -> 1L))
                        .toList());
    }

    private static List<TrialResult> toBlame(final SideRow row) {
        return row.voids().stream().filter(trial -> !isSpoiled(trial)).toList();
    }

    /** The reason of the repeat that breaks it most. */
    private static String worst(final SideRow row, final String criterion) {
        return row.repeats().stream()
                .flatMap(BrokenCriteria::reasons)
                .filter(reason -> Reasons.criterion(reason).equals(criterion))
                .reduce((one, next) -> count(next) > count(one) ? next : one)
                .orElseThrow();
    }

    private static String against(
            final RepeatCounts first, final RepeatCounts other, final boolean isCounting) {
        return first.broken() == 0
                ? ""
                : " The first run breaks this, too, but clearly less: in %s against %d of %d%s."
                        .formatted(
                                ofRepeats(first.broken(), first.counts().size()),
                                other.broken(),
                                other.counts().size(),
                                isCounting
                                        ? String.format(
                                                Locale.ROOT,
                                                ", and by %,d at most against %,d",
                                                first.most(),
                                                other.most())
                                        : "");
    }

    private static String whyVoid(final RowPairs.Pair pair) {
        final List<TrialResult> toBlame = toBlame(pair.other());
        final List<TrialResult> ofFirst = toBlame(pair.first());
        final String reason =
                toBlame.stream()
                        .flatMap(trial -> trial.reasons().stream())
                        .findFirst()
                        .orElse("no reason was given.");
        return pair.other().isVoid()
                ? "Every repeat is void: " + reason
                : "%s are void%s: %s"
                        .formatted(
                                ofRepeats(toBlame.size(), all(pair.other())),
                                ofFirst.isEmpty()
                                        ? ""
                                        : ", against %s of the first run"
                                                .formatted(
                                                        ofRepeats(
                                                                ofFirst.size(), all(pair.first()))),
                                reason);
    }

    private static int all(final SideRow row) {
        return row.repeats().size() + row.voids().size();
    }

    private static String ofRepeats(final long some, final int all) {
        return "%d of %d repeats".formatted(some, all);
    }
}
