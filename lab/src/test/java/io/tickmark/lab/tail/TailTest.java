package io.tickmark.lab.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.host.Libc;
import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.stall.MessageLog;
import io.tickmark.kernel.stall.StallRecording;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.lab.result.ResultSamples;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files as roles write them. */
class TailTest {
    private static final int MADV_DONTNEED = 4;
    private static final int MADV_NOHUGEPAGE = 15;
    private static final long PAGE_BYTES = 4_096;
    private static final long LEAST_OF_A_FAULT_NS = 50;
    private static final int MESSAGES = 20_000;

    private final List<String> warnings = new ArrayList<>();

    @TempDir private Path role;

    private Optional<TailSummary> summary(final RoleSummary... roles) {
        final TrialResult row = ResultSamples.trial(null, List.of(roles), null);
        return Tail.summary(
                List.of(new Tail.RoleFolder("latency-pub", 1, Optional.of(role), Optional.empty())),
                row,
                warnings::add);
    }

    private static RoleSummary kernelTimes(final Object told) {
        return new RoleSummary("latency-pub", 1, Map.of(RoleSummary.KERNEL_TIMES, told), List.of());
    }

    /** A role that waits on purpose and keeps its messages, each on its way for 10 ns. */
    private void messages(final int count, final boolean areStamped) {
        try (StallRecording recording = new StallRecording(Optional.of(role), 1, () -> 0)) {
            recording.watch(
                    "publisher", StallWatch.Part.SEND_AND_RECEIVE, "it waits on purpose (block)");
            final MessageLog log =
                    recording.messages(
                            0,
                            count,
                            areStamped ? MessageLog.Kind.STAMPED : MessageLog.Kind.RECEIVED);
            for (int i = 0; i < count; i++) {
                final long ns = 1_000L * (i + 1);
                log.add(i, ns, ns + 1, ns + 3, ns + 13, ns + 17);
            }
        }
    }

    @Test
    void shouldSayThatWhatAKilledRoleWroteIsCutOff() throws Exception {
        Files.writeString(
                role.resolve(RoleFiles.STALLS),
                "watch,1,0,pinger,SEND_AND_RECEIVE,10000,\nstall,1,0,12");

        assertThat(summary()).isEmpty();
        assertThat(warnings).singleElement().asString().contains("repeat 1", "cannot be read");
    }

    /** Begin and end of interrupts as cores report them: not in order, and nested. */
    @Test
    void shouldCountEachNanosecondOfInterruptsOnce() {
        final OffCore thread = new OffCore();
        thread.isDated("");
        thread.interrupted("interrupt,1,0,500,600,irq:virtio0".split(",", -1));
        thread.interrupted("interrupt,1,0,110,120,irq:local-timer".split(",", -1));
        thread.interrupted("interrupt,1,0,100,200,softirq:timer".split(",", -1));
        thread.left(
                "off,1,0,300,400,1,7:a=40;7:C2_CompilerThre=20;8:reporter=30;9:x=10"
                        .split(",", -1));

        final Stall.Dated dated =
                thread.between(0, 550, Map.of(7L, OffCore.Process.ROLE, 8L, OffCore.Process.ROLE));

        assertThat(dated).isEqualTo(new Stall.Dated(100, 0, true, 40, 20, 30, 10, 150));
        assertThat(thread.mostInstead(0, 550)).isEqualTo("softirq:timer");
        assertThat(thread.between(350, 375, Map.of()).preemptedNs()).isEqualTo(25);
        final OffCore undated = new OffCore();
        undated.isDated("it may not");
        assertThat(undated.between(0, 1, Map.of())).isNull();
        assertThat(undated.lacks()).contains("its switches are not dated: it may not.");
    }

    @Test
    void shouldBeSilentWhereRolesNoteNothing() {
        assertThat(summary()).isEmpty();
        assertThat(warnings).isEmpty();
    }

    @Test
    void shouldShowStagesWhereNoStallCanBeCharged() {
        messages(100, true);

        final TailSummary tail = summary(kernelTimes(true)).orElseThrow();

        assertThat(tail.bands()).isEmpty();
        assertThat(tail.undisturbed().refused()).isEqualTo("no thread was watched");
        assertThat(tail.whyNoStages()).isEmpty();
        assertThat(tail.stages()).contains(new TailSummary.Stages(0, 50, 50, 0, 50, 100, 500, 200));
    }

    @Test
    void shouldSayWhyThereAreNoStages() {
        assertThat(summary(kernelTimes(true)).orElseThrow().whyNoStages())
                .startsWith("no role on this host noted the times of its messages");
        messages(100, false);
        assertThat(summary(kernelTimes("the kernel refuses")).orElseThrow().whyNoStages())
                .isEqualTo("the kernel refuses");
        assertThat(summary(kernelTimes(true)).orElseThrow().whyNoStages())
                .isEqualTo("the kernel gave no two times of any of 100 messages");
        assertThat(summary()).isEmpty();
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
            recording.watch("publisher", StallWatch.Part.SEND, "it waits on purpose (block)");
            final MessageLog log = recording.messages(0, 41, MessageLog.Kind.SENT);
            for (int i = 0; i < 41; i++) {
                log.addSent(i, 1_000L * i + 1, i == 30 ? 0 : 1_000L * i + 3);
            }
        }
        try (StallRecording recording = new StallRecording(Optional.of(role), 1, () -> 0)) {
            recording.watch("subscriber", StallWatch.Part.RECEIVE, "it waits on purpose (block)");
            final MessageLog log = recording.messages(0, 41, MessageLog.Kind.STAMPED);
            for (int i = 0; i < 41; i++) {
                if (i != 3) {
                    final long ns = 1_000L * i;
                    log.add(i, ns, ns + 1, 0, ns + 13, ns + 17);
                }
            }
        }

        final TailSummary tail =
                Tail.summary(
                                List.of(
                                        new Tail.RoleFolder(
                                                "stream-pub",
                                                1,
                                                Optional.of(sender),
                                                Optional.empty()),
                                        new Tail.RoleFolder(
                                                "stream-sub",
                                                1,
                                                Optional.of(role),
                                                Optional.empty())),
                                ResultSamples.trial(null, List.of(kernelTimes(true)), null),
                                warnings::add)
                        .orElseThrow();

        assertThat(tail.of()).isEqualTo(40);
        assertThat(tail.stages())
                .containsExactly(
                        new TailSummary.Stages(0, 50, 20, 0, 20, 40, 200, 80),
                        new TailSummary.Stages(50, 90, 15, 1, 15, 30, 150, 60));
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
                """);

        assertThat(summary().orElseThrow().notTraced())
                .containsExactly(
                        new TailSummary.NotTraced(
                                "latency-pub",
                                1,
                                "publisher",
                                TailSummary.Trace.RAN_INSTEAD,
                                "the kernel forbids it"));
    }
}
