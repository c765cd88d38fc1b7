package io.tickmark.kernel.stall;

import java.util.Optional;
import org.agrona.concurrent.NanoClock;

/**
 * Notes when a hot thread did not run although it was ready to. Its loop calls {@link #look}
 * whenever it has read the clock anyway, {@link #lookAfterEmptyPoll} where it reads none, and
 * {@link #worked} after a send or another long call: the time of such a call is work, and only the
 * part of it in which the thread was off its core counts as a stall. A thread that sleeps on
 * purpose calls {@link #waited} when it is back: only the time after its wake-up counts. One that
 * naps for microseconds at each turn calls {@link #napped}, for which the kernel is asked once a
 * millisecond at most, unless the thread was late.
 *
 * <p>Single-threaded. Allocates nothing and takes no lock after {@link #begin}, but for waking the
 * reporter after a stall of a millisecond or more; stalls go into memory allocated before, and
 * those for which there is no room are counted.
 */
public final class StallWatch {
    /** What a thread does with the messages that are measured. */
    public enum Part {
        /** Sends pings and takes their echoes. */
        SEND_AND_RECEIVE,
        /** Sends pings back. */
        ECHO,
        /** Takes messages of senders and sends them on to receivers. */
        FORWARD,
        /** Sends in one direction. */
        SEND,
        /** Receives in one direction. */
        RECEIVE
    }

    /**
     * Shortest stall noted between two looks with no work between them; like that of the noise
     * floor.
     */
    public static final long THRESHOLD_NS = 10_000;

    /**
     * Shortest stall noted where a call or a sleep was between the looks: only time off the core
     * counts, after a sleep only that behind its end.
     */
    public static final long WORK_THRESHOLD_NS = 50_000;

    /**
     * Shortest delay of a timed wake-up noted: the kernel may move a timer by 50 us to wake several
     * threads at once (timer slack), and waking takes time as well.
     */
    public static final long LATE_NS = 100_000;

    /**
     * The same of naps of microseconds: what each wake-up takes is a good part of such a nap and
     * belongs to that way of waiting.
     */
    public static final long LATE_NAP_NS = 500_000;

    /** For {@link #waited}: how late the wake-up was is not known. */
    public static final long NOT_TIMED = Long.MAX_VALUE;

    /**
     * The counters are read at least this often, which limits the interval over which they are
     * apportioned.
     */
    private static final long REFRESH_NS = 10_000_000;

    /** The same of a thread that naps: what it waits for a core behind each nap adds up in them. */
    private static final long NAPPING_REFRESH_NS = 1_000_000;

    /** What the other threads of the process ran is written at most this often. */
    private static final long SAMPLE_NS = 1_000_000;

    /**
     * No park is over earlier: in a turn that is, the thread only spun, or nobody wanted the core
     * that it yielded.
     */
    private static final long LEAST_NAP_NS = 1_000;

    /** Where a loop reads no clock, it is read about this often. */
    private static final long LOOK_EVERY_NS = 1_000;

    private static final int MOST_POLLS = 1 << 10;
    private static final StallWatch OFF = new StallWatch(null, null);

    private final StallLog log;
    private final NanoClock clock;
    private ThreadUsage usage;

    /** The kernel's records of the thread; null where it keeps none. */
    private PerfRing switches;

    private long switchesHead;
    private boolean hadRoom;
    private long lastNs;

    /** When the counters of the thread were read, and those of the process. */
    private long readNs;

    private long readProcessNs;
    private long sampledNs;
    private boolean holdsWork;
    private boolean hasWaited;
    private boolean naps;
    private long nappedNs;
    private long sleptNs;
    private long wokenNs;
    private long wantedNs;
    private int turns;
    private int pollsPerLook = 1;
    private int polls;
    private final long[] counters = new long[StallLog.FIGURES - 2];
    private long cpuNs;
    private long othersCpuNs;
    private long runDelayNs;
    private long voluntary;
    private long involuntary;
    private long minorFaults;
    private long majorFaults;

    StallWatch(final StallLog log, final NanoClock clock) {
        this.log = log;
        this.clock = clock;
    }

    /**
     * A watch that notes nothing.
     *
     * @return always the same
     */
    public static StallWatch off() {
        return OFF;
    }

    /** Begins to watch the calling thread; from now on it is the only one to call. */
    public void begin() {
        if (log == null) {
            return;
        }
        final Optional<ThreadUsage> counters = ThreadUsage.ofThisThread();
        if (counters.isEmpty()) {
            log.lacksCounters();
        }
        usage = counters.orElse(null);
        log.begin();
        if (switches == null && log.switches() != null && log.switches().share()) {
            switches = log.switches();
        }
        lastNs = clock.nanoTime();
        refresh(lastNs);
    }

    /**
     * Judges so many stalls that were none, of whichever thread calls, and forgets them: so that
     * code which takes a compiler tens of milliseconds is compiled before the first real one. To be
     * called on a watch of its own, and {@link #end} after it.
     */
    void rehearse(final int stalls) {
        if (usage == null) {
            usage = ThreadUsage.ofThisThread().orElse(null);
        }
        for (int i = 0; i < stalls; i++) {
            final long nowNs = clock.nanoTime();
            lastNs = nowNs - 2 * WORK_THRESHOLD_NS;
            holdsWork = i % 2 == 0;
            look(nowNs);
            log.taken(log.count(), log.samples());
        }
    }

    /** What the thread did since the last look, between steps, is no stall. */
    public void restart() {
        if (lastNs != 0) {
            lastNs = clock.nanoTime();
            hasWaited = false;
            refresh(lastNs);
            holdsWork = false;
        }
    }

    /** Ends the watch; the thread may wait on purpose from now on. */
    public void end() {
        if (hasWaited) {
            readOwn();
            judgeWait(delayedNs());
        }
        if (usage != null) {
            usage.close();
            usage = null;
        }
        if (switches != null) {
            switches.leave();
            switches = null;
        }
        lastNs = 0;
    }

    /**
     * Records the time.
     *
     * @param nowNs as just read
     */
    public void look(final long nowNs) {
        if (lastNs == 0) {
            return; // disabled, or not begun
        }
        final long spanNs = nowNs - lastNs;
        if (spanNs >= THRESHOLD_NS) {
            judge(nowNs, spanNs);
        } else if (isStale(nowNs)) {
            if (!holdsWork && !hasWaited) {
                log.looksBetweenWork();
            }
            refresh(nowNs);
        }
        lastNs = nowNs;
        holdsWork = false;
    }

    /** The time until the next look contains a call that may take long. */
    public void worked() {
        if (lastNs != 0) { // the disabled watch is shared by threads, and never written
            holdsWork = true;
        }
    }

    /**
     * Reads the clock about once in a microsecond, however short a poll is: once in this many of
     * these calls.
     */
    public void lookAfterEmptyPoll() {
        if (hasWaited && ++turns > 1) { // the first comes with the wake-up
            readAndKeep(lastNs);
        }
        if (lastNs != 0 && ++polls >= pollsPerLook) {
            polls = 0;
            final long nowNs = clock.nanoTime();
            final long spanNs = nowNs - lastNs;
            if (spanNs < LOOK_EVERY_NS && pollsPerLook < MOST_POLLS) {
                pollsPerLook <<= 1;
            } else if (spanNs > 2 * LOOK_EVERY_NS && pollsPerLook > 1) {
                pollsPerLook >>= 1;
            }
            look(nowNs);
        }
    }

    /**
     * To be called right before the thread sleeps on purpose: what the kernel has counted so far is
     * not of the sleep.
     */
    public void sleeps() {
        if (lastNs == 0) {
            return;
        }
        long nowNs = clock.nanoTime();
        if (!hasWaited && !isProcessDue(nowNs) && !mayHaveSwitched()) {
            // it may sleep thousands of times a second, and ran since the counters were read
            cpuNs += nowNs - readNs;
            readNs = nowNs;
        } else {
            nowNs = readAndKeep(nowNs);
        }
        sleptNs = nowNs;
        lastNs = nowNs;
        holdsWork = false;
    }

    /** Before a sleep, or after one; the time by then. */
    private long readAndKeep(final long beforeNs) {
        final boolean isProcessDue = isProcessDue(beforeNs);
        readOwn();
        if (hasWaited) {
            judgeWait(delayedNs());
        }
        if (isProcessDue) {
            readProcess();
        }
        final long nowNs = clock.nanoTime();
        keepOwn(nowNs);
        if (isProcessDue) {
            keepProcess(nowNs);
        }
        return nowNs;
    }

    /**
     * To be called right after that. Two parts of the time behind it are a stall: that in which the
     * thread was ready to run and waited for a core, by the kernel's count, and that by which a
     * timer woke it late. Reads no more than the clock: the kernel is asked once there is nothing
     * to do, as a message may be waiting now.
     *
     * @param timeNs when it was to wake up at the latest, by the clock of the measurement; {@link
     *     #NOT_TIMED} where that is not known
     */
    public void waited(final long timeNs) {
        if (lastNs == 0) {
            return;
        }
        lastNs = clock.nanoTime();
        wokenNs = lastNs;
        wantedNs = timeNs;
        hasWaited = true;
        turns = 0;
    }

    /**
     * The thread gives up its core at each turn, for microseconds: so often that asking the kernel
     * each time would take longer than the turn, and that its records of switches would run over.
     * To be called before {@link #begin}.
     */
    public void naps() {
        if (log != null) {
            naps = true;
            log.naps();
        }
    }

    /**
     * To be called right after such a turn. What passed since the thread was to go on is a stall,
     * from {@link #LATE_NAP_NS} on. Where it is in time, the kernel is asked once a millisecond,
     * and no more than the clock is read else.
     *
     * @param timeNs when it was to go on at the latest, by the clock of the measurement
     */
    public void napped(final long timeNs) {
        if (lastNs == 0) {
            return;
        }
        final long nowNs = clock.nanoTime();
        if (nowNs - lastNs >= LEAST_NAP_NS) {
            nappedNs += nowNs - lastNs;
        }
        final long lateNs = nowNs - timeNs;
        if (lateNs >= LATE_NAP_NS) {
            read();
            counters[0] = lateNs;
            counters[1] = Math.min(lateNs, delayedNs());
            counters[2] = 0; // it left its core on purpose
            countSinceRead(nowNs);
            log.add(timeNs, nowNs, counters);
            keep(nowNs);
        } else if (isStale(nowNs)) {
            refresh(nowNs);
        }
        lastNs = nowNs;
        holdsWork = false;
    }

    private boolean isStale(final long nowNs) {
        return nowNs - readProcessNs >= (naps ? NAPPING_REFRESH_NS : REFRESH_NS);
    }

    /**
     * Where the kernel dates nothing, what the process used is all that says who had the core: it
     * must not cover much more than a stall.
     */
    private boolean isProcessDue(final long nowNs) {
        return switches == null || isStale(nowNs);
    }

    /**
     * Whether the thread may have left its core since the counters were read. The kernel's records
     * of it tell without a system call, unless there is no room for more.
     */
    private boolean mayHaveSwitched() {
        return switches == null
                ? usage.hasSwitched()
                : !hadRoom || !switches.hasRoom() || switches.head() != switchesHead;
    }

    /**
     * The figures of a stall that are counted since the counters were kept, and over how long those
     * of the process are.
     */
    private void countSinceRead(final long nowNs) {
        counters[3] = usage == null ? 0 : usage.involuntary() - involuntary;
        counters[4] = usage == null ? 0 : usage.minorFaults() - minorFaults;
        counters[5] = usage == null ? 0 : usage.majorFaults() - majorFaults;
        counters[6] = usage == null ? 0 : usage.othersCpuNs() - othersCpuNs;
        counters[7] = nowNs - readProcessNs;
    }

    /** Since the counters were kept; they have just been read. */
    private long delayedNs() {
        return usage == null ? 0 : usage.runDelayNs() - runDelayNs;
    }

    private void judgeWait(final long delayedNs) {
        hasWaited = false;
        final long lateNs = wantedNs == NOT_TIMED ? 0 : wokenNs - wantedNs;
        final long stoodNs =
                Math.min(Math.max(lateNs >= LATE_NS ? lateNs : 0, delayedNs), wokenNs - sleptNs);
        if (stoodNs >= WORK_THRESHOLD_NS) {
            counters[0] = stoodNs;
            counters[1] = Math.min(stoodNs, delayedNs);
            counters[2] = 0; // it left its core once, on purpose
            readProcess();
            countSinceRead(wokenNs);
            log.add(wokenNs - stoodNs, wokenNs, counters);
            keepProcess(wokenNs);
        }
    }

    private void judge(final long nowNs, final long spanNs) {
        if (usage == null) {
            if (!holdsWork) {
                counters[0] = 0;
                counters[StallLog.FIGURES - 3] = nowNs - lastNs;
                log.add(lastNs, nowNs, counters);
            }
            return;
        }
        if (holdsWork && (spanNs < WORK_THRESHOLD_NS || !hasWaited && !mayHaveSwitched())) {
            if (isStale(nowNs)) {
                refresh(nowNs);
            }
            return;
        }
        readOwn();
        final long intervalNs = nowNs - readNs;
        final long ranNs = usage.cpuNs() - cpuNs;
        long delayedNs = delayedNs();
        long offNs = Math.min(spanNs, Math.max(0, intervalNs - ranNs));
        final boolean isOfSleep = hasWaited;
        if (isOfSleep) { // the counters are of a sleep as well, in which it did not run
            offNs = Math.clamp(nowNs - wokenNs - ranNs, 0, spanNs);
            final long delayedHereNs = Math.min(offNs, delayedNs);
            judgeWait(delayedNs - delayedHereNs);
            delayedNs = delayedHereNs;
        } else if (naps) { // the counters are of its naps as well
            offNs = Math.clamp(intervalNs - ranNs - nappedNs, 0, spanNs);
            delayedNs = Math.min(delayedNs, offNs);
        }
        if (!holdsWork || offNs >= WORK_THRESHOLD_NS) {
            if (!holdsWork) {
                log.looksBetweenWork();
            }
            final long stoodNs = holdsWork ? offNs : spanNs;
            counters[0] = Math.min(stoodNs, offNs);
            counters[1] = Math.min(stoodNs, delayedNs);
            counters[2] = usage.voluntary() - voluntary - (isOfSleep ? 1 : 0);
            readProcess();
            countSinceRead(nowNs);
            log.add(lastNs, lastNs + stoodNs, counters);
            keepProcess(nowNs);
        }
        keepOwn(nowNs);
        if (isProcessDue(nowNs)) {
            readProcess();
            keepProcess(nowNs);
        }
    }

    private void read() {
        readOwn();
        readProcess();
    }

    private void readOwn() {
        if (switches != null) { // before the counters, so that no switch is between
            switchesHead = switches.head();
            hadRoom = switches.hasRoom();
        }
        if (usage != null) {
            usage.readOwn();
        }
    }

    private void readProcess() {
        if (usage != null) {
            usage.readProcess();
        }
    }

    private void refresh(final long nowNs) {
        read();
        if (hasWaited) { // before what was counted meanwhile is forgotten
            judgeWait(delayedNs());
        }
        keep(nowNs);
    }

    private void keep(final long nowNs) {
        keepOwn(nowNs);
        keepProcess(nowNs);
    }

    private void keepOwn(final long nowNs) {
        readNs = nowNs;
        nappedNs = 0;
        if (usage != null) {
            cpuNs = usage.cpuNs();
            runDelayNs = usage.runDelayNs();
            voluntary = usage.voluntary();
            involuntary = usage.involuntary();
            minorFaults = usage.minorFaults();
            majorFaults = usage.majorFaults();
        }
    }

    private void keepProcess(final long nowNs) {
        readProcessNs = nowNs;
        if (usage != null) {
            othersCpuNs = usage.othersCpuNs();
            if (nowNs - sampledNs >= (naps ? REFRESH_NS : SAMPLE_NS)) {
                sampledNs = nowNs;
                log.othersRan(nowNs, othersCpuNs);
            }
        }
    }
}
