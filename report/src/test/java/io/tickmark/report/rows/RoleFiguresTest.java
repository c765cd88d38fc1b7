package io.tickmark.report.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RoleFiguresTest {
    private static List<String> texts(final Object... values) {
        return new RoleFigures("jitter", "figures", List.of(values)).texts();
    }

    @Test
    void shouldJoinWordsAndNameEachOnce() {
        assertThat(texts("spin", "adaptive", "spin")).containsExactly("spin, adaptive");
    }

    /** The tool that says it ends each of its lines with a comma. */
    @Test
    void shouldKeepTextsApartThatHaveCommasOfTheirOwn() {
        assertThat(texts("ts_min_ns=36, ts_max_ns=90,", "ts_min_ns=35, ts_max_ns=80,"))
                .containsExactly("ts_min_ns=36, ts_max_ns=90,", "ts_min_ns=35, ts_max_ns=80,");
    }

    @Test
    void shouldCountTheTextsThatAreNotShown() {
        assertThat(texts("a", "b", "c", "d", "e", "f"))
                .containsExactly("a, b, c, d and 2 more in result.json");
        assertThat(texts("a,", "b,", "c,", "d,", "e,"))
                .containsExactly("a,", "b,", "c,", "d,", "and 1 more in result.json");
    }
}
