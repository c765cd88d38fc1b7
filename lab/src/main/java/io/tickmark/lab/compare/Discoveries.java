package io.tickmark.lab.compare;

import java.util.Arrays;

/**
 * Many figures are compared at once, so some differ by chance. Benjamini and Hochberg, "Controlling
 * the False Discovery Rate", Journal of the Royal Statistical Society B 57, 1995: of what is called
 * different, at most a given part is so by chance; where nothing differs at all, that is the
 * probability of calling anything different. It holds for figures that go together, as percentiles
 * of one run do (Benjamini and Yekutieli, Annals of Statistics 29, 2001). Intervals of that level
 * agree with it (Benjamini and Yekutieli, "False Discovery Rate-Adjusted Multiple Confidence
 * Intervals", Journal of the American Statistical Association 100, 2005).
 */
final class Discoveries {
    private Discoveries() {}

    /**
     * The probability of error to allow each figure.
     *
     * @param pValues of all figures compared
     * @param rate false discovery rate
     * @return the largest p-value that is called different is below it; the interval of each figure
     *     with this error leaves out zero exactly where it is called different
     */
    static double errorProbability(final double[] pValues, final double rate) {
        final double[] sorted = pValues.clone();
        Arrays.sort(sorted);
        int found = 0;
        for (int i = 0; i < sorted.length; i++) {
            if (sorted[i] <= rate * (i + 1) / sorted.length) {
                found = i + 1;
            }
        }
        return sorted.length == 0 ? rate : rate * Math.max(1, found) / sorted.length;
    }
}
