package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contest;
import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.Goal;
import io.tickmark.bench.contest.LatencyRow;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.bench.contest.Row;
import io.tickmark.bench.contest.Unit;
import io.tickmark.bench.feed.FanOutServer;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The price feed: one server beside another, and the page in a real browser.
 *
 * @param root of the project
 * @param children that starts programs
 * @param frontDoor to run plans
 */
record FeedContests(Path root, Children children, PlanRunner frontDoor) {
    /** What 500 clients with 800 messages a second each should get, but for a rounded edge. */
    private static final double ALL = 399_000;

    private static final double FRAME_NS = 16.7e6;
    private static final int RATE_PER_SECOND = 800;

    List<Contest> all() {
        return List.of(
                fanOut("fan-out", "4ms", 3e6), fanOut("fan-out-unbatched", "0ms", 3e6), browser());
    }

    private Contest fanOut(final String name, final String flush, final double mostNs) {
        final Contestant ours =
                new FanOut(root, children, frontDoor, "undertow", flush, RATE_PER_SECOND);
        final Contestant half =
                new FanOut(root, children, frontDoor, "undertow", flush, RATE_PER_SECOND / 2);
        final Contestant netty =
                new FanOut(root, children, frontDoor, "netty", flush, RATE_PER_SECOND);
        final String what =
                "500 clients at 800 msg/s, "
                        + (flush.equals("0ms") ? "one message a frame" : "flush " + flush);
        return new Contest(
                name,
                List.of(ours, half, netty),
                List.of(
                        Row.figure(
                                what + ", mean",
                                FeedRow.MEAN,
                                ours.name(),
                                Unit.NANOSECONDS,
                                new Goal.AtMost(mostNs)),
                        Row.figure(
                                what + ", received",
                                FeedRow.RATE,
                                ours.name(),
                                Unit.PER_SECOND,
                                new Goal.AtLeast(ALL)),
                        Row.ratio(
                                what + ", mean",
                                FeedRow.MEAN,
                                ours.name(),
                                netty.name(),
                                Unit.NANOSECONDS,
                                new Goal.Shown())),
                List.of(
                        new LatencyRow(what, ours.name(), FeedRow.LATENCY),
                        new LatencyRow(what, netty.name(), FeedRow.LATENCY),
                        new LatencyRow("half as much to each", half.name(), FeedRow.LATENCY)));
    }

    private Contest browser() {
        final Contestant single =
                new BrowserPage(frontDoor, "page, one message a frame", "9700", "0ms", "canvas");
        final Contestant table = new BrowserPage(frontDoor, "page, table", "400k", "1ms", "table");
        final Contestant canvas =
                new BrowserPage(frontDoor, "page, canvas", "800k", "1ms", "canvas");
        final List<Row> rows = new ArrayList<>();
        rows.add(rate(single, 9_600));
        rows.add(
                Row.figure(
                        single.name() + ", mean",
                        FeedRow.MEAN,
                        single.name(),
                        Unit.NANOSECONDS,
                        new Goal.AtMost(3.4e6)));
        rows.add(rate(table, ALL));
        rows.add(p99(table));
        rows.add(rate(canvas, 2 * ALL));
        rows.add(p99(canvas));
        return new Contest(
                "browser",
                List.of(single, table, canvas),
                rows,
                List.of(single, table, canvas).stream()
                        .map(page -> new LatencyRow(page.name(), page.name(), FeedRow.LATENCY))
                        .toList());
    }

    private static Row rate(final Contestant page, final double atLeast) {
        return Row.figure(
                page.name() + ", received",
                FeedRow.RATE,
                page.name(),
                Unit.PER_SECOND,
                new Goal.AtLeast(atLeast));
    }

    private static Row p99(final Contestant page) {
        return Row.figure(
                page.name() + ", p99",
                FeedRow.P99,
                page.name(),
                Unit.NANOSECONDS,
                new Goal.AtMost(FRAME_NS));
    }

    /**
     * The console's page in a real Chromium, 1,000 symbols, nothing merged.
     *
     * @param frontDoor to run it
     * @param name of the row
     * @param rate of the feed
     * @param flush interval, {@code 0ms} for one message a frame
     * @param renderer {@code table} or {@code canvas}
     */
    private record BrowserPage(
            PlanRunner frontDoor, String name, String rate, String flush, String renderer)
            implements Contestant {
        @Override
        public Map<String, Double> measure() {
            return FeedRow.measure(
                    frontDoor,
                    name,
                    "console-browser",
                    Map.of(
                            "symbols",
                            1000,
                            "rate",
                            rate,
                            "flush",
                            flush,
                            "renderer",
                            renderer,
                            "conflation",
                            "buffer",
                            "warmUp",
                            "10s",
                            "duration",
                            "15s"));
        }
    }

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
     * @param ratePerSecond to each client
     */
    private record FanOut(
            Path root,
            Children children,
            PlanRunner frontDoor,
            String server,
            String flush,
            int ratePerSecond)
            implements Contestant {
        private static final int CLIENTS = 500;
        private static final int SYMBOLS = 400;

        @Override
        public String name() {
            final String how = flush.equals("0ms") ? "unbatched" : "flush " + flush;
            return ratePerSecond == RATE_PER_SECOND
                    ? server + ", " + how
                    : "%s, %s, %d msg/s".formatted(server, how, ratePerSecond);
        }

        @Override
        public Map<String, Double> measure() {
            final int port = TcpPorts.free();
            final List<String> arguments =
                    List.of(
                            server,
                            Integer.toString(port),
                            Integer.toString(SYMBOLS),
                            Integer.toString(ratePerSecond));
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

    /**
     * A measurement of the price feed with one role: figures are the rate received, and mean and
     * p99 of the response time in ns.
     */
    private static final class FeedRow {
        static final String RATE = "rate";
        static final String MEAN = "mean";
        static final String P99 = "p99";
        static final String LATENCY = "latency";

        private static final Duration LIMIT = Duration.ofSeconds(120);

        private FeedRow() {}

        /** Measures; a lost message is no figure. */
        static Map<String, Double> measure(
                final PlanRunner frontDoor,
                final String name,
                final String role,
                final Map<String, Object> settings) {
            final TestPlan test =
                    TestPlan.builder("row", "feed").role(RolePlan.of(role, settings)).build();
            final TrialResult row = frontDoor.run(test, LIMIT).getFirst();
            if (row.lost() > 0) {
                throw new NotMeasured(name + " lost " + row.lost() + " messages.");
            }
            final LatencySummary latency =
                    row.latency(Latencies.RESPONSE_NS)
                            .orElseThrow(() -> new NotMeasured(name + " received nothing."));
            final Map<String, Double> figures = new HashMap<>();
            figures.put(RATE, row.received() * 1e9 / row.durationNs());
            figures.put(MEAN, latency.mean());
            figures.put(P99, (double) latency.p99().orElseThrow());
            LatencyFigures.put(figures, LATENCY, row, latency);
            return figures;
        }
    }
}
