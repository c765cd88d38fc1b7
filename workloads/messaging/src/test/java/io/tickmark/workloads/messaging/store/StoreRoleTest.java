package io.tickmark.workloads.messaging.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StoreRoleTest {
    @Test
    void shouldSayHowMuchOfWhatTheEngineSaidItLeavesOut() {
        assertThat(StoreRole.said(List.of("a", "b", "c", "d", "e")))
                .hasSize(5)
                .last()
                .isEqualTo("The engine said: e");
        assertThat(StoreRole.said(List.of("a", "b", "c", "d", "e", "f")))
                .hasSize(6)
                .last()
                .isEqualTo("The engine said 1 more thing that is not listed here.");
    }
}
