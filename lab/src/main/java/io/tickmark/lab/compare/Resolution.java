package io.tickmark.lab.compare;

import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;

/** The smallest change that a run can detect, derived from how much its own repeats differ. */
public final class Resolution {
    private static final double ERROR_PROBABILITY = 0.05;
    private static final int FEWEST_REPEATS = 2;

    private Resolution() {}

    /**
     * The half width of the interval of a comparison of two runs whose repeats differ as these do:
     * the interval of a smaller change contains zero as often as not.
     *
     * @param repeats of one step of one test on one channel
     * @param latency its name
     * @param figure a percentile of it
     * @return part of the figure, 0.05 for 5 %; empty where there are fewer than two repeats, or
     *     one lacks the figure
     */
    public static OptionalDouble of(
            final List<TrialResult> repeats,
            final String latency,
            final Function<LatencySummary, OptionalLong> figure) {
        final double[] logs =
                repeats.stream()
                        .map(trial -> trial.latencies().get(latency))
                        .filter(Objects::nonNull)
                        .map(figure)
                        .filter(ns -> ns.isPresent() && ns.getAsLong() > 0)
                        .mapToDouble(ns -> Math.log(ns.getAsLong()))
                        .toArray();
        if (logs.length < FEWEST_REPEATS || logs.length < repeats.size()) {
            return OptionalDouble.empty();
        }
        final Sample sample = new Sample(logs, 0, Samples.HISTOGRAM_STEP);
        return OptionalDouble.of(
                Math.expm1(Contrast.of(sample, sample).halfWidth(ERROR_PROBABILITY)));
    }
}
