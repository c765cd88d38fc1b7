package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.lab.plan.Criteria;
import io.tickmark.lab.plan.TestPlan;
import java.time.Duration;
import java.util.Map;

/**
 * Our stream test as fast as possible, each role in a separate JVM; the figure named after the size
 * is the rate received, with all that is recorded by default.
 *
 * @param frontDoor to run it
 * @param channel to measure
 * @param payloadBytes message length
 * @param settings of the run
 */
record OurStream(
        PlanRunner frontDoor, String channel, int payloadBytes, SideBySideSettings settings)
        implements Contestant {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** UDP drops what the receiver is too slow for; the received rate is the figure. */
    private static final Criteria ANY_LOSS =
            Settings.read(Criteria.class, Map.of("maxLostPart", 1), key -> key);

    @Override
    public String name() {
        return "tickmark %s %d B".formatted(channel, payloadBytes);
    }

    @Override
    public Map<String, Double> measure() {
        final Cores cores = settings.pinning();
        final TestPlan test =
                TestPlan.builder("stream", "stream")
                        .channel(channel)
                        .setting("payloadBytes", payloadBytes)
                        .setting("duration", settings.seconds() + "s")
                        .setting("jvmWarmUp", settings.warmUpSeconds() + "s")
                        .role(PlanRunner.role("stream-pub", cores.sender()))
                        .role(PlanRunner.role("stream-sub", cores.receiver()))
                        .criteria(ANY_LOSS)
                        .build();
        final TrialResult row =
                frontDoor
                        .run(test, LIMIT.plusSeconds(settings.warmUpSeconds() + settings.seconds()))
                        .getFirst();
        if (row.received() == 0 || row.durationNs() <= 0) {
            throw new NotMeasured(name() + " received nothing: " + row.reasons());
        }
        return Map.of(Integer.toString(payloadBytes), row.received() * 1e9 / row.durationNs());
    }
}
