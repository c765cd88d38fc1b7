package io.tickmark.report;

import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Rows of a run for tests, changed one thing at a time. */
@SuppressWarnings("doclint:missing") // a builder: each method sets what it is called
public final class Trials {
    private String test = "latency";
    private String workload = "latency";
    private String channel = "udp://127.0.0.1:0";
    private int repeat = 1;
    private int step;
    private int payloadBytes = 64;
    private long sent = 1_000;
    private long lost;
    private long duplicated;
    private long reordered;
    private double offered;
    private double achieved = 50_000;
    private long maxTightSends;
    private int hotThreads = 2;
    private int cores = 2;
    private final Map<String, LatencySummary> latencies = new LinkedHashMap<>();
    private String label = "";
    private final Map<String, Long> counts = new LinkedHashMap<>();
    private NoiseSummary noise;
    private List<String> labels = List.of();
    private Verdict verdict = Verdict.PASS;
    private List<String> reasons = List.of();
    private List<TrialResult.RoleSummary> roles = List.of();
    private boolean isReceiverKnown = true;

    private Trials() {}

    /** A closed loop on udp. */
    public static Trials closedLoop() {
        final Trials trials = new Trials();
        trials.latencies.put("roundTripNs", latency(9_120));
        trials.labels = List.of("closed-loop");
        return trials;
    }

    /** An open loop on udp at 10,000 messages per second. */
    public static Trials openLoop() {
        final Trials trials = new Trials();
        trials.offered = 10_000;
        trials.achieved = 9_999.5;
        trials.latencies.put("responseNs", latency(12_000));
        trials.latencies.put("serviceNs", latency(11_000));
        return trials;
    }

    /** A stream on udp at 100,000 messages per second. */
    public static Trials stream() {
        final Trials trials = openLoop();
        trials.test = "stream";
        trials.workload = "stream";
        trials.offered = 100_000;
        trials.achieved = 100_000;
        trials.maxTightSends = 33;
        return trials;
    }

    /** Figures around a median. */
    public static LatencySummary latency(final long p50) {
        return new LatencySummary(
                100_000,
                p50 - p50 / 10,
                p50 * 1.1,
                p50 * 0.2,
                OptionalLong.of(p50),
                OptionalLong.of(p50 * 12 / 10),
                OptionalLong.of(p50 * 13 / 10),
                OptionalLong.of(p50 * 15 / 10),
                OptionalLong.of(p50 * 2),
                OptionalLong.of(p50 * 4),
                p50 * 10);
    }

    /** A test of a workload that the report does not know. */
    public static Trials general() {
        final Trials trials = new Trials();
        trials.test = "market";
        trials.workload = "market";
        trials.channel = "";
        trials.payloadBytes = 0;
        trials.latencies.put("postRoundTripNs", latency(80_000));
        return trials;
    }

    public Trials label(final int toStep, final String to) {
        step = toStep;
        label = to;
        return this;
    }

    /** A latency, or none where it is null. */
    public Trials latency(final String name, final LatencySummary to) {
        if (to == null) {
            latencies.remove(name);
        } else {
            latencies.put(name, to);
        }
        return this;
    }

    public Trials test(final String to) {
        test = to;
        return this;
    }

    public Trials workload(final String to) {
        workload = to;
        return this;
    }

    public Trials channel(final String to) {
        channel = to;
        return this;
    }

    public Trials repeat(final int to) {
        repeat = to;
        return this;
    }

    public Trials size(final int toStep, final int bytes) {
        step = toStep;
        payloadBytes = bytes;
        return this;
    }

    public Trials sent(final long to) {
        sent = to;
        return this;
    }

    public Trials lost(final long to) {
        lost = to;
        return this;
    }

    public Trials duplicated(final long to) {
        duplicated = to;
        return this;
    }

    public Trials reordered(final long to) {
        reordered = to;
        return this;
    }

    public Trials rate(final double toOffered, final double toAchieved) {
        offered = toOffered;
        achieved = toAchieved;
        return this;
    }

    public Trials tightSends(final long to) {
        maxTightSends = to;
        return this;
    }

    public Trials hotThreads(final int to) {
        hotThreads = to;
        return this;
    }

    public Trials roundTrip(final LatencySummary to) {
        latency("roundTripNs", to);
        return this;
    }

    public Trials response(final LatencySummary to) {
        latency("responseNs", to);
        return this;
    }

    public Trials service(final LatencySummary to) {
        latency("serviceNs", to);
        return this;
    }

    public Trials noise(final long maxNs) {
        noise =
                new NoiseSummary(
                        1_000_000_000,
                        List.of(
                                new NoiseSummary.CoreNoise(
                                        0, 20, OptionalLong.of(900), maxNs / 2, 210, 0.002),
                                new NoiseSummary.CoreNoise(
                                        1, 20, OptionalLong.of(1_100), maxNs, 350, 0.004)));
        return this;
    }

    public Trials labels(final String... to) {
        labels = List.of(to);
        return this;
    }

    public Trials verdict(final Verdict to, final String... why) {
        verdict = to;
        reasons = List.of(why);
        return this;
    }

    public Trials roles(final TrialResult.RoleSummary... to) {
        roles = List.of(to);
        return this;
    }

    /** An echo service that is not a role, which leaves some pings without an echo. */
    public Trials foreignEcho(final long notEchoed) {
        roles(new TrialResult.RoleSummary("latency-pub", 1, Map.of("echo", "external"), List.of()));
        return count("timedOut", notEchoed);
    }

    /** As reported by a publisher started by hand, which does not know what was received. */
    public Trials withoutReceiver() {
        isReceiverKnown = false;
        return this;
    }

    /** One more count. */
    public Trials count(final String name, final long to) {
        counts.put(name, to);
        return this;
    }

    private Map<String, Long> counts() {
        final Map<String, Long> all = new LinkedHashMap<>(counts);
        all.put("sent", sent);
        if (isReceiverKnown) {
            all.put("lost", lost);
        }
        return all;
    }

    /** The row. */
    public TrialResult row() {
        return new TrialResult(
                test,
                workload,
                channel,
                repeat,
                step,
                label,
                payloadBytes,
                1,
                sent,
                sent,
                sent - lost,
                lost,
                duplicated,
                reordered,
                counts(),
                achieved > 0 ? (long) (sent / achieved * 1e9) : 0,
                offered,
                achieved,
                maxTightSends,
                hotThreads,
                cores,
                latencies,
                noise,
                noise,
                labels,
                verdict,
                reasons,
                roles,
                null);
    }

    /** A run of rows, its verdict the worst of theirs. */
    public static RunResult run(final TrialResult... rows) {
        return run(List.of(rows), List.of());
    }

    /** A run of rows with its own reasons. */
    public static RunResult run(final List<TrialResult> rows, final List<String> reasons) {
        return new RunResult(
                RunResult.SCHEMA,
                "0.1.0",
                "2026-11-20T09:30:00+01:00",
                "quick",
                rows.stream().map(TrialResult::verdict).reduce(Verdict.PASS, Verdict::worse),
                reasons,
                rows,
                List.of(),
                List.of(),
                rows.stream()
                        .map(TrialResult::noiseBefore)
                        .filter(java.util.Objects::nonNull)
                        .findFirst()
                        .orElse(null),
                Map.of("cpu", Map.of("model", "Example CPU", "logicalCores", 2)),
                null);
    }
}
