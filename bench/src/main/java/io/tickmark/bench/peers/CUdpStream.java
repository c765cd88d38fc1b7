package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import java.util.List;
import java.util.Map;

/**
 * {@code bench/c/udp_stream}; the figure named after the size is the rate received.
 *
 * @param program to run
 * @param payloadBytes message length
 * @param batch messages of a kernel batch, 1 for plain sends
 * @param stamped whether each message carries a time and is looked at, or its number alone
 * @param settings of the run
 */
record CUdpStream(
        CProgram program, int payloadBytes, int batch, boolean stamped, SideBySideSettings settings)
        implements Contestant {
    @Override
    public String name() {
        final String sends = batch > 1 ? "batches of " + batch : "plain sends";
        return "C udp_stream, %s, %s".formatted(sends, kind());
    }

    private String kind() {
        return stamped ? "stamped" : "numbered";
    }

    @Override
    public Map<String, Double> measure() {
        final Cores cores = settings.pinning();
        final int port = UdpPorts.free();
        try (Child receiver =
                program.start("receive", port, payloadBytes, batch, kind(), cores.receiver())) {
            UdpPorts.awaitBound(port, receiver);
            program.run(
                    "send", port, payloadBytes, batch, kind(), settings.seconds(), cores.sender());
            final String output = receiver.await(CProgram.LIMIT, List.of(0));
            return Map.of(Integer.toString(payloadBytes), FigureLine.figure(output, "msg_per_s"));
        }
    }
}
