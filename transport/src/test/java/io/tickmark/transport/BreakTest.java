package io.tickmark.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BreakTest {
    @Test
    void shouldBeReportedOnceItHasLastedForTwoSeconds() {
        final Break broken = new Break("the server hung up", Long.MAX_VALUE - 5);

        assertThat(broken.lasting(Long.MAX_VALUE)).isEmpty();
        assertThat(broken.lasting(broken.atNs() + 1_999_999_999)).isEmpty();
        assertThat(broken.lasting(broken.atNs() + 2_000_000_000)).contains("the server hung up");
    }

    @Test
    void shouldCountFromWhenTheConnectionBroke() {
        assertThat(Break.ago("the server hung up", 3_000_000_000L).lasting())
                .contains("the server hung up");
        assertThat(Break.now("the server hung up").isNone()).isFalse();
    }

    @Test
    void shouldReportNothingWhereNoConnectionBroke() {
        assertThat(Break.NONE.isNone()).isTrue();
        assertThat(Break.NONE.lasting(Long.MAX_VALUE)).isEmpty();
    }
}
