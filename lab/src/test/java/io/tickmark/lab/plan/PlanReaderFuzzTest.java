package io.tickmark.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tickmark.kernel.settings.UserError;
import java.nio.charset.StandardCharsets;

class PlanReaderFuzzTest {
    private static final PlanReader READER = new PlanReader(RoleCatalog.load());

    @FuzzTest(maxDuration = "1m")
    void shouldReadAPlanOrSayWhatIsWrong(final byte[] bytes) {
        try {
            final PlanFile plan =
                    READER.read(new String(bytes, StandardCharsets.UTF_8), "plan.yaml");
            assertThat(plan.name()).isNotEmpty();
        } catch (final UserError e) {
            assertThat(e).hasMessageStartingWith("plan.yaml");
        }
    }
}
