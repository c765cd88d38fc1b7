package io.tickmark.engines.artio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.trial.Trial;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ArtioGatewayTest {
    @Test
    void shouldServeTheSameClients() throws Exception {
        try (Trial trial =
                new Trial(Map.of())
                        .gateway(Map.of("channel", "artio:"))
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
                                .gateway(Map.of("channel", "artio", "version", "fix-4-2")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--engine artio is here for fix-4-4 only");
    }
}
