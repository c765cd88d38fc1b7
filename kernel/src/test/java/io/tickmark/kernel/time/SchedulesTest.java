package io.tickmark.kernel.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SchedulesTest {
    private static final long START_NS = -7_000_000_123L; // nanoTime may well be negative
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private static long[] times(final Schedule schedule, final int count) {
        schedule.start(START_NS);
        final long[] times = new long[count];
        for (int i = 0; i < count; i++) {
            times[i] = schedule.nextNs(START_NS) - START_NS;
        }
        return times;
    }

    @ParameterizedTest
    @ValueSource(doubles = {3, 7, 1000, 44_100, 333_333.333333, 0.1, 999_999_937})
    void shouldPutEachMessageOfAFixedRateOnItsRoundedTime(final double ratePerSecond) {
        final long[] times = times(Schedules.fixedRate(ratePerSecond), 100_000);

        final BigDecimal rate = BigDecimal.valueOf(ratePerSecond);
        for (int n = 0; n < times.length; n += 997) {
            assertThat(times[n]).isEqualTo(roundedTime(n, rate, SECOND_NS));
        }
    }

    private static long roundedTime(final long n, final BigDecimal rate, final long unitNs) {
        return BigDecimal.valueOf(n)
                .multiply(BigDecimal.valueOf(unitNs))
                .divide(rate, 0, RoundingMode.HALF_UP)
                .longValueExact();
    }

    @Test
    void shouldNotDriftOverHours() {
        final Schedule schedule = Schedules.fixedRate(3);
        schedule.start(0);
        final int tenHours = 3 * 36_000;

        long last = 0;
        for (int n = 0; n <= tenHours; n++) {
            last = schedule.nextNs(0);
        }

        assertThat(last).isEqualTo(36_000 * SECOND_NS);
    }

    @Test
    void shouldStartAFixedRateAgainFromItsFirstMessage() {
        final Schedule schedule = Schedules.fixedRate(3);
        final long[] before = times(schedule, 10);

        assertThat(times(schedule, 10)).isEqualTo(before);
    }

    @Test
    void shouldPutAllMessagesOfATickOnTheTick() {
        assertThat(times(Schedules.ticks(3000, 1000), 7))
                .containsExactly(0, 0, 0, 1_000_000, 1_000_000, 1_000_000, 2_000_000);
    }

    @Test
    void shouldSpreadARateThatDoesNotDivideEvenlyOverTicks() {
        final long[] times = times(Schedules.ticks(2500, 1000), 2500);

        assertThat(times)
                .startsWith(0, 0, 0, 1_000_000, 1_000_000, 2_000_000, 2_000_000, 2_000_000);
        assertThat(times[2499]).isEqualTo(999_000_000);
    }

    @Test
    void shouldLeaveTicksEmptyWhenTheRateIsBelowTheTicks() {
        assertThat(times(Schedules.ticks(250, 1000), 4))
                .containsExactly(0, 4_000_000, 8_000_000, 12_000_000);
    }

    @Test
    void shouldNotDriftOnTicksThatDoNotDivideASecond() {
        final int ticksPerSecond = 7;
        final long[] times = times(Schedules.ticks(ticksPerSecond, ticksPerSecond), 700_001);

        assertThat(times[700_000]).isEqualTo(100_000 * SECOND_NS);
        assertThat(times[700_000 - 1])
                .isEqualTo(roundedTime(699_999, BigDecimal.valueOf(ticksPerSecond), SECOND_NS));
    }

    @ParameterizedTest
    @CsvSource({"0.000001, 1000000", "1e12, 1", "0.5, 3", "12345.678, 77"})
    void shouldNeverGoBackOnTicks(final double ratePerSecond, final int ticksPerSecond) {
        assertThat(times(Schedules.ticks(ratePerSecond, ticksPerSecond), 1000)).isSorted();
    }

    @Test
    void shouldSleepAfterTheActualSend() {
        final Schedule schedule = Schedules.sleep(100);
        schedule.start(START_NS);

        assertThat(schedule.nextNs(START_NS)).isEqualTo(START_NS);
        assertThat(schedule.nextNs(START_NS + 30)).isEqualTo(START_NS + 130);
        assertThat(schedule.nextNs(START_NS + 5_000)).isEqualTo(START_NS + 5_100);
        assertThat(schedule.ratePerSecond()).isZero();
    }

    @Test
    void shouldSendPoissonMessagesAtTheirMeanRateWithExponentialGaps() {
        final int count = 200_000;
        final double meanGapNs = 10_000;
        final long[] times = times(Schedules.poisson(100_000, 42), count);

        assertThat(times).isSorted();
        assertThat(times[0]).isZero();
        assertThat(times[count - 1] / (double) (count - 1)).isCloseTo(meanGapNs, within(100.0));
        int longerThanMean = 0;
        for (int i = 1; i < count; i++) {
            longerThanMean += times[i] - times[i - 1] > meanGapNs ? 1 : 0;
        }
        assertThat(longerThanMean / (double) count).isCloseTo(1 / Math.E, within(0.01));
    }

    @Test
    void shouldKeepAPoissonRateThatIsFasterThanTheClock() {
        final int count = 200_000;

        final long[] times = times(Schedules.poisson(4e9, 1), count);

        assertThat(times[count - 1] / (double) count).isCloseTo(0.25, within(0.01));
    }

    @Test
    void shouldRepeatAPoissonScheduleFromItsSeed() {
        final Schedule schedule = Schedules.poisson(1000, 7);
        final long[] before = times(schedule, 100);

        assertThat(times(schedule, 100)).isEqualTo(before);
        assertThat(times(Schedules.poisson(1000, 8), 100)).isNotEqualTo(before);
    }

    @Test
    void shouldNotLookAtTheClockOnAGrid() {
        final Random random = new Random(1);
        for (final Schedule schedule :
                List.of(
                        Schedules.fixedRate(1000),
                        Schedules.ticks(1000, 100),
                        Schedules.poisson(1000, 3),
                        Schedules.bursts(1000, 1_000_000, 1_000_000))) {
            final long[] expected = times(schedule, 100);
            schedule.start(START_NS);
            for (final long time : expected) {
                assertThat(schedule.nextNs(random.nextLong()) - START_NS).isEqualTo(time);
            }
        }
    }

    @Test
    void shouldSendBurstsAndBeSilentBetween() {
        final Schedule schedule = Schedules.bursts(1000, 3_000_000, 7_000_000);

        assertThat(times(schedule, 7))
                .containsExactly(
                        0, 1_000_000, 2_000_000, 10_000_000, 11_000_000, 12_000_000, 20_000_000);
        assertThat(schedule.ratePerSecond()).isEqualTo(300);
    }

    @Test
    void shouldSendOnceInABurstThatIsShorterThanItsGap() {
        assertThat(times(Schedules.bursts(1, 1_000_000, 9_000_000), 3))
                .containsExactly(0, 10_000_000, 20_000_000);
    }

    @Test
    void shouldBeAFixedRateWhenBurstsHaveNoSilence() {
        assertThat(times(Schedules.bursts(1000, 10_000_000, 0), 1000))
                .isEqualTo(times(Schedules.fixedRate(1000), 1000));
    }

    @Test
    void shouldWantTheNextMessageAtOnceWhenUnpaced() {
        final Schedule schedule = Schedules.asFastAsPossible();
        schedule.start(START_NS);

        assertThat(schedule.nextNs(START_NS + 5)).isEqualTo(START_NS + 5);
        assertThat(schedule.ratePerSecond()).isZero();
    }

    @Test
    void shouldRefuseValuesOutOfBoundsByName() {
        assertThatThrownBy(() -> Schedules.fixedRate(-1)).hasMessageContaining("ratePerSecond");
        assertThatThrownBy(() -> Schedules.fixedRate(Double.NaN))
                .hasMessageContaining("ratePerSecond");
        assertThatThrownBy(() -> Schedules.poisson(1e13, 0)).hasMessageContaining("ratePerSecond");
        assertThatThrownBy(() -> Schedules.ticks(1, 0)).hasMessageContaining("ticksPerSecond");
        assertThatThrownBy(() -> Schedules.sleep(-1)).hasMessageContaining("sleepNs");
        assertThatThrownBy(() -> Schedules.bursts(1, 0, 0)).hasMessageContaining("onNs");
        assertThatThrownBy(() -> Schedules.bursts(1, 1, Long.MAX_VALUE))
                .hasMessageContaining("offNs");
    }
}
