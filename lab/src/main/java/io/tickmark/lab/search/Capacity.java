package io.tickmark.lab.search;

import io.tickmark.lab.search.RateSearch.Tried;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

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
    private static final double LEAST_SPREAD = 0.001;
    private static final double MOST_SPREAD = 0.15;
    private static final double[] SPREADS = spreads(12);
    private static final double LAPSE = 0.01;

    /** How far outside the trials the middle may be, in the logarithm. */
    private static final double MARGIN = 0.2;

    /** Relative to the largest part of the posterior: smaller parts do not change any quantile. */
    private static final double NEGLIGIBLE = 1e-5;

    private static final double SQUARE_ROOT_OF_2 = Math.sqrt(2);

    private Capacity() {}

    private static double[] spreads(final int count) {
        return IntStream.range(0, count)
                .mapToDouble(i ->
                        LEAST_SPREAD
                                * Math.pow(MOST_SPREAD / LEAST_SPREAD, (double) i / (count - 1)))
                .toArray();
    }

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
        final double[] logs =
                trials.stream().mapToDouble(trial -> Math.log(trial.ratePerSecond())).toArray();
        final double highest = Arrays.stream(logs).max().orElseThrow();
        final double lowest = Arrays.stream(logs).min().orElseThrow();
        final Posterior coarse = new Posterior(trials, logs, lowest - MARGIN, highest + MARGIN);
        final Posterior fine = coarse.magnified();
        return Optional.of(
                new ConfidenceInterval(
                        fine.quantile((1 - confidence) / 2), fine.quantile((1 + confidence) / 2)));
    }

    /** The posterior of the middle, as sums over equal steps of the logarithm. */
    private static final class Posterior {
        private final List<Tried> trials;

        /** Of their rates. */
        private final double[] logs;

        private final double from;
        private final double step;
        private final double[] parts = new double[MIDDLES];
        private double whole;

        Posterior(
                final List<Tried> trials, final double[] logs, final double from, final double to) {
            this.trials = trials;
            this.logs = logs;
            this.from = from;
            step = (to - from) / MIDDLES;
            for (int i = 0; i < MIDDLES; i++) {
                parts[i] = likelihood(from + (i + 0.5) * step);
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
            return new Posterior(trials, logs, from + first * step, from + (last + 1) * step);
        }

        private double likelihood(final double middle) {
            double sum = 0;
            for (final double spread : SPREADS) {
                double product = 1;
                for (int i = 0; i < logs.length; i++) {
                    final double bad =
                            LAPSE / 2 + (1 - LAPSE) * normal((logs[i] - middle) / spread);
                    product *= trials.get(i).isBad() ? bad : 1 - bad;
                }
                sum += product;
            }
            return sum;
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

    /**
     * Distribution function of the normal distribution, good to 1.5e-7: Abramowitz and Stegun,
     * "Handbook of Mathematical Functions", formula 7.1.26.
     */
    private static double normal(final double z) {
        final double x = Math.abs(z) / SQUARE_ROOT_OF_2;
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
