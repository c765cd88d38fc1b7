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
import io.tickmark.lab.plan.TestPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * What it costs that hot threads note their stalls and the times of messages: each load with that,
 * and without; and what it brings: how much of a tail is charged by dated records.
 *
 * @param frontDoor to run them
 * @param program of the FIX contests
 * @param settings of the run
 */
record AttributionCost(PlanRunner frontDoor, CProgram program, SideBySideSettings settings) {
    private static final String OFF = "-D" + StallRecording.NOTING_PROPERTY + "=false";
    private static final List<String> CHANNELS = List.of("udp://127.0.0.1:0", "shm:", "aeron:ipc");
    private static final int BYTES = 64;
    private static final String MEDIAN = "p50";
    private static final String TAIL = "p99.9";
    private static final String RATE = "rate";
    private static final double MOST = 1.01;
    private static final String EXPLAIN = "-D" + StallRecording.EXPLAIN_PROPERTY + "=true";
    private static final String DATED = "dated";
    private static final double LEAST_DATED = 90;

    private static final int ITEMS = 10_000;
    private static final int FIRST_UPDATES_PER_SECOND = 100_000;

    Contest contest() {
        final List<Contestant> contestants = new ArrayList<>();
        final List<Row> rows = new ArrayList<>();
        for (final String channel : CHANNELS) {
            add(
                    "round trip %d B over %s, ".formatted(BYTES, channel),
                    List.of(MEDIAN, TAIL),
                    List.of(RATE),
                    (runner, name) -> new RoundTrips(runner, name, channel, settings),
                    contestants,
                    rows);
        }
        add(
                "market data direct, highest rate held, ",
                List.of("mean", "p99"),
                List.of(RATE),
                (runner, name) ->
                        new MarketContests.MarketRates(
                                runner,
                                name,
                                MarketLoad.direct(
                                        ITEMS, FIRST_UPDATES_PER_SECOND, settings.seconds())),
                contestants,
                rows);
        add(
                "FIX fan-out 5 to 20, ",
                List.of("paced p50", "paced p99.9"),
                List.of("full speed rate"),
                (runner, name) -> new FixContests(runner, program, settings).ours(name),
                contestants,
                rows);
        add("with --explain", frontDoor.withJvmOption(EXPLAIN), contestants, rows);
        add("without", frontDoor, contestants, rows);
        return new Contest("attribution", contestants, rows);
    }

    private void add(
            final String how,
            final PlanRunner runner,
            final List<Contestant> contestants,
            final List<Row> rows) {
        final Contestant charged = new Charged(runner, "charged, " + how, settings);
        contestants.add(charged);
        rows.add(
                Row.figure(
                        "latency above the median at 99.9 % charged by dated records, " + how,
                        DATED,
                        charged.name(),
                        Unit.PERCENT,
                        runner == frontDoor ? new Goal.Shown() : new Goal.AtLeast(LEAST_DATED)));
    }

    private void add(
            final String what,
            final List<String> times,
            final List<String> rates,
            final BiFunction<PlanRunner, String, Contestant> load,
            final List<Contestant> contestants,
            final List<Row> rows) {
        final String name = what.substring(0, what.lastIndexOf(','));
        final Contestant with = load.apply(frontDoor, name + ", noting stalls");
        final Contestant without = load.apply(frontDoor.withJvmOption(OFF), name + ", without");
        contestants.add(with);
        contestants.add(without);
        times.forEach(figure ->
                rows.add(
                        Row.ratio(
                                what + figure,
                                figure,
                                with.name(),
                                without.name(),
                                Unit.NANOSECONDS,
                                new Goal.AtMost(MOST))));
        rates.forEach(figure ->
                rows.add(
                        Row.ratio(
                                what + figure,
                                figure,
                                with.name(),
                                without.name(),
                                Unit.PER_SECOND,
                                new Goal.AtLeast(1 / MOST))));
    }

    /**
     * Closed-loop round trips, as fast as they go.
     *
     * @param runner with or without
     * @param name of the contestant
     * @param channel to measure
     * @param settings of the run
     */
    private record RoundTrips(
            PlanRunner runner, String name, String channel, SideBySideSettings settings)
            implements Contestant {
        /** A machine that others use as well may take long for a million round trips. */
        private static final Duration LIMIT = Duration.ofMinutes(5);

        @Override
        public Map<String, Double> measure() {
            final Cores cores = settings.pinning();
            final TestPlan test =
                    TestPlan.builder("attribution", "latency")
                            .channel(channel)
                            .setting("sizes", BYTES)
                            .setting("samples", settings.samples())
                            .setting("warmUp", settings.warmUpSeconds() + "s")
                            .role(PlanRunner.role("latency-pub", cores.sender()))
                            .role(PlanRunner.role("latency-sub", cores.receiver()))
                            .build();
            final TrialResult row =
                    runner.run(test, LIMIT.plusSeconds(settings.warmUpSeconds())).getFirst();
            final LatencySummary roundTrip =
                    row.latency(Latencies.ROUND_TRIP_NS)
                            .orElseThrow(() ->
                                    new NotMeasured(
                                            name + " has no round trips: " + row.reasons()));
            return Map.of(
                    MEDIAN, (double) roundTrip.p50().orElseThrow(() -> few(roundTrip)),
                    TAIL, (double) roundTrip.p999().orElseThrow(() -> few(roundTrip)),
                    RATE, row.achievedRatePerSecond());
        }

        private NotMeasured few(final LatencySummary roundTrip) {
            return new NotMeasured(
                    "%s: %,d round trips are too few; give more --samples."
                            .formatted(name, roundTrip.count()));
        }
    }

    /**
     * Round trips at a rate, on cores that nobody pins: how much of their tail is charged.
     *
     * @param runner with the kernel's records of the cores, or without
     * @param name of the contestant
     * @param settings of the run
     */
    private record Charged(PlanRunner runner, String name, SideBySideSettings settings)
            implements Contestant {
        private static final double FROM_PERCENTILE = 99.9;

        @Override
        public Map<String, Double> measure() {
            final TestPlan test =
                    TestPlan.builder("charged", "latency")
                            .channel(CHANNELS.getFirst())
                            .setting("sizes", BYTES)
                            .setting("rate", 5_000)
                            .setting("duration", settings.seconds() + "s")
                            .setting("warmUp", settings.warmUpSeconds() + "s")
                            .role(PlanRunner.role("latency-pub"))
                            .role(PlanRunner.role("latency-sub"))
                            .build();
            final Duration limit =
                    Duration.ofSeconds(settings.seconds() + settings.warmUpSeconds())
                            .plusMinutes(1);
            final TrialResult row = runner.run(test, limit).getFirst();
            if (row.tail() == null) {
                throw new NotMeasured(name + " does not say where its tail comes from.");
            }
            return row.tail().bands().stream()
                    .filter(band -> band.fromPercentile() >= FROM_PERCENTILE)
                    .findFirst()
                    .map(band ->
                            Map.of(
                                    DATED,
                                    100.0 * band.datedNs() / Math.max(1, band.aboveMedianNs())))
                    .orElseThrow(() ->
                            new NotMeasured(
                                    name
                                            + " has fewer than 10,000 messages; give more --seconds."));
        }
    }
}
