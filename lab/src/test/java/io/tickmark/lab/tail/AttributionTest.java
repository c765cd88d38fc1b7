package io.tickmark.lab.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TailSummary.Charge;
import io.tickmark.lab.tail.Attribution.Delayed;
import io.tickmark.lab.tail.Attribution.Message;
import io.tickmark.lab.tail.Attribution.Station;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Known answers: a tandem of sender, echo and receiver with inserted stalls that have to be
 * charged.
 */
class AttributionTest {
    private static final long US = 1_000;
    private static final long MS = 1_000_000;
    private static final long HOP_NS = 10 * US;
    private static final List<Stall> NONE = List.of();

    /**
     * Pings on a grid; each station handles one message after the other, none while it is stalled.
     */
    private static List<Message> play(
            final int count,
            final long everyNs,
            final long workNs,
            final List<Stall> pinger,
            final List<Stall> echo) {
        final List<Message> messages = new ArrayList<>();
        final Station pingerAt = new Station(pinger);
        final Station echoAt = new Station(echo);
        long sender = 0;
        long echoed = 0;
        long receiver = 0;
        for (int i = 0; i < count; i++) {
            final long wanted = MS + i / 1 * everyNs;
            sender = pingerAt.runsFrom(Math.max(wanted, sender)) + workNs;
            echoed = echoAt.runsFrom(Math.max(sender + HOP_NS, echoed));
            receiver = pingerAt.runsFrom(Math.max(echoed + HOP_NS, receiver)) + workNs;
            messages.add(new Message(wanted, sender, receiver));
        }
        return messages;
    }

    private static Delayed[] charged(
            final List<Message> messages, final List<Stall> pinger, final List<Stall> echo) {
        final Delayed[] delayed = Attribution.of(messages, pinger, echo, pinger);
        for (final Delayed each : delayed) {
            long sum = each.restNs() + each.backlogNs();
            for (final long direct : each.direct()) {
                assertThat(direct).isNotNegative();
                sum += direct;
            }
            assertThat(sum).isEqualTo(each.message().latencyNs());
            assertThat(each.restNs()).isNotNegative();
            assertThat(each.backlogNs()).isNotNegative();
        }
        return delayed;
    }

    private static long excess(final Delayed... delayed) {
        final long usual =
                Stream.of(delayed).mapToLong(d -> d.message().latencyNs()).min().orElse(0);
        return Stream.of(delayed).mapToLong(d -> d.message().latencyNs() - usual).sum();
    }

    private static long sum(final Delayed... delayed) {
        return Stream.of(delayed).mapToLong(Delayed::chargedNs).sum();
    }

    /** Of what the messages took longer than the fastest of them. */
    private static void assertAllButOneTwentiethCharged(final Delayed... delayed) {
        assertThat((double) sum(delayed)).isBetween(0.95 * excess(delayed), 1.0 * excess(delayed));
    }

    @Test
    void shouldChargeAStallOfThePingerWithAllThatItDelayed() {
        final List<Stall> stall = List.of(Stall.of(20 * MS, 25 * MS, Cause.STOPPED));
        final Delayed[] delayed = charged(play(1000, 100 * US, US, stall, NONE), stall, NONE);
        assertAllButOneTwentiethCharged(delayed);
    }

    @Test
    void shouldChargeAStallOfTheEchoWithAllThatItDelayed() {
        final List<Stall> stall = List.of(Stall.of(20 * MS, 25 * MS, Cause.STOPPED));
        final Delayed[] delayed = charged(play(1000, 100 * US, US, NONE, stall), NONE, stall);
        assertAllButOneTwentiethCharged(delayed);
    }

    @Test
    void shouldChargeThreadsThatStandTogetherOnce() {
        final List<Stall> stall = List.of(Stall.of(20 * MS, 25 * MS, Cause.STOPPED));
        final Delayed[] delayed = charged(play(1000, 100 * US, US, stall, stall), stall, stall);
        assertAllButOneTwentiethCharged(delayed);
    }

    @Test
    void shouldChargeNothingWhereTheMessageIsElsewhere() {
        // the echo is stalled after it has sent back, or before the message reaches it
        final Message late = new Message(100 * MS, 100 * MS, 101 * MS);
        final List<Message> messages = new ArrayList<>(play(100, 100 * US, US, NONE, NONE));
        messages.add(late);
        final List<Stall> elsewhere =
                List.of(
                        Stall.of(99 * MS, 100 * MS, Cause.CORE_TAKEN),
                        Stall.of(100 * MS + 500 * US, 100 * MS + 900 * US, Cause.CORE_TAKEN));
        final Delayed[] delayed = charged(messages, NONE, elsewhere);
        assertThat(delayed[100].chargedNs()).isZero();
        assertThat(delayed[100].restNs()).isEqualTo(MS);
    }

    /**
     * A message is lost while the receiver is stalled for 5 ms, and its repair comes 15 ms after
     * the stall; those behind it wait for it. Without the stall all would have come 5 ms earlier.
     */
    @Test
    void shouldChargeAStallWithItsOwnLengthWhereALossIsRepairedAfterIt() {
        final List<Stall> stall = List.of(Stall.of(20 * MS, 25 * MS, Cause.STOPPED));
        final List<Message> messages = new ArrayList<>();
        for (final Message each : play(1000, 100 * US, US, NONE, NONE)) {
            final boolean isHeldUp = each.sentNs() >= 20 * MS && each.sentNs() < 40 * MS;
            messages.add(
                    new Message(
                            each.intendedNs(),
                            each.sentNs(),
                            isHeldUp ? 40 * MS : each.receivedNs()));
        }

        final Delayed[] delayed = Attribution.of(messages, NONE, NONE, stall);

        final Delayed lost = delayed[190];
        assertThat(lost.message().intendedNs()).isEqualTo(20 * MS);
        assertThat(lost.chargedNs()).isBetween(5 * MS - 2 * (HOP_NS + US), 5 * MS);
        assertThat(lost.restNs()).isGreaterThanOrEqualTo(15 * MS);
        assertThat(delayed).allMatch(each -> each.chargedNs() <= 5 * MS);
    }

    @Test
    void shouldLeaveTheQueueWithinATickToTheLoad() {
        final List<Message> messages = new ArrayList<>();
        for (int tick = 0; tick < 100; tick++) {
            for (int i = 0; i < 50; i++) {
                final long wanted = (tick + 1) * 10 * MS;
                final long sent = wanted + (i + 1) * 10 * US;
                messages.add(new Message(wanted, sent, sent + 2 * HOP_NS));
            }
        }
        assertThat(sum(charged(messages, NONE, NONE))).isZero();
    }

    @Test
    void shouldChargeABacklogToTheStallAtItsRoot() {
        // it takes 50 us to send and one is due each 100 us: the queue lasts as long again
        final Stall stall = Stall.of(20 * MS, 25 * MS, Cause.CORE_TAKEN);
        final List<Message> messages = play(1000, 100 * US, 50 * US, List.of(stall), NONE);
        final Delayed[] delayed = charged(messages, List.of(stall), NONE);
        final List<Delayed> behind =
                Stream.of(delayed)
                        .filter(d -> d.message().intendedNs() > 25 * MS && d.backlogNs() > 0)
                        .toList();
        assertThat(behind).hasSizeGreaterThan(30);
        assertThat(behind).allMatch(d -> d.root() == stall);
        assertAllButOneTwentiethCharged(delayed);
    }

    @Test
    void shouldAddUpForAnyTimes() {
        final Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            final List<Stall> pinger = stalls(random);
            final List<Stall> echo = stalls(random);
            final List<Message> messages = new ArrayList<>();
            long wanted = 0;
            for (int i = 0; i < 200; i++) {
                wanted += random.nextInt(200_000);
                final long sent = wanted + random.nextInt(400_000);
                messages.add(new Message(wanted, sent, sent + random.nextInt(600_000)));
            }
            charged(messages, pinger, echo);
        }
    }

    private static List<Stall> stalls(final Random random) {
        final List<Stall> stalls = new ArrayList<>();
        long at = 0;
        for (int i = 0; i < 20; i++) {
            at += random.nextInt(2_000_000);
            final long end = at + 1 + random.nextInt(1_000_000);
            stalls.add(Stall.of(at, end, Cause.CORE_TAKEN));
            at = end;
        }
        return stalls;
    }

    @Test
    void shouldAddUpInEveryBandToTheNanosecond() {
        final List<Stall> pinger = stalls(new Random(3));
        final List<Stall> echo = stalls(new Random(4));
        final Bands bands =
                new Bands(charged(play(20_000, 1_003, 101, pinger, echo), pinger, echo));
        assertThat(bands.bands()).hasSize(4);
        assertThat(bands.bands())
                .allSatisfy(band ->
                        assertThat(
                                        band.restNs()
                                                + band.charges().stream()
                                                        .mapToLong(Charge::ns)
                                                        .sum())
                                .isEqualTo(band.aboveMedianNs()));
    }

    /** Those that are slow by more than the time between two messages are overtaken. */
    @ParameterizedTest
    @CsvSource({"2, 5000, 9", "50, 100, 40"})
    void shouldStillShowASlowEchoInUndisturbedFigures(
            final int slowMs, final int stopUs, final int stopsInTwoSeconds) {
        final List<Stall> stops = new ArrayList<>();
        for (int i = 1; i <= stopsInTwoSeconds; i++) {
            final long beginNs = i * 2_000 * MS / (stopsInTwoSeconds + 1);
            stops.add(Stall.of(beginNs, beginNs + stopUs * US, Cause.STOPPED));
        }
        final List<Message> messages = new ArrayList<>();
        int number = 0;
        for (final Message each : play(20_000, 100 * US, US, stops, NONE)) {
            final long slowNs = number++ % 100 == 7 ? slowMs * MS : 0;
            messages.add(new Message(each.intendedNs(), each.sentNs(), each.receivedNs() + slowNs));
        }
        // as a receiver writes them
        messages.sort(Comparator.comparingLong(Message::receivedNs));
        final Delayed[] delayed = Attribution.of(messages, stops, NONE, stops);
        final TailSummary.Undisturbed undisturbed =
                new Bands(delayed).undisturbed(stops, List.of());
        assertThat(undisturbed.refused()).isEmpty();
        final double stoppedPart = stopsInTwoSeconds * stopUs / 2e6;
        assertThat(undisturbed.leftOutPart()).isBetween(stoppedPart / 2, 3 * stoppedPart + 0.001);
        assertThat(undisturbed.latency().p999().getAsLong())
                .isBetween(slowMs * MS, slowMs * MS + MS);
        // those that were slow in a stop are left out with all others of it
        assertThat(undisturbed.latency().p90().getAsLong()).isLessThan(100 * US);
    }

    /**
     * One that collects garbage for 5 ms in every 100 is slower, and not because of the machine.
     */
    @Test
    void shouldShowABuildThatCollectsMoreInUndisturbedFigures() {
        final List<Stall> collections = new ArrayList<>();
        for (int i = 1; i < 10; i++) {
            collections.add(Stall.of(i * 100 * MS, i * 100 * MS + 5 * MS, Cause.COLLECTION));
        }
        final Delayed[] before = charged(play(10_000, 100 * US, US, NONE, NONE), NONE, NONE);
        final Delayed[] after =
                charged(play(10_000, 100 * US, US, collections, NONE), collections, NONE);

        final TailSummary.Undisturbed a = new Bands(before).undisturbed(NONE, List.of());
        final TailSummary.Undisturbed b = new Bands(after).undisturbed(collections, List.of());

        assertThat(b.leftOutPart()).isZero();
        assertThat(a.latency().p99().getAsLong()).isLessThan(100 * US);
        assertThat(b.latency().p99().getAsLong()).isGreaterThan(2 * MS);
    }

    /** A collection that then waits a moment for its core is a collection, and stays in. */
    @ParameterizedTest
    @CsvSource({"5000, 50, false", "50, 5000, true"})
    void shouldLeaveOutAMixedStallOnlyWhereMostOfItIsTheMachines(
            final long collectedUs, final long takenUs, final boolean isLeftOut) {
        final List<Stall> mixed = new ArrayList<>();
        for (int i = 1; i < 10; i++) {
            final long beginNs = i * 100 * MS;
            mixed.add(
                    new Stall(
                            beginNs,
                            beginNs + (collectedUs + takenUs) * US,
                            Map.of(
                                    Cause.COLLECTION,
                                    collectedUs * US,
                                    Cause.CORE_TAKEN,
                                    takenUs * US),
                            ""));
        }
        final Delayed[] delayed = charged(play(10_000, 100 * US, US, mixed, NONE), mixed, NONE);

        final TailSummary.Undisturbed undisturbed =
                new Bands(delayed).undisturbed(mixed, List.of());

        assertThat(undisturbed.leftOutPart() > 0).isEqualTo(isLeftOut);
        assertThat(undisturbed.latency().p99().getAsLong() > 2 * MS).isEqualTo(!isLeftOut);
    }

    /** The queue behind a collection is the test's own, also after a stall of the machine. */
    @Test
    void shouldKeepWhatWaitsBehindACollectionThatFollowsAStallOfTheMachine() {
        final List<Stall> stalls = new ArrayList<>();
        for (int i = 1; i < 10; i++) {
            final long beginNs = i * 100 * MS;
            stalls.add(Stall.of(beginNs, beginNs + 300 * US, Cause.STOPPED));
            stalls.add(Stall.of(beginNs + 10 * MS, beginNs + 15 * MS, Cause.COLLECTION));
        }
        final Delayed[] delayed = charged(play(10_000, 100 * US, US, stalls, NONE), stalls, NONE);

        final TailSummary.Undisturbed undisturbed =
                new Bands(delayed).undisturbed(stalls, List.of());

        assertThat(undisturbed.leftOutPart()).isBetween(0.001, 0.02);
        assertThat(undisturbed.latency().p99().getAsLong()).isGreaterThan(2 * MS);
    }

    /**
     * Each receiver's messages are separate: what is omitted for one says nothing about another's.
     */
    @Test
    void shouldLeaveOutOfEachReceiverWhatTheMachineDisturbed() {
        final List<Stall> stop = List.of(Stall.of(90 * MS, 95 * MS, Cause.STOPPED));
        final Delayed[] one = charged(play(1000, 100 * US, US, stop, NONE), stop, NONE);
        final double ofOne = new Bands(one).undisturbed(stop, List.of()).leftOutPart();

        assertThat(ofOne).isBetween(0.04, 0.08);
        assertThat(new Bands(one, one.clone()).undisturbed(stop, List.of()).leftOutPart())
                .isEqualTo(ofOne);
    }

    @Test
    void shouldRefuseUndisturbedFiguresWhereTooMuchWouldBeLeftOut() {
        final List<Stall> stops = new ArrayList<>();
        for (int i = 1; i < 10; i++) {
            stops.add(Stall.of(i * 10 * MS, i * 10 * MS + 3 * MS, Cause.CORE_TAKEN));
        }
        final Delayed[] delayed = charged(play(1000, 100 * US, US, stops, NONE), stops, NONE);
        final TailSummary.Undisturbed undisturbed =
                new Bands(delayed).undisturbed(stops, List.of());
        assertThat(undisturbed.refused()).contains("would be left out");
        assertThat(undisturbed.latency()).isNull();
    }

    @Test
    void shouldNeverLeaveOutWhatIsUnknown() {
        final List<Stall> stalls =
                List.of(
                        Stall.of(20 * MS, 25 * MS, Cause.OFF_CORE),
                        Stall.of(40 * MS, 45 * MS, Cause.ROLE_THREADS));
        final Delayed[] delayed = charged(play(1000, 100 * US, US, stalls, NONE), stalls, NONE);
        assertThat(new Bands(delayed).undisturbed(stalls, List.of()).leftOutPart()).isZero();
    }

    /** On the thread's own core, and in no longer an interval than the stall. */
    private static Stall.RolesRan ran(final long ns) {
        return new Stall.RolesRan(ns, ns, ns);
    }

    @Test
    void shouldCallWhatNoCounterShowsUnknown() {
        final Stall stall =
                Stall.judged(
                        0,
                        10 * MS,
                        new Stall.Evidence(
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                Stall.RolesRan.NONE,
                                Optional.empty(),
                                false,
                                null));
        assertThat(stall.causes()).containsOnlyKeys(Cause.ON_CORE);
        assertThat(
                        Stall.judged(
                                        0,
                                        10 * MS,
                                        new Stall.Evidence(
                                                0,
                                                0,
                                                4 * MS,
                                                4 * MS,
                                                1_000,
                                                0,
                                                Stall.RolesRan.NONE,
                                                Optional.empty(),
                                                false,
                                                null))
                                .causes())
                .containsOnly(
                        Map.entry(Cause.CORE_TAKEN, 4 * MS),
                        Map.entry(Cause.PAGE_FAULT, 2 * MS),
                        Map.entry(Cause.ON_CORE, 4 * MS));
        final Stall mixed =
                Stall.judged(
                        0,
                        10 * MS,
                        new Stall.Evidence(
                                0,
                                0,
                                9 * MS,
                                6 * MS,
                                0,
                                0,
                                ran(2 * MS),
                                Optional.of(Cause.STOPPED),
                                false,
                                null));
        assertThat(mixed.causes())
                .containsEntry(Cause.ROLE_THREADS, 2 * MS)
                .containsEntry(Cause.CORE_TAKEN, 4 * MS)
                .containsEntry(Cause.STOPPED, 3 * MS)
                .containsEntry(Cause.ON_CORE, MS);
    }

    @Test
    void shouldKnowByWhatTheKernelDatesWhoseAStallIs() {
        // 6 ms preempted: 1 by roles, 1 by the bench, 3 by others; 2 ms blocked, 1 of it ready
        // again
        final Stall named =
                Stall.judged(
                        0,
                        10 * MS,
                        new Stall.Evidence(
                                0,
                                0,
                                8 * MS,
                                7 * MS,
                                0,
                                0,
                                ran(9 * MS),
                                Optional.of(Cause.STOPPED),
                                true,
                                new Stall.Dated(
                                        6 * MS,
                                        2 * MS,
                                        true,
                                        Map.of(
                                                Cause.ROLE_PREEMPTED,
                                                MS,
                                                Cause.COMPILATION,
                                                MS / 2,
                                                Cause.BENCH_PREEMPTED,
                                                MS),
                                        3 * MS,
                                        0,
                                        Map.of(),
                                        Map.of(Cause.INTERRUPT, MS))));
        assertThat(named.causes())
                .containsOnly(
                        Map.entry(Cause.ROLE_PREEMPTED, MS),
                        Map.entry(Cause.BENCH_PREEMPTED, MS),
                        Map.entry(Cause.PREEMPTED, 3 * MS),
                        Map.entry(Cause.COMPILATION, MS / 2),
                        Map.entry(Cause.CORE_SHARED, MS / 2),
                        Map.entry(Cause.ROLE_THREADS, MS),
                        Map.entry(Cause.STOPPED, MS),
                        Map.entry(Cause.INTERRUPT, MS),
                        Map.entry(Cause.ON_CORE, MS));
        final Stall alone =
                Stall.judged(
                        0,
                        10 * MS,
                        new Stall.Evidence(
                                0,
                                0,
                                10 * MS,
                                10 * MS,
                                0,
                                0,
                                Stall.RolesRan.NONE,
                                Optional.empty(),
                                false,
                                new Stall.Dated(
                                        10 * MS, 0, false, Map.of(), 0, 0, Map.of(), Map.of())));
        assertThat(alone.causes()).containsOnly(Map.entry(Cause.PREEMPTED, 10 * MS));
    }

    /** Preempted for 6 ms, then asleep for 4, of which it was ready for the last 2. */
    @Test
    void shouldChargeTheTestWithWhatItsThreadsTakeFromEachOther() {
        final Stall stall =
                Stall.judged(
                        0,
                        10 * MS,
                        new Stall.Evidence(
                                0,
                                0,
                                10 * MS,
                                8 * MS,
                                0,
                                0,
                                Stall.RolesRan.NONE,
                                Optional.empty(),
                                false,
                                new Stall.Dated(
                                        6 * MS,
                                        4 * MS,
                                        false,
                                        Map.of(Cause.ROLE_PREEMPTED, 5 * MS),
                                        0,
                                        0,
                                        Map.of(Cause.ROLE_PREEMPTED, 2 * MS),
                                        Map.of())));
        assertThat(stall.causes())
                .containsOnly(
                        Map.entry(Cause.ROLE_PREEMPTED, 7 * MS),
                        Map.entry(Cause.PREEMPTED, MS),
                        Map.entry(Cause.OFF_CORE, 2 * MS));
    }

    @Test
    void shouldChargeAPauseOfTheJvmBeforeWhatCountersShow() {
        // off the core for all of it: 5 ms of a collection, then 3 ms in which another task had the
        // core
        final Stall stall =
                Stall.judged(
                        0,
                        10 * MS,
                        new Stall.Evidence(
                                5 * MS,
                                MS,
                                10 * MS,
                                3 * MS,
                                0,
                                0,
                                Stall.RolesRan.NONE,
                                Optional.empty(),
                                false,
                                null));
        assertThat(stall.causes())
                .containsOnly(
                        Map.entry(Cause.COLLECTION, 5 * MS),
                        Map.entry(Cause.SAFEPOINT, MS),
                        Map.entry(Cause.CORE_TAKEN, 3 * MS),
                        Map.entry(Cause.OFF_CORE, MS));
        final Stall longer =
                Stall.judged(
                        0,
                        10 * MS,
                        new Stall.Evidence(
                                9 * MS,
                                9 * MS,
                                10 * MS,
                                9 * MS,
                                0,
                                0,
                                Stall.RolesRan.NONE,
                                Optional.of(Cause.STOPPED),
                                false,
                                null));
        assertThat(longer.causes())
                .containsOnly(Map.entry(Cause.COLLECTION, 9 * MS), Map.entry(Cause.SAFEPOINT, MS));
    }

    /**
     * A fan-out over a gateway to two sessions of one receiver, which reads all of the one before
     * the other, so that what was sent later comes first.
     */
    @Test
    void shouldChargeAGatewaysStallToCopiesInWhateverOrderTheyAreRead() {
        final List<Stall> gateway = List.of(Stall.of(10 * MS, 15 * MS, Cause.CORE_TAKEN));
        final Station at = new Station(gateway);
        final List<Message> messages = new ArrayList<>();
        for (int batch = 0; batch < 1000; batch++) {
            for (int session = 0; session < 2; session++) {
                for (int i = 0; i < 5; i++) {
                    final long wanted = (batch * 5 + i) * 10 * US;
                    final long left = at.runsFrom(wanted + HOP_NS);
                    messages.add(
                            new Message(wanted, wanted, left + HOP_NS + (session * 5 + i) * US));
                }
            }
        }
        final Delayed[] delayed = charged(messages, NONE, gateway);

        final long charged = Stream.of(delayed).mapToLong(Delayed::chargedNs).sum();
        assertThat(charged).isCloseTo(excess(delayed), withinPercentage(5));
        assertThat(
                        Stream.of(delayed)
                                .filter(each -> each.message().intendedNs() > 16 * MS)
                                .mapToLong(Delayed::chargedNs)
                                .sum())
                .isZero();
    }

    /**
     * Off its core for 4 ms, of which other threads of the roles may have run 1: as much as the
     * stall is of the interval in which they ran 2.
     */
    @Test
    void shouldKnowNobodyWhereOtherCoresMayHaveCarriedTheRolesThreads() {
        assertThat(waited(null, new Stall.RolesRan(2 * MS, MS, 0)).causes())
                .containsOnly(
                        Map.entry(Cause.CORE_SHARED, MS), Map.entry(Cause.CORE_TAKEN, 3 * MS));
        assertThat(waited(null, new Stall.RolesRan(2 * MS, MS, MS / 4)).causes())
                .containsOnly(
                        Map.entry(Cause.ROLE_THREADS, MS / 4),
                        Map.entry(Cause.CORE_SHARED, MS - MS / 4),
                        Map.entry(Cause.CORE_TAKEN, 3 * MS));
    }

    /** What exceeds all that the roles' threads ran in the interval needs no counter. */
    @Test
    void shouldDateWhatTheRolesThreadsCannotHaveRun() {
        final Stall.Dated preempted =
                new Stall.Dated(4 * MS, 0, false, Map.of(), 0, 0, Map.of(), Map.of());
        assertThat(waited(preempted, new Stall.RolesRan(2 * MS, MS, 0)).causes())
                .containsOnly(
                        Map.entry(Cause.PREEMPTED, 2 * MS),
                        Map.entry(Cause.CORE_SHARED, MS),
                        Map.entry(Cause.CORE_TAKEN, MS));
    }

    private static Stall waited(final Stall.Dated dated, final Stall.RolesRan rolesRan) {
        return Stall.judged(
                0,
                4 * MS,
                new Stall.Evidence(
                        0, 0, 4 * MS, 4 * MS, 0, 0, rolesRan, Optional.empty(), false, dated));
    }

    /** On its core for 10 ms, which handled interrupts for six of them. */
    @Test
    void shouldChargeTheMachineOnlyWithInterruptsThatTheTestCannotHaveCaused() {
        final Stall stall =
                Stall.judged(
                        0,
                        10 * MS,
                        new Stall.Evidence(
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                Stall.RolesRan.NONE,
                                Optional.empty(),
                                false,
                                new Stall.Dated(
                                        0,
                                        0,
                                        false,
                                        Map.of(),
                                        0,
                                        0,
                                        Map.of(),
                                        Map.of(
                                                Cause.INTERRUPT,
                                                MS,
                                                Cause.OWN_INTERRUPT,
                                                2 * MS,
                                                Cause.PACKETS,
                                                3 * MS))));
        assertThat(stall.causes())
                .containsOnly(
                        Map.entry(Cause.INTERRUPT, MS),
                        Map.entry(Cause.OWN_INTERRUPT, 2 * MS),
                        Map.entry(Cause.PACKETS, 3 * MS),
                        Map.entry(Cause.ON_CORE, 4 * MS));
        assertThat(stall.isTheMachines()).isFalse();
    }

    /**
     * A message behind a collection of 5 ms and, while the queue is worked off, a stop of 200 us:
     * the queue stays the collection's, and its messages stay in.
     */
    @Test
    void shouldChargeAQueueToTheLongestStallSinceItBegan() {
        final Stall collection = Stall.of(20 * MS, 25 * MS, Cause.COLLECTION);
        final Stall stop = Stall.of(27 * MS, 27 * MS + 200 * US, Cause.STOPPED);
        final List<Stall> stalls = List.of(collection, stop);
        final List<Message> messages = play(10_000, 100 * US, 50 * US, stalls, NONE);

        final Delayed[] delayed = charged(messages, stalls, NONE);

        assertThat(delayed)
                .filteredOn(each -> each.message().intendedNs() > 27 * MS + 300 * US)
                .filteredOn(each -> each.backlogNs() > 0)
                .isNotEmpty()
                .allMatch(each -> each.root() == collection);
        // those due in the stop, and those that were on their way then
        assertThat(new Bands(delayed).undisturbed(stalls, List.of()).leftOutPart())
                .isLessThan(0.001);
    }

    /** Two stalls of one thread while a message waited: each has its own part. */
    @Test
    void shouldDivideADelayAmongAllStallsOfItsThread() {
        final List<Stall> stalls =
                List.of(
                        Stall.of(10 * MS, 13 * MS, Cause.COLLECTION),
                        Stall.of(14 * MS, 15 * MS, Cause.STOPPED));
        final List<Message> messages = new ArrayList<>(play(89, 100 * US, US, NONE, NONE));
        for (int i = 0; i < 11; i++) {
            messages.add(new Message(10 * MS + i, 15 * MS + i, 15 * MS + 2 * HOP_NS + i));
        }

        final Delayed[] delayed = charged(messages, stalls, NONE);
        final List<Charge> charges =
                new Bands(delayed)
                        .bands().stream().flatMap(band -> band.charges().stream()).toList();

        assertThat(delayed[89].delays())
                .extracting(Attribution.Delay::stall)
                .containsExactlyElementsOf(stalls);
        assertThat(ns(charges, Cause.COLLECTION))
                .isCloseTo(3 * ns(charges, Cause.STOPPED), withinPercentage(1));
    }

    /** Most of the first was over when the message was due. */
    @Test
    void shouldWeighStallsByWhatOfThemTheMessageMet() {
        final List<Stall> stalls =
                List.of(
                        Stall.of(10 * MS, 13 * MS, Cause.COLLECTION),
                        Stall.of(14 * MS, 15 * MS, Cause.STOPPED));
        final List<Message> messages = new ArrayList<>(play(89, 100 * US, US, NONE, NONE));
        final long due = 13 * MS - 100 * US;
        messages.add(new Message(due, 15 * MS, 15 * MS + 2 * HOP_NS));

        final Delayed last = charged(messages, stalls, NONE)[89];

        assertThat(last.delays().getFirst().stall()).isEqualTo(stalls.getLast());
        assertThat(last.delays().getFirst().ns())
                .isCloseTo(10 * last.delays().getLast().ns(), withinPercentage(1));
    }

    /** A queue of a second in which a collector ran all the time. */
    @Test
    void shouldKeepTheLargestOfManyStalls() {
        final List<Stall> stalls = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            final long from = 10 * MS + i * 200 * US;
            stalls.add(Stall.of(from, from + (i % 100 == 0 ? 50 : 20) * US, Cause.COLLECTION));
        }

        final Attribution.StallPart[] parts = new Station(stalls).within(0, 2_000 * MS);

        assertThat(parts)
                .hasSize(Station.MOST_PARTS)
                .extracting(Attribution.StallPart::ns)
                .containsOnly(50 * US);
    }

    private static long ns(final List<Charge> charges, final Cause cause) {
        return charges.stream()
                .filter(charge -> charge.cause().equals(cause.words()))
                .mapToLong(Charge::ns)
                .sum();
    }

    /** One message each 100 us; 90 us at the echo, or 20. */
    @ParameterizedTest
    @CsvSource({"90, true", "20, false"})
    void shouldRefuseUndisturbedFiguresWhereAThreadBehindTheSenderIsBusy(
            final long echoUs, final boolean isRefused) {
        final List<Stall> stop = List.of(Stall.of(20 * MS, 25 * MS, Cause.STOPPED));
        final Station echo = new Station(stop);
        final List<Message> messages = new ArrayList<>();
        long echoed = 0;
        for (int i = 0; i < 10_000; i++) {
            final long wanted = MS + i * 100 * US;
            echoed = echo.runsFrom(Math.max(wanted + US + HOP_NS, echoed)) + echoUs * US;
            messages.add(new Message(wanted, wanted + US, echoed + HOP_NS));
        }

        final String refused =
                new Bands(charged(messages, NONE, stop)).undisturbed(stop, List.of()).refused();

        assertThat(refused.contains("a thread behind the sender was busy")).isEqualTo(isRefused);
    }
}
