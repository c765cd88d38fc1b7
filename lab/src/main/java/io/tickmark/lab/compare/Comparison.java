package io.tickmark.lab.compare;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Runs compared with a first one, figure by figure: the content of {@code comparison.json}.
 *
 * @param schema name and version of this format
 * @param tickmark version of the tool that compared
 * @param minEffect smallest relevant difference, as a part
 * @param errorRate false discovery rate over all figures
 * @param errorProbability with which each interval of an effect misses the true value
 * @param sides the runs; the others are compared with the first
 * @param rows one for each step of each test that both have
 * @param missing rows of the first run that another one lacks, sentences
 * @param settings the guarantees and settings of each run, in the same terms for all; empty where
 *     the runs are of one engine
 * @param differences between the runs that may explain the figures
 * @param notes what could not be compared, and what to keep in mind; sentences
 * @param gate whether a build may pass; null where it was not requested
 */
public record Comparison(
        String schema,
        String tickmark,
        double minEffect,
        double errorRate,
        double errorProbability,
        List<SideSummary> sides,
        List<ComparedRow> rows,
        List<String> missing,
        List<SettingSheet> settings,
        List<Difference> differences,
        List<String> notes,
        Gate gate) {
    /** Value of {@link #schema()}. */
    public static final String SCHEMA = "tickmark.comparison/1";

    /** Copies the lists. */
    public Comparison {
        sides = List.copyOf(sides);
        rows = List.copyOf(rows);
        missing = List.copyOf(missing);
        settings = List.copyOf(settings);
        differences = List.copyOf(differences);
        notes = List.copyOf(notes);
    }

    /**
     * A run.
     *
     * @param name by which it is called here: {@code A}, {@code B}, or a distinguishing name
     * @param path of its folder or file
     * @param plan name of the plan
     * @param startedAt ISO-8601 time with offset
     * @param tickmark version that measured
     * @param repeats most trials of a row
     */
    public record SideSummary(
            String name,
            String path,
            String plan,
            String startedAt,
            String tickmark,
            int repeats) {}

    /**
     * The guarantees and settings of a run.
     *
     * @param side name of the run
     * @param values by name: delivery, ordering, durability, batching, compression, threads
     */
    public record SettingSheet(String side, Map<String, String> values) {
        /** Copies the map. */
        public SettingSheet {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }
    }

    /**
     * The same with sheets.
     *
     * @param sheets one for each run
     * @return the comparison
     */
    public Comparison withSettings(final List<SettingSheet> sheets) {
        return with(sheets, notes, gate);
    }

    /**
     * The same with a judgement for a build, and with what is to be said of the runs by which it
     * was made.
     *
     * @param itself the first run, measured again, against the first
     * @param mustSee degradation that has to be detected, as a part
     * @param tookNs how long all runs took together
     * @param measured whether every run was measured to its end
     * @return the comparison
     */
    public Comparison judged(
            final Comparison itself,
            final double mustSee,
            final long tookNs,
            final boolean measured) {
        return with(
                settings,
                Stream.concat(notes.stream(), itself.notes().stream()).distinct().toList(),
                Gate.of(this, itself, mustSee, tookNs, measured));
    }

    private Comparison with(
            final List<SettingSheet> sheets, final List<String> sentences, final Gate judgement) {
        return new Comparison(
                schema,
                tickmark,
                minEffect,
                errorRate,
                errorProbability,
                sides,
                rows,
                missing,
                sheets,
                differences,
                sentences,
                judgement);
    }

    /**
     * A difference.
     *
     * @param side name of the run that differs from the first
     * @param what group and name: {@code kernel.release}, {@code plan.tests.0.settings.rate}
     * @param first value in the first run; empty where it has none
     * @param other value in the other run; empty where it has none
     */
    public record Difference(String side, String what, String first, String other) {}

    /**
     * One step of one test that two runs have.
     *
     * @param side name of the run that is compared with the first
     * @param test name of the test
     * @param workload of the test
     * @param channel of the first run
     * @param otherChannel of the other run
     * @param step number within the repeat
     * @param label of the step; empty where size and rate identify it
     * @param payloadBytes message length in the first run
     * @param offeredRatePerSecond of the first run; 0 where there is none
     * @param differences what the rows do not share, clauses
     * @param broken criteria that the other run breaks clearly more than the first, sentences; each
     *     counts as worse
     * @param criteria that any repeat of either run breaks
     * @param notCompared what either run measured besides the figures
     * @param figures compared
     */
    public record ComparedRow(
            String side,
            String test,
            String workload,
            String channel,
            String otherChannel,
            int step,
            String label,
            int payloadBytes,
            double offeredRatePerSecond,
            List<String> differences,
            List<String> broken,
            List<BrokenCriterion> criteria,
            List<NotCompared> notCompared,
            List<ComparedFigure> figures) {
        /** Copies the lists. */
        public ComparedRow {
            differences = List.copyOf(differences);
            broken = List.copyOf(broken);
            criteria = List.copyOf(criteria);
            notCompared = List.copyOf(notCompared);
            figures = List.copyOf(figures);
        }
    }

    /**
     * A criterion that repeats of two runs break.
     *
     * @param criterion the sentence of those that break it, without its numbers
     * @param worse whether the other run breaks it clearly more than the first
     * @param first how far the repeats of the first run break it
     * @param other how far those of the other run do
     */
    public record BrokenCriterion(
            String criterion, boolean worse, RepeatCounts first, RepeatCounts other) {}

    /**
     * How far the repeats of a run break a criterion.
     *
     * @param expected messages of an average repeat; 1 where the criterion counts none
     * @param counts messages that broke it, one number for each repeat: 0 where it is met, 1 where
     *     the criterion counts none
     */
    public record RepeatCounts(double expected, List<Long> counts) {
        /** Copies the list. */
        public RepeatCounts {
            counts = List.copyOf(counts);
        }

        /** Of each repeat, the part of the messages. */
        DoubleStream parts() {
            return counts.stream().mapToDouble(count -> count / expected);
        }

        /** How many repeats break it. */
        long broken() {
            return counts.stream().filter(count -> count > 0).count();
        }

        /** Of the repeat that breaks it most. */
        long most() {
            return counts.stream().mapToLong(Long::longValue).max().orElse(0);
        }

        /** These repeats and others of the same plan. */
        RepeatCounts and(final RepeatCounts others) {
            return new RepeatCounts(
                    (expected + others.expected()) / 2,
                    Stream.concat(counts.stream(), others.counts().stream()).toList());
        }
    }

    /**
     * A latency, or the rate, that one of two runs measured, or both, and of which they have no
     * figure in common.
     *
     * @param name as in {@code result.json}: {@code roundTripNs}
     * @param reason a clause
     */
    public record NotCompared(String name, String reason) {}

    /**
     * A figure of two runs.
     *
     * @param name as in {@code result.json}: {@code roundTripNs.p99}
     * @param moreIsBetter whether it is a rate
     * @param first run's estimate
     * @param other run's estimate
     * @param effect relative difference of the other to the first
     * @param low lower end of the interval of the effect; equal to {@code high} where there is no
     *     interval
     * @param high upper end
     * @param clockPart what the clocks of the hosts may have added to the effect, or taken from it,
     *     as a part of the first value, besides the interval; 0 where it is no time between hosts
     * @param pValue probability of at least this difference if there is none
     * @param outcome of the comparison
     * @param doubt why it is too noisy
     * @param reason the same as a sentence; empty where it is not
     */
    public record ComparedFigure(
            String name,
            boolean moreIsBetter,
            Estimate first,
            Estimate other,
            double effect,
            double low,
            double high,
            double clockPart,
            double pValue,
            Outcome outcome,
            Doubt doubt,
            String reason) {}

    /** Why a figure of two runs is too noisy. */
    public enum Doubt {
        /** It is not. */
        NONE,
        /** A single repeat has no interval. */
        ONE_REPEAT,
        /** The interval contains both no difference and one worth reporting. */
        INTERVAL,
        /** The interval decides, but the clocks of hosts may have made or hidden the difference. */
        CLOCKS,
        /**
         * The interval decides, but the noise floor of the slower run may explain the difference.
         */
        NOISE_FLOOR;

        /**
         * Whether the interval alone says something else, so that the figure needs a word of its
         * own.
         *
         * @return true for clocks and the noise floor
         */
        public boolean isBesideInterval() {
            return this == CLOCKS || this == NOISE_FLOOR;
        }
    }

    /**
     * A figure of one run.
     *
     * @param value geometric mean over the repeats
     * @param low lower end of its interval, with the same probability of error as the effect's
     * @param high upper end
     * @param repeats its value in each
     */
    public record Estimate(double value, double low, double high, List<Double> repeats) {
        /** Copies the list. */
        public Estimate {
            repeats = List.copyOf(repeats);
        }
    }

    /**
     * Whether there is nothing to judge by.
     *
     * @return true where no row has a figure or a broken criterion; the notes say why
     */
    public boolean comparesNothing() {
        return rows.stream().allMatch(row -> row.figures().isEmpty() && row.broken().isEmpty());
    }

    /**
     * Whether a figure is worse by no more than two measurements of the first run may differ.
     *
     * @param row that has it
     * @param figure of that row
     * @return false where no gate was requested
     */
    public boolean isWithinItself(final ComparedRow row, final ComparedFigure figure) {
        return gate != null
                && gate.withinItself()
                        .contains(new Gate.FigureOfRow(rows.indexOf(row), figure.name()));
    }

    /**
     * How many figures have an outcome.
     *
     * @param outcome to count
     * @return figures; for {@link Outcome#WORSE} broken criteria are counted as well
     */
    public long count(final Outcome outcome) {
        final long figures =
                rows.stream()
                        .flatMap(row -> row.figures().stream())
                        .filter(figure -> figure.outcome() == outcome)
                        .count();
        return outcome == Outcome.WORSE
                ? figures + rows.stream().mapToLong(row -> row.broken().size()).sum()
                : figures;
    }
}
