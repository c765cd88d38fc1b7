package io.tickmark.kernel.stall;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.tickmark.kernel.host.EngineProcesses;
import io.tickmark.kernel.host.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What the kernel counts for the calling thread: the time it ran, the time it waited for a core,
 * its context switches and page faults. Each {@link #read} is four system calls (two microseconds
 * in all), and one for each server of the engine, into memory that was allocated before. To be used
 * only by the thread that opened it.
 *
 * <p>Sources: getrusage(2) with RUSAGE_THREAD, clock_gettime(2) with the CPU clocks, and the second
 * figure of {@code /proc/thread-self/schedstat} (the kernel's sched-stats page): nanoseconds spent
 * runnable and waiting.
 */
public final class ThreadUsage implements AutoCloseable {
    private static final int RUSAGE_THREAD = 1;
    private static final int CLOCK_PROCESS_CPUTIME_ID = 2;
    private static final int CLOCK_THREAD_CPUTIME_ID = 3;
    private static final int O_RDONLY = 0;

    /** Of struct rusage on 64-bit Linux: two timevals, then fourteen longs. */
    private static final int RUSAGE_BYTES = 144;

    private static final int MINOR_FAULTS = 64;
    private static final int MAJOR_FAULTS = 72;
    private static final int VOLUNTARY = 128;
    private static final int INVOLUNTARY = 136;
    private static final int TEXT_BYTES = 128;
    private static final long NS_PER_S = 1_000_000_000;

    /** Constants, so that calls are compiled into the code that makes them. */
    private static final class Calls {
        static final MethodHandle GETRUSAGE =
                Libc.handle("getrusage", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
        static final MethodHandle CLOCK_GETTIME =
                Libc.handle("clock_gettime", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
        static final MethodHandle OPEN =
                Libc.handle(
                        "open",
                        FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                        Linker.Option.firstVariadicArg(2));
        static final MethodHandle PREAD =
                Libc.handle(
                        "pread",
                        FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
        static final MethodHandle CLOSE =
                Libc.handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    }

    private final MemorySegment usage = Arena.ofAuto().allocate(RUSAGE_BYTES, 8);
    private final MemorySegment time = Arena.ofAuto().allocate(16, 8);
    private final MemorySegment text = Arena.ofAuto().allocate(TEXT_BYTES, 8);

    /** The same memory: what a segment checks at each read is a lot of code for a short method. */
    private final UnsafeBuffer usageRead = new UnsafeBuffer(usage.address(), RUSAGE_BYTES);

    private final UnsafeBuffer timeRead = new UnsafeBuffer(time.address(), 16);
    private final UnsafeBuffer textRead = new UnsafeBuffer(text.address(), TEXT_BYTES);
    private final int schedstat;
    private boolean isWhole = true;
    private long cpuNs;
    private long othersCpuNs;
    private long runDelayNs;
    private long voluntary;
    private long involuntary;
    private long minorFaults;
    private long majorFaults;

    private ThreadUsage(final int schedstat) {
        this.schedstat = schedstat;
    }

    /**
     * For the calling thread.
     *
     * @return empty where the kernel or the JVM does not report all of it
     */
    public static Optional<ThreadUsage> ofThisThread() {
        if (!Libc.isAvailable()) {
            return Optional.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            final int file =
                    (int)
                            Calls.OPEN.invokeExact(
                                    arena.allocateFrom("/proc/thread-self/schedstat"), O_RDONLY);
            if (file < 0) {
                return Optional.empty();
            }
            final ThreadUsage usage = new ThreadUsage(file);
            usage.read();
            if (!usage.isWhole) {
                usage.close();
                return Optional.empty();
            }
            return Optional.of(usage);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /**
     * Whether the thread has left its core since the last {@link #read}: one system call, for a
     * loop that asks thousands of times a second. Allocates nothing.
     *
     * @return true also where the kernel does not say
     */
    public boolean hasSwitched() {
        try {
            return (int) Calls.GETRUSAGE.invokeExact(RUSAGE_THREAD, usage) != 0
                    || usageRead.getLong(VOLUNTARY) != voluntary
                    || usageRead.getLong(INVOLUNTARY) != involuntary;
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** Reads all counters; allocates nothing. */
    public void read() {
        readOwn();
        readProcess();
    }

    /**
     * Reads the counters of the thread alone, which takes half the time: what the process used is
     * added up over all of its threads.
     */
    void readOwn() {
        try {
            isWhole = (int) Calls.GETRUSAGE.invokeExact(RUSAGE_THREAD, usage) == 0;
            minorFaults = usageRead.getLong(MINOR_FAULTS);
            majorFaults = usageRead.getLong(MAJOR_FAULTS);
            voluntary = usageRead.getLong(VOLUNTARY);
            involuntary = usageRead.getLong(INVOLUNTARY);
            cpuNs = clock(CLOCK_THREAD_CPUTIME_ID);
            final long length =
                    (long) Calls.PREAD.invokeExact(schedstat, text, (long) TEXT_BYTES, 0L);
            isWhole &= length > 0;
            runDelayNs = secondNumber(length);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** Reads the rest, right after {@link #readOwn}. */
    void readProcess() {
        try {
            long allNs = clock(CLOCK_PROCESS_CPUTIME_ID);
            for (final int server : EngineProcesses.clocks()) {
                if ((int) Calls.CLOCK_GETTIME.invokeExact(server, time) == 0) {
                    allNs += timeNs(); // one that has just ended has no clock any more
                }
            }
            othersCpuNs = allNs - cpuNs;
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    private long clock(final int id) throws Throwable {
        isWhole &= (int) Calls.CLOCK_GETTIME.invokeExact(id, time) == 0;
        return timeNs();
    }

    private long timeNs() {
        return timeRead.getLong(0) * NS_PER_S + timeRead.getLong(8);
    }

    private long secondNumber(final long length) {
        int at = 0;
        while (at < length && textRead.getByte(at) != ' ') {
            at++;
        }
        long number = 0;
        for (at++; at < length && textRead.getByte(at) != ' '; at++) {
            number = number * 10 + textRead.getByte(at) - '0';
        }
        return number;
    }

    /** The counters as read, for tests. */
    boolean isWhole() {
        return isWhole;
    }

    /**
     * CPU time of the thread.
     *
     * @return ns, at the last {@link #read}
     */
    public long cpuNs() {
        return cpuNs;
    }

    /**
     * CPU time of the other threads of the process, and of the servers that it started; less than
     * before where one of these has ended.
     *
     * @return ns, of all of them together
     */
    public long othersCpuNs() {
        return othersCpuNs;
    }

    long runDelayNs() {
        return runDelayNs;
    }

    /**
     * How often the thread gave up its core: it waited, or the JVM held it at a safepoint.
     *
     * @return switches since it began
     */
    public long voluntary() {
        return voluntary;
    }

    long involuntary() {
        return involuntary;
    }

    long minorFaults() {
        return minorFaults;
    }

    long majorFaults() {
        return majorFaults;
    }

    @Override
    public void close() {
        try {
            final int _ = (int) Calls.CLOSE.invokeExact(schedstat);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }
}
