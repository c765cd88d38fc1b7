package io.tickmark.kernel.role;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class EndpointsTest {
    @Test
    void shouldFindValuesByNameInTheOrderOfBinding() {
        final Endpoints bound =
                Endpoints.of(Map.of("channel", "udp://127.0.0.1:1"))
                        .boundBy("latency-pub", 1)
                        .and(Endpoints.of(Map.of("channel", "udp://127.0.0.1:2")))
                        .and(Endpoints.of(Map.of("driver", "/dev/shm/x")));

        assertThat(bound.named("channel"))
                .containsExactly("udp://127.0.0.1:1", "udp://127.0.0.1:2");
        assertThat(bound.named("absent")).isEmpty();
        assertThat(bound.values().get(0))
                .isEqualTo(
                        new Endpoints.Endpoint("latency-pub", 1, "channel", "udp://127.0.0.1:1"));
        assertThat(Endpoints.NONE.values()).isEmpty();
    }
}
