package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.bench.feed.FanOutServer;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * 500 headless clients, 800 messages a second to each, from the same feed behind one server or
 * another; figures are the mean response time in ns and the rate received, of a trial in which
 * nothing was lost.
 *
 * @param root of the project
 * @param children that starts the server
 * @param frontDoor to run the clients
 * @param server as {@link FanOutServer} calls it
 * @param flush interval, {@code 0ms} for one message a frame
 */
record FanOut(Path root, Children children, FrontDoor frontDoor, String server, String flush)
        implements Contestant {
    static final String MEAN = "mean";
    static final String RATE = "rate";

    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final int CLIENTS = 500;
    private static final int RATE_PER_SECOND = 800;
    private static final int SYMBOLS = 400;

    @Override
    public String name() {
        return "%s, %s".formatted(server, flush.equals("0ms") ? "unbatched" : "flush " + flush);
    }

    @Override
    public Map<String, Double> measure() {
        final int port = TcpPorts.free();
        final List<String> arguments =
                List.of(
                        server,
                        Integer.toString(port),
                        Integer.toString(SYMBOLS),
                        Integer.toString(RATE_PER_SECOND));
        try (Child child =
                children.start(
                        "fan-out-" + server,
                        JavaCommand.of(root, FanOutServer.class.getName(), arguments))) {
            TcpPorts.awaitSaid(FanOutServer.READY, child);
            final TestPlan test =
                    TestPlan.builder("fan-out", "feed")
                            .setting("server", "http://127.0.0.1:" + port)
                            .setting("clients", CLIENTS)
                            .setting("flush", flush)
                            .setting("warmUp", "5s")
                            .setting("duration", "5s")
                            .role(
                                    new RolePlan(
                                            "feed-clients",
                                            1,
                                            Map.of(),
                                            List.of(),
                                            "",
                                            null,
                                            null,
                                            null,
                                            null))
                            .build();
            return figures(frontDoor.run(test, LIMIT).getFirst());
        }
    }

    private Map<String, Double> figures(final TrialResult row) {
        if (row.lost() > 0) {
            throw new NotMeasured(name() + " lost " + row.lost() + " messages.");
        }
        return Map.of(
                MEAN,
                row.latency(Latencies.RESPONSE_NS)
                        .map(LatencySummary::mean)
                        .orElseThrow(() -> new NotMeasured(name() + " received nothing.")),
                RATE,
                row.received() * 1e9 / row.durationNs());
    }
}
