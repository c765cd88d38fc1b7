package io.tickmark.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

final class CaptureFuzzTest {
    @TempDir static Path folder;

    @Tag("fuzzed")
    @FuzzTest(maxDuration = "1m")
    void shouldReadAnyFileOrSayWhereItIsBroken(final byte[] bytes) throws IOException {
        final Path file = Files.write(folder.resolve("any.pcap"), bytes);
        final WireSettings settings =
                Settings.read(
                        WireSettings.class,
                        Map.of(
                                "skip",
                                "0",
                                "maxUnmatchedPercent",
                                "100",
                                "maxUncopiedPercent",
                                "100"),
                        key -> key);
        final RoleResult result;
        try {
            result =
                    WireRoleResult.of(
                            new WireReader(settings, WireContext.NONE, () -> false).read(file),
                            true);
        } catch (final UserError e) {
            assertThat(e.getMessage()).contains("any.pcap");
            return;
        }

        if (!result.failure().isEmpty()) {
            assertThat(result.failure())
                    .matches("(?s).*any.pcap(, byte \\d+: |: .* nothing was timed).*");
        }
        result.steps()
                .forEach(step ->
                        step.latencies()
                                .values()
                                .forEach(latency ->
                                        assertThat(latency.getTotalCount()).isPositive()));
    }
}
