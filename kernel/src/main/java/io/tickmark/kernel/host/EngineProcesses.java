package io.tickmark.kernel.host;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * Processes beside this one that serve the engine under test: servers that it started, whose use of
 * the cores is the test's own, and servers on this host that somebody else started, whose use of
 * the cores cannot be told from other programs'. Any thread.
 *
 * <p>Source: clock_getcpuclockid(3), the clock of all threads of a process.
 */
public final class EngineProcesses {
    private static final Optional<MethodHandle> CLOCK_OF =
            Libc.find("clock_getcpuclockid", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    private static final Map<Long, Integer> CLOCKS = new LinkedHashMap<>();
    private static final Set<String> FOREIGN = new ConcurrentSkipListSet<>();
    private static volatile int[] clocks = {};

    private EngineProcesses() {}

    /**
     * A process was started for the engine.
     *
     * @param pid its number
     */
    public static void started(final long pid) {
        synchronized (CLOCKS) {
            CLOCKS.put(pid, clockOf(pid));
            keep();
        }
    }

    /**
     * It has ended; ignored where it was not known.
     *
     * @param pid its number
     */
    public static void ended(final long pid) {
        synchronized (CLOCKS) {
            CLOCKS.remove(pid);
            keep();
        }
    }

    /**
     * The engine uses a process on this host that is not ours.
     *
     * @param what it is, for the user
     */
    public static void foreign(final String what) {
        FOREIGN.add(what);
    }

    /**
     * Those that run.
     *
     * @return their numbers
     */
    public static Set<Long> pids() {
        synchronized (CLOCKS) {
            return Set.copyOf(CLOCKS.keySet());
        }
    }

    /**
     * What is not ours.
     *
     * @return in words, in order
     */
    public static Set<String> foreign() {
        return Set.copyOf(FOREIGN);
    }

    /**
     * The clocks of those that run, for clock_gettime(2); not to be changed.
     *
     * @return a new array after each change
     */
    public static int[] clocks() {
        return clocks;
    }

    private static void keep() {
        clocks =
                CLOCKS.values().stream()
                        .mapToInt(Integer::intValue)
                        .filter(id -> id != 0)
                        .toArray();
    }

    /** 0, the clock of the wall, where it has none. */
    private static int clockOf(final long pid) {
        if (CLOCK_OF.isEmpty()) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment id = arena.allocate(JAVA_INT);
            return (int) CLOCK_OF.get().invokeExact((int) pid, id) == 0 ? id.get(JAVA_INT, 0) : 0;
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }
}
