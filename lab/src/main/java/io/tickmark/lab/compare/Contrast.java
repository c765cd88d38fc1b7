package io.tickmark.lab.compare;

import org.apache.commons.statistics.distribution.TDistribution;

/**
 * How a figure of one run differs from that of another, on the scale of logarithms.
 *
 * <p>Each repeat gives one estimate; they are independent because each was measured at another
 * time, and in another process where the plan starts one. Estimates of clusters compared by
 * Student's t hold their level with few and unequal clusters (Ibragimov and Mueller, "t-Statistic
 * Based Correlation and Heterogeneity Robust Inference", Journal of Business and Economic
 * Statistics 28, 2010, and "Inference with Few Heterogeneous Clusters", Review of Economics and
 * Statistics 98, 2016); degrees of freedom after Welch, 1947. Repeats as the level of which a mean
 * is taken, and ratios as what is reported: Kalibera and Jones, "Rigorous Benchmarking in
 * Reasonable Time", ISMM 2013.
 *
 * @param delta logarithm of the ratio of the other to the first
 * @param standardError of it; NaN where a run has fewer than two repeats
 * @param freedom degrees of freedom
 */
record Contrast(double delta, double standardError, double freedom) {
    static Contrast of(final Sample first, final Sample other) {
        final double delta = other.mean() - first.mean();
        if (first.repeats() < 2 || other.repeats() < 2) {
            return new Contrast(delta, Double.NaN, 0);
        }
        final double a = first.varianceOfMean();
        final double b = other.varianceOfMean();
        final double sum = a + b;
        final double freedom =
                sum == 0
                        ? Math.min(first.repeats(), other.repeats()) - 1.0
                        : sum
                                * sum
                                / (a * a / (first.repeats() - 1) + b * b / (other.repeats() - 1));
        return new Contrast(
                delta,
                Math.sqrt(sum + first.roundingVariance() + other.roundingVariance()),
                freedom);
    }

    /** A figure of one run against one that is certain and whose logarithm is zero. */
    static Contrast ofOne(final Sample sample) {
        return sample.repeats() < 2
                ? new Contrast(sample.mean(), Double.NaN, 0)
                : new Contrast(
                        sample.mean(),
                        Math.sqrt(sample.varianceOfMean() + sample.roundingVariance()),
                        sample.repeats() - 1.0);
    }

    boolean isKnown() {
        return !Double.isNaN(standardError);
    }

    /** Probability of at least this difference if there is none; 1 where it is not known. */
    double pValue() {
        if (!isKnown()) {
            return 1;
        }
        return standardError == 0
                ? delta == 0 ? 1 : 0
                : 2
                        * TDistribution.of(freedom)
                                .survivalProbability(Math.abs(delta) / standardError);
    }

    /** Half of the interval that contains the difference except with this probability. */
    double halfWidth(final double errorProbability) {
        return standardError == 0
                ? 0
                : standardError
                        * TDistribution.of(freedom)
                                .inverseSurvivalProbability(errorProbability / 2);
    }
}
