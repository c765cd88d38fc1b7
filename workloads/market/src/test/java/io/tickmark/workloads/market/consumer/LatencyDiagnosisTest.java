package io.tickmark.workloads.market.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LatencyDiagnosisTest {
    @Test
    void shouldSayNothingOfUsualLatencies() {
        assertThat(MarketConsumer.LatencyDiagnosis.of(900, 80, 120)).isEmpty();
        assertThat(MarketConsumer.LatencyDiagnosis.of(0, 0, 0)).isEmpty();
    }

    @Test
    void shouldNameTheStartWhenOnlyItIsSlow() {
        assertThat(MarketConsumer.LatencyDiagnosis.of(60_000, 90, 120))
                .singleElement()
                .asString()
                .contains("high at first", "60.0 ms", "--delay-steady-state-calc");
    }

    @Test
    void shouldNameTheProviderWhenTimePassesBeforeEncoding() {
        assertThat(MarketConsumer.LatencyDiagnosis.of(100, 200, 50_000))
                .singleElement()
                .asString()
                .contains("the provider is the saturated side", "49.8 of 50.0 ms");
    }

    @Test
    void shouldNameConsumerOrConnectionWhenTimePassesAfterEncoding() {
        assertThat(MarketConsumer.LatencyDiagnosis.of(100, 40_000, 50_000))
                .singleElement()
                .asString()
                .contains("the consumer is the saturated side");
        assertThat(MarketConsumer.LatencyDiagnosis.of(100, 40_000, 0)).hasSize(1);
    }
}
