package io.tickmark.lab.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import org.junit.jupiter.api.Test;

class BurstBufferTest {
    @Test
    void shouldPileUpByTheDifferenceAndDrainAtTheSustainedRate() {
        final BurstBuffer buffer = new BurstBuffer(100_000, 250_000, 200_000_000, 700);

        assertThat(buffer.messages()).isEqualTo(30_000);
        assertThat(buffer.bytes()).isEqualTo(21_000_000);
        assertThat(buffer.drainNs()).isEqualTo(300_000_000);
    }

    @Test
    void shouldRefuseABurstThatNeedsNoBuffer() {
        assertThatThrownBy(() -> new BurstBuffer(100_000, 100_000, 1, 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--rate 100000 is not above --sustained 100000");
    }
}
