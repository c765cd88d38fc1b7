package io.tickmark.workloads.market.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TickBurstsTest {
    private static final long MS = 1_000_000L;

    private static int drain(final TickBursts bursts, final long nowNs) {
        int sent = 0;
        while (bursts.isDue(nowNs)) {
            bursts.sent(nowNs, bursts.isMarked());
            sent++;
        }
        return sent;
    }

    @Test
    void shouldSendTheMessagesOfATickInOneBurst() {
        final TickBursts bursts = new TickBursts(100_000, 0, 100, 1);
        bursts.start(5 * MS);
        assertThat(drain(bursts, 4 * MS)).isZero();
        assertThat(drain(bursts, 5 * MS)).isEqualTo(1000);
        assertThat(drain(bursts, 14 * MS)).isZero();
        assertThat(bursts.nextTickNs()).isEqualTo(15 * MS);
        assertThat(drain(bursts, 15 * MS)).isEqualTo(1000);
    }

    @Test
    void shouldSpreadARateThatDoesNotDivide() {
        final TickBursts bursts = new TickBursts(1500, 0, 1000, 1);
        bursts.start(0);
        int sent = 0;
        for (long ms = 0; ms < 1000; ms++) {
            final int burst = drain(bursts, ms * MS);
            assertThat(burst).isBetween(1, 2);
            sent += burst;
        }
        assertThat(sent).isEqualTo(1500);
    }

    @Test
    void shouldCatchUpLateTicksWithTheTimesTheyWereWantedAt() {
        final TickBursts bursts = new TickBursts(1000, 0, 1000, 1);
        bursts.start(0);
        drain(bursts, 0);
        assertThat(bursts.isDue(5 * MS)).isTrue();
        assertThat(bursts.intendedNs()).isEqualTo(MS);
        assertThat(drain(bursts, 5 * MS)).isEqualTo(5);
        assertThat(bursts.maxLagNs()).isEqualTo(4 * MS);
        assertThat(bursts.maxTightSends()).isEqualTo(5);
        assertThat(bursts.nextTickNs()).isEqualTo(6 * MS);
    }

    @Test
    void shouldMarkAsManyMessagesAsWantedEachSecondSomewhereInTheirBursts() {
        final TickBursts bursts = new TickBursts(10_000, 10, 100, 7);
        bursts.start(0);
        int marked = 0;
        int first = 0;
        for (long tick = 0; tick < 1000; tick++) {
            for (int place = 0; bursts.isDue(tick * 10 * MS); place++) {
                final boolean isMarked = bursts.isMarked();
                bursts.sent(tick * 10 * MS, isMarked);
                marked += isMarked ? 1 : 0;
                first += isMarked && place == 0 ? 1 : 0;
            }
        }
        assertThat(marked).isEqualTo(100);
        assertThat(first).isLessThan(20);
    }

    @Test
    void shouldMarkEveryMessageWhereAllAreWanted() {
        final TickBursts bursts = new TickBursts(1000, 1000, 10, 7);
        bursts.start(0);
        int marked = 0;
        while (bursts.isDue(0)) {
            final boolean isMarked = bursts.isMarked();
            bursts.sent(0, isMarked);
            marked += isMarked ? 1 : 0;
        }
        assertThat(marked).isEqualTo(100);
    }

    @Test
    void shouldNeverBeDueWithoutARate() {
        final TickBursts bursts = new TickBursts(0, 0, 1000, 1);
        bursts.start(0);
        assertThat(bursts.isDue(Long.MAX_VALUE / 2)).isFalse();
        assertThat(bursts.nextTickNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldWantNoMoreOfATimeThanItSendsWhereverThatBegins() {
        final TickBursts bursts = new TickBursts(1000, 0, 10, 1);
        bursts.start(0);
        drain(bursts, MS);
        assertThat(bursts.leastIn(MS, 1001 * MS)).isEqualTo(900);
        assertThat(drain(bursts, 1001 * MS - 1)).isEqualTo(1000);
        assertThat(bursts.leastIn(MS, 101 * MS)).isZero();
    }

    /**
     * It wanted two ticks less of every period: a fifth less of ten seconds, and of two nothing.
     */
    @Test
    void shouldWantAllTicksOfAPeriodButTheLast() {
        final TickBursts bursts = new TickBursts(1000, 0, 1, 1);
        bursts.start(0);

        assertThat(bursts.leastIn(300 * MS, 10_300 * MS)).isEqualTo(9_000);
        assertThat(bursts.leastIn(0, 10_000 * MS)).isEqualTo(9_000);
        assertThat(bursts.leastIn(300 * MS, 2_300 * MS)).isEqualTo(1_000);
        assertThat(bursts.leastIn(300 * MS, 900 * MS)).isZero();
    }

    @Test
    void shouldWantWhatTheTicksOfARateThatDoesNotDivideSend() {
        final TickBursts bursts = new TickBursts(1_500, 0, 1_000, 1);
        bursts.start(0);
        drain(bursts, 7 * MS);

        assertThat(drain(bursts, 2_011 * MS)).isEqualTo((int) bursts.leastIn(7 * MS, 2_012 * MS));
    }
}
