package io.tickmark.lab.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.Deliveries.AfterFault;
import io.tickmark.kernel.record.Deliveries.FirstMessages;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.lab.control.RoleState.Stage;
import io.tickmark.lab.plan.FaultPlan;
import io.tickmark.lab.plan.FaultPlan.Action;
import io.tickmark.lab.plan.HostsPlan;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.RoleResolver;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.protocol.FromRole;
import io.tickmark.lab.verdict.TrialFacts;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PlannedFaultsTest {
    private static final TestPlan TEST =
            TestPlan.builder("t", "mock")
                    .role(RolePlan.of("mock-sender", Map.of()))
                    .role(RolePlan.of("mock-receiver", Map.of()))
                    .role(RolePlan.of("mock-observer", Map.of()))
                    .build();

    private final RunEvents events = new RunEvents();
    private final Map<String, Still> processes = new LinkedHashMap<>();
    private final List<RoleLink> links = new ArrayList<>();
    private final long startNs = TimeUnit.SECONDS.toNanos(1000);
    private long nowNs = startNs;
    private final TrialState state =
            new TrialState(
                    new TrialKey("t", "mock", "", 1, 1, 1, 0),
                    new RoleResolver(RoleCatalog.load())
                            .resolve(TEST, "").stream()
                                    .map(role ->
                                            new RoleState(
                                                    role,
                                                    link(role.id()),
                                                    List.of(),
                                                    HostsPlan.LOCAL))
                                    .toList(),
                    () -> nowNs,
                    RunListener.SILENT);

    private RoleLink link(final String name) {
        final Still process = new Still();
        processes.put(name, process);
        links.add(new RoleLink(name, process, Optional.empty(), events.queue()));
        return links.getLast();
    }

    @AfterEach
    void end() {
        links.forEach(RoleLink::kill);
    }

    private final List<String> stops = new ArrayList<>();
    private PlannedFaults.Notes notes =
            (role, fromNs, toNs) ->
                    stops.add(
                            "%s %d to %d"
                                    .formatted(
                                            role.id(),
                                            TimeUnit.NANOSECONDS.toMillis(fromNs - startNs),
                                            TimeUnit.NANOSECONDS.toMillis(toNs - startNs)));

    private PlannedFaults planned(final FaultPlan... faults) {
        return new PlannedFaults(List.of(faults), state, () -> nowNs, nowNs, notes);
    }

    private static FaultPlan fault(final String role, final int seconds, final Action action) {
        return new FaultPlan(role, 1, null, Duration.ofSeconds(seconds), action);
    }

    private void pass(final long ms) {
        nowNs += TimeUnit.MILLISECONDS.toNanos(ms);
    }

    /** A fault after three seconds, when these have passed. */
    private PlannedFaults injected(final String role, final Action action) throws TrialVoid {
        final PlannedFaults faults = planned(fault(role, 3, action));
        pass(3000);
        faults.injectDue();
        return faults;
    }

    private List<Action> doneTo(final String role) {
        return processes.get(role).done;
    }

    @Test
    void shouldDoEachWhenItsTimeHasCome() throws TrialVoid {
        final PlannedFaults faults =
                planned(
                        fault("mock-receiver", 4, Action.CONTINUE),
                        fault("mock-receiver", 3, Action.STOP));

        pass(2900);
        faults.injectDue();
        assertThat(doneTo("mock-receiver-1")).isEmpty();
        assertThat(faults.nextInNs(TimeUnit.SECONDS.toNanos(1))).isEqualTo(100_000_000);
        pass(100);
        faults.injectDue();
        assertThat(doneTo("mock-receiver-1")).containsExactly(Action.STOP);
        pass(1000);
        faults.injectDue();
        assertThat(doneTo("mock-receiver-1")).containsExactly(Action.STOP, Action.CONTINUE);
        assertThat(faults.end()).isEmpty();
        assertThat(state.role("mock-receiver-1").summary().metrics())
                .containsEntry("faults", "suspended at 3s; resumed at 4s");
        assertThat(stops).containsExactly("mock-receiver-1 3000 to 4000");
    }

    @Test
    void shouldNameThoseThatATrialDidNotWaitFor() throws TrialVoid {
        final PlannedFaults faults = planned(fault("mock-receiver", 5, Action.KILL));

        pass(4100);
        faults.injectDue();

        assertThat(faults.end())
                .containsExactly(
                        "The fault at 5s was not injected (kill mock-receiver-1): the trial ended after 4100ms; plan it "
                                + "earlier, or let the trial last longer.");
    }

    @Test
    void shouldNotHitARoleThatHasEnded() throws TrialVoid {
        final PlannedFaults faults =
                planned(
                        fault("mock-receiver", 3, Action.KILL),
                        fault("mock-receiver", 4, Action.STOP));
        state.role("mock-receiver-1").reach(Stage.DONE);

        pass(4000);
        faults.injectDue();

        assertThat(doneTo("mock-receiver-1")).isEmpty();
        assertThat(state.isAnyKilled()).isFalse();
        assertThat(faults.end())
                .containsExactly(
                        "The fault at 3s was not injected (kill mock-receiver-1): mock-receiver-1 had already ended; plan it "
                                + "earlier, or let the trial last longer.",
                        "The fault at 4s was not injected (stop mock-receiver-1): mock-receiver-1 had already ended; plan it "
                                + "earlier, or let the trial last longer.");
    }

    @Test
    void shouldTakeARoleThatIsKilledTwiceForKilled() throws TrialVoid {
        final PlannedFaults faults =
                planned(
                        fault("mock-receiver", 3, Action.KILL),
                        fault("mock-receiver", 3, Action.KILL));

        pass(3000);
        faults.injectDue();

        assertThat(doneTo("mock-receiver-1")).containsExactly(Action.KILL);
        assertThat(faults.end()).isEmpty();
    }

    @Test
    void shouldLetTheMembersOfAnObserverBeThatHasNothingLeftToWatch() throws TrialVoid {
        final PlannedFaults faults =
                planned(new FaultPlan("mock-observer", 1, 2, Duration.ofSeconds(3), Action.KILL));
        state.role("mock-sender-1").reach(Stage.DONE);
        state.role("mock-receiver-1").reach(Stage.DONE);

        pass(3000);
        faults.injectDue();

        assertThat(faults.end())
                .containsExactly(
                        "The fault at 3s was not injected (kill member 2 of mock-observer-1): the others had already ended; "
                                + "plan it earlier, or let the trial last longer.");
    }

    /** It ended while the signal was in transit; the noise floor is measured by its process. */
    @Test
    void shouldLeaveNoProcessSuspended() throws TrialVoid {
        final PlannedFaults faults =
                planned(
                        fault("mock-receiver", 3, Action.STOP),
                        fault("mock-receiver", 4, Action.CONTINUE));
        pass(3000);
        faults.injectDue();
        state.role("mock-receiver-1").reach(Stage.DONE);

        assertThat(faults.end()).hasSize(1);
        assertThat(doneTo("mock-receiver-1")).containsExactly(Action.STOP, Action.CONTINUE);
    }

    /** Two messages of a slot: due at the first time, arrived at the second, in ms. */
    private void report(final String role, final int fault, final long... timesMs) {
        reportOf(role, "responseNs", fault, timesMs);
    }

    private void reportOf(
            final String role, final String latency, final int fault, final long... timesMs) {
        final List<FirstMessages> first = new ArrayList<>();
        for (int i = 0; i < timesMs.length; i += 2) {
            first.add(first(timesMs[i], timesMs[i], timesMs[i + 1], 1));
        }
        reportOf(role, latency, fault, 1, first);
    }

    private void reportOf(
            final String role,
            final String latency,
            final int fault,
            final int streams,
            final List<FirstMessages> first) {
        reportOf(role, latency, fault, new AfterFault(0, streams, 0, first));
    }

    private void reportOf(
            final String role, final String latency, final int fault, final AfterFault after) {
        state.role(role).delivered(new FromRole.Delivered(role, latency, fault, after));
    }

    private FirstMessages first(
            final long earliestDueMs, final long dueMs, final long atMs, final int streams) {
        return new FirstMessages(
                startNs + TimeUnit.MILLISECONDS.toNanos(earliestDueMs),
                startNs + TimeUnit.MILLISECONDS.toNanos(dueMs),
                startNs + TimeUnit.MILLISECONDS.toNanos(atMs),
                streams);
    }

    /** The receiver has its figures; then what became of the faults is found out. */
    private void endTrial(final PlannedFaults faults) {
        state.merge().add("mock-receiver-1", received());
        faults.recoveries();
    }

    private Map<String, Long> counts() {
        return state.merge()
                .rows(
                        new TrialFacts(
                                "t",
                                "mock",
                                "",
                                1,
                                1,
                                1,
                                null,
                                null,
                                TEST.criteria(),
                                false,
                                List.of(),
                                List.of(),
                                List.of()))
                .getFirst()
                .counts();
    }

    @Test
    void shouldMeasureTheTimeToRecoverUpToTheFirstMessageThatWasWantedAfterTheFault()
            throws TrialVoid {
        final PlannedFaults faults =
                planned(
                        fault("mock-receiver", 3, Action.STOP),
                        fault("mock-receiver", 4, Action.CONTINUE));
        assertThat(faults.disturbingNs()).containsExactly(TimeUnit.SECONDS.toNanos(3));
        pass(3010); // the controller was delayed by 10 ms
        faults.injectDue();
        pass(1000);
        faults.injectDue();
        // Messages due before it was done arrive soon after, and do not show a recovery.
        report("mock-receiver-1", 0, 3001, 3002, 3009, 3060, 3011, 4015, 3012, 4015);
        report("mock-sender-1", 0, 3001, 3002, 3010, 3011);

        endTrial(faults);

        assertThat(state.role("mock-receiver-1").summary().metrics())
                .containsEntry("faults", "suspended at 3010ms; resumed at 4010ms")
                .containsEntry("recoveries", "suspended at 3010ms: 1005.0 ms");
        assertThat(counts())
                .containsEntry(Counts.RECOVERED, 1L)
                .containsEntry(Counts.MAX_RECOVERY_NS, 1_005_000_000L)
                .doesNotContainKey(Counts.NOT_RECOVERED);
    }

    /** The second thread of a role had been ignored. */
    @Test
    void shouldMeasureUpToTheMessageOfTheLastThread() throws TrialVoid {
        final PlannedFaults faults = injected("mock-receiver", Action.STOP);
        report("mock-receiver-1", 0, 3001, 3100);
        reportOf("mock-receiver-1", "responseNs-2", 0, 3002, 3400);

        endTrial(faults);

        assertThat(counts()).containsEntry(Counts.MAX_RECOVERY_NS, 400_000_000L);
    }

    /** The threads of which nothing arrived have no entry: that of the third had been ignored. */
    @Test
    void shouldMeasureUpToTheLastThreadWhereTheFirstOneHasNone() throws TrialVoid {
        final PlannedFaults faults = injected("mock-receiver", Action.STOP);
        reportOf("mock-receiver-1", "responseNs-2", 0, 3001, 3100);
        reportOf("mock-receiver-1", "responseNs-3", 0, 3002, 3400);

        endTrial(faults);

        assertThat(counts()).containsEntry(Counts.MAX_RECOVERY_NS, 400_000_000L);
    }

    @Test
    void shouldMeasureUpToTheMessageOfTheLastStream() throws TrialVoid {
        final PlannedFaults faults = injected("mock-receiver", Action.STOP);
        reportOf(
                "mock-receiver-1",
                "responseNs",
                0,
                2,
                List.of(first(2999, 2999, 3001, 2), first(3001, 3002, 8000, 2)));

        endTrial(faults);

        assertThat(counts())
                .containsEntry(Counts.RECOVERED, 1L)
                .containsEntry(Counts.MAX_RECOVERY_NS, 5_000_000_000L);
    }

    /** It had recovered when the first of them had. */
    @Test
    void shouldSayThatSomeStreamsHaveNotRecovered() throws TrialVoid {
        final PlannedFaults faults = injected("mock-sender", Action.KILL);
        reportOf("mock-receiver-1", "responseNs", 0, 3, List.of(first(3001, 3002, 3003, 2)));

        endTrial(faults);

        assertThat(state.role("mock-sender-1").summary().metrics())
                .containsEntry("recoveries", "killed at 3s: not at all for 1 of 3 streams");
        assertThat(counts())
                .containsEntry(Counts.NOT_RECOVERED, 1L)
                .doesNotContainKeys(Counts.RECOVERED, Counts.MAX_RECOVERY_NS);
    }

    /** It was not at all, though nobody missed a message. */
    @Test
    void shouldNotMissMessagesOfStreamsThatHadEnded() throws TrialVoid {
        final PlannedFaults faults = injected("mock-sender", Action.KILL);
        reportOf("mock-receiver-1", "responseNs", 0, new AfterFault(-1, 0, 2, List.of()));

        endTrial(faults);

        assertThat(state.role("mock-sender-1").summary().metrics())
                .containsEntry(
                        "recoveries",
                        "killed at 3s: not known, no open stream had reported before the fault");
        assertThat(counts()).doesNotContainKeys(Counts.RECOVERED, Counts.NOT_RECOVERED);
    }

    /** One thread's producers had ended, the other's had not. */
    @Test
    void shouldMeasureUpToTheMessageOfTheStreamsThatHadNotEnded() throws TrialVoid {
        final PlannedFaults faults = injected("mock-receiver", Action.STOP);
        reportOf("mock-receiver-1", "responseNs", 0, new AfterFault(-1, 0, 1, List.of()));
        reportOf("mock-receiver-1", "responseNs-2", 0, 3001, 3400);

        endTrial(faults);

        assertThat(counts()).containsEntry(Counts.MAX_RECOVERY_NS, 400_000_000L);
    }

    /** What a browser measured is reported when it has ended: that was a time to recover. */
    @Test
    void shouldNotKnowWhereNobodyRecordedWhenMessagesArrived() throws TrialVoid {
        final PlannedFaults faults = injected("mock-sender", Action.KILL);

        endTrial(faults);

        assertThat(state.role("mock-sender-1").summary().metrics())
                .containsEntry(
                        "recoveries",
                        "killed at 3s: not known, no receiver recorded when messages arrived");
        assertThat(counts()).doesNotContainKeys(Counts.RECOVERED, Counts.NOT_RECOVERED);
    }

    /**
     * A fault between the warm-up and the measured step: the pause had been taken for a time to
     * recover.
     */
    @Test
    void shouldNotCountThePauseInWhichNoMessageWasDue() throws TrialVoid {
        final PlannedFaults faults = injected("mock-receiver", Action.STOP);
        report("mock-receiver-1", 0, 4802, 4811, 4803, 4811);

        endTrial(faults);

        assertThat(state.role("mock-receiver-1").summary().metrics())
                .containsEntry(
                        "recoveries",
                        "suspended at 3s: at most 1811.0 ms, as no message was due for 1802.0 ms of it");
        assertThat(counts())
                .containsEntry(Counts.RECOVERED, 1L)
                .doesNotContainKey(Counts.MAX_RECOVERY_NS);
    }

    /** At a low rate the first message due is late, and waits: that shows when it recovered. */
    @Test
    void shouldMeasureUpToAMessageThatWasDueLateAndHadToWait() throws TrialVoid {
        final PlannedFaults faults = injected("mock-receiver", Action.STOP);
        report("mock-receiver-1", 0, 3900, 5000);

        endTrial(faults);

        assertThat(counts()).containsEntry(Counts.MAX_RECOVERY_NS, 2_000_000_000L);
    }

    @Test
    void shouldSayThatNothingWasDeliveredAnyMore() throws TrialVoid {
        final PlannedFaults faults = injected("mock-sender", Action.KILL);
        report("mock-receiver-1", 0);

        endTrial(faults);

        assertThat(state.role("mock-sender-1").summary().metrics())
                .containsEntry("recoveries", "killed at 3s: not at all");
        assertThat(counts())
                .containsEntry(Counts.NOT_RECOVERED, 1L)
                .doesNotContainKey(Counts.MAX_RECOVERY_NS);
    }

    @Test
    void shouldTakeWhenAFaultToAMemberWasDoneFromTheRoleThatDidIt() throws TrialVoid {
        final PlannedFaults faults =
                planned(
                        new FaultPlan("mock-observer", 1, 2, Duration.ofSeconds(3), Action.KILL),
                        new FaultPlan(
                                "mock-observer", 1, 2, Duration.ofSeconds(4), Action.RESTART));
        pass(4000);
        faults.injectDue();
        final long ms = TimeUnit.MILLISECONDS.toNanos(1);
        state.role("mock-observer-1")
                .finish(
                        Map.of(
                                "memberFaultTimes",
                                List.of(
                                        2,
                                        0,
                                        startNs + 3002 * ms,
                                        startNs + 3020 * ms,
                                        2,
                                        1,
                                        startNs + 4000 * ms,
                                        startNs + 4500 * ms)),
                        List.of());
        report("mock-sender-1", 0, 3019, 3019, 3021, 4602);

        endTrial(faults);

        assertThat(state.role("mock-observer-1").summary().metrics())
                .containsEntry("recoveries", "member 2 killed at 3002ms: 1600.0 ms")
                .doesNotContainKey("memberFaultTimes");
    }

    @Test
    void shouldSayWhereItCouldNotNoteWhenAProcessWasStopped() throws TrialVoid {
        notes =
                (role, fromNs, toNs) -> {
                    throw new IOException("No space left on device");
                };
        final PlannedFaults faults =
                planned(
                        fault("mock-receiver", 1, Action.STOP),
                        fault("mock-receiver", 2, Action.CONTINUE));
        pass(2000);

        faults.injectDue();

        assertThat(state.role("mock-receiver-1").summary().warnings())
                .anyMatch(line ->
                        line.startsWith(
                                "That a planned fault stopped mock-receiver-1 could not be recorded ("));
    }

    private static StepResult received() {
        return new StepResult(0, "", 64, Map.of(Counts.RECEIVED, 1L), 1, 0, 0, Map.of(), List.of());
    }

    /** Records the faults. */
    private static final class Still extends SilentProcess {
        private final List<Action> done = new ArrayList<>();

        @Override
        public void inject(final Action action, final long pid) {
            done.add(action);
        }
    }
}
