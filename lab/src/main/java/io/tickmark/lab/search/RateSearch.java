package io.tickmark.lab.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Looks for the highest rate that holds, between two bounds that differ by no more than the goal
 * width: RFC 9971 (MLRsearch). The rate is frozen inside a trial. Coarse targets of short trials
 * bracket it first; each finer target begins between the bounds of the one before, and only trials
 * of the last target decide. For one use, single-threaded.
 */
public final class RateSearch {
    /** Loads of one target: far more than a bisection of the whole range needs. */
    private static final int MOST_LOADS = 100;

    /** Steps double in the logarithm, but wrong coarse trials must not lead it far away. */
    private static final double MOST_STEP = 4;

    /** A small tolerance, so that rounding does not require one more load. */
    private static final double TOLERANCE = 1 + 1e-9;

    private final SearchGoal goal;
    private final Trials trials;
    private final List<Tried> tried = new ArrayList<>();
    private OptionalDouble lowerBound = OptionalDouble.empty();
    private OptionalDouble upperBound = OptionalDouble.empty();

    /** Bounds of shorter trials: the best available until the longer ones have found theirs. */
    private OptionalDouble coarseLowerBound = OptionalDouble.empty();

    private OptionalDouble coarseUpperBound = OptionalDouble.empty();

    /** Runs trials. */
    @FunctionalInterface
    public interface Trials {
        /**
         * Measures at a rate.
         *
         * @param ratePerSecond frozen for the whole trial
         * @param durationNs how long
         * @return whether it was bad; empty where no more trials can be run
         */
        Optional<Boolean> isBad(double ratePerSecond, long durationNs);

        /**
         * Which rates can be set: a setting may allow only whole numbers, and each of several
         * sessions adds its own.
         *
         * @param ratePerSecond any rate
         * @return the nearest one that can be set, idempotent; it may change with the first trial,
         *     which shows the unit of the setting, but not after it
         */
        default double settable(final double ratePerSecond) {
            return ratePerSecond;
        }
    }

    /**
     * A completed trial.
     *
     * @param ratePerSecond of it
     * @param durationNs of it
     * @param isBad whether it did not hold
     */
    public record Tried(double ratePerSecond, long durationNs, boolean isBad) {}

    /**
     * What was found.
     *
     * @param lowerBound relevant lower bound, empty where no rate held
     * @param upperBound relevant upper bound, empty where every rate allowed held
     * @param trials that were done
     * @param isWhole whether the search was completed; otherwise the bounds are the best so far
     */
    public record Found(
            OptionalDouble lowerBound,
            OptionalDouble upperBound,
            List<Tried> trials,
            boolean isWhole) {
        /** Copies the list. */
        public Found {
            trials = List.copyOf(trials);
        }
    }

    /** A search that cannot continue. */
    private static final class BrokenOff extends Exception {
        private static final long serialVersionUID = 1L;

        BrokenOff() {
            super("no more trials", null, false, false);
        }
    }

    /**
     * A search.
     *
     * @param goal with a width above 0
     * @param trials runs them
     */
    public RateSearch(final SearchGoal goal, final Trials trials) {
        this.goal = goal;
        this.trials = trials;
    }

    /**
     * Searches.
     *
     * @param seedPerSecond where to begin; limited to the goal's range
     * @return the bounds
     */
    public Found run(final double seedPerSecond) {
        final double seed = Math.clamp(seedPerSecond, goal.minRate(), goal.maxRate());
        try {
            for (final Load.Target target : targets()) {
                reach(target, seed);
            }
        } catch (final BrokenOff e) {
            return soFar();
        }
        return new Found(lowerBound, upperBound, tried, true);
    }

    /**
     * The bounds known while the search is in progress, or where it could not continue: those of
     * the current trials, or of shorter ones where these have found none yet.
     *
     * @return the best bounds so far
     */
    public Found soFar() {
        final double above = upperBound.orElse(Double.MAX_VALUE);
        final OptionalDouble lower =
                lowerBound.isPresent() || coarseLowerBound.orElse(Double.MAX_VALUE) >= above
                        ? lowerBound
                        : coarseLowerBound;
        final OptionalDouble upper =
                upperBound.isPresent() || coarseUpperBound.orElse(0) <= lower.orElse(0)
                        ? upperBound
                        : coarseUpperBound;
        return new Found(lower, upper, tried, false);
    }

    /**
     * From coarse to the goal itself: a middle trial is as long as the geometric mean of the first
     * one and the goal's whole time, and as a full one at most; widths are halved.
     */
    private List<Load.Target> targets() {
        final long shortNs = goal.initialTrial().toNanos();
        final long fullNs = goal.finalTrial().toNanos();
        final long middleNs =
                Math.min(fullNs, (long) Math.sqrt((double) shortNs * goal.durationSum().toNanos()));
        return List.of(
                new Load.Target(shortNs, shortNs, goal.exceedRatio(), 4 * goal.width()),
                new Load.Target(middleNs, middleNs, goal.exceedRatio(), 2 * goal.width()),
                new Load.Target(
                        fullNs, goal.durationSum().toNanos(), goal.exceedRatio(), goal.width()));
    }

    private void reach(final Load.Target target, final double seed) throws BrokenOff {
        coarseLowerBound = lowerBound;
        coarseUpperBound = upperBound;
        final List<Double> proposed = new ArrayList<>();
        lowerBound.ifPresent(proposed::add);
        upperBound.ifPresent(proposed::add);
        if (proposed.isEmpty()) {
            proposed.add(seed);
        }
        final TreeMap<Double, Load.Kind> known = new TreeMap<>();
        double step = 1 + target.width();
        for (int load = 0; load < MOST_LOADS; load++) {
            relevantBounds(known);
            if (isReached(target)) {
                return;
            }
            final double next;
            if (lowerBound.isPresent() && upperBound.isPresent()) {
                next = between();
            } else if (upperBound.isPresent()) {
                final double bound = upperBound.getAsDouble();
                final OptionalDouble carried = largestBelow(proposed, bound);
                next = carried.orElse(Math.max(goal.minRate(), bound / step));
                step = carried.isPresent() ? step : Math.min(MOST_STEP, step * step);
            } else if (lowerBound.isPresent()) {
                final double bound = lowerBound.getAsDouble();
                final OptionalDouble carried = smallestAbove(proposed, bound);
                next = carried.orElse(Math.min(goal.maxRate(), bound * step));
                step = carried.isPresent() ? step : Math.min(MOST_STEP, step * step);
            } else {
                next = first(proposed, target);
            }
            classify(next, target, known);
        }
    }

    /**
     * The first rate of a target: the middle of coarser bounds that are too far apart for it, since
     * whatever comes out there, only one of the two has to be measured again.
     *
     * @param proposed the coarser bounds, or where there are none the seed
     */
    private double first(final List<Double> proposed, final Load.Target target) {
        final double lower = proposed.getFirst();
        final double upper = proposed.getLast();
        final double middle = trials.settable(Math.sqrt(lower * upper));
        return !isWithin(lower, upper, target) && lower < middle && middle < upper ? middle : lower;
    }

    private static boolean isWithin(
            final double lower, final double upper, final Load.Target target) {
        return upper <= lower * (1 + target.width()) * TOLERANCE;
    }

    private boolean isReached(final Load.Target target) {
        if (lowerBound.isPresent() && upperBound.isPresent()) {
            final double lower = lowerBound.getAsDouble();
            final double upper = upperBound.getAsDouble();
            return isWithin(lower, upper, target)
                    || between() <= lower // no rate between them can be set
                    || between() >= upper;
        }
        return lowerBound.isPresent() && lowerBound.getAsDouble() >= trials.settable(goal.maxRate())
                || upperBound.isPresent()
                        && upperBound.getAsDouble() <= trials.settable(goal.minRate());
    }

    private double between() {
        return trials.settable(Math.sqrt(lowerBound.getAsDouble() * upperBound.getAsDouble()));
    }

    /** The lowest upper bound, and the highest lower bound below it. */
    private void relevantBounds(final TreeMap<Double, Load.Kind> known) {
        upperBound =
                known.entrySet().stream()
                        .filter(load -> load.getValue() == Load.Kind.UPPER_BOUND)
                        .mapToDouble(load -> load.getKey())
                        .min();
        final double below = upperBound.orElse(Double.MAX_VALUE);
        lowerBound =
                known.entrySet().stream()
                        .filter(load -> load.getValue() == Load.Kind.LOWER_BOUND)
                        .mapToDouble(load -> load.getKey())
                        .filter(rate -> rate < below)
                        .max();
    }

    private OptionalDouble largestBelow(final List<Double> rates, final double bound) {
        return rates.stream().mapToDouble(trials::settable).filter(rate -> rate < bound).max();
    }

    private OptionalDouble smallestAbove(final List<Double> rates, final double bound) {
        return rates.stream().mapToDouble(trials::settable).filter(rate -> rate > bound).min();
    }

    private void classify(
            final double ratePerSecond,
            final Load.Target target,
            final TreeMap<Double, Load.Kind> known)
            throws BrokenOff {
        double rate = trials.settable(ratePerSecond);
        Load.Kind kind = load(rate, target).kind(target);
        while (kind == Load.Kind.UNDECIDED) {
            final boolean isBad = trials.isBad(rate, target.trialNs()).orElseThrow(BrokenOff::new);
            rate =
                    trials.settable(
                            rate); // if it is the first trial, it shows the unit of the setting
            tried.add(new Tried(rate, target.trialNs(), isBad));
            kind = load(rate, target).kind(target);
        }
        known.put(rate, kind);
    }

    private Load load(final double ratePerSecond, final Load.Target target) {
        final Load load = new Load(ratePerSecond);
        tried.stream()
                .filter(trial -> trial.ratePerSecond() == ratePerSecond)
                .forEach(trial -> load.add(trial.durationNs(), trial.isBad(), target));
        return load;
    }

    /**
     * The trials at one rate, as time spent in good and bad ones, and the classification that
     * follows: RFC 9971, appendix "Load Classification". A trial shorter than the target's counts
     * as short: bad short trials in excess of good short ones count against the rate, good ones
     * never for it.
     */
    private static final class Load {
        private final double ratePerSecond;
        private double fullGoodNs;
        private double fullBadNs;
        private double shortGoodNs;
        private double shortBadNs;

        /** The classification of a rate by its trials. */
        enum Kind {
            /** It holds. */
            LOWER_BOUND,
            /** It does not hold. */
            UPPER_BOUND,
            /** More trials are needed. */
            UNDECIDED
        }

        Load(final double ratePerSecond) {
            this.ratePerSecond = ratePerSecond;
        }

        double ratePerSecond() {
            return ratePerSecond;
        }

        void add(final long durationNs, final boolean isBad, final Load.Target target) {
            if (durationNs >= target.trialNs()) {
                fullGoodNs += isBad ? 0 : durationNs;
                fullBadNs += isBad ? durationNs : 0;
            } else {
                shortGoodNs += isBad ? 0 : durationNs;
                shortBadNs += isBad ? durationNs : 0;
            }
        }

        /**
         * Classifies by whether the rest of the goal's time, if all bad or all good, could change
         * the result.
         */
        Load.Kind kind(final Load.Target target) {
            final double balancingNs =
                    shortGoodNs * target.exceedRatio() / (1 - target.exceedRatio());
            final double badNs = fullBadNs + Math.max(0, shortBadNs - balancingNs);
            final double wholeNs = Math.max(badNs + fullGoodNs, target.durationSumNs());
            final double allowedNs = wholeNs * target.exceedRatio();
            final boolean holdsAtWorst = wholeNs - fullGoodNs <= allowedNs;
            final boolean holdsAtBest = badNs <= allowedNs;
            if (holdsAtWorst) {
                return Load.Kind.LOWER_BOUND;
            }
            return holdsAtBest ? Load.Kind.UNDECIDED : Load.Kind.UPPER_BOUND;
        }

        /**
         * A goal, or a coarser one on the way to it.
         *
         * @param trialNs length of a full trial
         * @param durationSumNs time in full trials that decides at the latest
         * @param exceedRatio part of that time that may be bad
         * @param width largest part by which the bounds may differ
         */
        record Target(long trialNs, long durationSumNs, double exceedRatio, double width) {}
    }
}
