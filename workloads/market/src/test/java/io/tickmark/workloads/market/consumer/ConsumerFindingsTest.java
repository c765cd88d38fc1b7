package io.tickmark.workloads.market.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.measure.CpuCost;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConsumerFindingsTest {
    private static ConsumerConnection.Findings of(
            final long firstRequestNs, final long lastImageNs) {
        return new ConsumerConnection.Findings(
                null,
                new ConsumerConnection.Findings.Times(firstRequestNs, lastImageNs, 0, 0),
                null,
                null,
                null,
                null,
                CpuCost.NONE);
    }

    @Test
    void shouldTakeNoTimeOfAConnectionThatNeverRequested() {
        assertThat(
                        ConsumerConnection.Findings.retrievalNs(
                                List.of(of(1000, 1700), of(0, 0), of(900, 1600))))
                .isEqualTo(800);
        assertThat(ConsumerConnection.Findings.retrievalNs(List.of(of(0, 0)))).isZero();
        assertThat(ConsumerConnection.Findings.retrievalNs(List.of(of(1000, 0)))).isZero();
    }

    @Test
    void shouldRefuseThreadsThatWouldHaveNoItem() {
        final Map<String, ?> threads = Map.of("itemCount", 2, "threads", "-1,-1,-1");
        assertThatThrownBy(() -> Settings.read(ConsumerSettings.class, threads, key -> key))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--threads names 3 threads, but --item-count is 2");
        final Map<String, ?> shared =
                Map.of("itemCount", 2, "threads", "-1,-1,-1", "commonItemCount", 1);
        assertThat(Settings.read(ConsumerSettings.class, shared, key -> key).connections())
                .isEqualTo(3);
    }
}
