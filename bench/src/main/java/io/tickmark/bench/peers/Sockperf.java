package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.NotMeasured;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code sockperf ping-pong --nonblocked}; the figure named after a size is the median round trip
 * in ns.
 *
 * @param children that starts it
 * @param sizes message lengths
 * @param settings of the run
 */
record Sockperf(Children children, List<Integer> sizes, SideBySideSettings settings)
        implements Contestant {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String SECONDS = "2";

    @Override
    public String name() {
        return "sockperf ping-pong";
    }

    @Override
    public Map<String, Double> measure() {
        final Cores cores = settings.pinning();
        final Map<String, Double> figures = new HashMap<>();
        for (final int size : sizes) {
            final String port = Integer.toString(UdpPorts.free());
            try (Child server = start("server", port, cores.receiver(), List.of())) {
                UdpPorts.awaitBound(Integer.parseInt(port), server);
                final List<String> options = List.of("-m", Integer.toString(size), "-t", SECONDS);
                try (Child client = start("ping-pong", port, cores.sender(), options)) {
                    final String output = client.await(LIMIT, List.of(0));
                    figures.put(Integer.toString(size), SockperfText.medianRoundTripNs(output));
                }
            }
        }
        return figures;
    }

    private Child start(
            final String mode, final String port, final int core, final List<String> options) {
        final List<String> command =
                new ArrayList<>(
                        List.of("sockperf", mode, "-i", "127.0.0.1", "-p", port, "--nonblocked"));
        command.addAll(options);
        return children.start("sockperf-" + mode, Cores.on(core, command));
    }

    /** What {@code sockperf ping-pong} prints, colours and all. */
    static final class SockperfText {
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
}
