package io.tickmark.lab.compare;

/**
 * One figure of one run: the logarithm of its value in each repeat, and the uncertainty of each of
 * them.
 *
 * @param logs natural logarithms, one for each repeat, at least one
 * @param withinVariance variance of one repeat's logarithm that is due to the variation within it,
 *     by the bootstrap over its blocks; 0 where that is not known
 * @param resolution relative step of the scale on which the figure was read
 */
record Sample(double[] logs, double withinVariance, double resolution) {
    /** Variance of a value that was rounded to a step. */
    private static final double UNIFORM = 1.0 / 12;

    double mean() {
        double sum = 0;
        for (final double log : logs) {
            sum += log;
        }
        return sum / logs.length;
    }

    int repeats() {
        return logs.length;
    }

    /**
     * Variance of the mean: from the spread of the repeats, and never less than from the variation
     * within them, so that a few repeats which agree by chance do not count as certain.
     */
    double varianceOfMean() {
        if (logs.length < 2) {
            return withinVariance / logs.length;
        }
        final double mean = mean();
        double squares = 0;
        for (final double log : logs) {
            squares += (log - mean) * (log - mean);
        }
        return Math.max(squares / (logs.length - 1), withinVariance) / logs.length;
    }

    /**
     * The variance added by rounding; repeats do not average it out, because they may round alike.
     */
    double roundingVariance() {
        return resolution * resolution * UNIFORM;
    }
}
