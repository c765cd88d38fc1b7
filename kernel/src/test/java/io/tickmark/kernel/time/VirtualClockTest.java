package io.tickmark.kernel.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class VirtualClockTest {
    private final VirtualClock clock = new VirtualClock(100);

    @Test
    void shouldStandStillUntilItIsMoved() {
        assertThat(clock.nanoTime()).isEqualTo(100);
        assertThat(clock.nanoTime()).isEqualTo(100);

        clock.advance(5);
        assertThat(clock.nanoTime()).isEqualTo(105);

        clock.jumpTo(1_000);
        assertThat(clock.nanoTime()).isEqualTo(1_000);
    }

    @Test
    void shouldNotGoBack() {
        assertThatThrownBy(() -> clock.advance(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> clock.jumpTo(99)).isInstanceOf(IllegalArgumentException.class);
    }
}
