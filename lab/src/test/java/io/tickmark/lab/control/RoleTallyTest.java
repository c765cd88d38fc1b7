package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.Progress;
import io.tickmark.kernel.result.Counts;
import io.tickmark.lab.control.LiveBoard.RoleTally;
import io.tickmark.lab.live.LiveTick.LiveRole;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RoleTallyTest {
    private final RoleTally tally = new RoleTally("stream-pub");

    /** A publisher that has sent a given number a second from the start, and lags by as many ns. */
    private void report(final int index, final long second, final long perSecond) {
        tally.take(
                index,
                new Progress(
                        0,
                        "64B",
                        true,
                        TimeUnit.SECONDS.toNanos(second),
                        Map.of(Counts.SENT, second * perSecond),
                        Map.of(Counts.LAG_NS, perSecond),
                        Map.of()),
                TimeUnit.SECONDS.toNanos(second));
    }

    private LiveRole at(final long second) {
        return tally.tick(TimeUnit.SECONDS.toNanos(second));
    }

    @Test
    void shouldSumWhatTheRolesOfANameReported() {
        for (int second = 0; second <= 2; second++) {
            report(1, second, 100);
            report(2, second, 50);
        }

        final LiveRole role = at(2);
        assertThat(role.instances()).isEqualTo(2);
        assertThat(role.counts()).containsEntry(Counts.SENT, 300L);
        assertThat(role.perSecond()).containsEntry(Counts.SENT, 150.0);
        assertThat(role.gauges()).containsEntry(Counts.LAG_NS, 100L);
    }

    /**
     * A role that was killed, or was done, had appeared as still sending in the figures of the last
     * second.
     */
    @Test
    void shouldLeaveTheRatesOfARoleOutThatReportsNoMore() {
        for (int second = 0; second <= 5; second++) {
            if (second <= 2) {
                report(1, second, 100);
            }
            report(2, second, 50);
        }

        final LiveRole role = at(5);
        assertThat(role.counts()).as("what was sent stays so").containsEntry(Counts.SENT, 450L);
        assertThat(role.perSecond()).containsEntry(Counts.SENT, 50.0);
        assertThat(role.gauges()).containsEntry(Counts.LAG_NS, 50L);
        assertThat(at(9).perSecond()).isEmpty();
        assertThat(at(9).gauges()).isEmpty();
    }

    /** Each part had been the largest of any thread, so that the parts were more than the whole. */
    @Test
    void shouldDivideTheStallOfOneThread() {
        stalled(1, 900, 100, 800);
        stalled(2, 500, 450, 50);
        stalled(3, 1_000, 990, 10);

        assertThat(at(0).gauges())
                .containsEntry(Counts.STALLED_NS, 1_000L)
                .containsEntry(Counts.STALLED_WAITING_NS, 990L)
                .containsEntry(Counts.STALLED_OFF_CORE_NS, 10L);
    }

    private void stalled(final int index, final long ns, final long waitingNs, final long offNs) {
        tally.take(
                index,
                new Progress(
                        0,
                        "64B",
                        true,
                        0,
                        Map.of(),
                        Map.of(
                                Counts.STALLED_NS,
                                ns,
                                Counts.STALLED_WAITING_NS,
                                waitingNs,
                                Counts.STALLED_OFF_CORE_NS,
                                offNs),
                        Map.of()),
                0);
    }
}
