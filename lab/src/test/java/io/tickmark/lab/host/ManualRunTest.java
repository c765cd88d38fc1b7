package io.tickmark.lab.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.mock.MockSender;
import io.tickmark.lab.mock.MockSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ManualRunTest {
    private final List<String> lines = new ArrayList<>();

    @TempDir private Path folder;

    private ManualRun handRun() {
        return new ManualRun(
                new ManualRun.Options(
                        Optional.of(folder), Duration.ofSeconds(1), lines::add, progress -> {}));
    }

    private static MockSettings settings(final Map<String, Object> values) {
        return Settings.read(MockSettings.class, values, key -> "--" + key);
    }

    @Test
    void shouldMeasureWithoutAController() {
        final RoleResult result =
                handRun().run(new MockSender(), settings(Map.of("sizes", "64,128")));

        assertThat(result.steps()).hasSize(2);
        assertThat(result.metrics().get("thread")).isEqualTo("role-mock-sender");
        assertThat(lines).containsExactly("connected to ");
        assertThat(folder.resolve("summary.txt")).isNotEmptyFile();
    }

    @Test
    void shouldThrowWhatTheRoleThrows() {
        final ManualRun run = handRun();
        final MockSettings settings = settings(Map.of("trouble", "connect-fails"));

        assertThatThrownBy(() -> run.run(new MockSender(), settings))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("nobody answers");
    }

    @Test
    void shouldEndSoonWhenStopped() {
        final ManualRun run = handRun();
        run.stop();

        final RoleResult result = run.run(new MockSender(), settings(Map.of("lasting", "50s")));

        assertThat(result.steps()).isEmpty();
    }
}
