package io.tickmark.lab.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.settings.UserError;
import java.nio.charset.StandardCharsets;

class ResultJsonFuzzTest {
    @FuzzTest(maxDuration = "1m")
    void shouldReadAResultOrSayWhatIsWrong(final byte[] bytes) {
        try {
            final RunResult run =
                    ResultJson.read(new String(bytes, StandardCharsets.UTF_8), "result.json");
            assertThat(ResultJson.write(run)).isNotEmpty();
        } catch (final UserError e) {
            assertThat(e).hasMessageStartingWith("result.json: not a result");
        }
    }
}
