package io.tickmark.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TopicTest {
    @Test
    void shouldNumberTopicsInTheOrderGiven() {
        assertThat(Topic.of(List.of("b", "a")))
                .containsExactly(new Topic("b", 1), new Topic("a", 2));
    }

    @Test
    void shouldRefuseATopicThatComesTwice() {
        assertThatThrownBy(() -> Topic.of(List.of("a", "b", "a")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--topics")
                .hasMessageContaining("'a' twice");
    }

    @Test
    void shouldRefuseNoTopicsAtAll() {
        assertThatThrownBy(() -> Topic.of(List.of()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("names no topic");
    }
}
