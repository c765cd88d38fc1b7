package io.tickmark.lab.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.NoiseSummary.CoreNoise;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class NoiseRuleTest {
    private static final LatencySummary LATENCY =
            new LatencySummary(
                    10_000,
                    1,
                    1,
                    1,
                    OptionalLong.of(1),
                    OptionalLong.of(1),
                    OptionalLong.of(1),
                    OptionalLong.of(1),
                    OptionalLong.of(50_000),
                    OptionalLong.empty(),
                    70_000);

    private static NoiseSummary noise(final long maxNs, final double stolenPart) {
        return new NoiseSummary(
                1,
                List.of(
                        new CoreNoise(0, 20, OptionalLong.of(100), 500, 0, 0),
                        new CoreNoise(1, 20, OptionalLong.of(100), maxNs, 10, stolenPart)));
    }

    @Test
    void shouldWantBothALongGapAndMuchStolenTime() {
        assertThat(NoiseRule.isNoisy(LATENCY, noise(50_000, 0.001), null)).isTrue();
        assertThat(NoiseRule.isNoisy(LATENCY, noise(49_999, 0.001), null)).isFalse();
        assertThat(NoiseRule.isNoisy(LATENCY, noise(50_000, 0.0009), null)).isFalse();
    }

    @Test
    void shouldLookAtTheFloorAfterTheTrialToo() {
        assertThat(NoiseRule.isNoisy(LATENCY, noise(500, 0), noise(1_000_000, 0.1))).isTrue();
    }

    @Test
    void shouldSayNothingWithoutAFloorOrALatency() {
        assertThat(NoiseRule.isNoisy(LATENCY, null, null)).isFalse();
        assertThat(NoiseRule.isNoisy(null, noise(1_000_000, 0.5), null)).isFalse();
    }
}
