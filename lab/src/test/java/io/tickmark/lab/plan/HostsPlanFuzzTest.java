package io.tickmark.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tickmark.kernel.settings.UserError;
import java.nio.charset.StandardCharsets;

class HostsPlanFuzzTest {
    @FuzzTest(maxDuration = "1m")
    void shouldReadAFileOfHostsOrSayWhatIsWrong(final byte[] bytes) {
        final String text = new String(bytes, StandardCharsets.UTF_8);
        try {
            HostsPlan.parse(text, "hosts.yaml");
        } catch (final UserError e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }
}
