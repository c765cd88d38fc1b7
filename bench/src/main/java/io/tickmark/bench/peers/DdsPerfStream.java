package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code ddsperf pub} and {@code sub}, reliable, everything kept; the figure named after the size
 * is the rate received.
 *
 * @param children that starts it
 * @param payloadBytes message length
 * @param settings of the run
 */
record DdsPerfStream(Children children, int payloadBytes, SideBySideSettings settings)
        implements Contestant {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Override
    public String name() {
        return "ddsperf pub/sub " + payloadBytes + " B";
    }

    @Override
    public Map<String, Double> measure() {
        final Cores cores = settings.pinning();
        final String seconds = Integer.toString(settings.seconds() + 3);
        try (Child sub = start(cores.receiver(), List.of("-D", seconds, "sub"));
                Child pub =
                        start(
                                cores.sender(),
                                List.of(
                                        "-D",
                                        seconds,
                                        "pub",
                                        "size",
                                        Integer.toString(payloadBytes)))) {
            pub.await(LIMIT, List.of(0));
            return Map.of(
                    Integer.toString(payloadBytes),
                    DdsPerfText.receivedPerSecond(sub.await(LIMIT, List.of(0))));
        }
    }

    private Child start(final int core, final List<String> mode) {
        final List<String> command =
                new ArrayList<>(
                        List.of(
                                "ddsperf",
                                "-i",
                                Integer.toString(DdsPlace.DDSPERF_DOMAIN),
                                "-k",
                                "all"));
        command.addAll(mode);
        return children.start(
                "ddsperf-" + mode.getLast(), Cores.on(core, DdsPlace.onThisHost(command)));
    }
}
