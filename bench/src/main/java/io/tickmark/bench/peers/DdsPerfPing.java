package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code ddsperf ping} and {@code pong} of the library's own tools, by listeners; the figure named
 * after a size is the median round trip in ns.
 *
 * @param children that starts it
 * @param reliable strict reliable or best effort
 * @param sizes message lengths
 * @param settings of the run
 */
record DdsPerfPing(
        Children children, boolean reliable, List<Integer> sizes, SideBySideSettings settings)
        implements Contestant {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String SECONDS = "4";

    @Override
    public String name() {
        return "ddsperf ping " + DdsPlace.word(reliable);
    }

    @Override
    public Map<String, Double> measure() {
        final Cores cores = settings.pinning();
        final Map<String, Double> figures = new HashMap<>();
        for (final int size : sizes) {
            try (Child _ = start(cores.receiver(), List.of("pong"));
                    Child ping =
                            start(
                                    cores.sender(),
                                    List.of(
                                            "-D",
                                            SECONDS,
                                            "ping",
                                            "size",
                                            Integer.toString(size)))) {
                figures.put(
                        Integer.toString(size),
                        DdsPerfText.medianRoundTripNs(ping.await(LIMIT, List.of(0))));
            }
        }
        return figures;
    }

    private Child start(final int core, final List<String> mode) {
        final List<String> command =
                new ArrayList<>(
                        List.of("ddsperf", "-i", Integer.toString(DdsPlace.DDSPERF_DOMAIN)));
        if (!reliable) {
            command.add("-u");
        }
        command.addAll(mode);
        return children.start(
                "ddsperf-" + mode.getLast(), Cores.on(core, DdsPlace.onThisHost(command)));
    }
}
