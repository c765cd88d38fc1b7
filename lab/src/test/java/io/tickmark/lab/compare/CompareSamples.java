package io.tickmark.lab.compare;

import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.result.Verdict;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** Runs composed of repeats. */
final class CompareSamples {
    private CompareSamples() {}

    /** One repeat; without a latency where that is null. */
    record Repeat(LatencySummary latency, double ratePerSecond, NoiseSummary noise) {}

    static Comparison compare(final Side first, final Side... others) {
        return new Comparer(CompareSettings.DEFAULT, "0.1.0").compare(first, List.of(others));
    }

    static LatencySummary latency(final double p50) {
        return latency(p50, 1_000_000);
    }

    static LatencySummary latency(final double p50, final long count) {
        return new LatencySummary(
                count,
                (long) (p50 * 0.9),
                p50 * 1.05,
                p50 / 10,
                OptionalLong.of((long) p50),
                OptionalLong.of((long) (p50 * 1.2)),
                OptionalLong.of((long) (p50 * 1.3)),
                OptionalLong.of((long) (p50 * 1.5)),
                OptionalLong.of((long) (p50 * 2)),
                OptionalLong.of((long) (p50 * 3)),
                (long) (p50 * 4));
    }

    static NoiseSummary noise(final double stolenPart, final long maxNs) {
        return new NoiseSummary(
                1_000_000_000L,
                List.of(
                        new NoiseSummary.CoreNoise(
                                0, 20, OptionalLong.of(100), maxNs, 10, stolenPart)));
    }

    static Side side(final String name, final double... p50s) {
        return side(
                name,
                "latency",
                "shm:",
                java.util.Arrays.stream(p50s)
                        .mapToObj(p50 -> new Repeat(latency(p50), 5_000, noise(0, 1_000)))
                        .toList());
    }

    static Side side(
            final String name,
            final String test,
            final String channel,
            final List<Repeat> repeats) {
        final List<TrialResult> trials =
                IntStream.range(0, repeats.size())
                        .mapToObj(i -> trial(test, channel, i + 1, repeats.get(i), Verdict.PASS))
                        .toList();
        return side(name, trials);
    }

    static Side side(final String name, final List<TrialResult> trials) {
        return new Side(
                name,
                Path.of("results", name),
                new RunResult(
                        RunResult.SCHEMA,
                        "0.1.0",
                        "2026-01-02T03:04:05+01:00",
                        "demo",
                        trials.stream()
                                .map(TrialResult::verdict)
                                .reduce(Verdict.PASS, Verdict::worse),
                        trials.stream().flatMap(trial -> trial.reasons().stream()).toList(),
                        trials,
                        List.of(),
                        List.of(),
                        null,
                        Map.of("cpu", Map.of("cores", 2)),
                        null),
                Optional.empty());
    }

    static TrialResult trial(
            final String test,
            final String channel,
            final int number,
            final Repeat repeat,
            final Verdict verdict) {
        return trial(
                test,
                channel,
                number,
                repeat,
                verdict,
                List.of(),
                verdict == Verdict.FAIL ? List.of("Lost 1 of 2.") : List.of());
    }

    /** Of the workload {@code stream} where it has roles, otherwise of {@code latency}. */
    static TrialResult trial(
            final String test,
            final String channel,
            final int number,
            final Repeat repeat,
            final Verdict verdict,
            final List<RoleSummary> roles,
            final List<String> reasons) {
        return new TrialResult(
                test,
                roles.isEmpty() ? "latency" : "stream",
                channel,
                number,
                0,
                "",
                64,
                1,
                5_000,
                5_000,
                5_000,
                0,
                0,
                0,
                Map.of("sent", 5_000L),
                1_000_000,
                5_000,
                repeat.ratePerSecond(),
                1,
                2,
                2,
                repeat.latency() == null ? Map.of() : Map.of("responseNs", repeat.latency()),
                repeat.noise(),
                repeat.noise(),
                List.of(),
                verdict,
                reasons,
                roles,
                null);
    }
}
