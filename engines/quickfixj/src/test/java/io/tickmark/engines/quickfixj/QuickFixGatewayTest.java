package io.tickmark.engines.quickfixj;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.trial.Trial;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuickFixGatewayTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldServeTheSameClients(final int workers) throws Exception {
        try (Trial trial =
                new Trial(Map.of())
                        .gateway(Map.of("channel", "quickfixj:", "workers", workers))
                        .consumers(Map.of("consumers", 4))
                        .producers(
                                Map.of(
                                        "producers",
                                        3,
                                        "messages",
                                        200,
                                        "rate",
                                        1000,
                                        "every",
                                        4,
                                        "warmUp",
                                        "200ms"))
                        .start()) {
            assertThat(trial.count("consumers", "received")).isEqualTo(600);
            assertThat(trial.count("consumers", "expected")).isEqualTo(600);
            assertThat(trial.count("consumers", "corrupted")).isZero();
            assertThat(trial.count("gateway", "gatewayOut")).isGreaterThanOrEqualTo(600);
        }
    }

    @Test
    void shouldSayWhatItCannotDo() {
        assertThatThrownBy(() ->
                        new Trial(Map.of())
                                .gateway(Map.of("channel", "quickfixj", "slow", "conflate")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--engine quickfixj cannot conflate");
    }
}
