package io.tickmark.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WrappedTest {
    @Test
    void shouldBreakLongLinesAtSpaces() {
        assertThat(Wrapped.to("one two three four five\nshort\n", 20, 4))
                .isEqualTo("one two three four\nfive\nshort\n");
    }

    @Test
    void shouldIndentTheRestOfAnIndentedLine() {
        assertThat(Wrapped.to("  run   do one or several plans", 24, 8))
                .isEqualTo("  run   do one or\n        several plans");
    }

    @Test
    void shouldIndentTheFurtherLinesOfAText() {
        assertThat(Wrapped.lines("one two three four five", 16, 2))
                .containsExactly("one two three", "  four five");
        assertThat(Wrapped.lines("", 16, 2)).containsExactly("");
    }

    @Test
    void shouldKeepAWordThatIsLongerThanTheLine() {
        assertThat(Wrapped.to("udp://127.0.0.1:40000?batch=20 x", 20, 4))
                .isEqualTo("udp://127.0.0.1:40000?batch=20 x");
    }

    @Test
    void shouldNotGoBelowASensibleWidth() {
        assertThat(Wrapped.to("one two three four five", 1, 4))
                .isEqualTo("one two three\nfour five");
    }
}
