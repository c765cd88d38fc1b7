package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.kernel.result.Latencies;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.plan.TestPlan;
import java.time.Duration;
import java.util.Map;

/**
 * Our stream test by one send path: the rate received as fast as possible, and the 99th percentile
 * of the response time at a low rate.
 *
 * @param frontDoor to run it
 * @param channel to measure
 * @param sendPath of the publisher
 * @param payloadBytes message length
 * @param settings of the run
 */
record OurSends(
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

    /** UDP drops what the receiver is too slow for; the rate received tells all. */
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
