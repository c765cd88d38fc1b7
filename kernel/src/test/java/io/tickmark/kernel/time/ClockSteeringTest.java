package io.tickmark.kernel.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClockSteeringTest {
    private static final long SECOND_NS = 1_000_000_000;
    private static final long EXACT_NS = 5_000;
    private static final long GLANCE_NS = 60_000;

    private final SplittableRandom random = new SplittableRandom(11);
    private long nowNs = 3 * SECOND_NS;

    /** Observations of a trial: how far the role's time was from the true one, and the claim. */
    private record Played(long worstNs, long settledWorstNs, ClockSteering.Agreement agreed) {}

    private ClockReading reading(final LongUnaryOperator offset, final long boundNs) {
        final long errorNs = random.nextLong(-boundNs, boundNs + 1);
        return new ClockReading(
                nowNs, new ClockOffset(offset.applyAsLong(nowNs) + errorNs, boundNs, 8));
    }

    /**
     * A trial of the given number of seconds; the other clock is ahead by {@code offset} of true
     * time.
     */
    private Played play(
            final LongUnaryOperator offset, final int seconds, final boolean isWatched) {
        final ClockSteering steering = new ClockSteering();
        steering.read(reading(offset, EXACT_NS));
        nowNs += 2 * SECOND_NS;
        final SteeredNanoClock clock =
                new SteeredNanoClock(
                        () -> nowNs + offset.applyAsLong(nowNs),
                        steering.begin(reading(offset, EXACT_NS)));
        final long beginNs = nowNs;
        long worstNs = 0;
        long settledWorstNs = 0;
        long before = clock.nanoTime();
        for (int tick = 1; tick <= seconds * 1_000; tick++) {
            nowNs += SECOND_NS / 1_000;
            final long nowRead = clock.nanoTime();
            assertThat(nowRead).as("time goes on").isGreaterThan(before);
            before = nowRead;
            final long errorNs = Math.abs(nowRead - nowNs);
            worstNs = Math.max(worstNs, errorNs);
            if (nowNs - beginNs > seconds * SECOND_NS / 2) {
                settledWorstNs = Math.max(settledWorstNs, errorNs);
            }
            if (isWatched && tick % 500 == 0) {
                steering.watch(reading(offset, GLANCE_NS), nowNs).ifPresent(clock::steer);
            }
        }
        return new Played(worstNs, settledWorstNs, steering.settle(reading(offset, EXACT_NS)));
    }

    @ParameterizedTest
    @CsvSource({"0", "1e-6", "-10e-6", "50e-6", "200e-6", "-500e-6"})
    void shouldFollowAClockThatRunsAtAnotherRate(final double rate) {
        for (int run = 0; run < 20; run++) {
            final Played played = play(ns -> 77_000_000 + (long) (rate * ns), 30, true);

            assertThat(played.worstNs()).isLessThan(150_000);
            assertThat(played.settledWorstNs()).isLessThan(100_000);
            assertThat(played.agreed().boundNs()).isGreaterThanOrEqualTo(played.worstNs());
            assertThat(played.agreed().boundNs()).isLessThan(300_000);
            assertThat(played.agreed().driftNs()).isCloseTo((long) (rate * 30e9), within());
        }
    }

    private static org.assertj.core.data.Offset<Long> within() {
        return org.assertj.core.data.Offset.offset(3 * EXACT_NS);
    }

    @Test
    void shouldLeaveAClockAloneThatNoReadingContradicts() {
        final Played played = play(_ -> -5_000, 30, true);

        assertThat(played.worstNs()).isLessThanOrEqualTo(EXACT_NS);
        assertThat(played.agreed().boundNs()).isLessThanOrEqualTo(3 * EXACT_NS);
    }

    @Test
    void shouldKnowTheRateFromBeforeWhereNobodyCouldWatch() {
        final Played played = play(ns -> (long) (200e-6 * ns), 10, false);

        assertThat(played.worstNs())
                .as("10 s of 200 us each are 2 ms; 2 s of base know the rate to 5e-6")
                .isLessThan(150_000);
        assertThat(played.agreed().boundNs()).isGreaterThanOrEqualTo(played.worstNs());
    }

    @Test
    void shouldSayHowWrongAClockWasThatChangedItsRate() {
        final long turnNs = nowNs + 12 * SECOND_NS;
        final Played played = play(ns -> ns < turnNs ? 0 : (long) (1e-3 * (ns - turnNs)), 20, true);

        assertThat(played.worstNs()).isGreaterThan(300_000);
        assertThat(played.settledWorstNs()).isEqualTo(played.worstNs());
        assertThat(played.agreed().boundNs())
                .as("not flattered: what was seen of it when it was worst is in the bound")
                .isGreaterThan(played.worstNs() / 2);
        assertThat(played.agreed().boundNs() - played.agreed().endsNs()).isPositive();
    }

    @Test
    void shouldReadAStraightPieceWithoutRounding() {
        final List<Long> readings = new ArrayList<>();
        final long[] now = {1_000};
        final SteeredNanoClock clock =
                new SteeredNanoClock(() -> now[0], new ClockSegment(1_000, 5_000, 0));
        clock.steer(List.of(new ClockSegment(1_000, 5_000, 0), new ClockSegment(2_000, 6_000, 1)));
        for (final long at : new long[] {500, 1_500, 2_000, 2_010}) {
            now[0] = at;
            readings.add(clock.nanoTime());
        }

        assertThat(readings).containsExactly(4_500L, 5_500L, 6_000L, 6_020L);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0, true", "1, 0, 0, false", "0, 1, 0, false", "0, 0, 1e-9, false"})
    void shouldSayWhetherASegmentChangesNothing(
            final long fromNs, final long lineNs, final double rate, final boolean isSame) {
        final ClockSegment segment = new ClockSegment(fromNs, lineNs, rate);

        assertThat(segment.changesNothing()).isEqualTo(isSame);
        assertThat(segment.equals(ClockSegment.SAME)).isEqualTo(isSame);
    }
}
