package io.tickmark.lab.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.host.Libc;
import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.kernel.stall.StallRecording;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.kernel.stall.ThreadUsage;
import io.tickmark.lab.result.ResultSamples;
import io.tickmark.lab.tail.Attribution.Delayed;
import io.tickmark.lab.verdict.Labels;
import io.tickmark.lab.verdict.TakenRule;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files as roles write them. */
class TailTest {
    private static final int MADV_DONTNEED = 4;
    private static final int MADV_NOHUGEPAGE = 15;
    private static final long PAGE_BYTES = 4_096;
    private static final long LEAST_OF_A_FAULT_NS = 50;
    private static final int MESSAGES = 20_000;
    private static final long ENOUGH_NS = 600_000_000;

    private final List<String> warnings = new ArrayList<>();

    @TempDir private Path role;

    private static TailReader.RoleFolder folder(final String name, final Path path) {
        return new TailReader.RoleFolder(name, 1, Optional.of(path), List.of());
    }

    /** Of the role and another one. */
    private TailSummary summaryBeside(
            final String name, final Path other, final RoleSummary... roles) {
        return new TailReader()
                .summary(
                        List.of(folder("latency-pub", role), folder(name, other)),
                        ResultSamples.trial(null, List.of(roles), null),
                        warnings::add)
                .orElseThrow();
    }

    private Optional<TailSummary> summary(final RoleSummary... roles) {
        return summaryOf(ResultSamples.trial(null, List.of(roles), null));
    }

    private Optional<TailSummary> summaryOf(final TrialResult row) {
        return new TailReader().summary(List.of(folder("latency-pub", role)), row, warnings::add);
    }

    private static RoleSummary kernelTimes(final Object told) {
        return new RoleSummary("latency-pub", 1, Map.of(RoleSummary.KERNEL_TIMES, told), List.of());
    }

    /** A role that waits on purpose and keeps its messages, each on its way for 10 ns. */
    private void messages(final int count, final boolean areStamped) {
        messages(count, areStamped, 0);
    }

    /** The same, and the last tenth took longer. */
    private void messages(final int count, final boolean areStamped, final long longerNs) {
        try (StallRecording recording = new StallRecording(Optional.of(role), 1, () -> 0)) {
            recording.watch(
                    "publisher", StallWatch.Part.SEND_AND_RECEIVE, IdleMode.YIELD.notWatched());
            final MessageLog log =
                    recording.messages(
                            0,
                            count,
                            areStamped ? MessageLog.Kind.STAMPED : MessageLog.Kind.RECEIVED);
            for (int i = 0; i < count; i++) {
                final long ns = 1_000L * (i + 1);
                final long moreNs = i < count - count / 10 ? 0 : longerNs;
                log.stamped(0, ns + 3, ns + 13, 0);
                log.addNumbered(i, ns, ns + 1, ns + 17 + moreNs);
            }
        }
    }

    /** The role noted for three seconds, and was killed while it wrote the last of them. */
    @Test
    void shouldKeepWhatAKilledRoleHadWritten() throws Exception {
        final StallRecording recording = new StallRecording(Optional.of(role), 1, () -> 0);
        recording.watch("publisher", StallWatch.Part.SEND_AND_RECEIVE, "");
        final MessageLog log = recording.messages(0, 3_000);
        for (int second = 0; second < 3; second++) {
            for (int i = 0; i < 1_000; i++) {
                final long ns = 1_000_000L * (1_000 * second + i);
                log.add(ns, ns + 1, ns + 17);
            }
            recording.write();
        }
        Files.writeString(
                role.resolve(RoleFiles.STALLS),
                "stall,1,0,1000000,5000000,4000000,4000000,0,1,0,0,0,4000000\nstall,1,0,12",
                StandardOpenOption.APPEND);
        final byte[] messages = Files.readAllBytes(role.resolve(RoleFiles.MESSAGES));
        Files.write(
                role.resolve(RoleFiles.MESSAGES), Arrays.copyOf(messages, messages.length - 20));

        final TailSummary tail = summary().orElseThrow();

        assertThat(warnings).isEmpty();
        assertThat(tail.messages()).isBetween(2_000L, 3_000L);
        assertThat(tail.threads().getFirst().stalls()).isEqualTo(1);
        assertThat(tail.notWatched())
                .contains(
                        "latency-pub 1 was ended while it wrote: the last of its messages are missing.");
    }

    /** Killed in its second repeat, before the first of another process of the role. */
    @Test
    void shouldReadWhatAProcessWroteBehindOneThatWasKilledWhileItWrote() throws Exception {
        final StallRecording killed = new StallRecording(Optional.of(role), 2, () -> 0);
        killed.watch("publisher", StallWatch.Part.SEND_AND_RECEIVE, "");
        final MessageLog lost = killed.messages(0, 3_000);
        for (int i = 0; i < 3_000; i++) {
            lost.add(1_000 * i, 1_000 * i + 1, 1_000 * i + 17 + i % 7);
        }
        killed.write();
        final Path stalls = role.resolve(RoleFiles.STALLS);
        Files.writeString(stalls, "stall,2,0,12", StandardOpenOption.APPEND);
        final Path file = role.resolve(RoleFiles.MESSAGES);
        final byte[] torn = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(torn, torn.length - 20));
        messages(2_000, false);

        final TailSummary tail = summary().orElseThrow();

        assertThat(warnings).isEmpty();
        assertThat(tail.messages()).isEqualTo(2_000);
        assertThat(tail.notWatched()).noneMatch(line -> line.contains("ended while it wrote"));
        assertThat(Files.readAllLines(stalls))
                .noneMatch(line -> line.startsWith("stall"))
                .contains("server,1," + ProcessHandle.current().pid());
    }

    @Test
    void shouldReadFilesOfARoleThatWasKilledBeforeItWroteAnything() throws Exception {
        messages(1, false);
        Files.write(role.resolve(RoleFiles.MESSAGES), new byte[0]);

        assertThat(summary().orElseThrow().messages()).isZero();
        assertThat(warnings).isEmpty();
    }

    /** Of four windows one is kept; the slowest message was in another one. */
    @Test
    void shouldListTheSlowestAlsoWhereTheirWindowsAreNotKept() throws Exception {
        final int count = 4 * MessageLog.MOST;
        try (StallRecording recording = new StallRecording(Optional.of(role), 1, () -> 0)) {
            recording.watch("publisher", StallWatch.Part.SEND_AND_RECEIVE, "");
            final MessageLog log = recording.messages(0, count);
            for (long i = 0; i < count; i++) {
                final long ns = 100_000 * i;
                log.add(ns, ns + 1, ns + (i == 5_000 ? 50_000 : 20));
            }
        }

        final List<Delayed> slowest =
                new TailReader()
                        .slowest(
                                List.of(folder("latency-pub", role)),
                                ResultSamples.trial(null, List.of(), null),
                                10)
                        .orElseThrow()
                        .slowest();

        assertThat(slowest).hasSize(10);
        assertThat(slowest.getFirst().message().intendedNs()).isEqualTo(500_000_000);
        assertThat(slowest.getFirst().restNs()).isEqualTo(50_000);
    }

    /** Every second message is kept; by these alone it would seem to be busy for half of that. */
    @ParameterizedTest
    @CsvSource({"9000, true", "2000, false"})
    void shouldKnowHowBusyTheSenderOfASampleWas(final long busyNs, final boolean isRefused)
            throws Exception {
        try (StallRecording recording = new StallRecording(Optional.of(role), 1, () -> 0)) {
            recording.watch("publisher", StallWatch.Part.SEND_AND_RECEIVE, "");
            final MessageLog log = recording.sample(0, 2 * MessageLog.MOST);
            for (long i = 0; i < 2 * MessageLog.MOST - 1; i++) {
                final long sentNs = 10_000 * i + busyNs;
                log.add(10_000 * i, sentNs, sentNs + 1_000);
            }
        }

        final TailSummary tail = summary().orElseThrow();

        assertThat(tail.messages()).isEqualTo(MessageLog.MOST);
        assertThat(tail.undisturbed().refused().contains("the sender was busy"))
                .as(tail.undisturbed().refused())
                .isEqualTo(isRefused);

        final Path stalls = role.resolve(RoleFiles.STALLS);
        Files.writeString(
                stalls,
                Files.readString(stalls)
                        .replaceAll("(?m)^(passed,(?:[0-9]+,){4}[0-9]+),.*$", "$1")); // as by 0.1.0

        assertThat(summary().orElseThrow().undisturbed().refused())
                .contains("how busy the sender was is not known");
    }

    /** Each of a hundred clients reads three messages at once, all of the same sender. */
    @Test
    void shouldNotTakeTheCopiesOfAFanOutForWorkOfItsSender() throws Exception {
        final int clients = 100;
        final int atOnce = 3;
        final long everyNs = 1_250_000;
        try (StallRecording recording = new StallRecording(Optional.of(role), 1, () -> 0)) {
            recording.watch("publisher", StallWatch.Part.SEND_AND_RECEIVE, "");
            final int count = 2 * MessageLog.MOST / clients / atOnce;
            final MessageLog log = recording.sample(0, 2 * MessageLog.MOST);
            for (long frame = 0; frame < count; frame++) {
                for (int client = 0; client < clients; client++) {
                    for (int i = 0; i < atOnce; i++) {
                        final long ns = everyNs * (atOnce * frame + i);
                        log.add(ns, ns + 15_000, ns + atOnce * everyNs + client);
                    }
                }
            }
        }

        assertThat(summary().orElseThrow().undisturbed().refused())
                .doesNotContain("the sender was busy");
    }

    /** The other one's echoes were late for another reason. */
    @Test
    void shouldNotChargeAPingerWithTheStallsOfAnotherOne(@TempDir final Path other)
            throws Exception {
        try (StallRecording recording = new StallRecording(Optional.of(role), 1, () -> 0)) {
            recording.watch("pinger", StallWatch.Part.SEND_AND_RECEIVE, "");
            final MessageLog log = recording.messages(0, MESSAGES);
            for (long i = 0; i < MESSAGES; i++) {
                final long ns = 100_000 * i;
                log.add(ns, ns + 1, ns + (i / 50 == 100 ? 5_000_000 : 20));
            }
        }
        try (StallRecording recording = new StallRecording(Optional.of(other), 1, () -> 0)) {
            recording.watch("pinger", StallWatch.Part.SEND_AND_RECEIVE, "");
        }
        Files.writeString(
                other.resolve(RoleFiles.STALLS),
                "stall,1,0,500000000,505000000,5000000,5000000,0,1,0,0,0,5000000\n",
                StandardOpenOption.APPEND);

        final TailSummary tail = summaryBeside("latency-pub", other);

        assertThat(tail.threads()).hasSize(2);
        assertThat(tail.bands().getLast().charges()).isEmpty();
        assertThat(tail.bands().getLast().restNs()).isPositive();
    }

    /** A role that is watched, and keeps its messages. */
    private TailReader.RoleFolder watched() {
        try (StallRecording recording = new StallRecording(Optional.of(role), 1, () -> 0)) {
            recording.watch("publisher", StallWatch.Part.SEND_AND_RECEIVE, "");
            final MessageLog log = recording.messages(0, MESSAGES);
            for (long i = 0; i < MESSAGES; i++) {
                log.add(100_000 * i, 100_000 * i + 1, 100_000 * i + 20);
            }
        }
        return folder("latency-pub", role);
    }

    @Test
    void shouldReadWhatRolesNotedOnceForAllRowsOfARepeat() throws Exception {
        final List<TailReader.RoleFolder> roles = List.of(watched());
        final TrialResult row = ResultSamples.trial(null, List.of(), null);
        final TailReader tails = new TailReader();
        assertThat(tails.slowest(roles, row, 10)).isPresent();

        Files.delete(role.resolve(RoleFiles.STALLS));

        assertThat(tails.slowest(roles, row, 10)).isPresent();
        assertThat(new TailReader().slowest(roles, row, 10)).isEmpty();
    }

    /** The report finds the roles by the names of their folders: other paths, and fewer logs. */
    @Test
    void shouldTakeForTheSlowestMessagesWhatItReadForTheRow() throws Exception {
        final List<TailReader.RoleFolder> roles = List.of(watched());
        final TrialResult row = ResultSamples.trial(null, List.of(), null);
        final TailReader tails = new TailReader();
        tails.summary(roles, row, warnings::add);

        Files.delete(role.resolve(RoleFiles.STALLS));

        assertThat(tails.slowest(List.of(), row, 10)).isPresent();
        assertThat(warnings).isEmpty();
    }

    /** As from another host, once the processes there have ended. */
    @Test
    void shouldReadAgainForARowWhoseFilesHaveArrivedMeanwhile() throws Exception {
        final TrialResult row = ResultSamples.trial(null, List.of(), null);
        final TailReader tails = new TailReader();
        assertThat(
                        tails.summary(
                                        List.of(
                                                new TailReader.RoleFolder(
                                                        "latency-pub",
                                                        1,
                                                        Optional.empty(),
                                                        List.of())),
                                        row,
                                        warnings::add)
                                .orElseThrow()
                                .messages())
                .isZero();

        final List<TailReader.RoleFolder> arrived = List.of(watched());

        assertThat(tails.summary(arrived, row, warnings::add).orElseThrow().messages())
                .isEqualTo(MESSAGES);
        assertThat(tails.slowest(List.of(), row, 10)).isPresent();
    }

    /** A search knows only at its end which of its trials decide. */
    @Test
    void shouldLookLaterIntoARowThatItPassedOver() {
        final List<TailReader.RoleFolder> roles = List.of(watched());
        final TrialResult row = ResultSamples.trial(null, List.of(), null);
        final TailReader tails = new TailReader();

        assertThat(tails.summary(row, warnings::add)).as("nothing of it was read").isEmpty();
        assertThat(tails.summaryWhereTaken(roles, row, 0.2, warnings::add)).isEmpty();
        assertThat(tails.summary(row, warnings::add).orElseThrow().messages()).isEqualTo(MESSAGES);
        assertThat(warnings).isEmpty();
    }

    /** A run of many repeats would read each of them again after every later one. */
    @Test
    void shouldReadNothingOfTheRepeatsBefore() throws Exception {
        try (StallRecording recording = new StallRecording(Optional.of(role), 0, () -> 0)) {
            recording.watch("publisher", StallWatch.Part.SEND_AND_RECEIVE, "");
            recording.messages(0, 1).add(1, 2, 3);
        }
        final Path stalls = role.resolve(RoleFiles.STALLS);
        final Path messages = role.resolve(RoleFiles.MESSAGES);
        final TailReader tails = new TailReader();
        // killed while it wrote: the next process of the role cuts the line off
        Files.writeString(stalls, "stall,0,0,12", StandardOpenOption.APPEND);
        tails.ended(List.of(folder("latency-pub", role)), 0);
        final byte[] nothing = new byte[(int) Files.size(messages)];
        final String unreadable = "stall,1,7\n" + Files.readString(stalls).substring(10);

        Files.write(messages, nothing);
        Files.writeString(stalls, unreadable);
        final TailSummary tail =
                tails.summary(
                                List.of(watched()),
                                ResultSamples.trial(null, List.of(), null),
                                warnings::add)
                        .orElseThrow();

        assertThat(warnings).isEmpty();
        assertThat(tail.messages()).isEqualTo(MESSAGES);
        assertThat(tail.threads()).hasSize(1);
    }

    /** A run of many repeats does not hold all that was noted in it. */
    @Test
    void shouldKeepWhatWasNotedInTheLastRepeats() throws Exception {
        final List<TailReader.RoleFolder> roles = List.of(watched());
        final TrialResult row = ResultSamples.trial(null, List.of(), null);
        final TailReader tails = new TailReader();
        tails.summary(roles, row, warnings::add);
        for (int test = 0; test < 20; test++) {
            tails.summary(roles, row.named("another test " + test), warnings::add);
        }

        Files.delete(role.resolve(RoleFiles.STALLS));

        assertThat(tails.slowest(roles, row.named("another test 19"), 10)).isPresent();
        assertThat(tails.slowest(roles, row, 10)).isEmpty();
    }

    private static RoleSummary elsewhere() {
        return new RoleSummary(
                "latency-pub",
                1,
                Map.of(
                        RoleSummary.HOST,
                        "b",
                        RoleSummary.KERNEL_TIMES,
                        true,
                        RoleSummary.CLOCK_BOUND_NS,
                        6_900),
                List.of());
    }

    /** Earlier builds did not. */
    @Test
    void shouldChargeNothingToStallsOfAHostThatDidNotNoteHowItsClockRan() {
        messages(1_000, true);

        final TailSummary tail = summary(elsewhere()).orElseThrow();

        assertThat(tail.messages()).isZero();
        assertThat(tail.notWatched())
                .containsExactly(
                        "latency-pub 1 ran on b and did not record how its clock ran: its stalls are in its folder, but not"
                                + " attributed to messages.");
    }

    /** Its kernel dates by a clock that is 700 ms ahead; messages and stalls are on the line. */
    @Test
    void shouldChargeStallsOfAnotherHostByTheControllersClock() throws Exception {
        taken(
                "line,1,700000000,0",
                "line,1,710000000,10000000",
                "dated,1,0,,7,6,,",
                "off,1,0,701000000,705000000,1,,3,3");

        final TailSummary tail = summary(elsewhere()).orElseThrow();

        assertThat(tail.threads().getFirst().takenPart()).isCloseTo(0.4, within(0.001));
        assertThat(tail.threads().getFirst().takenBy()).isEqualTo("another task ran on the core");
        assertThat(tail.notWatched())
                .contains(
                        "latency-pub 1 ran on b, whose clock agreed within 6.9 us: its stalls may be charged up to that much"
                                + " too early or too late.");
    }

    /** Each ping was on its way for 10 ns; the echo did not note the third. */
    @Test
    void shouldTellTheStagesAtTheEchoFromThoseOfTheNetwork(@TempDir final Path echo) {
        messages(40, true);
        try (StallRecording recording = new StallRecording(Optional.of(echo), 1, () -> 0)) {
            recording.watch("echo", StallWatch.Part.ECHO, IdleMode.YIELD.notWatched());
            final MessageLog log = recording.messages(0, 40, MessageLog.Kind.ECHOED);
            for (int i = 0; i < 40; i++) {
                if (i != 2) {
                    final long ns = 1_000L * (i + 1);
                    log.addEchoed(i, ns + 1, ns + 4, ns + 8, ns + 11);
                }
            }
        }

        final TailSummary tail = summaryBeside("latency-sub", echo, kernelTimes(true));

        assertThat(tail.stages())
                .contains(
                        new TailSummary.Stages(
                                0,
                                50,
                                20,
                                0,
                                0,
                                0,
                                20,
                                40,
                                200,
                                80,
                                new TailSummary.AtEcho(19, 19, 19 * 4, 19 * 3, 19 * 2),
                                TailSummary.Part.UNKNOWN,
                                TailSummary.Part.UNKNOWN));
    }

    /** Nobody asked the kernel; what a capture saw of each ping but the third is as good. */
    @Test
    void shouldTakeStagesFromACaptureWhereTheKernelToldNone(@TempDir final Path capture) {
        messages(40, false);
        try (StallRecording recording = new StallRecording(Optional.of(capture), 1, () -> 0)) {
            final MessageLog log = recording.messages(0, 40, MessageLog.Kind.CAPTURED);
            for (int i = 0; i < 40; i++) {
                if (i != 2) {
                    final long ns = 1_000L * (i + 1);
                    log.addCaptured(i, ns + 1, ns + 4, ns + 12);
                }
            }
        }

        final TailSummary tail = summaryBeside("capture", capture);

        assertThat(tail.whyNoStages()).isEmpty();
        assertThat(tail.stages())
                .contains(
                        new TailSummary.Stages(
                                0,
                                50,
                                19,
                                1,
                                1,
                                0,
                                19,
                                19 * 3,
                                19 * 8,
                                19 * 5,
                                TailSummary.AtEcho.UNKNOWN,
                                TailSummary.Part.UNKNOWN,
                                TailSummary.Part.UNKNOWN));
    }

    /** Begin and end of interrupts as cores report them: not in order, and nested. */
    @Test
    void shouldCountEachNanosecondOfInterruptsOnce() {
        final OffCore thread = new OffCore(ClockLine.SAME);
        thread.isDated("");
        thread.interrupted("interrupt,1,0,500,600,irq:virtio0".split(",", -1));
        thread.interrupted("interrupt,1,0,110,120,irq:local-timer".split(",", -1));
        thread.interrupted("interrupt,1,0,100,200,softirq:timer".split(",", -1));
        thread.left(
                "off,1,0,300,400,1,7:a=40;7:C2_CompilerThre=20;8:reporter=30;9:x=10"
                        .split(",", -1));

        final Stall.Dated dated =
                thread.between(
                        0,
                        550,
                        0,
                        Map.of(7L, OffCore.Process.ROLE, 8L, OffCore.Process.ROLE),
                        List.of());

        assertThat(dated)
                .isEqualTo(
                        new Stall.Dated(
                                100,
                                0,
                                true,
                                Map.of(
                                        Cause.ROLE_PREEMPTED,
                                        40L,
                                        Cause.COMPILATION,
                                        20L,
                                        Cause.BENCH_PREEMPTED,
                                        30L),
                                10,
                                0,
                                Map.of(),
                                Map.of(Cause.INTERRUPT, 100L, Cause.OWN_INTERRUPT, 50L)));
        final Map<String, Long> instead = new HashMap<>();
        thread.addRanInstead(0, 550, instead);
        assertThat(instead).containsEntry("softirq:timer", 100L).containsEntry("a", 40L);
        assertThat(thread.between(350, 375, 0, Map.of(), List.of()).preemptedNs()).isEqualTo(25);
        final OffCore undated = new OffCore(ClockLine.SAME);
        undated.isDated("it may not");
        assertThat(undated.between(0, 1, 0, Map.of(), List.of())).isNull();
        assertThat(undated.lacks()).contains("context switches have no timestamps: it may not.");
    }

    /**
     * Three threads: the second runs on the first one's core but from 140 to 160, when a stranger
     * does; the third is on another core.
     */
    @Test
    void shouldKnowWhichOfItsOwnThreadsRanWhereOneWasToGoOn() {
        final OffCore first = offCore("off,1,0,100,200,1,,3,3", "off,1,0,300,400,0,,3,5");
        final OffCore second = offCore("off,1,1,90,100,1,,3,3", "off,1,1,140,160,1,,3,3");
        final OffCore third = offCore("off,1,2,10,20,1,,5,5");

        assertThat(first.between(0, 250, 100, Map.of(), List.of(second, third)).byOursNs())
                .containsOnly(Map.entry(Cause.ROLE_PREEMPTED, 80L));
        // woken at 390, behind the third on core 5
        final Stall.Dated woken = first.between(250, 450, 10, Map.of(), List.of(third));
        assertThat(woken.leftNs()).isEqualTo(100);
        assertThat(woken.firstNs()).containsOnly(Map.entry(Cause.ROLE_PREEMPTED, 10L));
        assertThat(first.cores()).containsExactlyInAnyOrder(3, 5);
    }

    /** The second runs on the first one's core; of 150 to 170 and from 190 on nothing is known. */
    @Test
    void shouldDateNothingWhereRecordsOfTheKernelAreMissing() {
        final OffCore first = offCore("off,1,0,100,200,1,,3,3", "off,1,0,300,400,1,,3,3");
        final OffCore second = offCore("off,1,1,90,100,1,,3,3");
        second.unseen("unseen,1,1,150,170".split(",", -1));
        second.unseen("unseen,1,1,190,".split(",", -1));
        final OffCore ended = offCore("off,1,2,90,100,1,,5,5");
        ended.ended("end,1,2,180".split(",", -1));

        assertThat(second.ranNs(0, 500)).isEqualTo(90 + 50 + 20);
        assertThat(ended.ranNs(0, 500)).isEqualTo(90 + 80);
        assertThat(ended.isDated(150, 250)).isTrue();
        // behind the first gap its core is not known, until it leaves it
        assertThat(first.between(0, 250, 100, Map.of(), List.of(second)).byOursNs())
                .containsOnly(Map.entry(Cause.ROLE_PREEMPTED, 50L));
        assertThat(second.between(100, 150, 0, Map.of(), List.of())).isNotNull();
        assertThat(second.between(140, 160, 0, Map.of(), List.of())).isNull();
        assertThat(second.between(800, 900, 0, Map.of(), List.of())).isNull();
        assertThat(second.isDated(170, 190)).isTrue();
        assertThat(second.isDated(180, 200)).isFalse();
    }

    private static OffCore offCore(final String... lines) {
        final OffCore thread = new OffCore(ClockLine.SAME);
        thread.isDated("");
        for (final String line : lines) {
            thread.left(line.split(",", -1));
        }
        return thread;
    }

    /** A compiler ran on the core that the thread left, and then where it was to wake up. */
    @Test
    void shouldKnowWhichThreadsThatAreNotWatchedRanWhereOneWasToGoOn() {
        final OffCore.Other compiler = new OffCore.Other(folder("a", role), "C2_CompilerThre");
        compiler.ran(100, 170, 3);
        compiler.ran(180, 190, 4);
        compiler.ran(390, 420, 5);
        final OffCore.Other reporter = new OffCore.Other(folder("a", role), "reporter");
        reporter.ran(170, 180, 3);
        final OffCore thread = offCore("off,1,0,100,200,1,,3,3", "off,1,0,300,400,0,,3,5");
        thread.beside(List.of(compiler, reporter));

        final Stall.Dated preempted = thread.between(0, 250, 100, Map.of(), List.of());
        assertThat(preempted.isNamed()).isFalse();
        assertThat(preempted.byOursNs())
                .containsOnly(
                        Map.entry(Cause.COMPILATION, 70L), Map.entry(Cause.BENCH_PREEMPTED, 10L));
        assertThat(thread.between(250, 450, 10, Map.of(), List.of()).firstNs())
                .containsOnly(Map.entry(Cause.COMPILATION, 10L));
        final Map<String, Long> instead = new HashMap<>();
        thread.addRanInstead(0, 250, instead);
        assertThat(instead)
                .containsOnly(Map.entry("C2_CompilerThre", 70L), Map.entry("reporter", 10L));
    }

    /** Of 10 ms in all, a thread did not have its core for 4: dated, so nobody else's is meant. */
    private TailSummary taken(final String... lines) throws Exception {
        return taken(0, lines);
    }

    /** Cores of its host decide, whatever the machine with the fewest has. */
    @Test
    void shouldJudgeStallsByTheCoresOfTheirOwnHost() throws Exception {
        Files.writeString(role.resolve(RoleFiles.CONTROLLER), "cores,1,3,2\n");
        final TailSummary.WatchedThread crowded =
                taken("dated,1,0,,7,6,,", "off,1,0,1000000,5000000,1,,3,3").threads().getFirst();
        assertThat(crowded.takenPart()).isZero();
        assertThat(crowded.whyUnattributed()).isEqualTo("the test has more hot threads than cores");

        // other threads of the roles ran for 4 ms meanwhile: on this core, where it is the only one
        Files.writeString(role.resolve(RoleFiles.CONTROLLER), "cores,1,1,1\n");
        assertThat(othersRan()).containsExactly("other threads of the roles ran");
        Files.writeString(role.resolve(RoleFiles.CONTROLLER), "cores,1,1,8\n");
        assertThat(othersRan())
                .containsExactly("another task or another thread of the test ran on the core");
    }

    private List<String> othersRan() throws Exception {
        delayedMessages();
        Files.write(
                role.resolve(RoleFiles.STALLS),
                List.of(
                        "watch,1,0,publisher,SEND_AND_RECEIVE,10000,",
                        "dated,1,0,no,7,6,,",
                        "stall,1,0,50000000,55000000,5000000,5000000,0,1,0,0,5000000,5000000"));
        return summary().orElseThrow().bands().stream()
                .flatMap(band -> band.charges().stream())
                .map(TailSummary.Charge::cause)
                .distinct()
                .toList();
    }

    /** The same with a CPU time of the other threads of the process. */
    private TailSummary taken(final long othersNs, final String... lines) throws Exception {
        try (StallRecording recording = new StallRecording(Optional.of(role), 1, () -> 0)) {
            recording.watch(
                    "publisher", StallWatch.Part.SEND_AND_RECEIVE, IdleMode.YIELD.notWatched());
            final MessageLog log = recording.messages(0, 1_000);
            for (int i = 0; i < 1_000; i++) {
                log.add(10_000L * i, 10_000L * i + 1, 10_000L * i + 10_000);
            }
        }
        Files.write(
                role.resolve(RoleFiles.STALLS),
                Stream.concat(
                                Stream.of(
                                        "watch,1,0,publisher,SEND_AND_RECEIVE,10000,",
                                        "stall,1,0,1000000,5000000,4000000,4000000,0,1,0,0,"
                                                + othersNs
                                                + ",4000000"),
                                Stream.of(lines))
                        .toList());
        return summary().orElseThrow();
    }

    private Optional<TailSummary> summaryWhereTaken(final double most) {
        return new TailReader()
                .summaryWhereTaken(
                        List.of(folder("latency-pub", role)),
                        ResultSamples.trial(null, List.of(), null),
                        most,
                        warnings::add);
    }

    /** In a search most trials need no more than that. */
    @Test
    void shouldNotLookAtMessagesWhereTheMachineCannotHaveHadTheCoreForLong() throws Exception {
        final String passed = "passed,1,0,0,10000000,0";
        final TailSummary whole =
                taken("dated,1,0,,7,6,,", "off,1,0,1000000,5000000,1,,3,3", passed);
        assertThat(summaryWhereTaken(0.3)).as("it had it for 0.4 of the time").contains(whole);

        Files.delete(role.resolve(RoleFiles.MESSAGES));
        assertThat(summaryWhereTaken(0.45)).as("the thread stood for no longer").isEmpty();

        Files.write(
                role.resolve(RoleFiles.STALLS),
                List.of(
                        "watch,1,0,publisher,SEND_AND_RECEIVE,10000,",
                        "stall,1,0,1000000,5000000,4000000,0,0,1,0,0,0,4000000",
                        passed));
        assertThat(summaryWhereTaken(0.3)).as("it stood, but waited for no core").isEmpty();
        assertThat(warnings).isEmpty();

        Files.writeString(role.resolve(RoleFiles.STALLS), "stall,1,0,abc\n");
        assertThat(summaryWhereTaken(0.3).orElseThrow().whyNotAttributed())
                .startsWith("what the roles noted cannot be read (");
    }

    @Test
    void shouldKnowForWhichPartOfTheTimeTheMachineHadTakenACore() throws Exception {
        final TailSummary.WatchedThread thread =
                taken("dated,1,0,,7,6,,", "off,1,0,1000000,5000000,1,,3,3").threads().getFirst();

        assertThat(thread.takenPart()).isCloseTo(0.4, within(0.001));
        assertThat(thread.takenBy()).isEqualTo("another task ran on the core");
    }

    /** The same times of messages, and the thread that was watched was never stalled. */
    @Test
    void shouldCallARunDisturbedOnlyWhereTheMachineStoppedAThread() throws Exception {
        messages(2_000, false, 3_000_000);
        Files.writeString(
                role.resolve(RoleFiles.STALLS),
                """
                watch,1,0,publisher,SEND_AND_RECEIVE,10000,
                dated,1,0,,7,6,,
                """);
        final TailSummary quiet = summary().orElseThrow();
        Files.writeString(
                role.resolve(RoleFiles.STALLS),
                """
                stall,1,0,1900000,4900000,3000000,3000000,0,1,0,0,0,3000000
                off,1,0,1900000,4900000,1,,3,3
                """,
                StandardOpenOption.APPEND);
        final TailSummary stopped = summary().orElseThrow();

        assertThat(quiet.threads().getFirst().stalls()).isZero();
        assertThat(quiet.machineDisturbed()).isFalse();
        assertThat(Labels.with(List.of(Labels.DISTURBED), quiet)).isEmpty();
        assertThat(stopped.machineDisturbed()).isTrue();
        assertThat(Labels.with(List.of(), stopped)).containsExactly(Labels.DISTURBED);
    }

    @Test
    void shouldNotChargeTheMachineWithWhatThreadsOfTheTestTakeFromEachOther() throws Exception {
        final TailSummary tail =
                taken(
                        "dated,1,0,,7,6,,",
                        "off,1,0,1000000,5000000,1,,3,3",
                        "watch,1,1,other,RECEIVE,10000,",
                        "dated,1,1,,7,6,,",
                        "off,1,1,0,1000000,1,,3,3");

        assertThat(tail.threads().getFirst().takenPart()).isZero();
        assertThat(tail.threads().getFirst().takenBy()).isEmpty();
    }

    /**
     * Nine tenths of the time the sender sends; of so many messages every fourth window is kept,
     * and what lies between two of them is no time in which it was idle.
     */
    @Test
    void shouldNotTakeWhatWasNotKeptForIdleness() throws Exception {
        final int count = 4 * MessageLog.MOST;
        try (StallRecording recording = new StallRecording(Optional.of(role), 1, () -> 0)) {
            recording.watch("publisher", StallWatch.Part.SEND, "");
            final MessageLog log = recording.messages(0, count);
            for (long i = 0; i < count; i++) {
                log.add(1_000 * i, 1_000 * i + 900, 1_000 * i + 950);
            }
        }

        final TailSummary tail = summary().orElseThrow();

        assertThat(tail.messages()).isEqualTo(MessageLog.MOST);
        assertThat(tail.of()).isEqualTo(count);
        assertThat(tail.undisturbed().refused())
                .contains("the sender was busy for more than 80 % of the time");
    }

    /**
     * Two threads of the test that never wait, on one core: what the kernel dates of one is what
     * the other ran, and only what neither of them ran can be the machine's.
     */
    @Test
    @Timeout(value = 300)
    void shouldTellItsOwnThreadsFromStrangersOnTheSameCore() throws Exception {
        final int core = Affinity.allowedCores().getFirst();
        final long[] ranNs = new long[2];
        final long[] span = {0, Long.MAX_VALUE};
        final AtomicInteger running = new AtomicInteger(2);
        try (StallRecording recording =
                new StallRecording(Optional.of(role), 1, SystemNanoClock.INSTANCE)) {
            final CyclicBarrier together = new CyclicBarrier(2);
            final List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                final int index = i;
                final StallWatch watch =
                        recording.watch(
                                "thread-" + i,
                                i == 0 ? StallWatch.Part.SEND : StallWatch.Part.RECEIVE,
                                "");
                threads.add(
                        Thread.ofPlatform()
                                .daemon()
                                .start(() -> {
                                    assertThat(Affinity.pin(core)).isEmpty();
                                    watch.begin();
                                    await(together);
                                    try (ThreadUsage usage =
                                            ThreadUsage.ofThisThread().orElseThrow()) {
                                        final long beforeNs = usage.cpuNs();
                                        final long beginNs = System.nanoTime();
                                        long nowNs = beginNs;
                                        boolean isEnough = false;
                                        while (running.get() > 0) {
                                            nowNs = System.nanoTime();
                                            watch.look(nowNs);
                                            usage.read();
                                            ranNs[index] = usage.cpuNs() - beforeNs;
                                            if (!isEnough && ranNs[index] > ENOUGH_NS) {
                                                isEnough = true;
                                                running.decrementAndGet();
                                            }
                                        }
                                        synchronized (span) {
                                            span[0] = Math.max(span[0], beginNs);
                                            span[1] = Math.min(span[1], nowNs);
                                        }
                                    }
                                    await(together); // the other runs on until both are done
                                    watch.end();
                                }));
            }
            for (final Thread thread : threads) {
                thread.join();
            }
            final MessageLog log = recording.messages(0, 1_000);
            for (int i = 0; i < 1_000; i++) {
                final long ns = span[0] + (span[1] - span[0]) / 1_000 * i;
                log.add(ns, ns, ns + 1);
            }
        }

        final TailSummary tail = summary().orElseThrow();
        final boolean isDated =
                tail.notWatched().stream()
                        .noneMatch(line -> line.matches(".*(not dated|no timestamps).*"));
        final double strangers = 1 - (double) (ranNs[0] + ranNs[1]) / (span[1] - span[0]);
        assertThat(tail.threads()).hasSize(2);
        for (final TailSummary.WatchedThread thread : tail.threads()) {
            assertThat((double) thread.stalledNs()).as(tail.toString()).isPositive();
            // each has no core for half of what both of them ran, and for what strangers did
            if (isDated) {
                assertThat(thread.takenPart())
                        .as(tail.toString())
                        .isCloseTo(strangers, within(0.1));
            } else { // no right to, or the kernel lost records on a busy machine
                assertThat(thread.takenPart() + thread.unattributedPart())
                        .as(tail.toString())
                        .isGreaterThan(strangers - 0.1);
            }
        }
    }

    private static void await(final CyclicBarrier together) {
        try {
            together.await();
        } catch (final InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Of 4 ms, another hot thread of the process ran for 1 on this core and for 3 on another: the
     * CPU time of the process has both, and only the first kept this thread from running.
     */
    @Test
    void shouldCountAThreadOfTheSameProcessOnlyWhereItRan() throws Exception {
        final TailSummary tail =
                taken(
                        4_000_000,
                        "dated,1,0,,7,6,,",
                        "off,1,0,1000000,5000000,1,,3,3",
                        "watch,1,1,other,RECEIVE,10000,",
                        "dated,1,1,,7,6,,",
                        "off,1,1,0,1000000,1,,5,3",
                        "off,1,1,2000000,2000001,1,,3,5");

        assertThat(tail.threads().getFirst().takenPart()).isCloseTo(0.3, within(0.001));
    }

    @Test
    void shouldNameAThreadThatIsNotWatchedBesideOneThatIs() throws Exception {
        final TailSummary tail = taken("watch,1,1,echo,ECHO,10000," + IdleMode.YIELD.notWatched());

        assertThat(tail.whyNotAttributed()).isEmpty();
        assertThat(tail.notWatched())
                .contains("latency-pub 1, echo: it gives up its core at each turn (yield).");
    }

    /** Its process was killed: nothing says that it ran on behind what it had written. */
    @Test
    void shouldNotTakeAThreadOfAKilledProcessForOneThatRanOn() throws Exception {
        final TailSummary tail =
                taken(
                        "dated,1,0,,7,6,,",
                        "off,1,0,1000000,5000000,1,,3,3",
                        "threshold,1,0,10000",
                        "watch,1,1,other,RECEIVE,10000,",
                        "dated,1,1,,7,6,,",
                        "off,1,1,0,500000,1,,3,3",
                        "ran,1,1,600000,0");

        assertThat(tail.threads().getFirst().takenPart()).isCloseTo(0.4, within(0.001));
        assertThat(tail.notWatched())
                .contains(
                        "latency-pub 1, other: its process ended before it had written everything: its last"
                                + " second is missing.");
    }

    /**
     * The file of a long trial has no room for more: from then on it may have been the test's own.
     */
    @Test
    void shouldNotChargeTheMachineWhereItIsNotKnownWhatOtherThreadsRan() throws Exception {
        final TailSummary tail =
                taken(
                        "dated,1,0,,7,6,,",
                        "off,1,0,1000000,5000000,1,,3,3",
                        "ran,1,0,500000,0",
                        "unsampled,1,0,600000",
                        "threshold,1,0,10000");

        assertThat(tail.threads().getFirst().takenPart()).isZero();
        assertThat(tail.threads().getFirst().unattributedPart()).isCloseTo(0.4, within(0.001));
        assertThat(tail.notWatched())
                .anyMatch(line ->
                        line.startsWith(
                                "latency-pub 1, publisher: 1 reading of what the other threads of its process ran is all"));
    }

    /** Two cores' worth of a quota used up for the middle two of the four milliseconds. */
    @Test
    void shouldKnowAQuotaWithoutDates() throws Exception {
        final TailSummary tail =
                taken(
                        "dated,1,0,it may not,7,6,,",
                        "throttled,1,2000000,70000000",
                        "throttled,1,4000000,73000000");

        assertThat(tail.threads().getFirst().takenPart()).isCloseTo(0.2, within(0.001));
        assertThat(tail.threads().getFirst().takenBy()).contains("quota");
    }

    /** Nobody knows whether the test's own had the core; then nobody knows that the quota had. */
    @Test
    void shouldNotTakeForAQuotaWhatTheTestsOwnMayHaveHad() throws Exception {
        final TailSummary.WatchedThread thread =
                taken(
                                "dated,1,0,it may not,7,6,,",
                                "foreign,1,0,the broker at localhost:1883",
                                "throttled,1,0,0",
                                "throttled,1,10000000,10000000")
                        .threads()
                        .getFirst();

        assertThat(thread.takenPart()).isZero();
        assertThat(thread.unattributedPart()).isCloseTo(0.4, within(0.001));
    }

    /** The last tenth of the messages waits for 3 ms, for two of which a counter has grown. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3000000,3000000 | throttled,1,0,5000000 | throttled,1,10000000,7000000 | a quota",
                "0,0 | stolen,1,0,0 | stolen,1,10000000,2000000 | the hypervisor"
            })
    void shouldApportionToAQuotaAndToTheHypervisorWhatTheirCountersSay(
            final String offAndWaited, final String from, final String to, final String cause)
            throws Exception {
        messages(2_000, false, 3_000_000);
        Files.write(
                role.resolve(RoleFiles.STALLS),
                List.of(
                        "watch,1,0,publisher,SEND_AND_RECEIVE,10000,",
                        "stall,1,0,1900000,4900000,%s,0,1,0,0,0,3000000".formatted(offAndWaited),
                        "dated,1,0,it may not,7,6,,",
                        from,
                        to));

        final List<TailSummary.Charge> charges =
                summary().orElseThrow().bands().stream()
                        .flatMap(band -> band.charges().stream())
                        .toList();

        final List<TailSummary.Charge> counted =
                charges.stream().filter(charge -> charge.cause().startsWith(cause)).toList();
        assertThat(counted)
                .isNotEmpty()
                .allMatch(charge -> charge.owner().equals(TailSummary.MACHINE))
                .allMatch(charge -> charge.evidence().equals("apportioned"));
        assertThat((double) ns(counted) / ns(charges)).isCloseTo(2.0 / 3, within(0.01));
    }

    private static long ns(final List<TailSummary.Charge> charges) {
        return charges.stream().mapToLong(TailSummary.Charge::ns).sum();
    }

    /** One message each 10 us; those of 5 ms are sent at the end of these. */
    private void delayedMessages() {
        try (StallRecording recording = new StallRecording(Optional.of(role), 1, () -> 0)) {
            recording.watch(
                    "publisher", StallWatch.Part.SEND_AND_RECEIVE, IdleMode.YIELD.notWatched());
            final MessageLog log = recording.messages(0, 10_000);
            for (int i = 0; i < 10_000; i++) {
                final long ns = 10_000L * (i + 1);
                final boolean isDelayed = ns >= 50_000_000 && ns <= 55_000_000;
                final long sentNs = isDelayed ? 55_000_000 + (ns - 50_000_000) / 10_000 : ns + 1;
                log.add(ns, sentNs, sentNs + 16);
            }
        }
    }

    /**
     * One message each 10 us, and a stall of 5 ms that delays 500 of them: by what is noted of it,
     * 95 % of what they took belong to whoever caused it.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "5000000,0,1,0,0,0,0 | off,1,0,50000000,55000000,0,,3,3/continued,1,55000100 | machine | stopped | dated",
                "5000000,5000000,0,1,0,0,0 | off,1,0,50000000,55000000,1,,3,3 | machine | another task | dated",
                "5000000,5000000,0,1,0,0,0 | off,1,0,50000000,55000000,1,9:x=5000000,3,3 | machine | another task | dated",
                "5000000,5000000,0,1,0,0,0 | off,1,0,50000000,55000000,1,7:x=5000000,3,3 | system | other threads | dated",
                "5000000,5000000,0,1,0,0,0 | off,1,0,50000000,55000000,1,6:x=5000000,3,3 | bench | the bench | dated",
                "5000000,5000000,0,1,0,0,0 | off,1,0,50000000,55000000,1,-2:not-recorded=4900000;9:x=100000,3,3"
                        + " | unknown | another task or | apportioned",
                "5000000,5000000,0,1,0,0,5000000 | off,1,0,50000000,55000000,1,,3,3"
                        + "/other,1,11,C2_CompilerThre/aside,1,11,50000000,55000000,3"
                        + " | system | compiled code | dated",
                "5000000,5000000,0,1,0,0,5000000 | off,1,0,50000000,55000000,1,,3,3"
                        + "/other,1,12,reporter/aside,1,12,50000000,55000000,3 | bench | the bench | dated",
                "5000000,5000000,0,1,0,0,0 | off,1,0,50000000,55000000,1,,3,3"
                        + "/other,1,14,controller/aside,1,14,50000000,55000000,3 | bench | the bench | dated",
                "5000000,5000000,0,1,0,0,5000000 | off,1,0,50000000,55000000,1,,3,3"
                        + "/other,1,13,G1_Conc#0/aside,1,13,50000000,55000000,5 | machine | another task | dated",
                "5000000,5000000,0,1,0,0,0 | off,1,0,50000000,55000000,1,,3,3"
                        + "/foreign,1,0,a broker | unknown | another task or | apportioned",
                "5000000,5000000,0,1,0,0,0 | off,1,0,50000000,55000000,1,9:x=5000000,3,3"
                        + "/foreign,1,0,a broker | unknown | another task or | apportioned",
                "5000000,5000000,0,1,0,0,0 | off,1,0,50000000,55000000,1,7:x=5000000,3,3"
                        + "/foreign,1,0,a broker | system | other threads | dated",
                "5000000,5000000,0,1,0,0,0 | unseen,1,0,49000000,56000000 | machine | another task | apportioned",
                "5000000,5000000,0,1,0,0,0 | unseen,1,0,49000000, | machine | another task | apportioned",
                "5000000,5000000,0,1,0,0,0 | dated,1,0,no,7,6,, | machine | another task | apportioned",
                "5000000,5000000,0,1,0,0,5000000 | dated,1,0,no,7,6,, | unknown | another thread of the test | apportioned",
                "5000000,5000000,0,1,0,0,10000000 | dated,1,0,no,7,6,, | system | other threads | apportioned",
                "5000000,5000000,0,1,0,0,0 | throttled,1,99000000,5000000 | machine | a quota | apportioned",
                "0,0,0,0,0,0,0 | stolen,1,99000000,5000000 | machine | the hypervisor | apportioned",
                "5000000,0,1,0,0,3,0 | off,1,0,50000000,55000000,0,,3,3 | system | from disk | apportioned",
                "0,0,0,0,3000,0,0 | ran,1,0,1,0 | system | page faults | apportioned",
                "0,0,0,0,0,0,0 | interrupt,1,0,50000000,55000000,softirq:timer | machine | a timer | dated",
                "0,0,0,0,0,0,0 | interrupt,1,0,50000000,55000000,irq:reschedule | unknown | may have caused | dated",
                "0,0,0,0,0,0,0 | interrupt,1,0,50000000,55000000,packets:eth0 | system | packets | dated",
                "0,0,0,0,0,0,0 | ran,1,0,1,0 | unknown | not in its loop | inferred",
                "5000000,0,1,0,0,0,0 | off,1,0,50000000,55000000,0,,3,3 | unknown | unknown reason | inferred"
            })
    void shouldChargeAtLeast95PercentToWhoeverCausedAStall(
            final String counted,
            final String more,
            final String owner,
            final String cause,
            final String evidence)
            throws Exception {
        delayedMessages();
        final List<String> lines = new ArrayList<>();
        lines.add("watch,1,0,publisher,SEND_AND_RECEIVE,10000,");
        if (!more.startsWith("dated")) {
            lines.add("dated,1,0,%s,7,6,,".formatted(more.startsWith("throttled") ? "no" : ""));
        }
        lines.add("stall,1,0,50000000,55000000,%s,5000000".formatted(counted));
        if (more.startsWith("throttled") || more.startsWith("stolen")) {
            lines.add(more.replace("99000000,5000000", "1000000,0"));
        }
        lines.addAll(List.of(more.split("/")));
        Files.write(role.resolve(RoleFiles.STALLS), lines);

        final TailSummary tail = summary().orElseThrow();

        final long allNs = tail.bands().stream().mapToLong(TailSummary.Band::aboveMedianNs).sum();
        final List<TailSummary.Charge> right =
                tail.bands().stream()
                        .flatMap(band -> band.charges().stream())
                        .filter(charge ->
                                charge.owner().equals(owner)
                                        && charge.cause().contains(cause)
                                        && charge.evidence().equals(evidence))
                        .toList();
        assertThat((double) ns(right) / allNs).as(tail.toString()).isGreaterThanOrEqualTo(0.95);
    }

    /** It waited in the kernel, which says nothing of a stop; the controller does. */
    @Test
    void shouldChargeAPlannedStopThatItsThreadDidNotNotice() throws Exception {
        delayedMessages();
        Files.write(
                role.resolve(RoleFiles.STALLS),
                List.of(
                        "watch,1,0,publisher,SEND_AND_RECEIVE,10000,",
                        "ran,1,0,0,0",
                        "stall,1,0,52000000,52100000,100000,0,1,0,0,0,0,100000",
                        "ran,1,0,99000000,0",
                        "continued,1,55000100"));
        Files.writeString(role.resolve(RoleFiles.CONTROLLER), "stopped,1,49500000,55900000\n");

        final TailSummary tail = summary().orElseThrow();

        final long allNs = tail.bands().stream().mapToLong(TailSummary.Band::aboveMedianNs).sum();
        final List<TailSummary.Charge> charges =
                tail.bands().stream().flatMap(band -> band.charges().stream()).toList();
        assertThat(charges)
                .isNotEmpty()
                .allMatch(charge -> charge.owner().equals("bench"))
                .allMatch(charge -> charge.cause().equals("a planned fault stopped the process"));
        assertThat((double) ns(charges) / allNs).as(tail.toString()).isGreaterThanOrEqualTo(0.95);
        assertThat(tail.undisturbed().leftOutPart()).isZero();
    }

    /**
     * A stop that is the plan's own is what the test measures: it is the bench's, never left out,
     * and no reason to call the run disturbed. The signals of another role say nothing of this one.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "stopped,1,49000000,55100000 | continued,1,55000100 | bench | a planned fault stopped the process",
                // the JVM does not say that it was continued
                "stopped,1,49000000,55100000 | threshold,1,0,10000 | bench | a planned fault stopped the process",
                // told to continue on another host, before its signal was sent there
                "stopped,1,30000000,49990000 | continued,1,55000100 | bench | a planned fault stopped the process",
                "stopped,1,10000000,20000000 | threshold,1,0,10000 | unknown | off the core for an unknown reason",
                // heard long after the stop, while it stood for another reason
                "stopped,1,-90000000,-60000000 | continued,1,55000100 | unknown | off the core for an unknown reason",
                // too long afterwards: it was stopped by hand as well
                "stopped,1,-9000000000,-8000000000 | continued,1,55000100 | machine | the process was stopped by a signal",
                "stopped,2,49000000,55100000 | continued,1,55000100 | machine | the process was stopped by a signal"
            })
    void shouldNotChargeTheMachineWithAStopThatIsThePlansOwn(
            final String noted,
            final String more,
            final String owner,
            final String cause,
            @TempDir final Path other)
            throws Exception {
        delayedMessages();
        Files.write(
                role.resolve(RoleFiles.STALLS),
                List.of(
                        "watch,1,0,publisher,SEND_AND_RECEIVE,10000,",
                        "dated,1,0,,7,6,,",
                        "ran,1,0,0,0",
                        "stall,1,0,50000000,55000000,5000000,0,1,0,0,0,0,5000000",
                        "off,1,0,50000000,55000000,0,,3,3",
                        "ran,1,0,99000000,0",
                        more));
        Files.writeString(role.resolve(RoleFiles.CONTROLLER), noted + "\n");
        Files.write(
                other.resolve(RoleFiles.STALLS),
                List.of(
                        "watch,1,0,consumer,RECEIVE,10000,",
                        "ran,1,0,0,0",
                        "continued,1,55000100",
                        "ran,1,0,99000000,0"));

        final TailSummary tail = summaryBeside("market-consumer", other);

        assertThat(tail.bands())
                .flatExtracting(TailSummary.Band::charges)
                .isNotEmpty()
                .allMatch(charge -> charge.owner().equals(owner))
                .allMatch(charge -> charge.cause().equals(cause));
        assertThat(tail.machineDisturbed()).isEqualTo(owner.equals(TailSummary.MACHINE));
        assertThat(tail.undisturbed().refused()).isEmpty();
        assertThat(tail.undisturbed().leftOutPart() > 0)
                .isEqualTo(owner.equals(TailSummary.MACHINE));
    }

    /** Another role on this host whose CPU time is counted, and one of which it is not known. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "watch,1,0,consumer,RECEIVE,10000,/ran,1,0,1,0/ran,1,0,99000000,0 | machine | 0.05 | ''",
                "watch,1,0,consumer,RECEIVE,10000,it yields/server,1,9 | unknown | 0 | market-consumer 1 is not watched",
                "server,1,9 | unknown | 0 | market-consumer 1 is not watched"
            })
    void shouldChargeTheMachineOnlyWhereItIsKnownWhatEachRoleRan(
            final String ofTheOther,
            final String owner,
            final double takenPart,
            final String why,
            @TempDir final Path other)
            throws Exception {
        delayedMessages();
        Files.write(
                role.resolve(RoleFiles.STALLS),
                List.of(
                        "watch,1,0,publisher,SEND_AND_RECEIVE,10000,",
                        "dated,1,0,,7,6,,",
                        "stall,1,0,50000000,55000000,5000000,5000000,0,1,0,0,0,5000000",
                        "off,1,0,50000000,55000000,1,,3,3"));
        Files.write(other.resolve(RoleFiles.STALLS), List.of(ofTheOther.split("/")));

        final TailSummary tail = summaryBeside("market-consumer", other);

        assertThat(tail.threads().getFirst().takenPart()).isCloseTo(takenPart, within(0.001));
        assertThat(tail.threads().getFirst().whyUnattributed()).isEqualTo(why);
        assertThat(tail.bands())
                .flatExtracting(TailSummary.Band::charges)
                .isNotEmpty()
                .allMatch(charge -> charge.owner().equals(owner));
    }

    /** It sent as fast as it could, so that nothing is late, but another task had its core. */
    @Test
    void shouldKnowWhatTheMachineTookAlsoWhereNoMessagesWereNoted() throws Exception {
        Files.write(
                role.resolve(RoleFiles.STALLS),
                List.of(
                        "watch,1,0,publisher,SEND,10000,",
                        "ran,1,0,0,0",
                        "stall,1,0,1000000,5000000,4000000,4000000,0,1,0,0,0,4000000",
                        "dated,1,0,,7,6,,",
                        "off,1,0,1000000,5000000,1,,3,3",
                        "ran,1,0,10000000,0",
                        "threshold,1,0,50000"));

        final TailSummary tail = summary().orElseThrow();

        assertThat(tail.whyNotAttributed()).isNotEmpty();
        assertThat(tail.threads().getFirst().takenPart()).isCloseTo(0.4, within(0.001));
        assertThat(tail.threads().getFirst().thresholdNs()).isEqualTo(50_000);
    }

    @Test
    void shouldSayWhatItSawWhereItCannotTellWhoseItWas() throws Exception {
        final TailSummary.WatchedThread undated =
                taken("dated,1,0,it may not,7,6,,").threads().getFirst();
        assertThat(undated.takenPart()).isZero();
        assertThat(undated.unattributedPart()).isCloseTo(0.4, within(0.001));
        assertThat(undated.whyUnattributed()).isEqualTo("context switches have no timestamps");
        final TailSummary.WatchedThread served =
                taken(
                                "dated,1,0,,7,6,,",
                                "off,1,0,1000000,5000000,1,,3,3",
                                "foreign,1,0,the broker at localhost:1883")
                        .threads()
                        .getFirst();
        assertThat(served.takenPart()).isZero();
        assertThat(served.whyUnattributed())
                .isEqualTo("the engine uses the broker at localhost:1883");
        final TailSummary.WatchedThread partly =
                taken(
                                "dated,1,0,,7,6,,",
                                "off,1,0,1000000,5000000,1,,3,3",
                                "unseen,1,0,4000000,8000000")
                        .threads()
                        .getFirst();
        assertThat(partly.takenPart()).isZero();
        assertThat(partly.whyUnattributed())
                .isEqualTo("not all of its context switches have timestamps");
    }

    /**
     * The messages of the first tenth were kept; another task ran on the core in all of the rest.
     */
    @Test
    void shouldJudgeAStepByAllItsTimeThoughMessagesWereKeptOfItsBeginningOnly() throws Exception {
        final TailSummary tail =
                taken(
                        "dated,1,0,,7,6,,",
                        "off,1,0,1000000,5000000,1,,3,3",
                        "stall,1,0,10000000,100000000,90000000,90000000,0,1,0,0,0,90000000",
                        "off,1,0,10000000,100000000,1,,3,3",
                        "passed,1,1,0,900000000,0",
                        "passed,1,0,0,100000000,10000000");

        assertThat(tail.threads().getFirst().takenPart()).isCloseTo(0.94, within(0.001));
        assertThat(tail.undisturbed().refused())
                .contains("the times of messages were kept for the first 0.0 of 0.1 s only");
        assertThat(tail.notWatched())
                .contains(
                        "latency-pub 1: the times of messages were kept for the first 0.0 of 0.1 s only; what delayed the"
                                + " others is not known.");
        assertThat(taken("passed,1,0,0,10100000,10000000").undisturbed().refused())
                .as("nearly all were kept")
                .doesNotContain("were kept");
    }

    /** Of 10 ms, some 4 were noted; nobody knows who had the core in 3 of the last 5. */
    @Test
    void shouldNotTakeStallsThatWereNotNotedForQuiet() throws Exception {
        final TailSummary.WatchedThread thread =
                taken(
                                "dated,1,0,,7,6,,",
                                "off,1,0,1000000,5000000,1,,3,3",
                                "full,1,0,7,2000000,5000000,8000000",
                                "full,1,0,17,3000000,5000000,9900000")
                        .threads()
                        .getFirst();

        assertThat(thread.takenPart()).isCloseTo(0.4, within(0.001));
        assertThat(thread.unattributedPart()).isCloseTo(0.3, within(0.001));
        assertThat(thread.whyUnattributed()).isEqualTo("17 of its stalls were not noted");
        assertThat(taken("full,1,0,17,9000000,20000000,40000000").threads().getFirst())
                .as("in another step")
                .extracting(TailSummary.WatchedThread::unattributedPart)
                .isEqualTo(taken().threads().getFirst().unattributedPart());
        assertThat(taken("full,1,0,17").threads().getFirst())
                .as("of a build that noted their number alone")
                .extracting(TailSummary.WatchedThread::unattributedPart)
                .isEqualTo(taken().threads().getFirst().unattributedPart());
    }

    /** On its core by the kernel's count for all of 4 ms, of which the hypervisor had 3. */
    @Test
    void shouldCountWhatTheHypervisorTook() throws Exception {
        taken();
        Files.writeString(
                role.resolve(RoleFiles.STALLS),
                """
                watch,1,0,publisher,SEND_AND_RECEIVE,10000,
                stall,1,0,1000000,5000000,0,0,0,0,0,0,0,4000000
                dated,1,0,,7,6,,
                off,1,0,0,10,1,,1,1
                stolen,1,0,0;50000000
                stolen,1,10000000,0;53000000
                """);
        final TailSummary.WatchedThread thread = summary().orElseThrow().threads().getFirst();
        assertThat(thread.takenPart()).isCloseTo(0.3, within(0.001));
        assertThat(thread.takenBy()).isEqualTo("the hypervisor used the core");
    }

    @Test
    void shouldNameWhatServesTheEngineAndHowLongItWaitedForACore() throws Exception {
        taken(
                "foreign,1,0,the broker at localhost:1883",
                "waited,1,0,1000000,Aeron's media driver in /a (process 7)",
                "waited,1,20000000,5000000,Aeron's media driver in /a (process 7)",
                "waited,1,0,-1,Aeron's media driver in /b (process 8)",
                "waited,1,20000000,-1,Aeron's media driver in /b (process 8)");

        assertThat(summary().orElseThrow().notWatched())
                .contains(
                        "The engine uses the broker at localhost:1883, which is not watched: delays that"
                                + " it causes are in the rest.",
                        "The engine uses Aeron's media driver in /a (process 7), which is not watched: delays"
                                + " that it causes are in the rest. While the row was measured its threads waited for"
                                + " a core for about 2.0 ms, added"
                                + " up.",
                        "The engine uses Aeron's media driver in /b (process 8), which is not watched: delays"
                                + " that it causes are in the rest. The kernel does not"
                                + " say how long its threads waited for a core.");
    }

    @Test
    void shouldSayWhyItIsNotKnownWhereTheTailComesFrom() throws Exception {
        assertThat(summary().orElseThrow().whyNotAttributed())
                .isEqualTo("no role noted stalls or when messages passed");
        Files.writeString(
                role.resolve(RoleFiles.STALLS), "watch,1,0,publisher,SEND_AND_RECEIVE,10000,\n");
        assertThat(summary().orElseThrow().whyNotAttributed())
                .isEqualTo("no role noted when messages passed");
        Files.delete(role.resolve(RoleFiles.STALLS));
        messages(19, false);
        assertThat(summary().orElseThrow().whyNotAttributed())
                .isEqualTo("no thread was watched, as it gives up its core at each turn (yield)");
        Files.writeString(
                role.resolve(RoleFiles.STALLS), "watch,1,0,publisher,SEND_AND_RECEIVE,10000,\n");
        final TailSummary few = summary().orElseThrow();
        assertThat(few.whyNotAttributed())
                .isEqualTo("only 19 messages were recorded; 1,000 are needed")
                .isEqualTo(few.undisturbed().refused());
        assertThat(few.bands()).isEmpty();
        assertThat(few.threads()).as("it is watched whatever is known of messages").hasSize(1);
        Files.writeString(
                role.resolve(RoleFiles.STALLS),
                """
                watch,1,0,publisher,SEND,10000,
                watch,1,1,publisher-2,SEND,10000,
                """);
        assertThat(summary().orElseThrow().whyNotAttributed())
                .isEqualTo(
                        "several threads send or forward, and which of them handled a message is unknown");
        assertThat(warnings).isEmpty();
    }

    /** What cannot be read may have said that the machine had the cores for all of the time. */
    @Test
    void shouldNotPassARowUnlabelledWhereWhatItsRolesNotedCannotBeRead() throws Exception {
        Files.writeString(role.resolve(RoleFiles.STALLS), "stall,1,0,abc\n");
        final TrialResult row = ResultSamples.trial(null, List.of(), null);

        final TailSummary tail = summaryOf(row).orElseThrow();

        assertThat(warnings)
                .hasSize(1)
                .first()
                .asString()
                .contains("what the roles noted cannot be read");
        assertThat(tail.whyNotAttributed()).startsWith("what the roles noted cannot be read (");
        assertThat(tail.undisturbed().refused()).isEqualTo(tail.whyNotAttributed());
        assertThat(TakenRule.applied(row, tail, 0.2))
                .satisfies(
                        labelled -> assertThat(labelled.verdict()).isEqualTo(row.verdict()),
                        labelled -> assertThat(labelled.labels()).contains(Labels.PERHAPS_TAKEN));
        assertThat(TakenRule.applied(row, tail, 1).labels()).isEqualTo(row.labels());
        assertThat(summaryOf(row.voided("it was aborted", row.labels()))).isEmpty();
    }

    @Test
    void shouldBeSilentOfARowThatIsVoidOrHasNoLatency() {
        final TrialResult row = ResultSamples.trial(null, List.of(), null);

        assertThat(summaryOf(row.voided("it was aborted", row.labels()))).isEmpty();
        assertThat(summaryOf(row)).isPresent();
    }

    @Test
    void shouldShowStagesWhereNoStallCanBeCharged() {
        messages(100, true);

        final TailSummary tail = summary(kernelTimes(true)).orElseThrow();

        assertThat(tail.bands()).isEmpty();
        assertThat(tail.whyNotAttributed())
                .isEqualTo("no thread was watched, as it gives up its core at each turn (yield)")
                .isEqualTo(tail.undisturbed().refused());
        assertThat(tail.whyNoStages()).isEmpty();
        assertThat(tail.stages())
                .contains(
                        new TailSummary.Stages(
                                0,
                                50,
                                50,
                                0,
                                0,
                                0,
                                50,
                                100,
                                500,
                                200,
                                TailSummary.AtEcho.UNKNOWN,
                                TailSummary.Part.UNKNOWN,
                                TailSummary.Part.UNKNOWN));
    }

    @Test
    void shouldSayWhyThereAreNoStages() {
        assertThat(summary(kernelTimes(true)).orElseThrow().whyNoStages())
                .startsWith("no role on this host recorded the times of its messages");
        messages(100, false);
        assertThat(summary(kernelTimes("the kernel refuses")).orElseThrow().whyNoStages())
                .isEqualTo("the kernel refuses");
        assertThat(summary(kernelTimes(true)).orElseThrow().whyNoStages())
                .isEqualTo("no message of 100 has both kernel timestamps");
        assertThat(summary().orElseThrow().whyNoStages()).as("nobody asked").isEmpty();
    }

    @Test
    void shouldSayThatFewMessagesHaveNoStages() {
        messages(19, true);

        final TailSummary tail = summary(kernelTimes(true)).orElseThrow();

        assertThat(tail.stages()).isEmpty();
        assertThat(tail.whyNoStages())
                .isEqualTo("they need 20 messages or more, and there were 19");
    }

    /** Only the sender knows departures, only the receiver arrivals; the third was lost. */
    @Test
    void shouldPutTheTimesOfBothEndsOfAStreamTogether(@TempDir final Path sender) {
        try (StallRecording recording = new StallRecording(Optional.of(sender), 1, () -> 0)) {
            recording.watch("publisher", StallWatch.Part.SEND, IdleMode.YIELD.notWatched());
            final MessageLog log = recording.messages(0, 41, MessageLog.Kind.SENT);
            for (int i = 0; i < 41; i++) {
                final boolean isTold = i != 30;
                log.addSent(
                        i,
                        1_000L * i + 1,
                        isTold ? 1_000L * i + 2 : 0,
                        isTold ? 1_000L * i + 3 : 0);
            }
        }
        try (StallRecording recording = new StallRecording(Optional.of(role), 1, () -> 0)) {
            recording.watch("subscriber", StallWatch.Part.RECEIVE, IdleMode.YIELD.notWatched());
            final MessageLog log = recording.messages(0, 41, MessageLog.Kind.STAMPED);
            for (int i = 0; i < 41; i++) {
                if (i != 3) {
                    final long ns = 1_000L * i;
                    log.stamped(0, 0, ns + 13, 0);
                    log.addNumbered(i, ns, ns + 1, ns + 17);
                }
            }
        }

        final TailSummary tail =
                new TailReader()
                        .summary(
                                List.of(folder("stream-pub", sender), folder("stream-sub", role)),
                                ResultSamples.trial(null, List.of(kernelTimes(true)), null),
                                warnings::add)
                        .orElseThrow();

        assertThat(tail.of()).isEqualTo(40);
        assertThat(tail.stages())
                .containsExactly(
                        new TailSummary.Stages(
                                0,
                                50,
                                20,
                                0,
                                0,
                                0,
                                20,
                                40,
                                200,
                                80,
                                TailSummary.AtEcho.UNKNOWN,
                                new TailSummary.Part(20, 20),
                                TailSummary.Part.UNKNOWN),
                        new TailSummary.Stages(
                                50,
                                100,
                                19,
                                1,
                                1,
                                0,
                                19,
                                38,
                                190,
                                76,
                                TailSummary.AtEcho.UNKNOWN,
                                new TailSummary.Part(19, 19),
                                TailSummary.Part.UNKNOWN));
    }

    /** Pages given back under a buffer: each is mapped again when it is touched. */
    @Test
    void shouldChargePagesThatWereGivenBackToTheSystemUnderTest() throws Throwable {
        final MethodHandle madvise =
                Libc.handle(
                        "madvise",
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_INT));
        final long bytes = 64L << 20;
        try (Arena arena = Arena.ofConfined();
                StallRecording recording =
                        new StallRecording(Optional.of(role), 1, SystemNanoClock.INSTANCE)) {
            final MemorySegment buffer = arena.allocate(bytes, PAGE_BYTES);
            assertThat((int) madvise.invokeExact(buffer.address(), bytes, MADV_NOHUGEPAGE))
                    .isZero();
            assertThat((int) madvise.invokeExact(buffer.address(), bytes, MADV_DONTNEED)).isZero();
            final StallWatch watch =
                    recording.watch("publisher", StallWatch.Part.SEND_AND_RECEIVE, "");
            final MessageLog log = recording.messages(0, MESSAGES);
            watch.begin();
            for (int i = 0; i < MESSAGES; i++) {
                final long sentNs = System.nanoTime();
                watch.look(sentNs);
                if (i == MESSAGES / 2) {
                    for (long at = 0; at < bytes; at += PAGE_BYTES) {
                        buffer.set(ValueLayout.JAVA_BYTE, at, (byte) 1);
                    }
                }
                final long receivedNs = System.nanoTime();
                watch.look(receivedNs);
                log.add(sentNs, sentNs, receivedNs);
            }
            watch.end();
        }

        final TailSummary tail = summary().orElseThrow();

        final List<TailSummary.Charge> faults =
                tail.bands().stream()
                        .flatMap(band -> band.charges().stream())
                        .filter(charge -> charge.cause().contains("page faults"))
                        .toList();
        assertThat(faults)
                .as(tail.toString())
                .allMatch(charge -> charge.owner().equals(TailSummary.SYSTEM))
                .allMatch(charge -> charge.evidence().equals("apportioned"));
        assertThat(faults.stream().mapToLong(TailSummary.Charge::ns).sum())
                .as(tail.toString())
                .isGreaterThan(bytes / PAGE_BYTES * LEAST_OF_A_FAULT_NS);
    }

    @Test
    void shouldKeepWhatCouldNotBeTraced() throws Exception {
        messages(1_000, false);
        Files.writeString(
                role.resolve(RoleFiles.STALLS),
                """
                watch,1,0,publisher,SEND_AND_RECEIVE,10000,
                dated,1,0,,7,6,RAN_INSTEAD,the kernel forbids it
                untraced,1,0,INTERRUPTS,no files
                """);

        assertThat(summary().orElseThrow().notTraced())
                .containsExactly(
                        new TailSummary.NotTraced(
                                "latency-pub",
                                1,
                                "publisher",
                                TailSummary.Trace.RAN_INSTEAD,
                                "the kernel forbids it"),
                        new TailSummary.NotTraced(
                                "latency-pub",
                                1,
                                "publisher",
                                TailSummary.Trace.INTERRUPTS,
                                "no files"));
    }

    @Test
    void shouldRefuseUndisturbedFiguresWhereStallsOrRecordsOfThemWereLost() throws Exception {
        messages(1_000, false);
        Files.writeString(
                role.resolve(RoleFiles.STALLS),
                """
                watch,1,0,publisher,SEND_AND_RECEIVE,10000,
                dated,1,0,,7,6,,
                full,1,0,17,170000,300000,700000
                undated,1,0,23,42
                """);

        final TailSummary tail = summary().orElseThrow();

        assertThat(tail.undisturbed().refused()).isEqualTo("17 stalls were not noted");
        assertThat(tail.notWatched())
                .contains(
                        "latency-pub 1, publisher: 17 of its stalls were not noted, 0.2 ms in all, because there was no room"
                                + " for them: what they delayed is in the rest.")
                .anyMatch(line -> line.contains("23 of the kernel's records of it were lost"))
                .anyMatch(
                        line -> line.contains("42 of the kernel's records of its cores were lost"));
    }
}
