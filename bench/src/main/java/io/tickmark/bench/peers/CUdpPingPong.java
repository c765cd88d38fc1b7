package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code bench/c/udp_pingpong}; the figure named after a size is the median round trip in ns.
 *
 * @param program to run
 * @param sizes message lengths
 * @param settings of the run
 */
record CUdpPingPong(CProgram program, List<Integer> sizes, SideBySideSettings settings)
        implements Contestant {
    @Override
    public String name() {
        return "C udp_pingpong";
    }

    @Override
    public Map<String, Double> measure() {
        final Cores cores = settings.pinning();
        final Map<String, Double> figures = new HashMap<>();
        for (final int size : sizes) {
            final int port = UdpPorts.free();
            try (Child server = program.start("server", port, cores.receiver())) {
                UdpPorts.awaitBound(port, server);
                final String output =
                        program.run("client", port, size, settings.samples(), cores.sender());
                figures.put(Integer.toString(size), FigureLine.figure(output, "p50_ns"));
            }
        }
        return figures;
    }
}
