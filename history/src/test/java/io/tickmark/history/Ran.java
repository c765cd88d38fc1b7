package io.tickmark.history;

import io.tickmark.kernel.result.Aggregate;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.result.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** A run as tests think of it: what they do not say is as usual. */
record Ran(
        String startedAt,
        double p50,
        Verdict verdict,
        Map<String, Map<String, Object>> environment,
        Map<String, String> hostByRole,
        long clockBoundNs,
        List<Long> undisturbedNs,
        String idle) {
    static final String PLAN = "demo";

    static Ran at(final String startedAt, final double p50) {
        return new Ran(startedAt, p50, Verdict.PASS, Map.of(), Map.of(), 0, List.of(), "")
                .on("lab-3", "Zen 5");
    }

    Ran as(final Verdict other) {
        return new Ran(
                startedAt, p50, other, environment, hostByRole, clockBoundNs, undisturbedNs, idle);
    }

    /** On a machine of two cores. */
    Ran on(final String host, final String processor) {
        return knowing("host", Map.of("name", host))
                .knowing("cpu", Map.of("model", processor, "logicalCores", 2));
    }

    /** With a role on another host. */
    Ran with(final String role, final String host, final String processor) {
        final Map<String, String> placed = new TreeMap<>(hostByRole);
        placed.put(role, host);
        final Map<String, Object> facts = Map.of("cpu.model", processor, "cpu.logicalCores", 8);
        return new Ran(
                        startedAt,
                        p50,
                        verdict,
                        environment,
                        placed,
                        clockBoundNs,
                        undisturbedNs,
                        idle)
                .knowing("host " + host, facts);
    }

    /** With clocks of its hosts that are known so well. */
    Ran clockedWithin(final long boundNs) {
        return new Ran(
                startedAt, p50, verdict, environment, hostByRole, boundNs, undisturbedNs, idle);
    }

    /** With repeats whose latencies were such where the machine disturbed nothing; 0: refused. */
    Ran undisturbed(final Long... ns) {
        return new Ran(
                startedAt, p50, verdict, environment, hostByRole, clockBoundNs, List.of(ns), idle);
    }

    /** With a publisher whose hot threads waited so. */
    Ran waiting(final String mode) {
        return new Ran(
                startedAt,
                p50,
                verdict,
                environment,
                hostByRole,
                clockBoundNs,
                undisturbedNs,
                mode);
    }

    Ran knowing(final String group, final Map<String, Object> facts) {
        final Map<String, Map<String, Object>> known = new TreeMap<>(environment);
        known.put(group, facts);
        return new Ran(
                startedAt, p50, verdict, known, hostByRole, clockBoundNs, undisturbedNs, idle);
    }

    RunResult result() {
        return result(trials(), Map.of("roundTripNs.p50", new Aggregate.Spread(p50, p50, p50)));
    }

    /**
     * Of repeats that lost so many messages, and as many pings of which had no echo; the aggregate
     * has the medians. A void one lost more than any.
     */
    RunResult losing(final long... lost) {
        final double[] sorted = LongStream.of(lost).sorted().asDoubleStream().toArray();
        final Aggregate.Spread spread =
                new Aggregate.Spread(
                        sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]);
        return result(
                Stream.concat(
                                LongStream.of(lost).mapToObj(each -> trial(each, verdict)),
                                Stream.of(trial(1_000_000, Verdict.VOID)))
                        .toList(),
                Map.of("lost", spread, "notEchoed", spread));
    }

    private RunResult result(
            final List<TrialResult> repeats, final Map<String, Aggregate.Spread> figures) {
        return new RunResult(
                RunResult.SCHEMA,
                "0.1.0",
                startedAt,
                PLAN,
                verdict,
                List.of(),
                repeats,
                List.of(new Aggregate("ping", "shm:", 0, 64, 3, figures)),
                List.of(),
                null,
                environment,
                null);
    }

    private List<TrialResult> trials() {
        return undisturbedNs.isEmpty()
                ? List.of(trial())
                : undisturbedNs.stream().map(ns -> trial().withTail(tail(ns), List.of())).toList();
    }

    private static TailSummary tail(final long undisturbedNs) {
        final Histogram histogram = new Histogram(3);
        histogram.recordValueWithCount(undisturbedNs, 1_000);
        return new TailSummary(
                1_000,
                1_000,
                100,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                undisturbedNs == 0
                        ? new TailSummary.Undisturbed(0.5, "too much", null)
                        : new TailSummary.Undisturbed(0, "", LatencySummary.of(histogram)),
                List.of(),
                "",
                "");
    }

    private TrialResult trial() {
        return trial(0, verdict);
    }

    private TrialResult trial(final long lost, final Verdict ofTrial) {
        final List<RoleSummary> roles =
                new ArrayList<>(
                        hostByRole.entrySet().stream()
                                .map(entry ->
                                        new RoleSummary(
                                                entry.getKey(),
                                                1,
                                                clockBoundNs > 0
                                                        ? Map.of(
                                                                RoleSummary.HOST,
                                                                entry.getValue(),
                                                                RoleSummary.CLOCK_BOUND_NS,
                                                                clockBoundNs)
                                                        : Map.of(
                                                                RoleSummary.HOST, entry.getValue()),
                                                List.of()))
                                .toList());
        if (!idle.isEmpty()) {
            roles.add(new RoleSummary("latency-pub", 1, Map.of(RoleSummary.IDLE, idle), List.of()));
        }
        return new TrialResult(
                "ping",
                "latency",
                "shm:",
                1,
                0,
                "",
                64,
                1,
                0,
                0,
                0,
                lost,
                0,
                0,
                Map.of(Counts.TIMED_OUT, lost),
                0,
                0,
                0,
                0,
                2,
                2,
                Map.of(),
                null,
                null,
                List.of(),
                ofTrial,
                List.of(),
                roles,
                null);
    }
}
