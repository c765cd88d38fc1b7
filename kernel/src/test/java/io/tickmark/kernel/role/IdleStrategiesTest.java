package io.tickmark.kernel.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IdleStrategiesTest {
    private static final long MS_NS = 1_000_000;
    private static final int TURNS = 1_000;

    /** How long the waker was asked to sleep, each time. */
    private final List<Long> sleeps = new ArrayList<>();

    private long nowNs;

    private Idle of(final IdleMode mode) {
        return IdleStrategies.of(mode, () -> nowNs += 500);
    }

    @ParameterizedTest
    @EnumSource(value = IdleMode.class, mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
    void shouldMakeANewOneOfEachModeThatTellsItsName(final IdleMode mode) {
        assertThat(of(mode).mode()).isEqualTo(mode);
        assertThat(of(mode)).isNotSameAs(of(mode));
    }

    @ParameterizedTest
    @EnumSource(value = IdleMode.class, mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
    void shouldNeverSleepForLongerThanItTakesToSeeAStop(final IdleMode mode) {
        turns(of(mode), slack(0), Idle.NEVER_DUE);

        assertThat(sleeps).allMatch(ns -> ns <= Idle.LONGEST_WAIT_NS);
    }

    @ParameterizedTest
    @EnumSource(value = IdleMode.class, mode = EnumSource.Mode.EXCLUDE, names = "AUTO")
    void shouldNotSleepPastWhatIsDue(final IdleMode mode) {
        turns(of(mode), slack(0), MS_NS);
        assertThat(sleeps).allMatch(ns -> ns <= MS_NS);

        sleeps.clear();
        turns(of(mode), slack(MS_NS), 5 * MS_NS);
        assertThat(sleeps).as("a waker that may be late").allMatch(ns -> ns < 5 * MS_NS);
    }

    @ParameterizedTest
    @EnumSource(
            value = IdleMode.class,
            names = {"BLOCK", "ADAPTIVE"})
    void shouldSleepOnWhatWakesIt(final IdleMode mode) {
        turns(of(mode), slack(0), Idle.NEVER_DUE);
        assertThat(sleeps).isNotEmpty().containsOnly(Idle.LONGEST_WAIT_NS);
    }

    @ParameterizedTest
    @EnumSource(
            value = IdleMode.class,
            names = {"SPIN", "YIELD", "PARK"})
    void shouldLookAgainByItselfInTheOtherModes(final IdleMode mode) {
        turns(of(mode), slack(0), Idle.NEVER_DUE);
        assertThat(sleeps).isEmpty();
    }

    /** A turn that is not ended by the arrival would not end in this test. */
    @ParameterizedTest
    @EnumSource(
            value = IdleMode.class,
            names = {"BLOCK", "ADAPTIVE"})
    @Timeout(60)
    void shouldBeWokenByAnArrival(final IdleMode mode) throws Exception {
        final CountDownLatch isAsleep = new CountDownLatch(1);
        final CountDownLatch arrival = new CountDownLatch(1);
        final Thread waiting =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            final Idle idle = of(mode);
                            while (arrival.getCount() > 0) {
                                idle.await(
                                        ns -> {
                                            isAsleep.countDown();
                                            awaitForEver(arrival);
                                        },
                                        Idle.NEVER_DUE);
                            }
                        });

        isAsleep.await();
        arrival.countDown();
        waiting.join();
    }

    /** Whoever yields is to go on whenever others leave it the core, which is at no known time. */
    @ParameterizedTest
    @EnumSource(IdleMode.class)
    void shouldSayOnlyOfAThreadThatYieldsThatItIsNotWatched(final IdleMode mode) {
        assertThat(mode.notWatched())
                .isEqualTo(
                        mode == IdleMode.YIELD ? "it gives up its core at each turn (yield)" : "");
    }

    private static void awaitForEver(final CountDownLatch arrival) {
        try {
            arrival.await();
        } catch (final InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldSpinWhereAWakerThatMayBeLateWouldMissWhatIsDue() {
        turns(of(IdleMode.BLOCK), slack(MS_NS), 2 * MS_NS);
        assertThat(sleeps).isEmpty();

        of(IdleMode.BLOCK).await(slack(MS_NS), 3 * MS_NS);
        assertThat(sleeps).containsExactly(2 * MS_NS);
    }

    private void turns(final Idle idle, final Waker waker, final long untilDueNs) {
        for (int i = 0; i < TURNS; i++) {
            idle.await(waker, untilDueNs);
        }
    }

    /**
     * A waker that may be late by so much; it notes how long it was to sleep and does not sleep.
     */
    private Waker slack(final long slackNs) {
        return new Waker() {
            @Override
            public void await(final long timeoutNs) {
                sleeps.add(timeoutNs);
            }

            @Override
            public long slackNs() {
                return slackNs;
            }
        };
    }

    @Test
    void shouldSleepInOnePieceWhereNothingCanArrive() {
        final long longest = Idle.LONGEST_WAIT_NS;
        final long beganNs = System.nanoTime();
        final Idle sleeping = of(IdleMode.BLOCK);
        for (int i = 0; i < 20; i++) {
            sleeping.awaitDue(longest);
        }
        assertThat(System.nanoTime() - beganNs)
                .as("a nap of its own would end after 50 us")
                .isGreaterThan(5 * longest);
    }

    @Test
    void shouldTakeNapsOfItsOwnWhereItsWakerOnlyParks() {
        final Waker parks =
                new Waker() {
                    @Override
                    public void await(final long timeoutNs) {
                        sleeps.add(timeoutNs);
                    }

                    @Override
                    public boolean wakesOnArrival() {
                        return false;
                    }
                };
        final Idle adaptive = of(IdleMode.ADAPTIVE);
        for (int i = 0; i < 100; i++) {
            adaptive.await(parks, Idle.NEVER_DUE);
        }
        assertThat(sleeps).isEmpty();

        of(IdleMode.BLOCK).await(parks, Idle.NEVER_DUE);
        assertThat(sleeps).as("where the engine parks, that is its way").hasSize(1);
    }

    @Test
    void shouldRefuseWhatCannotBeDecided() {
        assertThatThrownBy(() -> of(IdleMode.AUTO)).isInstanceOf(IllegalArgumentException.class);
    }
}
