package io.tickmark.kernel.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PacerTest {
    private static final long START_NS = 1_000;

    private final VirtualClock clock = new VirtualClock(START_NS);

    private Pacer started(final Schedule schedule) {
        final Pacer pacer = new Pacer(schedule);
        pacer.start(START_NS);
        return pacer;
    }

    /** Sends whatever is due now; returns how many messages that were. */
    private int sendDue(final Pacer pacer) {
        int sent = 0;
        while (pacer.isDue(clock.nanoTime())) {
            pacer.sent(clock.nanoTime());
            sent++;
        }
        return sent;
    }

    @Test
    void shouldNotBeDueBeforeTheIntendedTime() {
        final Pacer pacer = started(Schedules.fixedRate(1_000_000));
        pacer.sent(START_NS);

        assertThat(pacer.intendedNs()).isEqualTo(START_NS + 1_000);
        assertThat(pacer.isDue(START_NS + 999)).isFalse();
        assertThat(pacer.isDue(START_NS + 1_000)).isTrue();
    }

    @Test
    void shouldCountOneTightSendWhileTheScheduleIsHeld() {
        final Pacer pacer = started(Schedules.fixedRate(1_000_000));

        for (int i = 0; i < 100; i++) {
            assertThat(sendDue(pacer)).isEqualTo(1);
            clock.advance(1_000);
        }

        assertThat(pacer.maxTightSends()).isEqualTo(1);
        assertThat(pacer.maxLagNs()).isZero();
    }

    @Test
    void shouldCatchUpLateMessagesOnTheFixedGrid() {
        final Pacer pacer = started(Schedules.fixedRate(1_000_000));
        sendDue(pacer);

        clock.advance(5_500);

        for (int i = 1; i <= 5; i++) {
            assertThat(pacer.isDue(clock.nanoTime())).isTrue();
            assertThat(pacer.intendedNs()).isEqualTo(START_NS + i * 1_000);
            pacer.sent(clock.nanoTime());
        }
        assertThat(pacer.isDue(clock.nanoTime())).isFalse();
        assertThat(pacer.intendedNs()).isEqualTo(START_NS + 6_000);
        assertThat(pacer.maxTightSends()).isEqualTo(5);
        assertThat(pacer.maxLagNs()).isEqualTo(4_500);
    }

    @Test
    void shouldKeepTheLongestRunOfTightSends() {
        final Pacer pacer = started(Schedules.fixedRate(1_000_000));
        sendDue(pacer);
        clock.advance(8_000);
        sendDue(pacer);
        clock.advance(2_000);
        sendDue(pacer);

        assertThat(pacer.maxTightSends()).isEqualTo(8);
    }

    @Test
    void shouldForgetWhatWasLongestAndGoOn() {
        final Pacer pacer = started(Schedules.fixedRate(1_000_000));
        clock.advance(8_000);
        sendDue(pacer);
        pacer.forgetMaxima();
        clock.advance(2_500);
        sendDue(pacer);

        assertThat(pacer.maxTightSends()).isEqualTo(2);
        assertThat(pacer.maxLagNs()).isEqualTo(1_500);
        assertThat(pacer.intendedNs()).isEqualTo(START_NS + 11_000);
    }

    @Test
    void shouldCountAMessageOnceHoweverOftenTheEngineRefusedIt() {
        final Pacer pacer = started(Schedules.fixedRate(1_000_000));
        for (int refused = 0; refused < 10; refused++) {
            assertThat(pacer.isDue(clock.nanoTime())).isTrue();
            clock.advance(50);
        }
        pacer.sent(clock.nanoTime());

        assertThat(pacer.maxTightSends()).isEqualTo(1);
        assertThat(pacer.maxLagNs()).isEqualTo(500);
        assertThat(pacer.intendedNs()).isEqualTo(START_NS + 1_000);
    }

    @Test
    void shouldCountTheMessagesOfATickAsTight() {
        final Pacer pacer = started(Schedules.ticks(5_000, 1_000));

        for (int tick = 0; tick < 10; tick++) {
            assertThat(sendDue(pacer)).isEqualTo(5);
            clock.advance(1_000_000);
        }

        assertThat(pacer.maxTightSends()).isEqualTo(5);
    }

    @Test
    void shouldNotCatchUpASleepingSchedule() {
        final Pacer pacer = started(Schedules.sleep(1_000));
        sendDue(pacer);

        clock.advance(5_500);

        assertThat(sendDue(pacer)).isEqualTo(1);
        assertThat(pacer.intendedNs()).isEqualTo(START_NS + 6_500);
        assertThat(pacer.maxLagNs()).isEqualTo(4_500);
        assertThat(pacer.maxTightSends()).isEqualTo(1);
    }

    @Test
    void shouldAlwaysBeDueWhenUnpaced() {
        final Pacer pacer = started(Schedules.asFastAsPossible());

        for (int i = 0; i < 10; i++) {
            assertThat(pacer.isDue(clock.nanoTime())).isTrue();
            pacer.sent(clock.nanoTime());
            clock.advance(7);
        }

        assertThat(pacer.maxTightSends()).isEqualTo(10);
        assertThat(pacer.ratePerSecond()).isZero();
    }

    @Test
    void shouldAskOfRandomGapsWhatTheyCameTo() {
        final Pacer pacer = started(Schedules.poisson(1_000, 7));
        assertThat(pacer.ratePerSecond()).isEqualTo(1_000);

        for (int i = 0; i < 50; i++) {
            pacer.sent(pacer.intendedNs());
        }

        assertThat(pacer.ratePerSecond())
                .isEqualTo(50e9 / (pacer.intendedNs() - START_NS))
                .isNotEqualTo(1_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 12, 100})
    void shouldAchieveExactlyWhatWasAskedForWhereEachMessageIsOnTime(final int messages) {
        for (final Schedule schedule :
                List.of(
                        Schedules.fixedRate(1_000),
                        Schedules.ticks(5_000, 1_000),
                        Schedules.bursts(1_000, 10_000_000, 90_000_000),
                        Schedules.poisson(1_000, 7))) {
            final Pacer pacer = started(schedule);
            for (int i = 0; i < messages; i++) {
                pacer.sent(pacer.intendedNs());
            }

            assertThat(pacer.achievedRatePerSecond(pacer.intendedNs() - 1))
                    .isCloseTo(pacer.ratePerSecond(), withinPercentage(1e-9));
        }
    }

    @Test
    void shouldAskOfWholeBurstsTheirMean() {
        final Pacer pacer = started(Schedules.bursts(1_000, 10_000_000, 90_000_000));
        for (int i = 0; i < 30; i++) {
            pacer.sent(pacer.intendedNs());
        }

        assertThat(pacer.ratePerSecond()).isEqualTo(100);
    }

    @Test
    void shouldAchieveLessWhereTheLastMessageIsLate() {
        final Pacer pacer = started(Schedules.fixedRate(1_000));
        pacer.sent(START_NS);
        pacer.sent(START_NS + 3_000_000);

        assertThat(pacer.achievedRatePerSecond(START_NS + 3_000_000)).isEqualTo(500);
    }

    @Test
    void shouldAchieveLessWhereAMessageWasDueAndNotSent() {
        final Pacer pacer = started(Schedules.fixedRate(1_000));
        pacer.sent(START_NS);

        assertThat(pacer.achievedRatePerSecond(START_NS + 10_000_000)).isEqualTo(100);
    }

    @Test
    void shouldCountGapsWhereThereIsNoSchedule() {
        for (final Schedule schedule :
                List.of(Schedules.asFastAsPossible(), Schedules.sleep(1_000_000))) {
            final Pacer pacer = started(schedule);
            pacer.sent(START_NS);
            assertThat(pacer.achievedRatePerSecond(START_NS)).isZero();
            pacer.sent(START_NS + 2_000_000);
            pacer.sent(START_NS + 4_000_000);

            assertThat(pacer.achievedRatePerSecond(START_NS + 4_000_000)).isEqualTo(500);
        }
    }

    /** The engine took nothing for the last four of five seconds: it was said to hold 1,000/s. */
    @Test
    void shouldCountTheTimeAtTheEndInWhichNothingWasTakenWhereThereIsNoSchedule() {
        for (final Schedule schedule :
                List.of(Schedules.asFastAsPossible(), Schedules.sleep(1_000_000))) {
            final Pacer pacer = started(schedule);
            for (int i = 0; i < 1_000; i++) {
                pacer.sent(START_NS + i * 1_000_000L);
            }

            assertThat(pacer.achievedRatePerSecond(START_NS + 5_000_000_000L)).isEqualTo(200);
            assertThat(pacer.untilNs(START_NS + 5_000_000_000L))
                    .isEqualTo(START_NS + 5_000_000_000L);
        }
    }

    @Test
    void shouldNotCountThePauseAfterTheLastMessage() {
        final Pacer pacer = started(Schedules.sleep(1_000_000_000));
        pacer.sent(START_NS);
        pacer.sent(START_NS + 1_000_000_000);

        assertThat(pacer.achievedRatePerSecond(START_NS + 1_999_999_999)).isEqualTo(1);
        assertThat(pacer.untilNs(START_NS + 1_999_999_999)).isEqualTo(START_NS + 1_000_000_000);
    }

    @Test
    void shouldForgetItsFiguresAtANewStart() {
        final Pacer pacer = started(Schedules.fixedRate(1_000_000));
        clock.advance(10_000);
        sendDue(pacer);

        pacer.start(clock.nanoTime());

        assertThat(pacer.maxTightSends()).isZero();
        assertThat(pacer.maxLagNs()).isZero();
        assertThat(pacer.intendedNs()).isEqualTo(clock.nanoTime());
    }

    @Test
    void shouldWorkAcrossTheEndOfTheClocksRange() {
        final Pacer pacer = new Pacer(Schedules.fixedRate(1_000_000));
        pacer.start(Long.MAX_VALUE - 500);
        pacer.sent(Long.MAX_VALUE - 500);

        assertThat(pacer.isDue(Long.MAX_VALUE)).isFalse();
        assertThat(pacer.isDue(Long.MIN_VALUE + 600)).isTrue();
    }

    @Test
    void shouldCountMessagesThatWereSentTogether() {
        final Pacer pacer = started(Schedules.asFastAsPossible());

        pacer.sent(START_NS, 64);
        pacer.sent(START_NS + 700, 3);

        assertThat(pacer.maxTightSends()).isEqualTo(67);
        assertThat(pacer.maxLagNs()).isEqualTo(700);
        assertThat(pacer.intendedNs()).isEqualTo(START_NS + 700);
    }
}
