package io.tickmark.report.words;

import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.SearchSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.lab.verdict.Reasons;
import io.tickmark.lab.verdict.TakenRule;
import io.tickmark.report.rows.Block;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Printable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A run's verdict in words.
 *
 * @param verdict of the run
 * @param word {@code Passed}, {@code Failed} or {@code Void}; {@code Measured} where an answer was
 *     asked for
 * @param sentence what that means for this run
 * @param reasons sentences, each once
 */
public record VerdictWords(Verdict verdict, String word, String sentence, List<String> reasons) {

    private static final String MEASURED = "Measured";

    /** Reasons of one criterion that are told each by itself; of cores that were taken, one. */
    private static final int FEW = 2;

    /** Copies the list. */
    public VerdictWords {
        reasons = List.copyOf(reasons);
    }

    private record Trial(String test, String channel, int repeat) {}

    /**
     * Puts a verdict into words.
     *
     * @param run any result
     * @return the words
     */
    public static VerdictWords of(final RunResult run) {
        return run.answer() != null && run.verdict() == Verdict.PASS
                ? new VerdictWords(
                        Verdict.PASS, MEASURED, Printable.of(run.answer().headline()), List.of())
                : new VerdictWords(run.verdict(), word(run.verdict()), sentence(run), reasons(run));
    }

    /**
     * What kind of words these are, for whoever gives them a colour.
     *
     * @return {@code pass}, {@code fail} or {@code void}; {@code measured} where an answer stands
     *     in place of a verdict
     */
    public String kind() {
        return word.equals(MEASURED)
                ? MEASURED.toLowerCase(Locale.ROOT)
                : verdict.name().toLowerCase(Locale.ROOT);
    }

    private static String word(final Verdict verdict) {
        return switch (verdict) {
            case PASS -> "Passed";
            case FAIL -> "Failed";
            case VOID -> "Void";
        };
    }

    /** Trials of a search are among the results only at its answer. */
    private static String withoutTrials(final RunResult run) {
        final int searched = run.searches().stream().mapToInt(each -> each.trials().size()).sum();
        final String trials = Figures.plural(searched, "trial");
        if (searched == 0) {
            return "No trial left a result.";
        }
        if (run.verdict() != Verdict.VOID) {
            return "The search found no rate to confirm, in " + trials + ".";
        }
        return "The search was ended after %s, before its answer was confirmed%s."
                .formatted(
                        trials,
                        run.searches().stream().anyMatch(SearchSummary::boundsAreUnconfirmed)
                                ? "; the best bounds so far are kept"
                                : " and before it had bounds");
    }

    private static String sentence(final RunResult run) {
        final int all = trials(run.trials()).size();
        if (all == 0) {
            return withoutTrials(run);
        }
        final int bad = trials(with(run, run.verdict())).size();
        final String part = bad + " of " + Figures.plural(all, "trial");
        return switch (run.verdict()) {
            case PASS ->
                    all == 1
                            ? "The one trial met its criteria."
                            : "All " + all + " trials met their criteria.";
            case FAIL -> part + " did not meet " + (bad == 1 ? "its" : "their") + " criteria.";
            case VOID ->
                    bad == 0
                            ? "The run as a whole is not a valid measurement; what was measured is kept."
                            : part
                                    + (bad == 1
                                            ? " is not a valid measurement."
                                            : " are not valid measurements.");
        };
    }

    private static List<TrialResult> with(final RunResult run, final Verdict verdict) {
        return run.trials().stream().filter(trial -> trial.verdict() == verdict).toList();
    }

    private static Set<Trial> trials(final List<TrialResult> rows) {
        final Set<Trial> trials = new LinkedHashSet<>();
        rows.forEach(row -> trials.add(new Trial(row.test(), row.channel(), row.repeat())));
        return trials;
    }

    /**
     * The run's own reasons, then those of trials that the run does not repeat. What many say of
     * the same criterion is one sentence.
     */
    private static List<String> reasons(final RunResult run) {
        final Set<String> reasons = new LinkedHashSet<>();
        run.reasons().forEach(reason -> reasons.add(Sentence.closed(reason)));
        for (final TrialResult trial : run.trials()) {
            for (final String reason : trial.reasons()) {
                final String said = Sentence.closed(reason);
                if (reasons.stream().noneMatch(known -> known.contains(Printable.of(reason)))) {
                    reasons.add(
                            Printable.of(trial.test())
                                    + " on "
                                    + Sentence.plain(
                                            Printable.of(trial.channel()) + step(run, trial) + ": ")
                                    + said);
                }
            }
        }
        final Map<String, Criterion> criteria = new LinkedHashMap<>();
        for (final TrialResult trial : run.trials()) {
            for (final String reason : trial.reasons()) {
                criteria.computeIfAbsent(Criterion.key(reason), key -> new Criterion())
                        .add(trial, reason);
            }
        }
        criteria.values()
                .removeIf(criterion ->
                        reasons.stream().filter(criterion::isBehind).count()
                                <= (criterion.isOfTakenCores() ? 1 : FEW));
        final Set<String> merged = new LinkedHashSet<>();
        for (final String reason : reasons) {
            merged.add(
                    criteria.values().stream()
                            .filter(criterion -> criterion.isBehind(reason))
                            .findFirst()
                            .map(criterion -> criterion.sentence(run))
                            .orElse(reason));
        }
        return new ArrayList<>(merged);
    }

    /** Where a test on a channel has several steps, which of them. */
    private static String step(final RunResult run, final TrialResult trial) {
        return Block.of(run).stream()
                .filter(block -> block.rows().size() > 1)
                .filter(block ->
                        block.test().equals(trial.test())
                                && block.channel().equals(trial.channel()))
                .flatMap(block ->
                        block.rows().stream()
                                .filter(row -> row.any().step() == trial.step())
                                .map(row -> block.commaStep(row, Figures.ASCII)))
                .findFirst()
                .orElse("");
    }

    /** Reasons of rows that differ in figures only, or name another thread whose core was taken. */
    private static final class Criterion {
        private static final Pattern PERCENT = Pattern.compile("([0-9.]+) %");

        /** By how the run's own reasons end. */
        private final Map<String, TrialResult> reasons = new LinkedHashMap<>();

        /** Each once, even if several of its reasons are about this criterion. */
        private final Set<TrialResult> rows = Collections.newSetFromMap(new IdentityHashMap<>());

        static String key(final String reason) {
            return TakenRule.isReason(reason) ? "" : Reasons.criterion(Printable.of(reason));
        }

        void add(final TrialResult trial, final String reason) {
            rows.add(trial);
            reasons.putIfAbsent(Sentence.closed(reason), trial);
        }

        boolean isBehind(final String said) {
            return reasons.keySet().stream()
                    .anyMatch(reason -> said.equals(reason) || said.endsWith(": " + reason));
        }

        boolean isOfTakenCores() {
            return TakenRule.isReason(reasons.keySet().iterator().next());
        }

        String sentence(final RunResult run) {
            final boolean isTaken = isOfTakenCores();
            final Map.Entry<String, TrialResult> told =
                    isTaken
                            ? reasons.entrySet().stream()
                                    .max(Comparator.comparingDouble(each -> percent(each.getKey())))
                                    .orElseThrow()
                            : reasons.entrySet().iterator().next();
            final String channel = told.getValue().channel();
            return Sentence.plain(
                    "In %d of %d rows, the %s of them %s%s%s: %s"
                            .formatted(
                                    rows.size(),
                                    run.trials().size(),
                                    isTaken ? "worst" : "first",
                                    Printable.of(told.getValue().test()),
                                    channel.isEmpty() ? "" : " on " + Printable.of(channel),
                                    step(run, told.getValue()),
                                    told.getKey()));
        }

        /** Part of the time that was taken. */
        private static double percent(final String reason) {
            final Matcher percent = PERCENT.matcher(reason);
            return percent.find() ? Double.parseDouble(percent.group(1)) : 0;
        }
    }
}
