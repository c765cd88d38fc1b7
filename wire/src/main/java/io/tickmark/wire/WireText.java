package io.tickmark.wire;

import io.tickmark.kernel.result.Percentiles;
import io.tickmark.wire.match.FixCounts;
import io.tickmark.wire.match.FixMatcher;
import io.tickmark.wire.match.WireFigures;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * The short report of a FIX capture, line by line as reporters of fan-out benchmarks print it:
 * rates, then the latency of each copy in microseconds.
 */
public final class WireText {
    private static final double[] PERCENTILES = {25, 50, 75, 90, 99, 99.9, 99.99};
    private static final double NS_PER_US = 1e3;

    private WireText() {}

    /**
     * The report.
     *
     * @param result of a capture
     * @return lines with line ends; empty where there is no FIX in it
     */
    public static String of(final WireResult result) {
        return result.fix()
                .filter(fix -> fix.counts().in() + fix.counts().out() > 0)
                .map(WireText::of)
                .orElse("");
    }

    private static String of(final FixMatcher fix) {
        final FixCounts counts = fix.counts();
        final StringBuilder text = new StringBuilder();
        line(
                text,
                "IN rate: %.0f (msg/sec), OUT rate: %.0f (msg/sec)",
                counts.inRatePerSecond(),
                counts.outRatePerSecond());
        fix.recorded()
                .map(step -> step.latencies().get(WireFigures.EACH_COPY_NS))
                .ifPresent(each -> latencies(text, each));
        return text.toString();
    }

    private static void latencies(final StringBuilder text, final Histogram each) {
        line(
                text,
                "MIN: %.1f (us), MAX: %.1f (us), MEAN: %.2f (us)",
                each.getMinValue() / NS_PER_US,
                each.getMaxValue() / NS_PER_US,
                each.getMean() / NS_PER_US);
        for (final double percentile : PERCENTILES) {
            Percentiles.of(each, percentile)
                    .ifPresentOrElse(
                            ns ->
                                    line(
                                            text,
                                            "%.2f percentile: %.1f (us)",
                                            percentile,
                                            ns / NS_PER_US),
                            () ->
                                    line(
                                            text,
                                            "%.2f percentile: n/a (too few messages)",
                                            percentile));
        }
    }

    private static void line(final StringBuilder text, final String line, final Object... values) {
        text.append(String.format(Locale.ROOT, line, values)).append('\n');
    }
}
