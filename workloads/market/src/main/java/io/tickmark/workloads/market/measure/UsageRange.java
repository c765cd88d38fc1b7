package io.tickmark.workloads.market.measure;

import java.util.Locale;

/** Smallest, largest and mean of samples. One thread at a time. */
final class UsageRange {
    private long count;
    private double sum;
    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;

    UsageRange() {}

    synchronized void add(final double value) {
        if (!Double.isNaN(value)) {
            count++;
            sum += value;
            min = Math.min(min, value);
            max = Math.max(max, value);
        }
    }

    synchronized long count() {
        return count;
    }

    synchronized String lines(final String what, final String unit) {
        return count == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "  %s max (%s): %.2f\n  %s min (%s): %.2f\n  %s avg (%s): %.2f\n",
                        what,
                        unit,
                        max,
                        what,
                        unit,
                        min,
                        what,
                        unit,
                        sum / count);
    }
}
