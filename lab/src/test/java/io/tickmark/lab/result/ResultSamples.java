package io.tickmark.lab.result;

import io.tickmark.kernel.result.Aggregate;
import io.tickmark.kernel.result.Answer;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.SearchSummary;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.result.Verdict;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** A small, whole result. */
public final class ResultSamples {
    private ResultSamples() {}

    private static final TailSummary TAIL =
            new TailSummary(
                    100,
                    100,
                    500,
                    List.of(),
                    List.of(),
                    List.of("store 1 notes no stalls."),
                    List.of(
                            new TailSummary.NotTraced(
                                    "latency-pub",
                                    1,
                                    "publisher",
                                    TailSummary.Trace.RAN_INSTEAD,
                                    "the kernel forbids it")),
                    List.of(new TailSummary.Ran("cron", 1_000)),
                    new TailSummary.Undisturbed(0, "no thread was watched", null),
                    List.of(
                            new TailSummary.Stages(
                                    0,
                                    50,
                                    50,
                                    0,
                                    0,
                                    0,
                                    1,
                                    2,
                                    3,
                                    4,
                                    TailSummary.AtEcho.UNKNOWN,
                                    TailSummary.Part.UNKNOWN,
                                    TailSummary.Part.UNKNOWN)),
                    "",
                    "");

    static RunResult run() {
        final NoiseSummary noise =
                new NoiseSummary(
                        1_000_000_000L,
                        List.of(
                                new NoiseSummary.CoreNoise(
                                        -1, 20, OptionalLong.of(900), 120_000, 35.5, 0.001)));
        return new RunResult(
                RunResult.SCHEMA,
                "0.1.0",
                "2026-01-02T03:04:05+01:00",
                "demo",
                Verdict.PASS,
                List.of(),
                List.of(
                        trial(
                                noise,
                                List.of(
                                        new RoleSummary(
                                                "latency-pub",
                                                1,
                                                Map.of("cpuPercent", 99.5),
                                                List.of("warm"))),
                                TAIL)),
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
                Map.of("cpu", Map.of("model", "a cpu", "cores", 2)),
                new Answer(
                        "This machine: good to 1.00 ms at 99.9 %.",
                        Map.of("goodToNs", 1_000_000),
                        List.of(new Answer.Note("This machine", List.of("It is small.")))));
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
                                "Lost 1 of 2.",
                                true,
                                true,
                                true)),
                550_000,
                "another bench",
                "near",
                2,
                Verdict.PASS,
                List.of());
    }

    /**
     * A row of the latency test.
     *
     * @param noise before and after
     * @param roles that reported
     * @param tail of the row, or null
     * @return the row
     */
    public static TrialResult trial(
            final NoiseSummary noise, final List<RoleSummary> roles, final TailSummary tail) {
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
                roles,
                tail);
    }
}
