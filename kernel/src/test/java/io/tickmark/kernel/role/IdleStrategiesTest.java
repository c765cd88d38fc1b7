package io.tickmark.kernel.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdleStrategiesTest {
    @ParameterizedTest
    @CsvSource({
        "1, 1, SPIN",
        "2, 2, SPIN",
        "3, 2, ADAPTIVE",
        "2, 1, ADAPTIVE",
        "64, 8, ADAPTIVE",
        "8, 64, SPIN"
    })
    void shouldSpinWhileEveryHotThreadCanHaveACore(
            final int hotThreads, final int cores, final IdleMode expected) {
        assertThat(IdleStrategies.decide(IdleMode.AUTO, hotThreads, cores)).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(value = IdleMode.class, mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
    void shouldLeaveTheModeThatTheUserChose(final IdleMode wanted) {
        assertThat(IdleStrategies.decide(wanted, 9, 1)).isEqualTo(wanted);
        assertThat(IdleStrategies.decide(wanted, 1, 9)).isEqualTo(wanted);
    }

    @Test
    void shouldMakeANewStrategyOfEachMode() {
        assertThat(IdleStrategies.of(IdleMode.SPIN, SystemNanoClock.INSTANCE))
                .isInstanceOf(BusySpinIdleStrategy.class);
        assertThat(IdleStrategies.of(IdleMode.YIELD, SystemNanoClock.INSTANCE))
                .isInstanceOf(YieldingIdleStrategy.class);
        assertThat(IdleStrategies.of(IdleMode.PARK, SystemNanoClock.INSTANCE))
                .isInstanceOf(BackoffIdleStrategy.class);
        assertThat(IdleStrategies.of(IdleMode.BLOCK, SystemNanoClock.INSTANCE))
                .isInstanceOf(SleepingIdleStrategy.class);
        assertThat(IdleStrategies.of(IdleMode.ADAPTIVE, SystemNanoClock.INSTANCE))
                .isInstanceOf(AdaptiveIdle.class);
        final IdleStrategy one = IdleStrategies.of(IdleMode.PARK, SystemNanoClock.INSTANCE);
        assertThat(IdleStrategies.of(IdleMode.PARK, SystemNanoClock.INSTANCE)).isNotSameAs(one);
    }

    @Test
    void shouldSleepInOnePieceWhereTheStrategySleeps() {
        final long longest = IdleStrategies.LONGEST_NAP_NS;
        final CountingIdle spinning = new CountingIdle();
        IdleStrategies.idle(spinning, longest);
        assertThat(spinning.turns).as("who does not sleep looks again at once").isEqualTo(1);

        final IdleStrategy sleeping = IdleStrategies.of(IdleMode.BLOCK, SystemNanoClock.INSTANCE);
        final long beganNs = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            IdleStrategies.idle(sleeping, longest);
        }
        assertThat(System.nanoTime() - beganNs)
                .as("a nap of its own would end after 50 us")
                .isGreaterThan(5 * longest);
    }

    private static final class CountingIdle implements IdleStrategy {
        private int turns;

        @Override
        public void idle(final int workCount) {
            turns++;
        }

        @Override
        public void idle() {
            turns++;
        }

        @Override
        public void reset() {
            // nothing is kept
        }
    }

    @Test
    void shouldRefuseWhatCannotBeDecided() {
        assertThatThrownBy(() -> IdleStrategies.of(IdleMode.AUTO, SystemNanoClock.INSTANCE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> IdleStrategies.decide(IdleMode.AUTO, 0, 2))
                .hasMessageContaining("hotThreads 0");
        assertThatThrownBy(() -> IdleStrategies.decide(IdleMode.AUTO, 1, 0))
                .hasMessageContaining("cores 0");
    }

    @ParameterizedTest
    @CsvSource({"4, '', 4", "4, 1, 1", "4, 3, 3", "4, 64, 4"})
    void shouldSpinOnFewerCoresWhereOthersUseThemToo(
            final int allowed, final String limit, final int cores) {
        assertThat(IdleStrategies.coresToSpinOn(allowed, limit)).isEqualTo(cores);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "two", "1.5", "100000"})
    void shouldRefuseANumberOfCoresThatIsNone(final String limit) {
        assertThatThrownBy(() -> IdleStrategies.coresToSpinOn(4, limit))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("TICKMARK_SPIN_CORES is \"" + limit + "\"; write a number");
    }
}
