package io.tickmark.kernel.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NameListTest {
    @Test
    void shouldNameAllWhereTheyAreFew() {
        assertThat(NameList.of(List.of(), 2)).isEmpty();
        assertThat(NameList.of(List.of("a", "b"), 2)).isEqualTo("a, b");
    }

    @Test
    void shouldSayHowManyItDoesNotName() {
        assertThat(NameList.of(List.of("a", "b", "c"), 2)).isEqualTo("a, b and 1 more");
        assertThat(NameList.of(List.of("a", "b", "c", "d"), 1, "; ")).isEqualTo("a and 3 more");
    }
}
