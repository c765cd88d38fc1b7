package io.tickmark.workloads.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ThreadSettingsTest {
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
