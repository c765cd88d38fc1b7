package io.tickmark.lab.compare;

import static io.tickmark.lab.compare.CompareSamples.latency;
import static io.tickmark.lab.compare.CompareSamples.noise;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ResolutionTest {
    private static OptionalDouble of(final double... p50s) {
        final List<TrialResult> repeats =
                Arrays.stream(p50s)
                        .mapToObj(p50 ->
                                CompareSamples.trial(
                                        "t",
                                        "shm:",
                                        1,
                                        new CompareSamples.Repeat(
                                                latency(p50), 5_000, noise(0, 1_000)),
                                        Verdict.PASS))
                        .toList();
        return Resolution.of(repeats, "responseNs", LatencySummary::p50);
    }

    @Test
    void shouldBeHalfOfTheIntervalOfTwoSuchRuns() {
        // computed by hand: logs of 1000, 1010, 1020 have a deviation of 0.0099; its mean's error
        // in two runs is 0.0099 x
        // sqrt(2 / 3) = 0.0081; t of 4 degrees of freedom is 2.776
        assertThat(of(100_000, 101_000, 102_000).orElseThrow()).isCloseTo(0.0227, within(0.0005));
    }

    @Test
    void shouldGrowWithTheSpread() {
        assertThat(of(100_000, 150_000, 120_000).orElseThrow())
                .isGreaterThan(of(100_000, 101_000, 102_000).orElseThrow() * 5);
    }

    @Test
    void shouldSayNothingOfASingleRepeat() {
        assertThat(of(100_000)).isEmpty();
    }
}
