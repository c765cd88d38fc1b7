package io.tickmark.bench.contest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class GoalTest {
    @Test
    void shouldBeMetAtItsBound() {
        assertThat(new Goal.AtMost(1.1).isMet(1.1)).isTrue();
        assertThat(new Goal.AtMost(1.1).isMet(1.11)).isFalse();
        assertThat(new Goal.AtLeast(0.9).isMet(0.9)).isTrue();
        assertThat(new Goal.AtLeast(0.9).isMet(0.89)).isFalse();
    }

    @Test
    void shouldAllowNearnessOnBothSides() {
        final Goal near = new Goal.Near(0.001);

        assertThat(near.isMet(0.9991)).isTrue();
        assertThat(near.isMet(1.0009)).isTrue();
        assertThat(near.isMet(0.9989)).isFalse();
        assertThat(near.isMet(1.0011)).isFalse();
    }

    @Test
    void shouldReadAsInTheDocs() {
        assertThat(new Goal.AtMost(1.1).text(Goal::plain)).isEqualTo("at most 1.1");
        assertThat(new Goal.AtLeast(10).text(Goal::plain)).isEqualTo("at least 10");
        assertThat(new Goal.AtMost(0.01).text(Goal::plain)).isEqualTo("at most 0.01");
        assertThat(new Goal.Near(0.001).text(Goal::plain)).isEqualTo("within 0.1 %");
    }
}
