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
import io.tickmark.kernel.stall.StallRecording;
import io.tickmark.lab.plan.JvmPlan;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What it costs that hot threads note their stalls and the times of messages: closed-loop round
 * trips, as fast as they go, with and without. Market data, FIX and feeds note none.
 *
 * @param frontDoor to run it
 * @param channel to measure
 * @param isWatched whether they note them
 * @param settings of the run
 */
record AttributionCost(
        PlanRunner frontDoor, String channel, boolean isWatched, SideBySideSettings settings)
        implements Contestant {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final List<String> CHANNELS = List.of("udp://127.0.0.1:0", "shm:", "aeron:ipc");
    private static final int BYTES = 64;
    private static final String MEDIAN = "p50";
    private static final String TAIL = "p99.9";
    private static final String RATE = "rate";
    private static final double MOST = 1.01;

    static Contest contest(final PlanRunner frontDoor, final SideBySideSettings settings) {
        final List<Contestant> contestants = new ArrayList<>();
        final List<Row> rows = new ArrayList<>();
        for (final String channel : CHANNELS) {
            final Contestant with = new AttributionCost(frontDoor, channel, true, settings);
            final Contestant without = new AttributionCost(frontDoor, channel, false, settings);
            contestants.add(with);
            contestants.add(without);
            final String what = "round trip %d B over %s, ".formatted(BYTES, channel);
            for (final String figure : List.of(MEDIAN, TAIL)) {
                rows.add(
                        Row.ratio(
                                what + figure,
                                figure,
                                with.name(),
                                without.name(),
                                Unit.NANOSECONDS,
                                new Goal.AtMost(MOST)));
            }
            rows.add(
                    Row.ratio(
                            what + RATE,
                            RATE,
                            with.name(),
                            without.name(),
                            Unit.PER_SECOND,
                            new Goal.AtLeast(1 / MOST)));
        }
        return new Contest("attribution", contestants, rows);
    }

    @Override
    public String name() {
        return "tickmark %s %s stalls".formatted(channel, isWatched ? "noting" : "without");
    }

    @Override
    public Map<String, Double> measure() {
        final Cores cores = settings.pinning();
        final TestPlan test =
                TestPlan.builder("attribution", "latency")
                        .channel(channel)
                        .setting("sizes", BYTES)
                        .setting("samples", settings.samples())
                        .setting("warmUp", settings.warmUpSeconds() + "s")
                        .role(role("latency-pub", cores.sender()))
                        .role(role("latency-sub", cores.receiver()))
                        .build();
        final TrialResult row =
                frontDoor.run(test, LIMIT.plusSeconds(settings.warmUpSeconds())).getFirst();
        final LatencySummary roundTrip =
                row.latency(Latencies.ROUND_TRIP_NS)
                        .orElseThrow(() ->
                                new NotMeasured(name() + " has no round trips: " + row.reasons()));
        return Map.of(
                MEDIAN, (double) roundTrip.p50().orElseThrow(() -> few(roundTrip)),
                TAIL, (double) roundTrip.p999().orElseThrow(() -> few(roundTrip)),
                RATE, row.achievedRatePerSecond());
    }

    private NotMeasured few(final LatencySummary roundTrip) {
        return new NotMeasured(
                "%s: %,d round trips are too few; give more --samples."
                        .formatted(name(), roundTrip.count()));
    }

    private RolePlan role(final String role, final int core) {
        final RolePlan pinned = PlanRunner.role(role, core);
        return isWatched
                ? pinned
                : pinned.on(
                        new JvmPlan(
                                JvmPlan.DEFAULT.heap(),
                                JvmPlan.DEFAULT.collector(),
                                List.of("-D" + StallRecording.NOTING_PROPERTY + "=false")));
    }
}
