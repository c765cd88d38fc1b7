package io.tickmark.lab.result;

import io.tickmark.kernel.result.Aggregate;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.SearchSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** A small, whole result. */
final class ResultSamples {
    private ResultSamples() {}

    static RunResult run() {
        final NoiseSummary noise =
                new NoiseSummary(
                        1_000_000_000L,
                        List.of(new NoiseSummary.CoreNoise(-1, 20, 900, 120_000, 35.5, 0.001)));
        return new RunResult(
                RunResult.SCHEMA,
                "0.1.0",
                "2026-01-02T03:04:05+01:00",
                "demo",
                Verdict.PASS,
                List.of(),
                List.of(trial(noise)),
                List.of(
                        new Aggregate(
                                "demo",
                                "null:",
                                0,
                                64,
                                1,
                                Map.of("roundTripNs.p50", new Aggregate.Spread(500, 500, 500)))),
                List.of(search()),
                noise,
                Map.of("cpu", Map.of("model", "a cpu", "cores", 2)));
    }

    private static SearchSummary search() {
        return new SearchSummary(
                "demo",
                "null:",
                100_000,
                101_000,
                0.9,
                99_500,
                101_250,
                100_000,
                60_000_000_000L,
                250_000,
                0.01,
                10_000_000_000L,
                30_000_000_000L,
                0.5,
                90_000_000_000L,
                List.of(
                        new SearchSummary.SearchTrial(
                                SearchSummary.Purpose.SEED,
                                0,
                                250_000,
                                2_000_000_000L,
                                SearchSummary.Outcome.BAD,
                                "Lost 1 of 2.")),
                550_000,
                "another bench",
                "near",
                2,
                Verdict.PASS,
                List.of());
    }

    private static TrialResult trial(final NoiseSummary noise) {
        return new TrialResult(
                "demo",
                "latency",
                "null:",
                1,
                0,
                "",
                64,
                1,
                100,
                100,
                100,
                0,
                0,
                0,
                Map.of("sent", 100L),
                1_000_000,
                0,
                1.0e7,
                1,
                2,
                2,
                Map.of(
                        "roundTripNs",
                        new LatencySummary(
                                100,
                                400,
                                510.25,
                                12.5,
                                OptionalLong.of(500),
                                OptionalLong.of(600),
                                OptionalLong.empty(),
                                OptionalLong.empty(),
                                OptionalLong.empty(),
                                OptionalLong.empty(),
                                1_000)),
                noise,
                noise,
                List.of("closed-loop"),
                Verdict.PASS,
                List.of(),
                List.of(
                        new TrialResult.RoleSummary(
                                "latency-pub", 1, Map.of("cpuPercent", 99.5), List.of("warm"))),
                null);
    }
}
