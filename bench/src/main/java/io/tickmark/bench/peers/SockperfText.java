package io.tickmark.bench.peers;

import io.tickmark.bench.contest.NotMeasured;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code sockperf ping-pong} prints, colours and all. */
final class SockperfText {
    private static final Pattern MEDIAN = Pattern.compile("percentile 50\\.0+ =\\s*([0-9.]+)");
    private static final double NS_PER_US = 1_000;

    private SockperfText() {}

    /**
     * The median round trip. Sockperf prints half of it, in us.
     *
     * @param output of the client
     * @return ns
     */
    static double medianRoundTripNs(final String output) {
        final Matcher matcher = MEDIAN.matcher(output);
        if (!matcher.find()) {
            throw new NotMeasured("sockperf printed no median.");
        }
        return 2 * NS_PER_US * Double.parseDouble(matcher.group(1));
    }
}
