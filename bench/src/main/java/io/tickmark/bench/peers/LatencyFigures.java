package io.tickmark.bench.peers;

import io.tickmark.bench.contest.LatencyRow.Part;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TailSummary.Band;
import io.tickmark.kernel.result.TrialResult;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** What a row of ours says of a latency, as figures that a contest shows in full. */
final class LatencyFigures {
    private static final double SLOWEST_FROM_PERCENTILE = 99.9;

    private LatencyFigures() {}

    /**
     * Adds those that are known; a percentile without samples for it is not.
     *
     * @param figures to add to
     * @param name what the names of the figures begin with
     * @param row of the result
     * @param measured the latency of the row that its tail is about
     */
    static void put(
            final Map<String, Double> figures,
            final String name,
            final TrialResult row,
            final LatencySummary measured) {
        put(figures, Part.P50.of(name), measured.p50());
        put(figures, Part.P99.of(name), measured.p99());
        put(figures, Part.P999.of(name), measured.p999());
        final TailSummary tail = row.tail();
        if (tail == null) {
            return;
        }
        final LatencySummary undisturbed = tail.undisturbed().latency();
        if (undisturbed != null) {
            put(figures, Part.UNDISTURBED_P50.of(name), undisturbed.p50());
            put(figures, Part.UNDISTURBED_P99.of(name), undisturbed.p99());
            put(figures, Part.UNDISTURBED_P999.of(name), undisturbed.p999());
        }
        figures.put(Part.LEFT_OUT.of(name), 100 * tail.undisturbed().leftOutPart());
        for (final Band band : tail.bands()) {
            if (band.fromPercentile() >= SLOWEST_FROM_PERCENTILE && band.aboveMedianNs() > 0) {
                final double one = band.aboveMedianNs() / 100.0;
                figures.put(Part.MACHINE.of(name), band.ns(TailSummary.MACHINE) / one);
                figures.put(Part.SYSTEM.of(name), band.ns(TailSummary.SYSTEM) / one);
                figures.put(Part.BENCH.of(name), band.ns(TailSummary.BENCH) / one);
                figures.put(Part.UNKNOWN.of(name), band.ns(TailSummary.UNKNOWN) / one);
                figures.put(Part.REST.of(name), band.restNs() / one);
            }
        }
    }

    /**
     * What a further run measured; one that measured nothing takes no figure from the run before.
     *
     * @param run that may have no figures
     * @return its figures; none where there are none
     */
    static Map<String, Double> ifMeasured(final Supplier<Map<String, Double>> run) {
        try {
            return run.get();
        } catch (final NotMeasured e) {
            return Map.of();
        }
    }

    private static void put(
            final Map<String, Double> figures, final String name, final OptionalLong ns) {
        if (ns.isPresent()) {
            figures.put(name, (double) ns.getAsLong());
        }
    }
}
