package io.tickmark.kernel.host;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
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
    private static final Map<String, Long> NAMED = new ConcurrentSkipListMap<>();
    private static final Path PROCESSES = Path.of("/proc");
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
     * The engine uses a process on this host that is not ours but is known: what it takes of the
     * cores is the test's own.
     *
     * @param what it is, for the user
     * @param pid its number
     */
    public static void foreign(final String what, final long pid) {
        NAMED.put(what, pid);
        started(pid);
    }

    /**
     * Those of others that are known.
     *
     * @return their numbers by what they are, in order
     */
    public static Map<String, Long> named() {
        return Collections.unmodifiableMap(NAMED);
    }

    /**
     * For how long the threads of a process that run now were ready to run and waited for a core,
     * since each began, added up: the second figure of {@code schedstat} (the kernel's sched-stats
     * page).
     *
     * @param pid its number
     * @return ns; empty where the kernel does not say, or the process has ended
     */
    public static OptionalLong waitedNs(final long pid) {
        long sumNs = 0;
        boolean isTold = false;
        try (DirectoryStream<Path> threads =
                Files.newDirectoryStream(PROCESSES.resolve(pid + "/task"))) {
            for (final Path thread : threads) {
                final Path figures = thread.resolve("schedstat");
                if (Files.exists(figures)) { // it may have ended just now
                    sumNs += Long.parseLong(Files.readString(figures).strip().split(" ")[1]);
                    isTold = true;
                }
            }
        } catch (final IOException
                | DirectoryIteratorException
                | NumberFormatException
                | ArrayIndexOutOfBoundsException e) {
            return OptionalLong.empty(); // said to the user as not known
        }
        return isTold ? OptionalLong.of(sumNs) : OptionalLong.empty();
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
