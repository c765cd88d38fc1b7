package io.tickmark.kernel.stall;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/**
 * Stalls of one thread in one trial, and what the other threads of its process ran meanwhile: two
 * rings with one writer and one reader, which says what it has taken. Allocates nothing after
 * construction.
 */
final class StallLog {
    /**
     * Figures of a stall: begin, end, time off the core, time waited for a core, voluntary and
     * involuntary switches, minor and major page faults, CPU time of the other threads, and the
     * interval that the counters cover; times in nanoseconds.
     */
    static final int FIGURES = 10;

    /** Room for those that nobody has read yet. */
    static final int CAPACITY = 1 << 14;

    /** Most of a trial, so that its files stay readable. */
    static final int MOST = 1 << 17;

    /** Some 6,500 switches between two of the reporter's rounds; at least some 800. */
    private static final int SWITCH_PAGES = 64;

    private static final int LEAST_SWITCH_PAGES = 8;

    /** What it costs to wake another thread is a few thousandths of it. */
    static final long LONG_NS = 1_000_000;

    private static final String NAPS = "it parks for microseconds at each turn";

    private static final VarHandle COUNT;
    private static final VarHandle SAMPLES;
    private static final VarHandle NOT_NOTED;
    private static final VarHandle TAKEN;
    private static final VarHandle SAMPLES_TAKEN;

    static {
        try {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            COUNT = lookup.findVarHandle(StallLog.class, "count", int.class);
            SAMPLES = lookup.findVarHandle(StallLog.class, "samples", int.class);
            NOT_NOTED = lookup.findVarHandle(StallLog.class, "notNoted", long.class);
            TAKEN = lookup.findVarHandle(StallLog.class, "taken", int.class);
            SAMPLES_TAKEN = lookup.findVarHandle(StallLog.class, "samplesTaken", int.class);
        } catch (final ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String thread;
    private final StallWatch.Part part;
    private final String notWatched;
    private final Consumer<StallLog> onBegin;
    private final Runnable onLong;
    private final long[] figures;
    private final long[] othersRan;
    private volatile boolean lacksCounters;
    private volatile boolean looksBetweenWork;
    private volatile PerfRing switches;
    private volatile String whyNotDated = "";
    private volatile long samplesOverNs;

    @SuppressWarnings("unused") // accessed through its handle
    private int count;

    @SuppressWarnings("unused")
    private int samples;

    @SuppressWarnings("unused")
    private long notNoted;

    /** Of those: how long they were, when the first began and the last ended; told by the count. */
    private long notNotedNs;

    private long notNotedFromNs;
    private long notNotedToNs;

    @SuppressWarnings("unused")
    private int taken;

    @SuppressWarnings("unused")
    private int samplesTaken;

    /**
     * A log for a thread.
     *
     * @param notWatched why there will be none; empty where the thread is watched
     * @param onBegin called by the thread itself when it begins
     * @param onLong called by the thread itself after a stall of {@link #LONG_NS} or more
     */
    StallLog(
            final String thread,
            final StallWatch.Part part,
            final String notWatched,
            final Consumer<StallLog> onBegin,
            final Runnable onLong) {
        this.onBegin = onBegin;
        this.onLong = onLong;
        this.thread = thread;
        this.part = part;
        this.notWatched = notWatched;
        figures = new long[notWatched.isEmpty() ? CAPACITY * FIGURES : 0];
        othersRan = new long[notWatched.isEmpty() ? 2 * CAPACITY : 0];
    }

    /**
     * Adds a stall.
     *
     * @param counters the figures after begin and end, in their order; copied
     */
    void add(final long beginNs, final long endNs, final long[] counters) {
        if (endNs - beginNs >= LONG_NS) {
            onLong.run();
        }
        final int n = (int) COUNT.get(this);
        if (n == MOST || n - (int) TAKEN.getAcquire(this) == CAPACITY) {
            if (notNotedNs == 0) {
                notNotedFromNs = beginNs;
            }
            notNotedNs += endNs - beginNs;
            notNotedToNs = endNs;
            NOT_NOTED.setRelease(this, (long) NOT_NOTED.get(this) + 1);
            return;
        }
        final int at = (n & CAPACITY - 1) * FIGURES;
        figures[at] = beginNs;
        figures[at + 1] = endNs;
        System.arraycopy(counters, 0, figures, at + 2, FIGURES - 2);
        COUNT.setRelease(this, n + 1);
    }

    /**
     * Records the CPU time that the other threads of the process had used by then. Where nobody has
     * read the last ones in time, the next one covers a longer interval; behind {@link #MOST} there
     * is none.
     */
    void othersRan(final long nowNs, final long cpuNs) {
        final int n = (int) SAMPLES.get(this);
        if (n == MOST) {
            if (samplesOverNs == 0) {
                samplesOverNs = nowNs;
            }
        } else if (n - (int) SAMPLES_TAKEN.getAcquire(this) < CAPACITY) {
            final int at = 2 * (n & CAPACITY - 1);
            othersRan[at] = nowNs;
            othersRan[at + 1] = cpuNs;
            SAMPLES.setRelease(this, n + 1);
        }
    }

    /**
     * Makes the kernel date when the calling thread leaves its core and returns; to be called once.
     */
    void begin() {
        if (switches != null || !whyNotDated.isEmpty()) {
            return; // also where it naps: what runs on its cores says nothing of it without dates
        }
        // what a user may lock is limited (kernel.perf_event_mlock_kb)
        String refused = "";
        for (int pages = SWITCH_PAGES;
                switches == null && pages >= LEAST_SWITCH_PAGES;
                pages /= 2) {
            try {
                switches = PerfRing.ofThisThread(pages);
            } catch (final PerfRing.Refused e) {
                refused = e.getMessage();
            }
        }
        whyNotDated = switches == null ? refused : "";
        onBegin.accept(this);
    }

    /** The kernel's record of them; null where there is none. */
    PerfRing switches() {
        return switches;
    }

    /** Why they are not dated; empty where they are, or were not requested yet. */
    String whyNotDated() {
        return whyNotDated;
    }

    /** Its thread naps: a record of each switch would be more than the kernel's buffer holds. */
    void naps() {
        whyNotDated = NAPS;
    }

    boolean isNapping() {
        return whyNotDated.equals(NAPS);
    }

    /** From when on {@link #othersRan} had no room; 0 where it has. */
    long samplesOverNs() {
        return samplesOverNs;
    }

    void lacksCounters() {
        lacksCounters = true;
    }

    /** Its thread looks at the clock also where no long call was between; rarely called. */
    void looksBetweenWork() {
        if (!looksBetweenWork) {
            looksBetweenWork = true;
        }
    }

    /** The shortest stall that it notes. */
    long thresholdNs() {
        return looksBetweenWork ? StallWatch.THRESHOLD_NS : StallWatch.WORK_THRESHOLD_NS;
    }

    boolean isLackingCounters() {
        return lacksCounters;
    }

    String thread() {
        return thread;
    }

    StallWatch.Part part() {
        return part;
    }

    String notWatched() {
        return notWatched;
    }

    int count() {
        return (int) COUNT.getAcquire(this);
    }

    int samples() {
        return (int) SAMPLES.getAcquire(this);
    }

    /**
     * Says what the reader has read, to be overwritten from now on.
     *
     * @param stalls so many in all
     * @param allSamples so many in all
     */
    void taken(final int stalls, final int allSamples) {
        TAKEN.setRelease(this, stalls);
        SAMPLES_TAKEN.setRelease(this, allSamples);
    }

    /** Stalls that were not kept because it was full. */
    long notNoted() {
        return (long) NOT_NOTED.getAcquire(this);
    }

    /** How long those were together; to be asked after {@link #notNoted}, as the next two. */
    long notNotedNs() {
        return notNotedNs;
    }

    /** When the first of them began. */
    long notNotedFromNs() {
        return notNotedFromNs;
    }

    /** When the last of them ended. */
    long notNotedToNs() {
        return notNotedToNs;
    }

    long figure(final int stall, final int figure) {
        return figures[(stall & CAPACITY - 1) * FIGURES + figure];
    }

    long sample(final int sample, final int figure) {
        return othersRan[2 * (sample & CAPACITY - 1) + figure];
    }
}
