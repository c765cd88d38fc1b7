package io.tickmark.kernel.stall;

import io.tickmark.kernel.host.EngineProcesses;
import io.tickmark.kernel.host.TakenTime;
import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.kernel.result.TailSummary;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.time.SteeredNanoClock;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The watches and message logs of one role in one trial, and their files: {@link RoleFiles#STALLS}
 * and {@link RoleFiles#MESSAGES} grow once a second, so that a role that dies leaves what it noted;
 * of the messages no more than can be written in about a millisecond, the rest at the end. Each
 * role writes the number of its process, also where it watches and logs nothing. Files never fail a
 * measurement.
 *
 * <p>Watches and logs are created by the role's thread, {@link #write} is called by the reporter's.
 */
public final class StallRecording implements AutoCloseable {
    /**
     * System property of a role's JVM: {@code true} makes it trace its cores as well, to record
     * which tasks ran there instead of its threads and which interrupts occurred.
     */
    public static final String EXPLAIN_PROPERTY = "tickmark.explain";

    /**
     * System property of a role's JVM: {@code true} makes it ask the kernel as well when the
     * threads of the process ran that started it. Of the roles of a host one is enough.
     */
    public static final String CONTROLLER_PROPERTY = "tickmark.datesController";

    /**
     * System property of a role's JVM: {@code false} makes its threads note neither stalls nor
     * times of messages, so that what noting them costs can be measured.
     */
    public static final String NOTING_PROPERTY = "tickmark.stalls";

    /** First number of a block of {@link RoleFiles#MESSAGES}: its format. */
    public static final int MESSAGES_FORMAT = 0x746d_0006;

    /** Before it was the one that has a single block for each step and kind. */
    public static final int MESSAGES_FORMAT_WITHOUT_PARTS = 0x746d_0005;

    /** Before it was the one that does not say when messages were queued. */
    public static final int MESSAGES_FORMAT_WITHOUT_QUEUES = 0x746d_0004;

    /** Before it was the one that says of a step only whether it was thinned. */
    public static final int MESSAGES_FORMAT_WITHOUT_WINDOWS = 0x746d_0003;

    /** The one of 0.1.0, which has no times of the kernel. */
    public static final int MESSAGES_FORMAT_1 = 0x746d_0001;

    /** About a millisecond's work of a core that hot threads may need. */
    private static final int MOST_MESSAGES_A_ROUND = 1 << 13;

    /** A hundred times as many are enough to have the code compiled by both compilers. */
    private static final int REHEARSED_STALLS = 100;

    private static final long REHEARSED_PERIOD_NS = 10_000;

    /** Without such dates, neither what ran instead nor an interrupt is known of a stall. */
    private static final String NOT_DATED =
            "context switches of threads that park at each turn have no timestamps";

    private static final long PID = ProcessHandle.current().pid();

    private final Optional<Path> directory;
    private final int repeat;
    private final NanoClock clock;
    private final List<StallLog> logs = new ArrayList<>();
    private final List<MessageLog> messages = new ArrayList<>();
    private final List<Integer> messagesWritten = new ArrayList<>();
    private final List<Integer> stallsWritten = new ArrayList<>();
    private final List<Integer> samplesWritten = new ArrayList<>();
    private final List<Long> notNotedWritten = new ArrayList<>();
    private final Set<Integer> unsampled = new HashSet<>();
    private final List<Switches> switches = new ArrayList<>();
    private final ConcurrentLinkedQueue<Long> continuedNs = new ConcurrentLinkedQueue<>();
    private final Set<Long> servers = new HashSet<>();
    private final Set<String> foreign = new HashSet<>();
    private final Set<String> waiting = new HashSet<>();
    private final StringBuilder lines = new StringBuilder();
    private final Taken taken;
    private MessageLog rehearsedMessages = MessageLog.off();
    private StallWatch rehearsedWatch = StallWatch.off();
    private final Runnable onContinue = this::continued;
    private volatile Runnable afterLongStall = () -> {};
    private final OtherThreads others = new OtherThreads(Boolean.getBoolean(CONTROLLER_PROPERTY));
    private String othersRefused = "";
    private CoreTrace cores;
    private String failure = "";
    private boolean isBegun;
    private Stalled stalled = Stalled.NONE;
    private boolean isClosed;

    /** A time that a thread was off its core, and the core that it came back to. */
    private record Absence(long beginNs, long endNs, boolean isPreempted, int core, int backOn) {}

    /**
     * A time in which the thread may have left its core and nothing says so: {@link #FOR_GOOD}
     * where it has no end.
     */
    record Unseen(long fromNs, long toNs) {}

    /** The end of what is not seen for the rest of the trial. */
    static final long FOR_GOOD = Long.MAX_VALUE;

    /** A thread's switches as the kernel records them; of the last, what is not written yet. */
    static final class Switches implements PerfRing.Records {
        /** Most of a trial, so that its files stay readable. */
        static final int MOST = 1 << 17;

        private long leftNs;
        private long lastNs;
        private boolean wasPreempted;
        private int core;
        private final List<Absence> read = new ArrayList<>();
        private final List<Unseen> unseen = new ArrayList<>();
        private int taken;
        private long takenUntilNs;
        private boolean isOver;
        private long notTaken;
        private boolean isDatingWritten;
        private final Set<TailSummary.Trace> untraced = new HashSet<>();

        @Override
        public void on(final int type, final int misc, final ByteBuffer record) {
            if (type != PerfRing.LOST && type != PerfRing.SWITCH) {
                return;
            }
            final int trailer = record.limit() - PerfRing.TRAILER_BYTES;
            final long timeNs = record.getLong(trailer + 8);
            if (type == PerfRing.LOST) {
                // the kernel writes it with the next record that the ring has room for
                notTaken += record.getLong(record.position() + 8);
                add(new Unseen(lastNs, timeNs));
                leftNs = 0;
            } else if ((misc & PerfRing.LEAVES) != 0) {
                leftNs = timeNs;
                core = record.getInt(trailer + 16);
                wasPreempted = (misc & PerfRing.PREEMPTED) != 0;
            } else if (leftNs != 0) {
                add(new Absence(leftNs, timeNs, wasPreempted, core, record.getInt(trailer + 16)));
                leftNs = 0;
            }
            lastNs = timeNs;
        }

        private void add(final Absence off) {
            if (taken < MOST) {
                taken++;
                takenUntilNs = off.endNs();
                read.add(off);
            } else {
                notTaken++;
                add(new Unseen(takenUntilNs, FOR_GOOD));
            }
        }

        private void add(final Unseen more) {
            if (!isOver) {
                isOver = more.toNs() == FOR_GOOD;
                unseen.add(more);
            }
        }

        /** Until when it may have run; {@code nowNs} was just before the last records were read. */
        long endNs(final long nowNs) {
            return leftNs == 0 ? nowNs : leftNs;
        }

        /** Records of switches that were lost, or not taken because there were too many. */
        long notTaken() {
            return notTaken;
        }

        /** When nothing was seen, as far as it is not written yet. */
        List<Unseen> unseen() {
            return List.copyOf(unseen);
        }
    }

    /**
     * Nothing is watched yet.
     *
     * @param directory of the role; where there is none, nothing is kept
     * @param repeat of the trial
     * @param clock of the role
     */
    public StallRecording(final Optional<Path> directory, final int repeat, final NanoClock clock) {
        this.directory =
                Boolean.parseBoolean(System.getProperty(NOTING_PROPERTY, "true"))
                        ? directory
                        : Optional.empty();
        this.repeat = repeat;
        this.clock = clock;
        this.taken = new Taken(clock);
    }

    /** Called by the thread that is watched, before it is watched. */
    private void begun(final StallLog log) {
        if (isExplained()) {
            PerfRing.linkTracepoints(); // not under the lock, for which others may wait
        }
        keep(log);
    }

    private synchronized void keep(final StallLog log) {
        if (isClosed) {
            if (log.switches() != null) {
                log.switches().close();
            }
            return;
        }
        others.watchesThisThread();
        if (isExplained()) {
            cores = cores == null ? new CoreTrace() : cores;
            cores.watchThisThread(logs.indexOf(log));
        }
    }

    private void continued() {
        continuedNs.add(clock.nanoTime());
    }

    /**
     * A watch for a hot thread.
     *
     * @param thread its name
     * @param part what it does with the messages
     * @param notWatched why it cannot be watched ({@code it blocks on purpose}); empty where it can
     * @return to be started by the thread itself
     */
    public synchronized StallWatch watch(
            final String thread, final StallWatch.Part part, final String notWatched) {
        if (directory.isEmpty()) {
            return StallWatch.off();
        }
        if (logs.isEmpty()) {
            ContinueSignals.listen(onContinue);
        }
        final StallLog log =
                new StallLog(thread, part, notWatched, this::begun, () -> afterLongStall.run());
        logs.add(log);
        stallsWritten.add(-1);
        samplesWritten.add(0);
        notNotedWritten.add(0L);
        switches.add(new Switches());
        return notWatched.isEmpty() ? new StallWatch(log, clock) : StallWatch.off();
    }

    /**
     * A log for the messages of a step.
     *
     * @param step its number
     * @param expected about how many there will be
     * @return the log
     */
    public MessageLog messages(final int step, final long expected) {
        return messages(step, expected, MessageLog.Kind.RECEIVED);
    }

    /**
     * A log for the messages of a step that follow each other within microseconds, such as the
     * copies of a fan-out: of many, single ones are kept, evenly spread.
     *
     * @param step its number
     * @param expected about how many there will be
     * @return the log
     */
    public MessageLog sample(final int step, final long expected) {
        return messages(new MessageLog(step, expected, MessageLog.Kind.RECEIVED, true));
    }

    /**
     * The same for other times.
     *
     * @param step its number
     * @param expected about how many there will be
     * @param kind which times they have
     * @return the log
     */
    public MessageLog messages(final int step, final long expected, final MessageLog.Kind kind) {
        return messages(new MessageLog(step, expected, kind, false));
    }

    /**
     * The same for a closed loop of a set duration, of which nobody knows how many messages it will
     * have.
     *
     * @param step its number
     * @param expected about how many there will be
     * @param kind which times they have
     * @param lastsNs how long the step lasts; 0 where it has the expected number, however long that
     *     takes
     * @return the log
     */
    public MessageLog messages(
            final int step, final long expected, final MessageLog.Kind kind, final long lastsNs) {
        return lastsNs == 0
                ? messages(step, expected, kind)
                : messages(new MessageLog(step, expected, kind, lastsNs));
    }

    /**
     * A log that nobody reads, for a warm-up before steps that each have a log of their own.
     *
     * @param expected about how many messages each of these will have
     * @param kind which times they have
     * @return the log
     */
    public MessageLog unreadMessages(final long expected, final MessageLog.Kind kind) {
        return unreadMessages(expected, kind, 0);
    }

    /**
     * The same for a closed loop of a set duration.
     *
     * @param expected about how many messages each of these will have
     * @param kind which times they have
     * @param lastsNs as of {@link #messages(int, long, MessageLog.Kind, long)}
     * @return the log
     */
    public MessageLog unreadMessages(
            final long expected, final MessageLog.Kind kind, final long lastsNs) {
        if (directory.isEmpty()) {
            return MessageLog.off();
        }
        return (lastsNs == 0
                        ? new MessageLog(0, expected, kind, false)
                        : new MessageLog(0, expected, kind, lastsNs))
                .unread();
    }

    private synchronized MessageLog messages(final MessageLog log) {
        if (directory.isEmpty()) {
            return MessageLog.off();
        }
        messages.add(log);
        messagesWritten.add(0);
        return log;
    }

    /**
     * What to do right after a stall of a millisecond or more.
     *
     * @param action called by the thread that was stalled, so it must not take long: it wakes the
     *     thread that calls {@link #readTaken}
     */
    public void afterLongStall(final Runnable action) {
        afterLongStall = action;
    }

    /**
     * Reads for how long a quota and the hypervisor have kept cores from the role: right after a
     * long stall, so that what was counted since the last reading belongs to it and not to a
     * second.
     *
     * @return when it may be read again, by the clock of the role
     */
    public synchronized long readTaken() {
        if (directory.isPresent() && !logs.isEmpty() && !isClosed) {
            taken.read(true);
        }
        return taken.nextNs();
    }

    /**
     * Whether the kernel records what happens on the cores, which has to be read often.
     *
     * @return true until {@link #close}
     */
    public synchronized boolean looksAtCores() {
        return cores != null && !isClosed;
    }

    /** Reads the kernel's records of the cores, before its buffer is full. */
    public synchronized void readCores() {
        if (looksAtCores()) {
            cores.drain();
        }
    }

    /**
     * Writes what was noted since the last call: once a second on the measured cores, therefore
     * without formatters.
     */
    public synchronized void write() {
        if (directory.isEmpty() || !failure.isEmpty()) {
            return;
        }
        lines.setLength(0);
        writeProcesses();
        if (!logs.isEmpty()) {
            writeLogs();
        }
        if (isClosed) {
            writePassed();
        }
        if (clock instanceof SteeredNanoClock) {
            // the kernel and the JVM date by the clock of this host
            begin("line", SystemNanoClock.INSTANCE.nanoTime());
            lines.append(',').append(clock.nanoTime()).append('\n');
        }
        writeLines();
        if (!isClosed) {
            writeMessages(MOST_MESSAGES_A_ROUND);
        }
    }

    /** When messages of each step passed, whether they are kept or not. */
    private void writePassed() {
        for (final MessageLog log : messages) {
            if (log.seen() > 0
                    && (log.kind() == MessageLog.Kind.RECEIVED
                            || log.kind() == MessageLog.Kind.STAMPED)) {
                begin("passed", log.step());
                lines.append(',').append(log.firstNs()).append(',').append(log.lastNs());
                lines.append(',').append(log.fullNs());
                if (log.isThinned()) {
                    lines.append(',').append(log.busyNs()).append(',').append(log.spanNs());
                }
                lines.append('\n');
            }
        }
    }

    private void writeLogs() {
        stalled = Stalled.NONE;
        for (int i = 0; i < logs.size(); i++) {
            write(i);
        }
        for (int i = 0; i < logs.size(); i++) {
            readSwitches(i);
        }
        // after those of the threads, so that they cover the same time
        if (cores != null) {
            cores.drain();
        }
        if (areOthersDated()) {
            writeOthers();
        }
        for (int i = 0; i < logs.size(); i++) {
            writeSwitches(i);
        }
        if (cores != null) {
            for (final CoreTrace.Interrupt each : cores.interrupts()) {
                begin("interrupt", each.index());
                lines.append(',').append(each.beginNs()).append(',').append(each.endNs());
                lines.append(',').append(each.what()).append('\n');
            }
        }
        for (Long ns = continuedNs.poll(); ns != null; ns = continuedNs.poll()) {
            begin("continued", ns);
            lines.append('\n');
        }
        writeTaken();
    }

    /** Where a watched thread is dated, and no trace of the cores names all that runs there. */
    private boolean areOthersDated() {
        return logs.stream().anyMatch(log -> log.switches() != null)
                && (cores == null || cores.lacks().containsKey(TailSummary.Trace.RAN_INSTEAD));
    }

    private void writeOthers() {
        others.drain(clock.nanoTime());
        others.names()
                .forEach((thread, name) -> {
                    begin("other", thread);
                    lines.append(',').append(name).append('\n');
                });
        for (final OtherThreads.Ran each : others.ran()) {
            begin("aside", each.thread());
            lines.append(',').append(each.beginNs()).append(',').append(each.endNs());
            lines.append(',').append(each.core()).append('\n');
        }
        if (!others.refused().equals(othersRefused)) {
            othersRefused = others.refused();
            begin("notaside", 0);
            lines.append(',').append(cell(othersRefused)).append('\n');
        }
    }

    private void writeLines() {
        if (lines.isEmpty()) {
            return;
        }
        final Path file = directory.orElseThrow().resolve(RoleFiles.STALLS);
        try {
            if (!isBegun) {
                isBegun = true;
                cutTornLine(file);
            }
            Files.writeString(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (final IOException e) {
            failure = file + " could not be written (" + IoReason.of(e) + ").";
        }
    }

    /** A process of the role that was killed while it wrote left a line without its end. */
    private static void cutTornLine(final Path file) throws IOException {
        try (RandomAccessFile whole = new RandomAccessFile(file.toFile(), "rw")) {
            final long length = whole.length();
            long end = length;
            while (end > 0) {
                whole.seek(end - 1);
                if (whole.read() == '\n') {
                    break;
                }
                end--;
            }
            if (end < length) {
                whole.setLength(end);
            }
        }
    }

    /**
     * The stalls of a thread in the last second, by what its counters tell at once.
     *
     * @param waitingNs it was ready to run and waited for a core
     * @param offCoreNs it was off its core and did not wait for it
     * @param onCoreNs the rest
     */
    public record Stalled(long waitingNs, long offCoreNs, long onCoreNs) {
        private static final Stalled NONE = new Stalled(0, 0, 0);

        /**
         * All of them.
         *
         * @return ns
         */
        public long allNs() {
            return waitingNs + offCoreNs + onCoreNs;
        }
    }

    /**
     * The stalls that were written last, of the thread that was stalled for longest.
     *
     * @return empty where no thread is watched
     */
    public synchronized Optional<Stalled> stalled() {
        return logs.stream().allMatch(log -> !log.notWatched().isEmpty())
                ? Optional.empty()
                : Optional.of(stalled);
    }

    /** Whose use of the cores is the test's own: this process, and what serves the engine. */
    private void writeProcesses() {
        if (servers.add(PID)) {
            begin("server", PID);
            lines.append('\n');
        }
        for (final long pid : EngineProcesses.pids()) {
            if (servers.add(pid)) {
                begin("server", pid);
                lines.append('\n');
            }
        }
        for (final String what : EngineProcesses.foreign()) {
            if (foreign.add(what)) {
                begin("foreign", 0);
                lines.append(',').append(cell(what)).append('\n');
            }
        }
    }

    /** What counters of the whole role say about its cores, and of what serves the engine. */
    private void writeTaken() {
        taken.read(isClosed);
        taken.writeTo((kind, atNs, counts) -> {
            begin(kind, atNs);
            for (int i = 0; i < counts.length; i++) {
                lines.append(i == 0 ? ',' : ';').append(counts[i]);
            }
            lines.append('\n');
        });
        final boolean isEnd = isClosed;
        for (final Map.Entry<String, Long> each : EngineProcesses.named().entrySet()) {
            if (waiting.add(each.getKey()) || isEnd) {
                final OptionalLong waitedNs = EngineProcesses.waitedNs(each.getValue());
                begin("waited", clock.nanoTime());
                lines.append(',').append(waitedNs.orElse(-1)).append(',');
                lines.append(cell(each.getKey())).append('\n');
            }
        }
    }

    private void begin(final String kind, final long number) {
        lines.append(kind).append(',').append(repeat).append(',').append(number);
    }

    private void write(final int index) {
        final StallLog log = logs.get(index);
        if (stallsWritten.get(index) < 0) {
            stallsWritten.set(index, 0);
            begin("watch", index);
            lines.append(',').append(log.thread()).append(',').append(log.part());
            lines.append(',').append(StallWatch.THRESHOLD_NS);
            lines.append(',').append(log.notWatched()).append('\n');
        }
        final int count = log.count();
        Stalled own = Stalled.NONE;
        for (int stall = stallsWritten.get(index); stall < count; stall++) {
            final long ns = log.figure(stall, 1) - log.figure(stall, 0);
            final long offNs = Math.clamp(log.figure(stall, 2), 0, ns);
            final long waitingNs = Math.clamp(log.figure(stall, 3), 0, offNs);
            own =
                    new Stalled(
                            own.waitingNs() + waitingNs,
                            own.offCoreNs() + offNs - waitingNs,
                            own.onCoreNs() + ns - offNs);
            begin("stall", index);
            for (int figure = 0; figure < StallLog.FIGURES; figure++) {
                lines.append(',').append(log.figure(stall, figure));
            }
            lines.append('\n');
        }
        stallsWritten.set(index, count);
        stalled = own.allNs() > stalled.allNs() ? own : stalled;
        final int samples = log.samples();
        for (int sample = samplesWritten.get(index); sample < samples; sample++) {
            begin("ran", index);
            lines.append(',').append(log.sample(sample, 0));
            lines.append(',').append(log.sample(sample, 1)).append('\n');
        }
        samplesWritten.set(index, samples);
        log.taken(count, samples);
        final long notNoted = log.notNoted();
        if (notNoted != notNotedWritten.get(index)) {
            notNotedWritten.set(index, notNoted); // the last such line counts
            begin("full", index);
            lines.append(',').append(notNoted).append(',').append(log.notNotedNs());
            lines.append(',').append(log.notNotedFromNs());
            lines.append(',').append(log.notNotedToNs()).append('\n');
        }
        if (log.samplesOverNs() != 0 && unsampled.add(index)) {
            begin("unsampled", index);
            lines.append(',').append(log.samplesOverNs()).append('\n');
        }
    }

    private void readSwitches(final int index) {
        final PerfRing ring = logs.get(index).switches();
        if (ring != null) {
            final long nowNs = SystemNanoClock.INSTANCE.nanoTime(); // the records have this clock
            ring.drain(switches.get(index));
            if (isClosed) {
                begin("end", index);
                lines.append(',').append(switches.get(index).endNs(nowNs)).append('\n');
            }
        }
    }

    /**
     * When the thread was off its core, and which tasks ran there meanwhile where that is traced.
     */
    private void writeSwitches(final int index) {
        final StallLog log = logs.get(index);
        final Switches state = switches.get(index);
        if (!state.isDatingWritten && (log.switches() != null || !log.whyNotDated().isEmpty())) {
            state.isDatingWritten = true;
            begin("dated", index);
            lines.append(',').append(cell(log.whyNotDated())).append(',').append(PID);
            lines.append(',');
            lines.append(ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L));
            lines.append(",,"); // where earlier versions said what is not traced
            lines.append('\n');
        }
        if (state.isDatingWritten) {
            untraced(log)
                    .forEach((what, why) -> {
                        if (state.untraced.add(what)) {
                            begin("untraced", index);
                            lines.append(',').append(what.name()).append(',').append(cell(why));
                            lines.append('\n');
                        }
                    });
        }
        for (final Absence off : state.read) {
            begin("off", index);
            lines.append(',').append(off.beginNs()).append(',').append(off.endNs());
            lines.append(off.isPreempted() ? ",1," : ",0,");
            lines.append(cores == null ? "" : cores.ran(off.core(), off.beginNs(), off.endNs()));
            lines.append(',').append(off.core()).append(',').append(off.backOn()).append('\n');
        }
        state.read.clear();
        for (final Unseen each : state.unseen) {
            begin("unseen", index);
            lines.append(',').append(each.fromNs()).append(',');
            if (each.toNs() != FOR_GOOD) {
                lines.append(each.toNs());
            }
            lines.append('\n');
        }
        state.unseen.clear();
    }

    /** What {@code --explain} lacks of a thread, and why; empty where nobody asked for it. */
    private Map<TailSummary.Trace, String> untraced(final StallLog log) {
        if (log.isNapping() && isExplained()) {
            return new EnumMap<>(
                    Map.of(
                            TailSummary.Trace.RAN_INSTEAD,
                            NOT_DATED,
                            TailSummary.Trace.INTERRUPTS,
                            NOT_DATED));
        }
        return cores == null ? Map.of() : cores.lacks();
    }

    private static boolean isExplained() {
        return Boolean.getBoolean(EXPLAIN_PROPERTY);
    }

    private static String cell(final String text) {
        return text.replace(',', ';');
    }

    private void end() {
        final Path stalls = directory.get().resolve(RoleFiles.STALLS);
        try (Writer out =
                Files.newBufferedWriter(
                        stalls, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (int i = 0; i < logs.size(); i++) {
                final long unnamed = cores == null ? 0 : cores.lost();
                if (switches.get(i).notTaken() + unnamed > 0) {
                    out.write(
                            "undated,%d,%d,%d,%d%n"
                                    .formatted(repeat, i, switches.get(i).notTaken(), unnamed));
                }
                if (logs.get(i).notWatched().isEmpty()) {
                    out.write(
                            "threshold,%d,%d,%d%n".formatted(repeat, i, logs.get(i).thresholdNs()));
                }
                if (logs.get(i).isLackingCounters()) {
                    out.write("uncounted,%d,%d%n".formatted(repeat, i));
                }
            }
            if (others.lost() > 0) {
                out.write("lostaside,%d,0,%d%n".formatted(repeat, others.lost()));
            }
        } catch (final IOException e) {
            failure = stalls + " could not be written (" + IoReason.of(e) + ").";
        }
    }

    /**
     * Encodes as many messages as {@link #write} does in a measurement, into nothing, and judges
     * stalls that were none: a hot thread does so too rarely to have that code compiled before.
     */
    public synchronized void rehearse() {
        if (directory.isEmpty() || isClosed) {
            return;
        }
        if (rehearsedMessages.kept() == 0) {
            rehearsedMessages = new MessageLog(0, MOST_MESSAGES_A_ROUND, MessageLog.Kind.RECEIVED);
            for (long i = 0; i < MOST_MESSAGES_A_ROUND; i++) {
                final long dueNs = i * REHEARSED_PERIOD_NS;
                rehearsedMessages.add(dueNs, dueNs + i, dueNs + i * i);
            }
            rehearsedWatch =
                    new StallWatch(
                            new StallLog(
                                    "rehearsal", StallWatch.Part.SEND, "", log -> {}, () -> {}),
                            clock);
        }
        rehearsedWatch.rehearse(REHEARSED_STALLS);
        try (MessagePacker out = new MessagePacker(OutputStream.nullOutputStream())) {
            write(rehearsedMessages, 0, rehearsedMessages.kept(), out);
        } catch (final IOException e) {
            throw new UncheckedIOException(e); // nothing refuses nothing
        }
    }

    /** Writes what was recorded since the last call, so many at most; all where it is closed. */
    private void writeMessages(final int most) {
        int left = most;
        boolean isAny = isClosed;
        for (int i = 0; i < messages.size(); i++) {
            isAny |= messages.get(i).kept() > messagesWritten.get(i);
        }
        if (!isAny || messages.isEmpty()) {
            return;
        }
        final Path file = directory.orElseThrow().resolve(RoleFiles.MESSAGES);
        // each call adds a separate gzip member; a gzip reader reads all of them
        try (MessagePacker out =
                new MessagePacker(
                        Files.newOutputStream(
                                file, StandardOpenOption.CREATE, StandardOpenOption.APPEND))) {
            for (int i = 0; i < messages.size(); i++) {
                final MessageLog log = messages.get(i);
                final int from = messagesWritten.get(i);
                final int to = Math.min(log.kept(), isClosed ? Integer.MAX_VALUE : from + left);
                if (isClosed || to > from) {
                    write(log, from, to, out);
                    messagesWritten.set(i, to);
                    left -= to - from;
                }
                if (isClosed && log.slowest() > 0) {
                    writeSlowest(log, out);
                }
            }
        } catch (final IOException e) {
            failure = file + " could not be written (" + IoReason.of(e) + ").";
        }
    }

    /**
     * Packs numbers into a gzip member. It runs on the measured cores: speed counts more than size,
     * so bytes are gathered without the lock that a stream takes for each of them, and then only
     * their frequency is made use of.
     */
    private static final class MessagePacker implements AutoCloseable {
        private static final int ROOM = 1 << 16;

        /** A number of 64 bits, seven in each byte. */
        private static final int LONGEST = 10;

        private final byte[] bytes = new byte[ROOM];
        private final OutputStream out;
        private int used;

        MessagePacker(final OutputStream file) throws IOException {
            out =
                    new GZIPOutputStream(file, ROOM) {
                        {
                            def.setLevel(Deflater.BEST_SPEED);
                            def.setStrategy(Deflater.HUFFMAN_ONLY);
                        }
                    };
        }

        /** The highest byte first. */
        void putInt(final int number) throws IOException {
            makeRoom();
            for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
                bytes[used++] = (byte) (number >>> shift);
            }
        }

        void putLong(final long number) throws IOException {
            putInt((int) (number >>> Integer.SIZE));
            putInt((int) number);
        }

        void putByte(final int number) throws IOException {
            makeRoom();
            bytes[used++] = (byte) number;
        }

        /** Seven bits a byte, the lowest first; the sign is the lowest bit of all. */
        void putNumber(final long number) throws IOException {
            makeRoom();
            long left = number << 1 ^ number >> 63;
            while ((left & ~0x7FL) != 0) {
                bytes[used++] = (byte) (left & 0x7F | 0x80);
                left >>>= 7;
            }
            bytes[used++] = (byte) left;
        }

        private void makeRoom() throws IOException {
            if (used > ROOM - LONGEST) {
                flush();
            }
        }

        private void flush() throws IOException {
            out.write(bytes, 0, used);
            used = 0;
        }

        @Override
        public void close() throws IOException {
            try (out) {
                flush();
            }
        }
    }

    private void begin(final MessageLog log, final MessagePacker out) throws IOException {
        out.putInt(MESSAGES_FORMAT);
        out.putInt(repeat);
        out.putInt(log.step());
        out.putLong(log.seen());
    }

    private void writeSlowest(final MessageLog log, final MessagePacker out) throws IOException {
        begin(log, out);
        out.putInt(0);
        out.putByte(MessageLog.Kind.SLOWEST.ordinal());
        out.putInt(log.slowest());
        long before = 0;
        for (int i = 0; i < log.slowest(); i++) {
            final long first = log.slowTime(i, 0);
            out.putNumber(first - before);
            out.putNumber(log.slowTime(i, 1) - first);
            out.putNumber(log.slowTime(i, 2) - log.slowTime(i, 1));
            before = first;
        }
    }

    /** The messages from one number to another, and the windows that begin among them. */
    private void write(final MessageLog log, final int from, final int to, final MessagePacker out)
            throws IOException {
        begin(log, out);
        int firstWindow = 0;
        while (firstWindow < log.windows() && log.window(firstWindow) < from) {
            firstWindow++;
        }
        int endWindow = firstWindow;
        while (endWindow < log.windows() && log.window(endWindow) < to) {
            endWindow++;
        }
        out.putInt(endWindow - firstWindow);
        for (int window = firstWindow; window < endWindow; window++) {
            out.putInt(log.window(window));
        }
        out.putByte(log.kind().ordinal());
        out.putInt(to - from);
        long before = 0;
        for (int i = from; i < to; i++) {
            final long first = log.time(i, 0);
            out.putNumber(first - before);
            before = first;
            switch (log.kind()) {
                case SENT, CAPTURED -> {
                    out.putNumber(from(first, log.time(i, 1)));
                    out.putNumber(from(first, log.time(i, 2)));
                }
                case ECHOED -> {
                    out.putNumber(from(first, log.time(i, 1)));
                    out.putNumber(from(first, log.time(i, 2)));
                    out.putNumber(from(first, log.time(i, 3)));
                }
                case RECEIVED -> writeReceived(log, i, out);
                case STAMPED -> {
                    writeReceived(log, i, out);
                    out.putNumber(from(log.time(i, 1), log.time(i, 3)));
                    out.putNumber(from(log.time(i, 1), log.time(i, 4)));
                    out.putNumber(from(log.time(i, 1), log.time(i, 5)));
                    out.putNumber(log.time(i, 6));
                }
                default -> throw new IllegalStateException();
            }
        }
    }

    private static void writeReceived(
            final MessageLog log, final int message, final MessagePacker out) throws IOException {
        out.putNumber(log.time(message, 1) - log.time(message, 0));
        out.putNumber(log.time(message, 2) - log.time(message, 1));
    }

    /** A time of another from the send on; 0 where it is unknown. */
    private static long from(final long sentNs, final long kernelNs) {
        return kernelNs == 0 ? 0 : kernelNs - sentNs;
    }

    /**
     * Why files are incomplete.
     *
     * @return a sentence; empty where they are complete
     */
    public synchronized Optional<String> warning() {
        return failure.isEmpty() ? Optional.empty() : Optional.of(failure);
    }

    /** Writes the rest; idempotent, does not throw. */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        rehearsedWatch.end();
        ContinueSignals.forget(onContinue);
        write();
        if (directory.isPresent()) {
            if (!logs.isEmpty()) {
                end();
            }
            writeMessages(Integer.MAX_VALUE);
        }
        for (final StallLog log : logs) {
            if (log.switches() != null) {
                log.switches().close();
            }
        }
        others.close();
        if (cores != null) {
            cores.close();
        }
    }

    /**
     * Notifies when the process was continued after a stop by a signal (SIGCONT), which nothing
     * else shows: in the kernel's counters a stopped thread looks like a sleeping one. Any thread.
     */
    private static final class ContinueSignals {
        private static final Set<Runnable> LISTENERS = ConcurrentHashMap.newKeySet();
        private static final boolean IS_HEARD = hear();

        private ContinueSignals() {}

        /** False where the JVM does not let signals be handled. */
        static boolean listen(final Runnable listener) {
            LISTENERS.add(listener);
            return IS_HEARD;
        }

        static void forget(final Runnable listener) {
            LISTENERS.remove(listener);
        }

        /** By reflection: the classes are in a module that the compiler warns about. */
        private static boolean hear() {
            try {
                final Class<?> signal = Class.forName("sun.misc.Signal");
                final Class<?> handler = Class.forName("sun.misc.SignalHandler");
                final Object proxy =
                        Proxy.newProxyInstance(
                                ContinueSignals.class.getClassLoader(),
                                new Class<?>[] {handler},
                                (self, method, arguments) ->
                                        switch (method.getName()) {
                                            case "handle" -> {
                                                LISTENERS.forEach(Runnable::run);
                                                yield null;
                                            }
                                            case "equals" -> self == arguments[0];
                                            case "hashCode" -> System.identityHashCode(self);
                                            default -> "tickmark's listener of SIGCONT";
                                        });
                signal.getMethod("handle", signal, handler)
                        .invoke(
                                null,
                                signal.getConstructor(String.class).newInstance("CONT"),
                                proxy);
                return true;
            } catch (final ReflectiveOperationException | RuntimeException e) {
                return false;
            }
        }
    }

    /**
     * Readings of what kept the whole role from its cores: the quota of its control group, the
     * hypervisor. They are written where they have changed, each with the reading before it, so
     * that what was counted lies between the two.
     */
    private static final class Taken {
        private static final long AGAIN_AFTER_NS = 100_000_000;

        /** It takes a thousandth of a core at most: long on machines with hundreds of cores. */
        private static final int LEAST_PAUSE = 1_000;

        /** Also where the reporter lost its core while it read. */
        private static final long LONGEST_PAUSE_NS = 1_000_000_000;

        /** Receives what was read. */
        @FunctionalInterface
        interface Lines {
            void line(String kind, long atNs, long... counts);
        }

        private record Reading(String kind, long atNs, long... counts) {}

        private final NanoClock clock;
        private final List<Reading> unwritten = new ArrayList<>();
        private final Map<String, Reading> last = new HashMap<>();
        private final Map<String, Reading> lastTold = new HashMap<>();
        private long nextNs = Long.MIN_VALUE;
        private boolean isStolenRead;
        private long nothingStolenNs;

        Taken(final NanoClock clock) {
            this.clock = clock;
        }

        long nextNs() {
            return nextNs;
        }

        /** The hypervisor's counts too where {@code all}: on large machines that takes long. */
        void read(final boolean all) {
            final long beginNs = clock.nanoTime();
            final OptionalLong throttled = TakenTime.throttledNs();
            if (throttled.isPresent()) {
                read(new Reading("throttled", clock.nanoTime(), throttled.getAsLong()));
            }
            if (all || !isStolenRead) {
                readStolen(TakenTime.stolenNs());
            }
            final long endNs = clock.nanoTime();
            nextNs =
                    endNs
                            + Math.clamp(
                                    LEAST_PAUSE * (endNs - beginNs),
                                    AGAIN_AFTER_NS,
                                    LONGEST_PAUSE_NS);
        }

        /** Empty until the hypervisor takes something for the first time. */
        private void readStolen(final long[] ns) {
            final long nowNs = clock.nanoTime();
            if (ns.length == 0) {
                isStolenRead = true;
                nothingStolenNs = nowNs;
                return;
            }
            if (isStolenRead && !last.containsKey("stolen")) {
                read(new Reading("stolen", nothingStolenNs, new long[ns.length]));
            }
            isStolenRead = true;
            read(new Reading("stolen", nowNs, ns));
        }

        private void read(final Reading now) {
            final Reading before = last.put(now.kind(), now);
            if (before == null || !Arrays.equals(before.counts(), now.counts())) {
                if (before != null && before != lastTold.get(now.kind())) {
                    unwritten.add(before); // it did not grow until then
                }
                unwritten.add(now);
                lastTold.put(now.kind(), now);
            }
        }

        void writeTo(final Lines lines) {
            unwritten.forEach(each -> lines.line(each.kind(), each.atNs(), each.counts()));
            unwritten.clear();
        }
    }
}
