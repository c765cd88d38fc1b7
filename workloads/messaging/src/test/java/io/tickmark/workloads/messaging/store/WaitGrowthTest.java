package io.tickmark.workloads.messaging.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class WaitGrowthTest {
    private static final long MS = 1_000_000;

    private final WaitGrowth waits = new WaitGrowth();

    /** A message each millisecond. */
    private void stream(final long lengthMs, final LongUnaryOperator waitMs) {
        for (long ms = 0; ms < lengthMs; ms++) {
            waits.add(ms * MS, waitMs.applyAsLong(ms) * MS);
        }
    }

    @Test
    void shouldReportByHowMuchAQueueGrew() {
        stream(10_000, ms -> 3 + ms / 20);

        assertThat(waits.ns()).isBetween(470 * MS, 500 * MS);
    }

    @Test
    void shouldNotTakeLongWaitsForGrowth() {
        stream(10_000, ms -> 80 + ms % 7);

        assertThat(waits.ns()).isZero();
    }

    @Test
    void shouldNotTakeAStallThatWasMadeUpForForGrowth() {
        stream(10_000, ms -> ms > 9_700 && ms < 9_850 ? 9_850 - ms : 1);

        assertThat(waits.ns()).isZero();
    }

    @Test
    void shouldNotTakeMessagesThatAreSentAgainForGrowth() {
        stream(1_000, ms -> 1);
        waits.add(500 * MS, 700 * MS);

        assertThat(waits.ns()).isZero();
    }

    @Test
    void shouldSayNothingOfAStreamTooShortToCompare() {
        assertThat(waits.ns()).isZero();
        stream(300, ms -> ms);

        assertThat(waits.ns()).isZero();
    }
}
