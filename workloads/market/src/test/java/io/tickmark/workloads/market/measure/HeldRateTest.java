package io.tickmark.workloads.market.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeldRateTest {
    @Test
    void shouldBlameNeitherSideWhereTheRateWasHeld() {
        assertThat(HeldRate.saturatedSide("provider", "consumer", 99_000, 100_000, 5)).isEmpty();
    }

    @Test
    void shouldBlameWhoTakesWhereNoBufferWasFree() {
        assertThat(HeldRate.saturatedSide("provider", "consumer", 98_999, 100_000, 5))
                .singleElement()
                .asString()
                .contains("found no free output buffer 5 times: the consumer", "is the bottleneck");
    }

    @Test
    void shouldBlameTheSenderWhereABufferWasAlwaysFree() {
        assertThat(HeldRate.saturatedSide("publisher", "hub", 10, 100_000, 0))
                .singleElement()
                .asString()
                .contains(
                        "The publisher always found a free buffer, so it is itself the bottleneck");
    }
}
