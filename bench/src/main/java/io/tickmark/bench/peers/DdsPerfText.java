package io.tickmark.bench.peers;

import io.tickmark.bench.contest.NotMeasured;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines that ddsperf prints each second. */
final class DdsPerfText {
    private static final Pattern MEDIAN = Pattern.compile(" 50% ([\\d.]+)us");
    private static final Pattern RATE =
            Pattern.compile("total \\d+ lost (\\d+) delta \\d+ lost \\d+ rate ([\\d.]+) kS/s");

    private DdsPerfText() {}

    /**
     * The median of the seconds' median round trips; the first second warms up. ddsperf prints half
     * of a round trip.
     *
     * @param output of {@code ddsperf ping}
     * @return ns
     */
    static double medianRoundTripNs(final String output) {
        final List<Double> seconds =
                MEDIAN.matcher(output)
                        .results()
                        .skip(1)
                        .map(found -> Double.parseDouble(found.group(1)) * 2_000)
                        .sorted()
                        .toList();
        if (seconds.isEmpty()) {
            throw new NotMeasured("ddsperf printed no round trips: " + output.strip());
        }
        return seconds.get(seconds.size() / 2);
    }

    /**
     * The median of the seconds' rates, without the first and the last, which are not whole.
     *
     * @param output of {@code ddsperf sub}
     * @return messages received per second
     */
    static double receivedPerSecond(final String output) {
        final Matcher lines = RATE.matcher(output);
        final List<Double> seconds =
                lines.results().map(found -> Double.parseDouble(found.group(2)) * 1_000).toList();
        if (seconds.size() < 3) {
            throw new NotMeasured("ddsperf printed no rates: " + output.strip());
        }
        final List<Double> whole =
                seconds.subList(1, seconds.size() - 1).stream().sorted().toList();
        return whole.get(whole.size() / 2);
    }
}
