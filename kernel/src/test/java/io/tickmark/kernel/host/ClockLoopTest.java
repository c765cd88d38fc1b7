package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tickmark.kernel.result.NoiseSummary.CoreNoise;
import java.util.OptionalLong;
import java.util.PrimitiveIterator;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.agrona.concurrent.NanoClock;
import org.junit.jupiter.api.Test;

class ClockLoopTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final NoiseFloor.ClockLoop loop = new NoiseFloor.ClockLoop();

    @Test
    void shouldFindExactlyTheGapsOfTheClock() {
        loop.watch(passes(30, 20, 10_000, 10_001, 25, 1_500_000, 479_924), 2_000_000, () -> false);

        final CoreNoise noise = loop.noise(3);

        assertThat(noise.core()).isEqualTo(3);
        assertThat(noise.minNs()).isEqualTo(20);
        assertThat(noise.maxNs()).isEqualTo(1_500_000);
        assertThat(noise.gapsOver10UsPerSecond()).isEqualTo(3 / 0.002);
        assertThat(noise.stolenPart())
                .isCloseTo((10_001 + 1_500_000 + 479_924) / 2_000_000.0, within(1e-12));
    }

    @Test
    void shouldFindNoGapsOnAQuietCore() {
        loop.watch(every(50), SECOND_NS / 1000, () -> false);

        assertThat(loop.noise(0)).isEqualTo(new CoreNoise(0, 50, OptionalLong.empty(), 50, 0, 0));
    }

    @Test
    void shouldGiveThePercentileOfThePasses() {
        assertThat((double) afterPasses(200_000).orElseThrow()).isCloseTo(5_000, within(5.0));
    }

    @Test
    void shouldGiveNoPercentileWithFewerThanTenPassesAboveIt() {
        assertThat(afterPasses(20_000)).isEmpty();
    }

    /** One in 1000 takes 5 us. */
    private OptionalLong afterPasses(final int count) {
        loop.watch(
                passes(LongStream.range(0, count).map(i -> i % 1000 == 999 ? 5_000 : 40).toArray()),
                count / 1000 * (999 * 40 + 5_000),
                () -> false);
        return loop.noise(0).p9999Ns();
    }

    @Test
    void shouldCountAClockThatStandsStillOrGoesBackAsNoTime() {
        loop.watch(passes(0, 0, -5, 100), 90, () -> false);

        assertThat(loop.noise(0).minNs()).isZero();
        assertThat(loop.noise(0).maxNs()).isEqualTo(100);
    }

    @Test
    void shouldStopWhenToldTo() {
        loop.watch(() -> 42, SECOND_NS, () -> true);

        assertThat(loop.noise(-1)).isEqualTo(new CoreNoise(-1, 0, OptionalLong.empty(), 0, 0, 0));
    }

    @Test
    void shouldForgetTheLoopBefore() {
        loop.watch(every(70_000), SECOND_NS / 1000, () -> false);
        loop.watch(every(80), SECOND_NS / 1000, () -> false);

        assertThat(loop.noise(0).maxNs()).isEqualTo(80);
        assertThat(loop.noise(0).gapsOver10UsPerSecond()).isZero();
    }

    @Test
    void shouldKeepAPassLongerThanTheHistogramHolds() {
        loop.watch(passes(20, 90 * SECOND_NS), SECOND_NS, () -> false);

        assertThat(loop.noise(0).maxNs()).isEqualTo(90 * SECOND_NS);
    }

    static NanoClock every(final long ns) {
        final long[] now = {1_000_000};
        return () -> now[0] += ns;
    }

    /** A clock whose readings are that far apart; ends the test when it is read too often. */
    private static NanoClock passes(final long... ns) {
        final PrimitiveIterator.OfLong steps =
                LongStream.concat(LongStream.of(0), LongStream.of(ns)).iterator();
        final long[] now = {1_000_000};
        return () -> now[0] += steps.nextLong();
    }
}
