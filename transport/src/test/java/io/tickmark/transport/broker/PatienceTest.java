package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PatienceTest {
    @Test
    void shouldEndWithItsTime() {
        assertThat(new Patience(Duration.ofDays(1), Duration.ZERO).lasts()).isTrue();
        assertThat(new Patience(Duration.ofNanos(-1), Duration.ZERO).lasts()).isFalse();
    }

    @Test
    void shouldEndWhereTheThreadIsInterruptedAndLeaveThatToTheCaller() {
        final Patience patience = new Patience(Duration.ofDays(1), Duration.ofDays(1));
        Thread.currentThread().interrupt();

        assertThat(patience.lasts()).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }
}
