package io.tickmark.kernel.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CoreDemandTest {
    /** On a machine that nobody else uses. */
    private static CoreDemand demand(
            final int hotThreads, final int cores, final int engineThreads, final int allCores) {
        return new CoreDemand(hotThreads, cores, engineThreads, allCores, allCores);
    }

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
        assertThat(demand(hotThreads, cores, 0, cores).decide(IdleMode.AUTO)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"2, 2, 1, 2, ADAPTIVE", "2, 4, 2, 4, SPIN", "2, 4, 3, 4, ADAPTIVE"})
    void shouldCountTheThreadsThatAnEngineKeepsBusy(
            final int hotThreads,
            final int cores,
            final int engineThreads,
            final int allCores,
            final IdleMode expected) {
        assertThat(demand(hotThreads, cores, engineThreads, allCores).decide(IdleMode.AUTO))
                .isEqualTo(expected);
    }

    @Test
    void shouldLeaveTheEngineTheCoresThatNoHotThreadIsPinnedTo() {
        assertThat(demand(2, 2, 2, 8).decide(IdleMode.AUTO)).isEqualTo(IdleMode.SPIN);
    }

    @Test
    void shouldSpinOnSharedPinnedCoresOnlyWhereEachThreadHasItsOwn() {
        assertThat(demand(2, 1, 0, 8).decide(IdleMode.AUTO)).isEqualTo(IdleMode.ADAPTIVE);
    }

    @ParameterizedTest
    @EnumSource(value = IdleMode.class, mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
    void shouldLeaveTheModeThatTheUserChose(final IdleMode wanted) {
        final CoreDemand crowded = demand(9, 1, 4, 1);

        assertThat(crowded.decide(wanted)).isEqualTo(wanted);
        assertThat(crowded.reason(wanted)).isEmpty();
        assertThat(demand(1, 9, 0, 9).decide(wanted)).isEqualTo(wanted);
    }

    @Test
    void shouldSayWhyAThreadDoesNotSpin() {
        assertThat(demand(3, 2, 4, 2).reason(IdleMode.AUTO))
                .isEqualTo("more hot threads than cores");
        assertThat(demand(2, 2, 3, 2).reason(IdleMode.AUTO))
                .isEqualTo("2 hot threads and 3 of the engine on 2 cores");
        assertThat(demand(1, 1, 1, 1).reason(IdleMode.AUTO))
                .isEqualTo("1 hot thread and 1 of the engine on 1 core");
        assertThat(demand(2, 8, 3, 8).reason(IdleMode.AUTO)).isEmpty();
        assertThat(new CoreDemand(2, 8, 3, 8, 1).reason(IdleMode.AUTO))
                .isEqualTo("TICKMARK_SPIN_CORES leaves 1 core to spin on");
        assertThat(new CoreDemand(9, 8, 0, 8, 1).reason(IdleMode.AUTO))
                .isEqualTo("more hot threads than cores");
        assertThat(new CoreDemand(1, 8, 1, 8, 2).reason(IdleMode.AUTO)).isEmpty();
        assertThat(new CoreDemand(1, 8, 0, 8, 0).reason(IdleMode.AUTO))
                .isEqualTo("TICKMARK_SPIN_CORES leaves 0 cores to spin on");
    }

    @Test
    void shouldRefuseWhatCannotBeDecided() {
        assertThatThrownBy(() -> demand(0, 2, 0, 2)).hasMessageContaining("hotThreads 0");
        assertThatThrownBy(() -> demand(1, 0, 0, 2)).hasMessageContaining("cores 0");
    }

    @ParameterizedTest
    @CsvSource({"4, '', 4", "4, 1, 1", "4, 3, 3", "4, 64, 4", "4, 0, 0"})
    void shouldSpinOnFewerCoresWhereOthersUseThemToo(
            final int allowed, final String limit, final int cores) {
        assertThat(CoreDemand.coresToSpinOn(allowed, limit)).isEqualTo(cores);
    }

    @ParameterizedTest
    @ValueSource(strings = {"00", "-1", "two", "1.5", "100000"})
    void shouldRefuseANumberOfCoresThatIsNone(final String limit) {
        assertThatThrownBy(() -> CoreDemand.coresToSpinOn(4, limit))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("TICKMARK_SPIN_CORES is \"" + limit + "\"; write a number");
    }
}
