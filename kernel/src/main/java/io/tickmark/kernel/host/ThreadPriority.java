package io.tickmark.kernel.host;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * How the kernel schedules the calling thread. A change that is not permitted leaves the thread as
 * it was and returns a sentence for the user: a measurement continues without it.
 */
public final class ThreadPriority {
    private static final int SCHED_FIFO = 1;
    private static final int SCHED_BATCH = 3;
    private static final int PRIO_PROCESS = 0;
    private static final int PR_SET_TIMERSLACK = 29;
    private static final int THIS_THREAD = 0;

    /** Fields of a thread's stat file after its name. */
    private static final int NICE_FIELD = 16;

    private static final int REAL_TIME_FIELD = 37;
    private static final int POLICY_FIELD = 38;

    /** Linked for the first call, as the other two are: most roles keep the priority they have. */
    private static final class SetPriority {
        static final Optional<MethodHandle> CALL =
                Libc.findWithErrno(
                        "setpriority",
                        FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    }

    private static final class SetScheduler {
        static final Optional<MethodHandle> CALL =
                Libc.findWithErrno(
                        "sched_setscheduler",
                        FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    }

    private static final class Prctl {
        static final Optional<MethodHandle> CALL =
                Libc.findWithErrno(
                        "prctl",
                        FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG),
                        Linker.Option.firstVariadicArg(1));
    }

    private ThreadPriority() {}

    /**
     * Sets the nice value; below 0 needs a permission.
     *
     * @param value -20 (favoured) to 19
     * @return empty when it is set, otherwise the reason
     */
    public static Optional<String> nice(final int value) {
        if (value < -20 || value > 19) {
            return Optional.of("Nice value " + value + " is not set: use -20 to 19.");
        }
        final String failed = "Nice value " + value + " is not set";
        return tried(
                SetPriority.CALL,
                failed,
                "allow it with 'ulimit -e' or CAP_SYS_NICE",
                (call, errno) ->
                        (int) call.invokeExact(errno.segment(), PRIO_PROCESS, THIS_THREAD, value));
    }

    /**
     * Real-time scheduling, first in first out. The thread then yields to nothing of lower priority
     * on its core: leave a core free for the rest of the system.
     *
     * @param priority 1 to 99
     * @return empty when it is set, otherwise the reason
     */
    public static Optional<String> realTime(final int priority) {
        if (priority < 1 || priority > 99) {
            return Optional.of("Real-time priority " + priority + " is not set: use 1 to 99.");
        }
        return schedule(SCHED_FIFO, priority, "Real-time priority " + priority + " is not set");
    }

    /**
     * Batch scheduling, with the nice value as it is (sched(7)): on a core that is in use the
     * thread takes its turn after it was woken, instead of interrupting at once whoever woke it.
     *
     * @return empty when it is set, otherwise the reason
     */
    public static Optional<String> batch() {
        return schedule(SCHED_BATCH, 0, "Batch scheduling is not set");
    }

    /**
     * How the calling thread is scheduled.
     *
     * @return {@code nice 0}, {@code batch, nice 0}, {@code real-time 10}; {@code unknown} where
     *     the kernel does not report it
     */
    public static String describe() {
        return HostFiles.ofThisHost()
                .text("/proc/thread-self/stat")
                .map(ThreadPriority::described)
                .orElse("unknown");
    }

    static String described(final String stat) {
        // The name may hold anything, but ends with the last bracket (proc(5)).
        final String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
        if (fields.length <= POLICY_FIELD) {
            return "unknown";
        }
        final String nice = "nice " + fields[NICE_FIELD];
        return switch (fields[POLICY_FIELD]) {
            case "1", "2" -> "real-time " + fields[REAL_TIME_FIELD];
            case "3" -> "batch, " + nice;
            default -> nice;
        };
    }

    /**
     * How much later than requested the kernel may wake the thread; 50 us unless set, which would
     * turn a park of 1 us into one of 51 us.
     *
     * @param slackNs at least 1
     * @return empty when it is set, otherwise the reason
     */
    public static Optional<String> timerSlack(final long slackNs) {
        if (slackNs < 1) {
            return Optional.of("Timer slack of " + slackNs + " ns is not set: use 1 or more.");
        }
        return tried(
                Prctl.CALL,
                "Timer slack of " + slackNs + " ns is not set",
                "run without the filter that forbids it",
                (call, errno) ->
                        (int) call.invokeExact(errno.segment(), PR_SET_TIMERSLACK, slackNs));
    }

    private static Optional<String> schedule(
            final int policy, final int priority, final String failed) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment parameter = arena.allocate(JAVA_INT);
            parameter.set(JAVA_INT, 0, priority);
            return tried(
                    SetScheduler.CALL,
                    failed,
                    "allow it with 'ulimit -r' or CAP_SYS_NICE",
                    (call, errno) ->
                            (int)
                                    call.invokeExact(
                                            errno.segment(), THIS_THREAD, policy, parameter));
        }
    }

    @FunctionalInterface
    private interface Call {
        int of(MethodHandle handle, Errno errno) throws Throwable;
    }

    private static Optional<String> tried(
            final Optional<MethodHandle> handle,
            final String failed,
            final String remedy,
            final Call call) {
        if (Thread.currentThread().isVirtual()) {
            return Optional.of(failed + ": a virtual thread has no priority of its own.");
        }
        if (handle.isEmpty()) {
            final String reason =
                    Libc.isAvailable() ? "the C library has no such call" : Libc.whyNotAvailable();
            return Optional.of(failed + ": " + reason + ".");
        }
        final Errno errno = new Errno();
        try {
            if (call.of(handle.get(), errno) == 0) {
                return Optional.empty();
            }
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
        final boolean refused = errno.value() == Errno.EPERM || errno.value() == Errno.EACCES;
        final String reason = refused ? "not permitted; " + remedy : errno.text();
        return Optional.of(failed + ": " + reason + ".");
    }
}
