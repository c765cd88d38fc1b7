package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contest;
import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.Goal;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.bench.contest.Row;
import io.tickmark.bench.contest.Unit;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.plan.TestPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Bare sockets against a C loop, and intelligent batching against one send for each message.
 *
 * @param frontDoor to run plans
 * @param program the C program beside ours
 * @param children that starts programs
 * @param settings of the run
 */
record SocketContests(
        PlanRunner frontDoor, CProgram program, Children children, SideBySideSettings settings) {
    private static final int BYTES = 700;
    private static final int BATCH = 20;

    List<Contest> all() {
        return List.of(socket(), batching());
    }

    private Contest socket() {
        final Contestant ours = new OurStream(frontDoor, "udp://127.0.0.1:0", BYTES, settings);
        final Contestant named = new CUdpStream(program, "sendto", BYTES, 1, settings);
        final Contestant connected = new CUdpStream(program, "send", BYTES, 1, settings);
        return new Contest(
                "socket",
                List.of(ours, named, connected),
                List.of(
                        received(ours, named, new Goal.AtLeast(0.9)),
                        received(ours, connected, new Goal.Shown())));
    }

    private static Row received(final Contestant ours, final Contestant c, final Goal goal) {
        return Row.ratio(
                "bare socket one way %d B, plain sends, received".formatted(BYTES),
                Integer.toString(BYTES),
                ours.name(),
                c.name(),
                Unit.PER_SECOND,
                goal);
    }

    private Contest batching() {
        final List<Contestant> contestants = new ArrayList<>();
        final List<Row> rows = new ArrayList<>();
        addBatching("UDP", "udp://127.0.0.1:0", "?batch=" + BATCH, 2, contestants, rows);
        addBatching("Archive", "archive:", "", 1.2, contestants, rows);
        return new Contest("batching", contestants, rows);
    }

    private void addBatching(
            final String medium,
            final String channel,
            final String parameters,
            final double atLeast,
            final List<Contestant> contestants,
            final List<Row> rows) {
        final Contestant each = sends(channel, "offer");
        final Contestant batched = sends(channel + parameters, "batch");
        contestants.addAll(List.of(batched, each));
        final String what = "intelligent batching %s %d B".formatted(medium, BYTES);
        rows.add(
                Row.ratio(
                        what + " as fast as possible, received",
                        OurSends.RATE,
                        batched.name(),
                        each.name(),
                        Unit.PER_SECOND,
                        new Goal.AtLeast(atLeast)));
        rows.add(
                Row.ratio(
                        what + " at 1,000 msg/s, response p99",
                        OurSends.P99_NS,
                        batched.name(),
                        each.name(),
                        Unit.NANOSECONDS,
                        new Goal.AtMost(1.1)));
    }

    private Contestant sends(final String channel, final String sendPath) {
        return new OnCleanDisk(
                new OurSends(frontDoor, channel, sendPath, BYTES, settings), children);
    }

    /**
     * Our stream test by one send path: the rate received as fast as possible, and the 99th
     * percentile of the response time at a low rate.
     *
     * @param frontDoor to run it
     * @param channel to measure
     * @param sendPath of the publisher
     * @param payloadBytes message length
     * @param settings of the run
     */
    private record OurSends(
            PlanRunner frontDoor,
            String channel,
            String sendPath,
            int payloadBytes,
            SideBySideSettings settings)
            implements Contestant {
        static final String RATE = "rate";
        static final String P99_NS = "p99";

        private static final int LOW_RATE_PER_SECOND = 1_000;

        /** In three seconds one pause of the machine would decide the 99th percentile. */
        private static final int LOW_RATE_SECONDS = 10;

        private static final String STORED = "archive:";
        private static final Duration LIMIT = Duration.ofSeconds(90);

        /** UDP drops what the receiver is too slow for; the received rate is the figure. */
        private static final Criteria ANY_LOSS =
                Settings.read(Criteria.class, Map.of("maxLostPart", 1), key -> key);

        @Override
        public String name() {
            return "tickmark %s %d B, %s".formatted(channel, payloadBytes, sendPath);
        }

        @Override
        public Map<String, Double> measure() {
            final TrialResult fast = run(0, settings.seconds());
            final TrialResult slow =
                    run(LOW_RATE_PER_SECOND, Math.max(LOW_RATE_SECONDS, settings.seconds()));
            if (fast.received() == 0 || fast.durationNs() <= 0) {
                throw new NotMeasured(name() + " received nothing: " + fast.reasons());
            }
            final LatencySummary response =
                    slow.latency(Latencies.RESPONSE_NS)
                            .orElseThrow(() ->
                                    new NotMeasured(name() + " has no latency: " + slow.reasons()));
            return Map.of(
                    RATE,
                    fast.received() * 1e9 / fast.durationNs(),
                    P99_NS,
                    (double) response.p99().orElseThrow());
        }

        private TrialResult run(final int ratePerSecond, final int seconds) {
            final Cores cores = settings.pinning();
            final TestPlan.Builder test =
                    channel.equals(STORED)
                            ? PlanRunner.throughArchive("sends", cores)
                            : TestPlan.builder("sends", "stream")
                                    .channel(channel)
                                    .role(PlanRunner.role("stream-pub", cores.sender()))
                                    .role(PlanRunner.role("stream-sub", cores.receiver()));
            test.setting("payloadBytes", payloadBytes)
                    .setting("sendPath", sendPath)
                    .setting("rate", ratePerSecond)
                    .setting("duration", seconds + "s")
                    .setting("jvmWarmUp", settings.warmUpSeconds() + "s")
                    .criteria(ANY_LOSS);
            return frontDoor
                    .run(test.build(), LIMIT.plusSeconds(settings.warmUpSeconds() + seconds))
                    .getFirst();
        }
    }
}
