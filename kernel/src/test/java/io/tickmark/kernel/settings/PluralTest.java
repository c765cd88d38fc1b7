package io.tickmark.kernel.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PluralTest {
    @Test
    void shouldHaveAnSUnlessItIsOne() {
        assertThat(Plural.of(0, "core")).isEqualTo("0 cores");
        assertThat(Plural.of(1, "core")).isEqualTo("1 core");
        assertThat(Plural.of(12_000, "message")).isEqualTo("12,000 messages");
    }

    @Test
    void shouldTakeWordsThatDoNotEndInAnS() {
        assertThat(Plural.of(1, "latency was", "latencies were")).isEqualTo("1 latency was");
        assertThat(Plural.of(2, "latency was", "latencies were")).isEqualTo("2 latencies were");
    }
}
