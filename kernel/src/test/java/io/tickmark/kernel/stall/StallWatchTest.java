package io.tickmark.kernel.stall;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.IdleStrategies;
import io.tickmark.kernel.role.Waker;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is noted of a thread that sleeps on purpose, compared with what the kernel counts of it. */
@Timeout(value = 300)
class StallWatchTest {
    private static final long NAP_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int NAPS = 300;

    private final StallLog log =
            new StallLog("sleeping", StallWatch.Part.SEND, "", _ -> {}, () -> {});
    private volatile boolean isOver;

    @AfterEach
    void end() {
        isOver = true;
    }

    private long notedNs() {
        long sum = 0;
        for (int stall = 0; stall < log.count(); stall++) {
            sum += log.figure(stall, 1) - log.figure(stall, 0);
        }
        return sum;
    }

    private static long runDelayNs(final ThreadUsage usage) {
        usage.read();
        return usage.runDelayNs();
    }

    /**
     * Whenever it is woken, another thread has its core for a time slice. A loop that has something
     * to do then looks at once, also after a sleep longer than counters are kept for.
     */
    @ParameterizedTest
    @CsvSource({"300, 1, false", "150, 12, true"})
    void shouldNoteForHowLongASleeperThatWasWokenWaitedForItsCore(
            final int naps, final long napMs, final boolean looks) throws Exception {
        final int core = Affinity.allowedCores().getFirst();
        final CountDownLatch ready = new CountDownLatch(1);
        final Thread other =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            assertThat(Affinity.pin(core)).isEmpty();
                            ready.countDown();
                            while (!isOver) {
                                Thread.onSpinWait();
                            }
                        });
        final long[] mostNs = new long[1];
        final StallWatch watch = new StallWatch(log, SystemNanoClock.INSTANCE);
        final Thread sleeper =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            assertThat(Affinity.pin(core)).isEmpty();
                            try (ThreadUsage usage = ThreadUsage.ofThisThread().orElseThrow()) {
                                final long beforeNs = runDelayNs(usage);
                                watch.begin();
                                for (int nap = 0; nap < naps; nap++) {
                                    watch.sleeps();
                                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(napMs));
                                    watch.waited(StallWatch.NOT_TIMED);
                                    if (looks) {
                                        watch.look(SystemNanoClock.INSTANCE.nanoTime());
                                    }
                                }
                                watch.end();
                                mostNs[0] = runDelayNs(usage) - beforeNs;
                            }
                        });
        assertThat(ready.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(sleeper.join(Duration.ofSeconds(200))).isTrue();
        isOver = true;
        other.join();

        // what is shorter than the threshold is not noted, nor what it waited for while it was
        // awake
        assertThat(notedNs())
                .isLessThanOrEqualTo(
                        mostNs[0] + (looks ? mostNs[0] / 10 : 0)) // a look is part of it
                .isGreaterThan(
                        (mostNs[0] - (naps + 1) * StallWatch.WORK_THRESHOLD_NS) / (looks ? 4 : 2));
        for (int stall = 0;
                stall < log.count() && !looks;
                stall++) { // those between looks are judged by more
            assertThat(log.figure(stall, 3))
                    .as("time waited for the core")
                    .isEqualTo(log.figure(stall, 1) - log.figure(stall, 0));
            assertThat(log.figure(stall, 4)).as("voluntary switches").isZero();
        }
    }

    /** The clock is the test's: a thread that does not sleep at all is told when it woke up. */
    @Test
    void shouldNoteByHowMuchATimerWasLateAndNoSleepThatWasMeant() {
        final CachedNanoClock clock = new CachedNanoClock();
        final StallWatch watch = new StallWatch(log, clock);
        clock.update(TimeUnit.SECONDS.toNanos(1));
        try (ThreadUsage usage = ThreadUsage.ofThisThread().orElseThrow()) {
            final long before = runDelayNs(usage);
            watch.begin();
            long dueNs = clock.nanoTime();
            for (int nap = 0; nap < NAPS; nap++) {
                dueNs += NAP_NS;
                watch.sleeps();
                clock.update(dueNs + (nap % 2 == 0 ? 0 : 3 * StallWatch.LATE_NS));
                watch.waited(dueNs);
                dueNs = clock.nanoTime();
            }
            watch.end();
            final long lateNs = NAPS / 2 * 3 * StallWatch.LATE_NS;
            assertThat(notedNs())
                    .as("and what the kernel counts of this thread meanwhile")
                    .isBetween(lateNs, lateNs + runDelayNs(usage) - before);
        }
    }

    /** Some loops read and work in what wakes them, which may take longer than they may sleep. */
    @ParameterizedTest
    @EnumSource(
            value = IdleMode.class,
            names = {"BLOCK", "ADAPTIVE"})
    void shouldTakeNoWorkWithinAWaitForAStall(final IdleMode mode) {
        final AtomicLong nowNs = new AtomicLong(TimeUnit.SECONDS.toNanos(1));
        final NanoClock clock = () -> nowNs.addAndGet(1_000);
        final StallWatch watch = new StallWatch(log, clock);
        final Idle idle = IdleStrategies.of(mode, clock);
        idle.watch(watch);
        final AtomicInteger waits = new AtomicInteger();
        try (ThreadUsage usage = ThreadUsage.ofThisThread().orElseThrow()) {
            final long before = runDelayNs(usage);
            watch.begin();
            for (int turn = 0; turn < NAPS; turn++) {
                idle.await(
                        _ -> {
                            waits.incrementAndGet();
                            nowNs.addAndGet(2 * Idle.LONGEST_WAIT_NS);
                        },
                        Idle.NEVER_DUE);
            }
            watch.end();

            assertThat(waits.get()).isGreaterThan(NAPS / 2);
            assertThat(notedNs())
                    .as("no more than what the kernel counts of this thread meanwhile")
                    .isLessThanOrEqualTo(runDelayNs(usage) - before);
        }
    }

    /** It is to look again after 50 us, however long the wait may be that it is asked for. */
    @Test
    void shouldNoteByHowMuchAThreadIsLateThatNothingWakes() {
        final AtomicLong nowNs = new AtomicLong(TimeUnit.SECONDS.toNanos(1));
        final NanoClock clock = () -> nowNs.addAndGet(NAP_NS);
        final StallWatch watch = new StallWatch(log, clock);
        final Idle idle = IdleStrategies.of(IdleMode.BLOCK, clock);
        idle.watch(watch);
        watch.begin();
        for (int turn = 0; turn < NAPS; turn++) {
            idle.await(Waker.NONE, Idle.NEVER_DUE);
        }
        watch.end();

        assertThat(log.count()).isEqualTo(NAPS);
        for (int stall = 0; stall < log.count(); stall++) {
            assertThat(log.figure(stall, 1) - log.figure(stall, 0))
                    .isGreaterThanOrEqualTo(NAP_NS - TimeUnit.MICROSECONDS.toNanos(50));
        }
    }

    /**
     * Right after a sleep that was meant comes one that was not, as of a stop: within a call it was
     * dropped, and else called time on the core.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNoteThatAThreadDidNotRunBehindItsSleep(final boolean isWithinACall) {
        final StallWatch watch = new StallWatch(log, SystemNanoClock.INSTANCE);
        watch.begin();
        watch.sleeps();
        LockSupport.parkNanos(NAP_NS);
        watch.waited(StallWatch.NOT_TIMED);
        if (isWithinACall) {
            watch.worked();
        }
        final long fromNs = System.nanoTime();
        while (System.nanoTime() - fromNs < 20 * NAP_NS) {
            LockSupport.parkNanos(20 * NAP_NS);
        }
        watch.look(System.nanoTime());
        watch.end();

        long offNs = 0;
        for (int stall = 0; stall < log.count(); stall++) {
            offNs += log.figure(stall, 2);
        }
        assertThat(offNs).isGreaterThan(19 * NAP_NS);
    }

    /** It naps for microseconds, and now and then has its core back much later. */
    @Test
    void shouldNoteWhatPassedSinceANapWasOver() {
        final CachedNanoClock clock = new CachedNanoClock();
        final StallWatch watch = new StallWatch(log, clock);
        clock.update(TimeUnit.SECONDS.toNanos(1));
        watch.naps();
        watch.begin();
        for (int nap = 0; nap < NAPS; nap++) {
            final long overNs = clock.nanoTime() + 10_000;
            clock.update(overNs + (nap % 10 == 0 ? StallWatch.LATE_NAP_NS : StallWatch.LATE_NS));
            watch.napped(overNs);
        }
        watch.end();

        assertThat(log.count()).isEqualTo(NAPS / 10);
        assertThat(notedNs()).isEqualTo(NAPS / 10 * StallWatch.LATE_NAP_NS);
        assertThat(log.whyNotDated()).contains("parks for microseconds");
    }

    /** A clock that jumps while the thread is parked, and one that jumps while it is not. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldWatchAThreadThatParksForMicroseconds(final boolean inThePark) {
        final long stoodNs = 100 * NAP_NS; // no turn takes that much of a core
        final long briefNs = StallWatch.LATE_NAP_NS - NAP_NS / 10;
        final AtomicInteger reads = new AtomicInteger();
        final AtomicLong nowNs = new AtomicLong(TimeUnit.SECONDS.toNanos(1));
        final NanoClock clock =
                () -> {
                    // each turn reads it before the park and behind it
                    final boolean isBehind = reads.getAndIncrement() % 2 == 1;
                    return nowNs.addAndGet(
                            isBehind == inThePark ? stoodNs : isBehind ? briefNs : 1_000);
                };
        final StallWatch watch = new StallWatch(log, clock);
        final Idle idle = IdleStrategies.of(IdleMode.PARK, clock);
        idle.watch(watch);
        long ranNs;
        final long allRanNs;
        try (ThreadUsage usage = ThreadUsage.ofThisThread().orElseThrow()) {
            usage.read();
            final long beforeNs = usage.cpuNs();
            watch.begin();
            usage.read();
            ranNs = -usage.cpuNs();
            reads.set(0);
            for (int turn = 0; turn < NAPS; turn++) {
                if (turn == NAPS - 1) {
                    usage.read();
                    ranNs += usage.cpuNs();
                }
                idle.idle();
            }
            watch.end();
            usage.read();
            allRanNs = usage.cpuNs() - beforeNs;
        }

        assertThat(log.count()).isEqualTo(NAPS);
        long offNs = 0;
        for (int stall = 0; stall < NAPS; stall++) {
            assertThat(log.figure(stall, 2)).isLessThanOrEqualTo(stoodNs);
            assertThat(log.figure(stall, 3))
                    .as("of the time off its core")
                    .isLessThanOrEqualTo(log.figure(stall, 2));
            offNs += log.figure(stall, 2);
        }
        if (!inThePark) { // what it ran is not off its core, nor are its naps
            assertThat(offNs).isBetween(NAPS * stoodNs - allRanNs, NAPS * stoodNs - ranNs);
        }
    }

    /** What the kernel counts covers naps before it, in which the thread left its core as well. */
    @Test
    void shouldNotCallWorkTimeOffTheCoreBecauseOfTheNapsBefore() {
        final long napNs = NAP_NS * 9 / 10;
        final CachedNanoClock clock = new CachedNanoClock();
        final StallWatch watch = new StallWatch(log, clock);
        clock.update(TimeUnit.SECONDS.toNanos(1));
        watch.naps();
        try (ThreadUsage usage = ThreadUsage.ofThisThread().orElseThrow()) {
            watch.begin();
            clock.update(clock.nanoTime() + napNs);
            watch.napped(clock.nanoTime());
            usage.read();
            final long fromNs = usage.cpuNs();
            while (usage.cpuNs() - fromNs < 2 * StallWatch.THRESHOLD_NS) {
                usage.read();
            }
            clock.update(clock.nanoTime() + 2 * StallWatch.THRESHOLD_NS);
            watch.look(clock.nanoTime());
            watch.end();
        }

        assertThat(log.count()).isEqualTo(1);
        assertThat(notedNs()).isEqualTo(2 * StallWatch.THRESHOLD_NS);
        assertThat(log.figure(0, 2)).as("time off the core").isZero();
        assertThat(log.figure(0, 3)).as("time waited for the core").isZero();
    }

    /** As by SIGSTOP: the thread leaves its core within a call, and nobody takes it from it. */
    @Test
    void shouldNoteThatAThreadThatNapsStoodWithinACall() {
        final long stoodNs = 100 * NAP_NS;
        final CachedNanoClock clock = new CachedNanoClock();
        final StallWatch watch = new StallWatch(log, clock);
        clock.update(TimeUnit.SECONDS.toNanos(1));
        watch.naps();
        final long ranNs;
        try (ThreadUsage usage = ThreadUsage.ofThisThread().orElseThrow()) {
            usage.read();
            final long fromNs = usage.cpuNs();
            watch.begin();
            clock.update(clock.nanoTime() + NAP_NS / 10);
            watch.napped(clock.nanoTime());
            watch.worked();
            final long switches = usage.voluntary();
            while (usage.voluntary() == switches) {
                LockSupport.parkNanos(NAP_NS);
                usage.read();
            }
            clock.update(clock.nanoTime() + stoodNs);
            watch.look(clock.nanoTime());
            watch.end();
            usage.read();
            ranNs = usage.cpuNs() - fromNs;
        }

        assertThat(log.count()).isEqualTo(1);
        assertThat(log.figure(0, 2)).isEqualTo(notedNs()).isBetween(stoodNs - ranNs, stoodNs);
    }

    /** Where messages come fast it looks again at once, and runs meanwhile. */
    @Test
    void shouldNotTakeTurnsWithoutAPauseForNaps() {
        final int turns = 800;
        final long turnNs = 900;
        final long stoodNs = 100 * NAP_NS;
        final CachedNanoClock clock = new CachedNanoClock();
        final StallWatch watch = new StallWatch(log, clock);
        clock.update(TimeUnit.SECONDS.toNanos(1));
        watch.naps();
        final long ranNs;
        try (ThreadUsage usage = ThreadUsage.ofThisThread().orElseThrow()) {
            usage.read();
            final long fromNs = usage.cpuNs();
            watch.begin();
            for (int turn = 0; turn < turns; turn++) {
                clock.update(clock.nanoTime() + turnNs);
                watch.napped(clock.nanoTime());
            }
            clock.update(clock.nanoTime() + stoodNs);
            watch.look(clock.nanoTime());
            watch.end();
            usage.read();
            ranNs = usage.cpuNs() - fromNs;
        }

        assertThat(log.count()).isEqualTo(1);
        assertThat(log.figure(0, 2))
                .isBetween(Math.min(stoodNs, stoodNs + turns * turnNs - ranNs), stoodNs);
    }

    /**
     * The kernel's records of a thread say whether it left its core, and end where there is no room
     * for more: then its counters have to be asked again.
     */
    @Test
    void shouldNoteStallsWhileTheKernelHasNoRoomForItsRecords() throws Exception {
        final StallWatch watch = new StallWatch(log, SystemNanoClock.INSTANCE);
        watch.begin();
        try (ThreadUsage usage = ThreadUsage.ofThisThread().orElseThrow()) {
            usage.read();
            // 80 bytes each time, in 64 pages
            for (final long full = usage.voluntary() + 5_000;
                    usage.voluntary() < full;
                    usage.read()) {
                LockSupport.parkNanos(1);
            }
        }
        for (int stall = 0; stall < 3; stall++) {
            watch.restart();
            final int before = log.count();
            watch.worked();
            Thread.sleep(5);
            watch.look(SystemNanoClock.INSTANCE.nanoTime());
            assertThat(log.count()).as("stall %d", stall).isEqualTo(before + 1);
            assertThat(log.figure(before, 2)).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(4));
        }
        watch.end();
        if (log.switches() != null) {
            log.switches().close();
        }
    }

    /** A file that grows for ever would be of no use, and silence of none either. */
    @Test
    void shouldSayFromWhenOnItIsNotKnownWhatOtherThreadsRan() {
        for (int sample = 0; sample < StallLog.MOST; sample++) {
            log.othersRan(sample, sample);
            log.taken(0, log.samples());
        }
        assertThat(log.samplesOverNs()).isZero();
        log.othersRan(StallLog.MOST, 1);
        log.othersRan(StallLog.MOST + 1, 1);

        assertThat(log.samplesOverNs()).isEqualTo(StallLog.MOST);
        assertThat(log.samples()).isEqualTo(StallLog.MOST);
    }

    /** What took its core is counted by then, and nobody is woken for less. */
    @Test
    void shouldSayAtOnceThatAThreadWasStalledForLong() {
        final AtomicInteger said = new AtomicInteger();
        final StallLog stalled =
                new StallLog("x", StallWatch.Part.SEND, "", _ -> {}, said::incrementAndGet);
        final long[] counters = new long[StallLog.FIGURES - 2];
        stalled.add(0, 999_999, counters);
        assertThat(said).hasValue(0);
        stalled.add(1_000_000, 2_000_000, counters);
        assertThat(said).hasValue(1);
    }

    /** Whoever reads in time loses nothing, and what nobody read is not overwritten but counted. */
    @Test
    void shouldKeepAllThatIsReadInTimeAndCountTheRest() {
        final long[] counters = new long[StallLog.FIGURES - 2];
        final int added = StallLog.CAPACITY + 10;
        for (int stall = 0; stall < added; stall++) {
            log.add(stall, stall + 1, counters);
        }
        assertThat(log.count()).isEqualTo(StallLog.CAPACITY);
        assertThat(log.notNoted()).isEqualTo(10);
        assertThat(log.notNotedNs()).isEqualTo(10);
        assertThat(log.notNotedFromNs()).isEqualTo(StallLog.CAPACITY);
        assertThat(log.notNotedToNs()).isEqualTo(added);

        log.taken(log.count(), 0);
        for (int stall = added; stall < 2 * added; stall++) {
            log.add(stall, stall + 1, counters);
        }
        assertThat(log.figure(StallLog.CAPACITY, 0)).isEqualTo(added);
        assertThat(log.count()).isEqualTo(2 * StallLog.CAPACITY);
        assertThat(log.notNoted()).isEqualTo(20);
    }
}
