package io.tickmark.workloads.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SettingsGroupsTest {
    private static PaceSettings pace(final Map<String, ?> values) {
        return Settings.read(PaceSettings.class, values, key -> key);
    }

    @Test
    void shouldTakeRatesOutOfReachForAsFastAsPossible() {
        assertThat(pace(Map.of("rate", "999999999")).isPaced()).isFalse();
        assertThat(pace(Map.of("rate", "550k")).isPaced()).isTrue();
        assertThat(pace(Map.of()).isPaced()).isFalse();
        assertThat(pace(Map.of("rate", "550k", "pace", "as-fast-as-possible")).isPaced()).isFalse();
        assertThat(pace(Map.of("rate", "999999999")).word()).isEqualTo("as-fast-as-possible");
        assertThat(pace(Map.of("pace", "sleep")).word()).isEqualTo("sleep");
    }

    @Test
    void shouldRefuseARateThatWouldTakeYears() {
        assertThatThrownBy(() -> pace(Map.of("rate", "0.0001")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--rate 1.0E-4")
                .hasMessageContaining("0 for none");
    }

    @Test
    void shouldPlanWithTheMeanRate() {
        assertThat(pace(Map.of("rate", 1000)).meanRatePerSecond()).isEqualTo(1000);
        assertThat(
                        pace(Map.of(
                                        "rate",
                                        1000,
                                        "pace",
                                        "bursts",
                                        "burstOn",
                                        "10ms",
                                        "burstOff",
                                        "90ms"))
                                .meanRatePerSecond())
                .isEqualTo(100);
        assertThat(pace(Map.of("pace", "sleep", "sleep", "1ms")).meanRatePerSecond())
                .isEqualTo(1000);
    }

    @Test
    void shouldTellHowLongAPaceIsSilent() {
        assertThat(pace(Map.of()).longestGapNs()).isZero();
        assertThat(pace(Map.of("rate", 0.5)).longestGapNs()).isEqualTo(2_000_000_000L);
        assertThat(pace(Map.of("rate", 10, "pace", "poisson")).longestGapNs())
                .isEqualTo(1_000_000_000L);
        assertThat(pace(Map.of("rate", 1000, "pace", "bursts", "burstOff", "15s")).longestGapNs())
                .isEqualTo(15_001_000_000L);
        assertThat(pace(Map.of("pace", "sleep", "sleep", "3s")).longestGapNs())
                .isEqualTo(3_000_000_000L);
        assertThat(pace(Map.of("rate", 2, "pace", "ticks")).longestGapNs()).isEqualTo(500_000_000L);
    }

    @Test
    void shouldDeclareThreadsAsTheSettingsWantThem() {
        final HotThread thread = new HotThread("publisher");

        assertThat(threads(Map.of()).of(thread)).isEqualTo(thread);
        assertThat(threads(Map.of("core", 3, "idle", "yield")).of(thread))
                .isEqualTo(new HotThread("publisher", IdleMode.YIELD, 3));
    }

    @Test
    void shouldNameTheWordThatIsNearestToAnIdleModeSpeltWrong() {
        assertThatThrownBy(() -> threads(Map.of("idle", "adaptve")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("adaptve")
                .hasMessageContaining("adaptive");
    }

    private static ThreadSettings threads(final Map<String, ?> values) {
        return Settings.read(ThreadSettings.class, values, key -> key);
    }
}
