package io.tickmark.kernel.role;

import static io.tickmark.kernel.role.Idle.LONGEST_WAIT_NS;
import static io.tickmark.kernel.role.Idle.NEVER_DUE;
import static io.tickmark.kernel.role.IdleStrategies.Adaptive.LEAST_MARGIN_NS;
import static io.tickmark.kernel.role.IdleStrategies.Adaptive.LEAST_SPIN_NS;
import static io.tickmark.kernel.role.IdleStrategies.Adaptive.LONGEST_NAP_NS;
import static io.tickmark.kernel.role.IdleStrategies.Adaptive.MOST_MARGIN_NS;
import static io.tickmark.kernel.role.IdleStrategies.Adaptive.MOST_SPIN_NS;
import static io.tickmark.kernel.role.IdleStrategies.Adaptive.SHORTEST_NAP_NS;
import static io.tickmark.kernel.role.IdleStrategies.Adaptive.SHORTEST_SLEEP_NS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdaptiveIdleTest {
    private static final long POLL_NS = 500;
    private static final long SECOND_NS = 1_000_000_000;
    private static final long MS_NS = 1_000_000;

    private final List<Long> naps = new ArrayList<>();
    private long nowNs;
    private long lateNs;
    private final IdleStrategies.Adaptive idle =
            new IdleStrategies.Adaptive(
                    () -> nowNs += POLL_NS,
                    ns -> {
                        naps.add(ns);
                        nowNs += ns + lateNs;
                    });

    @Test
    void shouldSleepNearlyAllTheTimeWhereNothingHappens() {
        long turns = 0;
        while (nowNs < SECOND_NS) {
            idle.idle();
            turns++;
        }

        final long slept = naps.stream().mapToLong(Long::longValue).sum();
        assertThat(slept).isGreaterThan(nowNs / 100 * 99);
        assertThat(idle.waits()).isEqualTo(naps.size()).isLessThan(2_010);
        assertThat(turns - idle.waits()).as("spins and yields, at the beginning").isLessThan(100);
    }

    @Test
    void shouldNeverNapForLongerThanItSays() {
        while (nowNs < SECOND_NS) {
            idle.idle();
        }

        assertThat(naps).isNotEmpty().allMatch(ns -> ns <= LONGEST_NAP_NS);
        assertThat(naps.getFirst()).as("short at first").isEqualTo(SHORTEST_NAP_NS);
    }

    @Test
    void shouldSleepLongWhereSomethingWakesIt() {
        final List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            idle.await(
                    ns -> {
                        waits.add(ns);
                        nowNs += ns;
                    },
                    NEVER_DUE);
        }

        assertThat(naps).as("it takes no naps of its own").isEmpty();
        assertThat(waits).isNotEmpty().containsOnly(LONGEST_WAIT_NS);
    }

    /** What may arrive unexpectedly is seen within a nap: the waker may be coarser than that. */
    @Test
    void shouldNapWhereNothingIsExpectedBeforeTheNextWorkIsDue() {
        final List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            idle.awaitDue(waits::add, SECOND_NS);
        }

        assertThat(waits).isEmpty();
        assertThat(naps).hasSize(200).allMatch(ns -> ns <= LONGEST_NAP_NS);
    }

    @Test
    void shouldNotSleepPastWhatIsDue() {
        for (int i = 0; i < 1_000; i++) {
            final long dueNs = nowNs + i * 10_000L;
            while ((nowNs += POLL_NS) < dueNs) {
                final long leftNs = dueNs - nowNs;
                final int before = naps.size();
                idle.awaitDue(leftNs);
                if (naps.size() > before) {
                    assertThat(naps.getLast()).isLessThanOrEqualTo(leftNs - LEAST_MARGIN_NS);
                }
            }
            idle.restart();
        }
        assertThat(naps).isNotEmpty();
    }

    @Test
    void shouldNotSleepAtAllBeforeWhatIsDueIn50Us() {
        nowNs = SECOND_NS;
        for (int i = 0; i < 1_000; i++) {
            idle.awaitDue(50_000);
            idle.await(ns -> naps.add(ns), 50_000);
        }

        assertThat(idle.waits()).isZero();
    }

    @Test
    void shouldWakeEarlierWhereItWasWokenTooLate() {
        lateNs = 40_000;
        sleepUntilDue();
        assertThat(idle.marginNs()).isGreaterThan(lateNs);

        lateNs = 10 * MS_NS;
        sleepUntilDue();
        assertThat(idle.marginNs()).as("an exception is not waited for").isEqualTo(MOST_MARGIN_NS);

        lateNs = 1_000;
        for (int i = 0; i < 200; i++) {
            sleepUntilDue();
        }
        assertThat(idle.marginNs()).isEqualTo(LEAST_MARGIN_NS);
    }

    /** One sleep whose end is the margin before what is due. */
    private void sleepUntilDue() {
        idle.awaitDue(SHORTEST_SLEEP_NS + idle.marginNs());
    }

    @Test
    void shouldSpinAsLongAsItPaysOff() {
        messagesEvery(MS_NS, 20);
        assertThat(idle.spinNs()).as("rare messages").isEqualTo(LEAST_SPIN_NS);

        messagesEvery(20_000, 20);
        assertThat(idle.spinNs()).as("an echo comes soon").isEqualTo(MOST_SPIN_NS);

        final int before = naps.size();
        messagesEvery(20_000, 20);
        assertThat(naps).as("it spins until the echo comes").hasSize(before);
    }

    private void messagesEvery(final long gapNs, final int messages) {
        for (int i = 0; i < messages; i++) {
            final long nextNs = nowNs + gapNs;
            while (nowNs < nextNs) {
                idle.await(ns -> nowNs = Math.min(nextNs, nowNs + ns), NEVER_DUE);
            }
            idle.reset();
        }
    }

    @Test
    void shouldLearnNothingFromAWaitWhoseEndWasKnown() {
        messagesEvery(20_000, 20);

        for (int i = 0; i < 20; i++) {
            idle.await(ns -> nowNs += ns, MS_NS);
            idle.restart();
        }
        assertThat(idle.spinNs()).isEqualTo(MOST_SPIN_NS);
    }
}
