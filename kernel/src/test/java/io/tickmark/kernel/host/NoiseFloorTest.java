package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.result.NoiseSummary.CoreNoise;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class NoiseFloorTest {
    private static final long MS_NS = TimeUnit.MILLISECONDS.toNanos(1);

    @Test
    void shouldReportACoreThatCannotBePinnedAsMinusOne() {
        final NoiseSummary noise =
                new NoiseFloor(ClockLoopTest.every(20)).measure(List.of(CoreList.MAX_CORES), MS_NS);

        assertThat(noise)
                .isEqualTo(
                        new NoiseSummary(
                                MS_NS,
                                List.of(new CoreNoise(-1, 20, OptionalLong.empty(), 20, 0, 0))));
        assertThat(noise.maxNs()).isEqualTo(20);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldWatchEachCoreFromAThreadPinnedToIt() {
        final List<Integer> allowed = Affinity.allowedCores();
        final List<Integer> cores = allowed.subList(0, Math.min(2, allowed.size()));

        final NoiseSummary noise =
                new NoiseFloor(SystemNanoClock.INSTANCE).measure(cores, 5 * MS_NS);

        assertThat(noise.cores()).extracting(CoreNoise::core).isEqualTo(cores);
        assertThat(noise.cores())
                .allSatisfy(core -> assertThat(core.maxNs()).isGreaterThanOrEqualTo(core.minNs()));
        assertThat(Affinity.currentCores()).isEqualTo(allowed);
    }

    @Test
    void shouldEndThoughTheClockStandsStill() {
        final NoiseFloor floor = new NoiseFloor(() -> 42, 1);

        assertThat(floor.measure(List.of(-1, -1), 1).cores())
                .extracting(CoreNoise::maxNs)
                .containsExactly(0L, 0L);
    }

    @Test
    void shouldReturnWhatWasSeenWhenInterrupted() {
        Thread.currentThread().interrupt();

        final NoiseSummary noise = new NoiseFloor(() -> 42).measure(List.of(-1), MS_NS);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(noise.cores()).hasSize(1);
    }

    @Test
    void shouldWatchNothingWhereNoCoreIsGiven() {
        assertThat(new NoiseFloor(() -> 42).measure(List.of(), 1).cores()).isEmpty();
    }

    @Test
    void shouldRefuseADurationOfNothing() {
        final NoiseFloor floor = new NoiseFloor(() -> 42);

        assertThatThrownBy(() -> floor.measure(List.of(0), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("durationNs 0");
    }

    @Test
    void shouldReportWhenTheClockFails() {
        final NanoClock broken =
                () -> {
                    throw new IllegalStateException("broken clock");
                };

        assertThatThrownBy(() -> new NoiseFloor(broken).measure(List.of(-1), MS_NS))
                .hasRootCauseMessage("broken clock");
    }
}
