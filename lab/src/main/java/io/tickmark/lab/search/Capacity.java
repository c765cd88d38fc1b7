package io.tickmark.lab.search;

import io.tickmark.lab.search.RateSearch.Tried;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Where the rate lies at which half of the trials are bad, from all trials of a search. The
 * capacity of a machine varies from trial to trial; a trial is bad when its rate was above the
 * capacity at that moment. With capacities spread log-normally around a middle, the chance of a bad
 * trial is a probit of the logarithm of its rate. The interval is the central part of the posterior
 * of the middle, its prior flat in the logarithm, the spread marginalised over 0.1 % to 15 %; one
 * trial in a hundred may have either outcome for another reason (lapse rate, as in Wichmann and
 * Hill, "The psychometric function", 2001).
 */
public final class Capacity {
    private static final int MIDDLES = 300;
    private static final int SPREADS = 12;
    private static final double LEAST_SPREAD = 0.001;
    private static final double MOST_SPREAD = 0.15;
    private static final double LAPSE = 0.01;

    /** How far outside the trials the middle may be, in the logarithm. */
    private static final double MARGIN = 0.2;

    /** Relative to the largest part of the posterior: smaller parts do not change any quantile. */
    private static final double NEGLIGIBLE = 1e-5;

    private Capacity() {}

    /**
     * An interval.
     *
     * @param lowPerSecond lower end
     * @param highPerSecond upper end
     */
    public record ConfidenceInterval(double lowPerSecond, double highPerSecond) {}

    /**
     * Estimates it.
     *
     * @param trials of one search
     * @param confidence that the middle is in the interval
     * @return the interval; empty where all trials had the same outcome
     */
    public static Optional<ConfidenceInterval> of(
            final List<Tried> trials, final double confidence) {
        if (trials.stream().map(Tried::isBad).distinct().count() < 2) {
            return Optional.empty();
        }
        final double highest =
                Math.log(trials.stream().mapToDouble(Tried::ratePerSecond).max().orElseThrow());
        final double lowest =
                Math.log(trials.stream().mapToDouble(Tried::ratePerSecond).min().orElseThrow());
        final Posterior coarse = new Posterior(trials, lowest - MARGIN, highest + MARGIN);
        final Posterior fine = coarse.magnified();
        return Optional.of(
                new ConfidenceInterval(
                        fine.quantile((1 - confidence) / 2), fine.quantile((1 + confidence) / 2)));
    }

    /** The posterior of the middle, as sums over equal steps of the logarithm. */
    private static final class Posterior {
        private final List<Tried> trials;
        private final double from;
        private final double step;
        private final double[] parts = new double[MIDDLES];
        private double whole;

        Posterior(final List<Tried> trials, final double from, final double to) {
            this.trials = trials;
            this.from = from;
            step = (to - from) / MIDDLES;
            for (int i = 0; i < MIDDLES; i++) {
                parts[i] = likelihood(trials, from + (i + 0.5) * step);
                whole += parts[i];
            }
        }

        /** The same where it is not negligible, in finer steps. */
        Posterior magnified() {
            final double least = Arrays.stream(parts).max().orElse(0) * NEGLIGIBLE;
            int first = 0;
            while (parts[first] < least) {
                first++;
            }
            int last = MIDDLES - 1;
            while (parts[last] < least) {
                last--;
            }
            return new Posterior(trials, from + first * step, from + (last + 1) * step);
        }

        double quantile(final double part) {
            double sum = 0;
            for (int i = 0; i < MIDDLES; i++) {
                sum += parts[i];
                if (sum >= part * whole) {
                    return Math.exp(from + (i + 0.5) * step);
                }
            }
            return Math.exp(from + MIDDLES * step);
        }
    }

    private static double likelihood(final List<Tried> trials, final double middle) {
        double sum = 0;
        for (int i = 0; i < SPREADS; i++) {
            final double spread =
                    LEAST_SPREAD * Math.pow(MOST_SPREAD / LEAST_SPREAD, (double) i / (SPREADS - 1));
            double product = 1;
            for (final Tried trial : trials) {
                final double bad =
                        LAPSE / 2
                                + (1 - LAPSE)
                                        * normal(
                                                (Math.log(trial.ratePerSecond()) - middle)
                                                        / spread);
                product *= trial.isBad() ? bad : 1 - bad;
            }
            sum += product;
        }
        return sum;
    }

    /**
     * Distribution function of the normal distribution, good to 1.5e-7: Abramowitz and Stegun,
     * "Handbook of Mathematical Functions", formula 7.1.26.
     */
    private static double normal(final double z) {
        final double x = Math.abs(z) / Math.sqrt(2);
        final double t = 1 / (1 + 0.3275911 * x);
        final double poly =
                t
                        * (0.254829592
                                + t
                                        * (-0.284496736
                                                + t
                                                        * (1.421413741
                                                                + t
                                                                        * (-1.453152027
                                                                                + t
                                                                                        * 1.061405429))));
        final double erf = 1 - poly * Math.exp(-x * x);
        return z < 0 ? (1 - erf) / 2 : (1 + erf) / 2;
    }
}
