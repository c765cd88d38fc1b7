package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.feed.FanOutServer;
import java.nio.file.Path;
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
            return FeedRow.measure(
                    frontDoor,
                    name(),
                    "feed-clients",
                    Map.of(
                            "server",
                            "http://127.0.0.1:" + port,
                            "token",
                            FanOutServer.TOKEN,
                            "clients",
                            CLIENTS,
                            "flush",
                            flush,
                            "warmUp",
                            "10s",
                            "duration",
                            "5s"));
        }
    }
}
