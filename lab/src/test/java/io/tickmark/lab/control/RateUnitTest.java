package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RateUnitTest {
    private static final long SHORT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(10);

    private final RateUnit unit = new RateUnit();

    /** A short trial may end within a burst, and counts too much for its length. */
    @Test
    void shouldBelieveTheLongestTrial() {
        assertThat(unit.learn(21_700, 100_000, SHORT_NS)).isTrue();
        assertThat(unit.setting(21_700)).isEqualTo(100_000);

        assertThat(unit.learn(20_160, 100_000, LONG_NS)).isFalse();
        assertThat(unit.learn(22_000, 100_000, SHORT_NS)).isFalse();
        assertThat(unit.setting(21_700)).as("the same all through a search").isEqualTo(100_000);
        assertThat(unit.corrected(21_700)).isCloseTo(20_160, within(0.001));
    }

    @Test
    void shouldNotTakeWhatWasCountedForAnotherUnit() {
        assertThat(unit.learn(99_100, 100_000, SHORT_NS)).isFalse();

        assertThat(unit.setting(100_000)).isEqualTo(100_000);
        assertThat(unit.corrected(100_000)).isCloseTo(99_100, within(0.001));
    }

    @Test
    void shouldKnowNoRatesBetweenTwoSettings() {
        unit.learn(1_000_000, 1_000, SHORT_NS);

        assertThat(unit.nearest(20_499)).isEqualTo(20_000);
        assertThat(unit.nearest(20_501)).isEqualTo(21_000);
        assertThat(unit.nearest(unit.nearest(20_501))).isEqualTo(21_000);
        assertThat(unit.below(21_000, 0.01)).isEqualTo(20_000);
        assertThat(unit.below(1_000_000, 0.01)).as("within the part").isEqualTo(991_000);
        assertThat(unit.below(1_000, 0.01)).as("none").isZero();
    }

    @Test
    void shouldLeaveFullSpeedAndAskForNoRateBelowOne() {
        unit.learn(50_000, 1_000, SHORT_NS);

        assertThat(unit.setting(0)).isZero();
        assertThat(unit.setting(1)).isEqualTo(1);
        assertThat(unit.setting(500)).isEqualTo(10);
    }
}
