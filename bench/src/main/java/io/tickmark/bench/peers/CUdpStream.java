package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import java.util.List;
import java.util.Map;

/**
 * {@code bench/c/udp_stream}; the figure named after the size is the rate received.
 *
 * @param program to run
 * @param payloadBytes message length
 * @param call {@code send} on a connected socket, or {@code sendto} with the receiver's address
 * @param batch messages of a kernel batch, 1 for plain sends
 * @param settings of the run
 */
record CUdpStream(
        CProgram program, String call, int payloadBytes, int batch, SideBySideSettings settings)
        implements Contestant {
    @Override
    public String name() {
        final String sends = batch > 1 ? "batches of " + batch : "plain sends";
        return "C udp_stream, %s, %s".formatted(call, sends);
    }

    @Override
    public Map<String, Double> measure() {
        final Cores cores = settings.pinning();
        final int port = UdpPorts.free();
        try (Child receiver =
                program.start("receive", port, payloadBytes, batch, cores.receiver())) {
            UdpPorts.awaitBound(port, receiver);
            program.run(call, port, payloadBytes, batch, settings.seconds(), cores.sender());
            final String output = receiver.await(CProgram.LIMIT, List.of(0));
            return Map.of(Integer.toString(payloadBytes), FigureLine.figure(output, "msg_per_s"));
        }
    }
}
