package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contestant;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.lab.plan.TestPlan;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The stream publisher at fixed rates on the null channel, both roles in one JVM; the figure named
 * after a rate is the rate sent.
 *
 * @param frontDoor to run it
 * @param ratesPerSecond asked for
 * @param settings of the run
 */
record OurPace(PlanRunner frontDoor, List<Integer> ratesPerSecond, SideBySideSettings settings)
        implements Contestant {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "tickmark null:";
    }

    @Override
    public Map<String, Double> measure() {
        final Map<String, Double> figures = new HashMap<>();
        for (final int ratePerSecond : ratesPerSecond) {
            figures.put(Integer.toString(ratePerSecond), measure(ratePerSecond));
        }
        return figures;
    }

    private double measure(final int ratePerSecond) {
        final Cores cores = settings.pinning();
        final TestPlan test =
                TestPlan.builder("pace", "stream")
                        .channel("null:")
                        .setting("payloadBytes", 64)
                        .setting("rate", ratePerSecond)
                        .setting("duration", settings.seconds() + "s")
                        .setting("jvmWarmUp", settings.warmUpSeconds() + "s")
                        .role(PlanRunner.role("stream-pub", cores.sender(), "both"))
                        .role(PlanRunner.role("stream-sub", cores.receiver(), "both"))
                        .build();
        final TrialResult row =
                frontDoor
                        .run(test, LIMIT.plusSeconds(settings.warmUpSeconds() + settings.seconds()))
                        .getFirst();
        // From the first to the last message there is one gap less than there are messages.
        return row.achievedRatePerSecond() * (row.sent() - 1) / row.sent();
    }
}
