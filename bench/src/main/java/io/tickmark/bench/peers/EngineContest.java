package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contest;
import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.Goal;
import io.tickmark.bench.contest.LatencyRow;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.bench.contest.Row;
import io.tickmark.bench.contest.Unit;
import io.tickmark.bench.engines.BareEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Engines through tickmark, each against a bare loop on its own client and, where it has one, the
 * same server: a closed loop of round trips, and a stream as fast as possible.
 *
 * @param root of the project
 * @param children that starts programs
 * @param frontDoor to run plans
 * @param settings of the run
 */
record EngineContest(
        Path root, Children children, PlanRunner frontDoor, SideBySideSettings settings) {
    private static final int BYTES = 100;
    private static final String P50_NS = "p50";
    private static final String RATE = "rate";

    /** Round trips through a server take fifty times those of a ring: so many fewer of them. */
    private static final int FEWER_SAMPLES = 10;

    Contest contest() {
        final List<Contestant> contestants = new ArrayList<>();
        final List<Row> rows = new ArrayList<>();
        final List<LatencyRow> latencies = new ArrayList<>();
        for (final String scheme : BareEngine.schemes()) {
            final Contestant ours = new Ours(scheme);
            final Contestant bare = new Bare(scheme);
            contestants.addAll(List.of(ours, bare));
            latencies.addAll(
                    OurRoundTrips.latencies(
                            scheme + " round trip %d B", List.of(BYTES), List.of(), ours));
            rows.add(
                    Row.ratio(
                            "%s round trip %d B, p50".formatted(scheme, BYTES),
                            P50_NS,
                            ours.name(),
                            bare.name(),
                            Unit.NANOSECONDS,
                            new Goal.AtMost(1.1)));
            rows.add(
                    Row.ratio(
                            "%s one way %d B, received".formatted(scheme, BYTES),
                            RATE,
                            ours.name(),
                            bare.name(),
                            Unit.PER_SECOND,
                            new Goal.AtLeast(0.9)));
        }
        return new Contest("engines", contestants, rows, latencies);
    }

    /** Engines without a server need an address to bind. */
    private static String channel(final String scheme) {
        return List.of("grpc", "zeromq").contains(scheme)
                ? scheme + "://127.0.0.1:0"
                : scheme + ":";
    }

    private int samples() {
        return Math.max(100, settings.samples() / FEWER_SAMPLES);
    }

    /** Our latency test, then our stream test, with a server each. */
    private final class Ours implements Contestant {
        private final String scheme;
        private final Contestant roundTrips;
        private final Contestant stream;

        Ours(final String scheme) {
            this.scheme = scheme;
            roundTrips =
                    new OurRoundTrips(
                            frontDoor, channel(scheme), List.of(BYTES), settings.with(samples()));
            stream = new OurStream(frontDoor, channel(scheme), BYTES, settings);
        }

        @Override
        public String name() {
            return "tickmark " + scheme;
        }

        @Override
        public Map<String, Double> measure() {
            final String size = Integer.toString(BYTES);
            final Map<String, Double> figures = new HashMap<>(roundTrips.measure());
            figures.put(P50_NS, figures.get(size));
            figures.put(RATE, stream.measure().get(size));
            return figures;
        }
    }

    /** Both sides of the bare loop, in processes of their own. */
    private final class Bare implements Contestant {
        private static final Duration LIMIT = Duration.ofSeconds(180);
        private static final long LOOK_MS = 20;

        private final String scheme;

        Bare(final String scheme) {
            this.scheme = scheme;
        }

        @Override
        public String name() {
            return "bare " + scheme;
        }

        @Override
        public Map<String, Double> measure() {
            final Cores cores = settings.pinning();
            final List<Object> sending =
                    List.of(
                            "send",
                            scheme,
                            BYTES,
                            samples(),
                            settings.warmUpSeconds(),
                            settings.seconds(),
                            cores.sender());
            try (Child sender = start("send", sending)) {
                final String at = awaitServer(sender);
                final List<Object> receiving =
                        List.of(
                                "receive",
                                scheme,
                                BYTES,
                                FigureLine.word(at, "at"),
                                cores.receiver());
                try (Child receiver = start("receive", receiving)) {
                    final Map<String, Double> figures = new HashMap<>();
                    figures.put(
                            RATE,
                            FigureLine.figure(receiver.await(LIMIT, List.of(0)), "msg_per_s"));
                    figures.put(
                            P50_NS, FigureLine.figure(sender.await(LIMIT, List.of(0)), "p50_ns"));
                    return figures;
                }
            }
        }

        private String awaitServer(final Child sender) {
            try {
                for (long ms = 0; ms < LIMIT.toMillis(); ms += LOOK_MS) {
                    final String said = sender.output();
                    if (said.contains(BareEngine.SERVER) && said.endsWith("\n")) {
                        return said;
                    }
                    if (!sender.isAlive()) {
                        break;
                    }
                    Thread.sleep(LOOK_MS);
                }
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new NotMeasured(name() + " has no server: " + sender.reason());
        }

        private Child start(final String side, final List<Object> arguments) {
            final List<String> words = new ArrayList<>();
            arguments.forEach(each -> words.add(each.toString()));
            return children.start(
                    "bare-%s-%s".formatted(scheme, side),
                    JavaCommand.of(root, BareEngine.class.getName(), words));
        }
    }
}
