package io.tickmark.kernel.stall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.IdleStrategies;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The switches that the kernel dates for threads that sleep or share a core, compared with what
 * they did.
 */
@Timeout(value = 300)
class SwitchesTest {
    private static final long SLEEP_MS = 20;
    private static final int PAGES = 16;

    /** A ring of 256 KiB holds some 5,400 records, two for each. */
    private static final int MORE_SWITCHES = 8_000;

    /** How often the shared core is taken from a thread, however busy the machine is. */
    private static final int PREEMPTIONS = 50;

    private volatile boolean isOver;
    private volatile long turns;

    @AfterEach
    void end() {
        isOver = true;
        System.clearProperty(StallRecording.EXPLAIN_PROPERTY);
    }

    private record Switch(boolean leaves, boolean isPreempted, long timeNs) {}

    private static PerfRing ring() {
        return ring(PAGES);
    }

    private static PerfRing ring(final int pages) {
        try {
            return PerfRing.ofThisThread(pages);
        } catch (final PerfRing.Refused e) {
            assumeTrue(false, e.getMessage());
            throw new AssertionError(e);
        }
    }

    /** Why it cannot be looked at what runs on the cores; empty where it can. */
    private static Optional<String> whyNotTraced() {
        try (CoreTrace cores = new CoreTrace()) {
            cores.watchThisThread(0);
            return Optional.ofNullable(cores.lacks().get(TailSummary.Trace.RAN_INSTEAD));
        }
    }

    private static List<Switch> read(final PerfRing ring) {
        final List<Switch> switches = new ArrayList<>();
        ring.drain((final int type, final int misc, final ByteBuffer record) -> {
            if (type == PerfRing.SWITCH) {
                final int trailer = record.limit() - PerfRing.TRAILER_BYTES;
                switches.add(
                        new Switch(
                                (misc & PerfRing.LEAVES) != 0,
                                (misc & PerfRing.PREEMPTED) != 0,
                                record.getLong(trailer + 8)));
            }
        });
        return switches;
    }

    private static long switchesOf(final ThreadUsage usage) {
        usage.read();
        return usage.voluntary() + usage.involuntary();
    }

    @Test
    void shouldDateASleepOnTheClockOfTheMeasurement() throws Exception {
        try (PerfRing ring = ring()) {
            read(ring);
            final long beforeNs = System.nanoTime();
            Thread.sleep(SLEEP_MS);
            final long afterNs = System.nanoTime();

            final List<Switch> during =
                    read(ring).stream()
                            .filter(each -> each.timeNs() >= beforeNs && each.timeNs() <= afterNs)
                            .toList();
            long sleptNs = 0;
            for (int i = 0; i + 1 < during.size(); i++) {
                if (during.get(i).leaves() && !during.get(i).isPreempted()) {
                    sleptNs += during.get(i + 1).timeNs() - during.get(i).timeNs();
                }
            }
            assertThat(sleptNs)
                    .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(SLEEP_MS) * 9 / 10)
                    .isLessThanOrEqualTo(afterNs - beforeNs);
        }
    }

    /** Of the larger ring more is read at a time than is copied at once. */
    @ParameterizedTest
    @CsvSource({"16, 40, 60", "64, 2, 1200"})
    void shouldReadEachRecordOnceHoweverOftenTheRingGoesRound(
            final int pages, final int rounds, final int sleeps) throws Exception {
        try (PerfRing ring = ring(pages);
                ThreadUsage usage = ThreadUsage.ofThisThread().orElseThrow()) {
            final long beforeFirst = switchesOf(usage);
            read(ring);
            final long afterFirst = switchesOf(usage);
            long last = Long.MIN_VALUE;
            int leaves = 0;
            // a ring of 64 KiB holds some 1,300 records; a sleep makes two, or none where its time
            // is over before the thread has left the core
            for (int round = 0; round < rounds; round++) {
                for (int i = 0; i < sleeps; i++) {
                    Thread.sleep(0, 1_000);
                }
                for (final Switch each : read(ring)) {
                    assertThat(each.timeNs()).isGreaterThanOrEqualTo(last);
                    last = each.timeNs();
                    leaves += each.leaves() ? 1 : 0;
                }
            }
            // the kernel counts a thread's switches without the ring
            final long beforeLast = switchesOf(usage);
            leaves += (int) read(ring).stream().filter(Switch::leaves).count();
            final long afterLast = switchesOf(usage);
            assertThat(beforeLast - afterFirst).isGreaterThan(1_300);
            assertThat((long) leaves).isBetween(beforeLast - afterFirst, afterLast - beforeFirst);
        }
    }

    private static final int TRACED_CORE = 3;
    private static final int IDLE = 0;

    /** A record of a switch as the kernel writes it: the trailer alone. */
    private static void switchTo(
            final CoreTrace trace, final CoreTrace.Core core, final int task, final long timeNs) {
        final ByteBuffer record = ByteBuffer.allocate(PerfRing.TRAILER_BYTES);
        record.order(ByteOrder.nativeOrder());
        record.putInt(0, task).putInt(4, task).putLong(8, timeNs);
        trace.on(core, PerfRing.SWITCH_ON_CORE, 0, record);
    }

    /** So many switches in a round, one each 10 ns; the first ones are not there any more. */
    @Test
    void shouldCountWhatItOverwritesAndNameNobodyForIt() {
        final CoreTrace trace = new CoreTrace(List.of(), (_, _) -> null);
        final CoreTrace.Core core = trace.add(new CoreTrace.Core(TRACED_CORE, null));
        final int room = 1 << 16;
        for (int i = 0; i < room; i++) {
            switchTo(trace, core, IDLE, 10L * i);
        }
        assertThat(trace.lost()).isZero();
        trace.interrupts(); // all were asked for
        for (int i = room; i < 2 * room; i++) {
            switchTo(trace, core, IDLE, 10L * i);
        }
        assertThat(trace.lost()).isZero();
        for (int i = 2 * room; i < 2 * room + 100; i++) {
            switchTo(trace, core, IDLE, 10L * i);
        }

        assertThat(trace.lost()).isEqualTo(100);
        final long oldestNs = 10L * (room + 100);
        assertThat(trace.ran(TRACED_CORE, oldestNs - 300, oldestNs + 50))
                .isEqualTo("0:none-or-outside-this-container=50;-2:not-recorded=300");
        assertThat(trace.ran(TRACED_CORE, oldestNs, oldestNs + 50))
                .isEqualTo("0:none-or-outside-this-container=50");
        assertThat(trace.ran(TRACED_CORE, 0, 500)).isEqualTo("-2:not-recorded=500");
    }

    /** The kernel dropped some between 100 and 200: who ran from then on is not known. */
    @Test
    void shouldNameNobodyWhereTheKernelDroppedRecordsOfACore() {
        final CoreTrace trace = new CoreTrace(List.of(), (_, _) -> null);
        final CoreTrace.Core core = trace.add(new CoreTrace.Core(TRACED_CORE, null));
        switchTo(trace, core, IDLE, 50);
        switchTo(trace, core, IDLE, 100);
        final ByteBuffer lost = ByteBuffer.allocate(16 + PerfRing.TRAILER_BYTES);
        lost.order(ByteOrder.nativeOrder());
        lost.putLong(8, 7);
        trace.on(core, PerfRing.LOST, 0, lost);
        switchTo(trace, core, IDLE, 200);

        assertThat(trace.lost()).isEqualTo(7);
        assertThat(trace.ran(TRACED_CORE, 60, 260))
                .isEqualTo("0:none-or-outside-this-container=100;-2:not-recorded=100");
    }

    @Test
    void shouldCountInterruptsForWhichThereIsNoRoom() throws Exception {
        final CoreTrace trace =
                new CoreTrace(
                        List.of(),
                        (_, _) -> {
                            throw new PerfRing.Refused("it may not");
                        });
        trace.watchThisThread(0);
        final int own =
                Integer.parseInt(
                        Path.of("/proc/thread-self").toRealPath().getFileName().toString());
        final int room = 1 << 16;
        for (int i = 0; i < room + 5; i++) {
            trace.keep(own, 10_000L * i, 10_000L * i + 3_000, "irq:x");
        }

        assertThat(trace.lost()).isEqualTo(5);
        assertThat(trace.interrupts()).hasSize(room);
    }

    /** Two threads that never wait on one core: each is off it while the other runs. */
    @Test
    void shouldReportWhoHadTheCoreOfAThreadThatWouldHaveRunOn(@TempDir final Path folder)
            throws Exception {
        try (PerfRing _ = ring()) {
            // it is allowed
        }
        final Optional<String> untraced = whyNotTraced();
        final int core = Affinity.allowedCores().getFirst();
        System.setProperty(StallRecording.EXPLAIN_PROPERTY, "true");
        final StallRecording recording =
                new StallRecording(Optional.of(folder), 1, SystemNanoClock.INSTANCE);
        final StallWatch watch = recording.watch("measuring", StallWatch.Part.SEND, "");
        final CountDownLatch ready = new CountDownLatch(2);
        final long[] measured = new long[3];
        final Thread other =
                Thread.ofPlatform()
                        .daemon()
                        .name("competitor")
                        .start(() -> spinUntilOver(core, ready));
        final Thread measuring =
                Thread.ofPlatform()
                        .daemon()
                        .name("measuring")
                        .start(() -> {
                            assertThat(Affinity.pin(core)).isEmpty();
                            ready.countDown();
                            await(ready);
                            watch.begin();
                            final ThreadUsage usage = ThreadUsage.ofThisThread().orElseThrow();
                            usage.read();
                            final long waitedNs = usage.runDelayNs();
                            final long preempted = usage.involuntary();
                            final long beginNs = System.nanoTime();
                            long nowNs = beginNs;
                            long seen = turns;
                            while (usage.involuntary() - preempted < PREEMPTIONS && !isOver) {
                                nowNs = System.nanoTime();
                                watch.look(nowNs);
                                if (turns != seen) { // it ran, so this thread did not
                                    seen = turns;
                                    usage.read();
                                }
                            }
                            usage.read();
                            measured[0] = beginNs;
                            measured[1] =
                                    System.nanoTime(); // it may have waited since its last look
                            measured[2] = usage.runDelayNs() - waitedNs;
                            usage.close();
                            watch.end();
                        });
        while (!measuring.join(Duration.ofMillis(50))) {
            recording.readCores(); // as the reporter does: an ended thread has no name any more
        }
        isOver = true;
        other.join();
        recording.close();

        final List<String[]> lines =
                Files.readAllLines(folder.resolve(RoleFiles.STALLS)).stream()
                        .map(line -> line.split(",", -1))
                        .toList();
        final String[] dated =
                lines.stream().filter(line -> line[0].equals("dated")).findFirst().orElseThrow();
        assertThat(dated[3]).isEmpty();
        final List<String[]> off =
                lines.stream()
                        .filter(line -> line[0].equals("off") && line[5].equals("1"))
                        .toList();
        assertThat(off)
                .as("as often as the kernel counts")
                .hasSizeGreaterThanOrEqualTo(PREEMPTIONS);
        final long offNs = offNs(off, measured);
        final long sleptNs =
                offNs(
                        lines.stream()
                                .filter(line -> line[0].equals("off") && line[5].equals("0"))
                                .toList(),
                        measured);
        // it stays on the core that it is pinned to
        assertThat(off).allMatch(line -> line[7].equals("" + core) && line[8].equals("" + core));
        // by the kernel's own count of what the thread waited for its core, strangers included
        // where its JVM held it, it may have waited at the end of a sleep as well
        assertThat((double) offNs).isBetween(0.9 * measured[2] - sleptNs, 1.1 * measured[2]);
        assumeTrue(untraced.isEmpty(), () -> untraced.orElseThrow());
        assertThat(lines)
                .as("refused while it was allowed before")
                .noneMatch(line ->
                        line[0].equals("untraced")
                                && line[3].equals(TailSummary.Trace.RAN_INSTEAD.name()));
        final long named =
                off.stream()
                        .flatMap(line -> Arrays.stream(line[6].split(";")))
                        .filter(who ->
                                who.startsWith(ProcessHandle.current().pid() + ":competitor="))
                        .mapToLong(who -> Long.parseLong(who.substring(who.indexOf('=') + 1)))
                        .sum();
        assertThat(named).isPositive();
    }

    /**
     * A thread that nobody watches, as a compiler is, on the core of one that is: whenever it ran,
     * the other did not.
     */
    @Test
    void shouldDateWhatTheOtherThreadsOfTheProcessRan(@TempDir final Path folder) throws Exception {
        try (PerfRing _ = ring()) {
            // it is allowed
        }
        final int core = Affinity.allowedCores().getFirst();
        final StallRecording recording =
                new StallRecording(Optional.of(folder), 1, SystemNanoClock.INSTANCE);
        final StallWatch watch = recording.watch("measuring", StallWatch.Part.SEND, "");
        final CountDownLatch ready = new CountDownLatch(2);
        final CountDownLatch begun = new CountDownLatch(1);
        final Thread other =
                Thread.ofPlatform()
                        .daemon()
                        .name("competitor")
                        .start(() -> spinUntilOver(core, ready));
        final Thread measuring =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            assertThat(Affinity.pin(core)).isEmpty();
                            ready.countDown();
                            await(ready);
                            watch.begin();
                            begun.countDown();
                            while (!isOver) {
                                watch.look(System.nanoTime());
                            }
                            watch.end();
                        });
        await(begun);
        recording.write(); // finds the threads
        final long fromNs = System.nanoTime();
        final List<String[]> lines = new ArrayList<>();
        while (count(lines, "off") < PREEMPTIONS || count(lines, "aside") < PREEMPTIONS) {
            Thread.sleep(SLEEP_MS);
            recording.write();
            lines.clear();
            Files.readAllLines(folder.resolve(RoleFiles.STALLS))
                    .forEach(line -> lines.add(line.split(",", -1)));
        }
        isOver = true;
        measuring.join();
        other.join();
        recording.close();

        final List<String> numbers =
                lines.stream()
                        .filter(line -> line[0].equals("other") && line[3].equals("competitor"))
                        .map(line -> line[2])
                        .toList();
        assertThat(numbers).hasSize(1);
        final List<String[]> off = lines.stream().filter(line -> line[0].equals("off")).toList();
        long ranNs = 0;
        long besideNs = 0;
        final long toNs = Long.parseLong(off.getLast()[4]);
        for (final String[] ran : lines) {
            if (ran[0].equals("aside")
                    && ran[2].equals(numbers.getFirst())
                    && Long.parseLong(ran[3]) > fromNs
                    && Long.parseLong(ran[4]) <= toNs) {
                assertThat(ran[5]).isEqualTo("" + core);
                ranNs += Long.parseLong(ran[4]) - Long.parseLong(ran[3]);
                besideNs += offNs(off, new long[] {Long.parseLong(ran[3]), Long.parseLong(ran[4])});
            }
        }
        assertThat(ranNs).isPositive();
        assertThat((double) besideNs).isGreaterThan(0.99 * ranNs);
    }

    private static long count(final List<String[]> lines, final String kind) {
        return lines.stream().filter(line -> line[0].equals(kind)).count();
    }

    /** No switches are dated of it, without which neither of these says anything of its stalls. */
    @Test
    void shouldSayThatNothingIsExplainedOfAThreadThatParks(@TempDir final Path folder)
            throws Exception {
        System.setProperty(StallRecording.EXPLAIN_PROPERTY, "true");
        try (StallRecording recording =
                new StallRecording(Optional.of(folder), 1, SystemNanoClock.INSTANCE)) {
            final StallWatch watch = recording.watch("parking", StallWatch.Part.SEND, "");
            IdleStrategies.of(IdleMode.PARK, SystemNanoClock.INSTANCE).watch(watch);
            watch.begin();
            watch.end();
            recording.write();
        }

        assertThat(Files.readAllLines(folder.resolve(RoleFiles.STALLS)))
                .filteredOn(line -> line.startsWith("untraced,"))
                .containsExactly(
                        "untraced,1,0,RAN_INSTEAD,context switches of threads that park at each turn have no timestamps",
                        "untraced,1,0,INTERRUPTS,context switches of threads that park at each turn have no timestamps");
    }

    /** How long it was off its core between two times. */
    private static long offNs(final List<String[]> lines, final long[] measured) {
        return lines.stream()
                .mapToLong(line ->
                        Math.min(measured[1], Long.parseLong(line[4]))
                                - Math.max(measured[0], Long.parseLong(line[3])))
                .filter(ns -> ns > 0)
                .sum();
    }

    /** More switches than its ring holds, and nobody reads them meanwhile. */
    @Test
    void shouldCountTheRecordsOfSwitchesThatTheKernelDropped(@TempDir final Path folder)
            throws Exception {
        try (PerfRing _ = ring()) {
            // it is allowed
        }
        try (StallRecording recording =
                new StallRecording(Optional.of(folder), 1, SystemNanoClock.INSTANCE)) {
            final StallWatch watch = recording.watch("sleeping", StallWatch.Part.SEND, "");
            watch.begin();
            recording.write();
            try (ThreadUsage usage = ThreadUsage.ofThisThread().orElseThrow()) {
                final long before = switchesOf(usage);
                while (switchesOf(usage) - before < MORE_SWITCHES) {
                    for (int i = 0; i < 100; i++) {
                        Thread.sleep(0, 1_000);
                    }
                }
            }
            recording.write();
            Thread.sleep(SLEEP_MS); // the kernel says with the next record how many it dropped
            watch.end();
        }

        final List<String> undated =
                Files.readAllLines(folder.resolve(RoleFiles.STALLS)).stream()
                        .filter(line -> line.startsWith("undated,1,0,"))
                        .toList();
        assertThat(undated).hasSize(1);
        assertThat(Long.parseLong(undated.getFirst().split(",", -1)[3])).isPositive();
    }

    /** A role may end while one of its threads still runs: its memory has to be there. */
    @Test
    void shouldLetAThreadGoOnBehindTheEndOfItsRecording(@TempDir final Path folder)
            throws Exception {
        final StallRecording recording =
                new StallRecording(Optional.of(folder), 1, SystemNanoClock.INSTANCE);
        final StallWatch running = recording.watch("running", StallWatch.Part.SEND, "");
        final StallWatch late = recording.watch("late", StallWatch.Part.RECEIVE, "");
        running.begin();
        recording.close();
        late.begin();
        for (final StallWatch watch : List.of(running, late)) {
            watch.worked();
            Thread.sleep(1);
            watch.look(System.nanoTime());
            watch.sleeps();
            watch.waited(StallWatch.NOT_TIMED);
            watch.end();
        }

        assertThat(Files.readAllLines(folder.resolve(RoleFiles.STALLS)))
                .filteredOn(line -> line.startsWith("stall,"))
                .as("of what was behind its end")
                .isEmpty();
    }

    private static void record(
            final StallRecording.Switches to,
            final int type,
            final int misc,
            final long timeNs,
            final long lost) {
        final ByteBuffer record =
                ByteBuffer.allocate(2 * Long.BYTES + PerfRing.TRAILER_BYTES)
                        .order(ByteOrder.nativeOrder());
        record.putLong(Long.BYTES, lost);
        record.putLong(3 * Long.BYTES, timeNs);
        to.on(type, misc, record);
    }

    private static void left(final StallRecording.Switches to, final long ns, final long endNs) {
        record(to, PerfRing.SWITCH, PerfRing.LEAVES, ns, 0);
        record(to, PerfRing.SWITCH, 0, endNs, 0);
    }

    /** From the last record before the loss on: what came next may be among those that are lost. */
    @Test
    void shouldKnowFromWhenToWhenTheKernelDroppedRecords() {
        final StallRecording.Switches switches = new StallRecording.Switches();
        left(switches, 100, 200);
        record(switches, PerfRing.SWITCH, PerfRing.LEAVES, 300, 0);
        record(switches, PerfRing.LOST, 0, 700, 5);
        left(switches, 800, 900);

        assertThat(switches.notTaken()).isEqualTo(5);
        assertThat(switches.unseen()).containsExactly(new StallRecording.Unseen(300, 700));
    }

    @Test
    void shouldKnowUntilWhenAThreadMayHaveRun() {
        final StallRecording.Switches switches = new StallRecording.Switches();
        left(switches, 100, 200);
        assertThat(switches.endNs(1_000)).isEqualTo(1_000);
        record(switches, PerfRing.SWITCH, PerfRing.LEAVES, 300, 0);
        assertThat(switches.endNs(1_000)).isEqualTo(300);
    }

    @Test
    void shouldSeeNothingBehindTheLastSwitchThatItTakes() {
        final StallRecording.Switches switches = new StallRecording.Switches();
        for (int i = 1; i <= StallRecording.Switches.MOST; i++) {
            left(switches, 10L * i, 10L * i + 1);
        }
        assertThat(switches.unseen()).isEmpty();
        final long lastNs = 10L * StallRecording.Switches.MOST + 1;
        left(switches, lastNs + 9, lastNs + 10);
        left(switches, lastNs + 19, lastNs + 20);

        assertThat(switches.notTaken()).isEqualTo(2);
        assertThat(switches.unseen())
                .containsExactly(new StallRecording.Unseen(lastNs, StallRecording.FOR_GOOD));
    }

    /** As where perf_event_open is forbidden, and where tracing files are not mounted. */
    @Test
    void shouldSayWhatOfTheCoresCannotBeTraced(@TempDir final Path folder) {
        try (CoreTrace forbidden =
                new CoreTrace(
                        List.of(folder),
                        (_, _) -> {
                            throw new PerfRing.Refused("the kernel forbids it");
                        })) {
            forbidden.watchThisThread(0);
            forbidden.drain();
            assertThat(forbidden.lacks())
                    .containsExactly(
                            Map.entry(TailSummary.Trace.RAN_INSTEAD, "the kernel forbids it"));
            assertThat(forbidden.ran(0, 0, 1)).isEmpty();
        }
        try (PerfRing ring = ring();
                CoreTrace unmounted = new CoreTrace(List.of(folder), (_, _) -> ring)) {
            unmounted.watchThisThread(0);
            assertThat(unmounted.lacks()).containsOnlyKeys(TailSummary.Trace.INTERRUPTS);
            assertThat(unmounted.lacks().get(TailSummary.Trace.INTERRUPTS))
                    .contains("mount -t tracefs");
        }
    }

    /** Other hot threads of the role begin under the same lock. */
    @Test
    void shouldLinkWhatTracepointsCallBeforeItTakesTheLock(@TempDir final Path folder)
            throws Exception {
        try (PerfRing _ = ring()) {
            // it is allowed
        }
        final int linksBefore = PerfRing.tracepointLinks();
        System.setProperty(StallRecording.EXPLAIN_PROPERTY, "true");
        try (StallRecording recording =
                new StallRecording(Optional.of(folder), 1, SystemNanoClock.INSTANCE)) {
            final StallWatch watch = recording.watch("measuring", StallWatch.Part.SEND, "");
            final Thread measuring;
            synchronized (recording) {
                measuring = Thread.ofPlatform().daemon().start(watch::begin);
                while (measuring.getState() != Thread.State.BLOCKED) {
                    assertThat(measuring.isAlive()).isTrue();
                    Thread.onSpinWait();
                }
                assertThat(PerfRing.tracepointLinks()).isGreaterThan(linksBefore);
            }
            measuring.join();
        }
    }

    /** A kernel without a core of that number refuses, and says so in words. */
    @Test
    void shouldPassOnWhyTheKernelRefusesARing() {
        assertThatThrownBy(() -> PerfRing.ofCore(1 << 20, PAGES).close())
                .isInstanceOf(PerfRing.Refused.class)
                .message()
                .containsPattern("perf_event_open");
    }

    private void spinUntilOver(final int core, final CountDownLatch ready) {
        assertThat(Affinity.pin(core)).isEmpty();
        ready.countDown();
        for (long turn = 1; !isOver; turn++) {
            turns = turn;
        }
    }

    private static void await(final CountDownLatch latch) {
        try {
            latch.await();
        } catch (final InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
