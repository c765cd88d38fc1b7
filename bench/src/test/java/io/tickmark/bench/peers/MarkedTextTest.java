package io.tickmark.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.bench.peers.SideBySide.MarkedText;
import org.junit.jupiter.api.Test;

class MarkedTextTest {
    @Test
    void shouldReplaceOnlyWhatIsBetweenTheMarkers() {
        final String text = "a\n<!-- table begin -->\nold\n<!-- table end -->\nb\n";

        assertThat(MarkedText.replace(text, "table", "new\n"))
                .isEqualTo("a\n<!-- table begin -->\nnew\n<!-- table end -->\nb\n");
        assertThatThrownBy(() -> MarkedText.replace("a", "table", "new"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("table begin");
    }
}
