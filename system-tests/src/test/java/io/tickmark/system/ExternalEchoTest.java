package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Any echo service can be the other end. */
class ExternalEchoTest {
    private static final int RATE = 500;

    @TempDir private Path folder;

    @Test
    void shouldMeasureAForeignUdpEchoOpenLoop() throws IOException {
        try (PlainEcho echo = PlainEcho.udp()) {
            shouldMeasure("udp://127.0.0.1:" + echo.port());
        }
    }

    @Test
    void shouldMeasureAForeignTcpEchoOpenLoop() throws IOException {
        try (PlainEcho echo = PlainEcho.tcp()) {
            shouldMeasure("tcp://127.0.0.1:" + echo.port());
        }
    }

    private void shouldMeasure(final String channel) {
        final Launch.Outcome outcome =
                Launch.here(
                        folder,
                        "latency --channel "
                                + channel
                                + " --echo external --rate "
                                + RATE
                                + " --duration 1s --sizes 64 --warm-up 50ms --ping-timeout 20s"
                                + " --no-noise --json --out there");
        assertThat(outcome.err()).isEmpty();
        final JsonNode trial = ResultDocument.parse(outcome.out()).trial();
        final boolean isSaturated = trial.path("labels").toString().contains("saturated");
        assertThat(trial.path("sent").asInt()).isBetween(isSaturated ? 1 : RATE - 2, RATE + 2);
        assertThat(trial.path("received").asInt()).isEqualTo(trial.path("sent").asInt());
        assertThat(trial.path("offeredRatePerSecond").asDouble()).isEqualTo(RATE);
        assertThat(trial.at("/responseNs/count").asInt()).isEqualTo(trial.path("sent").asInt());
        assertThat(trial.at("/serviceNs/count").asInt()).isEqualTo(trial.path("sent").asInt());
        assertThat(trial.at("/responseNs/mean").asDouble())
                .isGreaterThanOrEqualTo(trial.at("/serviceNs/mean").asDouble());
        assertThat(trial.path("roles").valueStream())
                .singleElement()
                .satisfies(role ->
                        assertThat(role.at("/metrics/echo").asString()).isEqualTo("external"));
    }
}
