package io.tickmark.workloads.market.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SteadyCostTest {
    private CpuCost soFar = CpuCost.NONE;
    private final SteadyCost steady = new SteadyCost(() -> soFar);

    private void mark(final long bytes, final long cpuNs, final long updates) {
        soFar = new CpuCost(bytes, cpuNs);
        steady.mark(updates);
    }

    @Test
    void shouldCountFromTheFirstMarkToTheLast() {
        mark(5_000, 70, 100);
        mark(5_010, 80, 150);
        mark(5_030, 95, 300);
        soFar = new CpuCost(9_000_000, 500); // a consumer goes, and classes are loaded for it
        assertThat(steady.cost()).isEqualTo(new CpuCost(30, 25));
        assertThat(steady.updates()).isEqualTo(200);
    }

    @Test
    void shouldHaveNoFigureOfOneMark() {
        mark(5_000, 70, 100);
        assertThat(steady.cost()).isEqualTo(CpuCost.NONE);
        assertThat(steady.updates()).isZero();
    }

    @Test
    void shouldBeginAnewAfterWhatIsNoUpdate() {
        mark(1_000, 10, 10);
        mark(1_100, 20, 20);
        steady.interrupt(); // images
        assertThat(steady.updates()).isEqualTo(10);
        mark(80_000, 900, 25);
        assertThat(steady.cost()).isEqualTo(new CpuCost(100, 10));
        mark(80_001, 950, 75);
        assertThat(steady.cost()).isEqualTo(new CpuCost(1, 50));
        assertThat(steady.updates()).isEqualTo(50);
    }
}
