package io.tickmark.kernel.host;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which cores this process may use, and pinning of the calling thread to one of them. A thread
 * passes its mask on to the threads and processes that it starts, and {@code availableProcessors()}
 * counts the caller's mask: so pin late, pin workers only, and start nothing from a pinned thread.
 */
public final class Affinity {
    /** Bytes of a mask that can hold every core that a {@link CoreList} can name. */
    private static final int MASK_BYTES = CoreList.MAX_CORES / Byte.SIZE;

    private static final FunctionDescriptor MASK_CALL =
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
    private static final Optional<MethodHandle> SET =
            Libc.findWithErrno("sched_setaffinity", MASK_CALL);
    private static final Optional<MethodHandle> GET =
            Libc.findWithErrno("sched_getaffinity", MASK_CALL);

    /** Linked for the first thread that is pinned: a role listens sooner without. */
    private static final class Gettid {
        static final Optional<MethodHandle> CALL =
                Libc.find("gettid", FunctionDescriptor.of(JAVA_INT));
    }

    /** The JDK's own number for the thread that runs {@code main}. */
    private static final long JAVA_MAIN_THREAD = 1;

    private static final int NO_THREAD = 0;

    private Affinity() {}

    /**
     * The cores that this process may use; pinned workers do not change it.
     *
     * @return ascending core numbers, at least one
     */
    public static List<Integer> allowedCores() {
        return allowedCores(HostFiles.ofThisHost());
    }

    static List<Integer> allowedCores(final HostFiles files) {
        return files.keyed("/proc/self/status", ":")
                .map(status -> status.getOrDefault("Cpus_allowed_list", ""))
                .flatMap(CoreList::parse)
                .filter(cores -> !cores.isEmpty())
                .orElseGet(() ->
                        IntStream.range(0, Runtime.getRuntime().availableProcessors())
                                .boxed()
                                .toList());
    }

    /**
     * The cores that a thread of this process can be pinned to: all cores of its control group,
     * including isolated ones and those outside the mask of {@code taskset}.
     *
     * @return ascending core numbers; the allowed ones where the system cannot be queried
     */
    public static List<Integer> reachableCores() {
        final AtomicReference<List<Integer>> reachable = new AtomicReference<>(allowedCores());
        final Thread asking = new Thread(() -> reachable.set(widened()), "reachable-cores");
        asking.start();
        try {
            asking.join();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return reachable.get();
    }

    /**
     * Refuses a core that no thread of this process can be pinned to.
     *
     * @param option that names it, as the user wrote it
     * @param core number; any is accepted below 0, where the core is left open
     * @throws UserError of kind usage, with the cores that can be used
     */
    public static void checkReachable(final String option, final int core) {
        final List<Integer> reachable = core < 0 ? List.of() : reachableCores();
        if (core >= 0 && !reachable.contains(core)) {
            throw UserError.usage(
                    "%s %d: this process may use cores %s; name one of them."
                            .formatted(option, core, CoreList.format(reachable)));
        }
    }

    /**
     * The cores to choose from for hot threads: the allowed ones, and those that are isolated for
     * such threads, which the scheduler assigns to no thread by itself. Where the process was
     * restricted to fewer cores than the scheduler has, it stays restricted.
     *
     * @return ascending core numbers, at least one
     */
    public static List<Integer> coresForHotThreads() {
        return coresForHotThreads(HostFiles.ofThisHost(), reachableCores());
    }

    static List<Integer> coresForHotThreads(
            final HostFiles files, final List<Integer> reachableCores) {
        final List<Integer> allowed = allowedCores(files);
        final List<Integer> isolated = isolatedCores(files);
        return reachableCores.stream()
                        .allMatch(core -> allowed.contains(core) || isolated.contains(core))
                ? reachableCores
                : allowed;
    }

    static List<Integer> isolatedCores(final HostFiles files) {
        return files.text("/sys/devices/system/cpu/isolated")
                .flatMap(CoreList::parse)
                .orElse(List.of());
    }

    /** The kernel drops from a mask the cores that the control group does not have. */
    private static List<Integer> widened() {
        set(IntStream.range(0, CoreList.MAX_CORES).boxed().toList(), "Not widened");
        return currentCores();
    }

    /**
     * Pins the calling thread to one core and reads the mask back.
     *
     * @param core number of the core
     * @return empty when the thread is pinned, otherwise a sentence that says why it is not
     */
    public static Optional<String> pin(final int core) {
        if (core < 0 || core >= CoreList.MAX_CORES) {
            return Optional.of("Not pinned to core " + core + ": there is no such core.");
        }
        return set(List.of(core), "Not pinned to core " + core);
    }

    /**
     * Lets the calling thread run on every core that the process may use. A thread begins with the
     * mask of the one that started it, which may be pinned; where that cannot be changed, it stays
     * there.
     */
    public static void unpin() {
        set(allowedCores(), "Not unpinned");
    }

    /**
     * The cores that the calling thread may use.
     *
     * @return ascending core numbers, those of the process where the thread's cannot be read
     */
    public static List<Integer> currentCores() {
        if (GET.isEmpty()) {
            return allowedCores();
        }
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment mask = arena.allocate(MASK_BYTES, Long.BYTES);
            final Errno errno = new Errno();
            return call(GET.get(), errno, 0, mask) < 0 ? allowedCores() : cores(mask);
        }
    }

    /**
     * Keeps the other threads of this process (the JVM's compilers and collectors, the engine's
     * own) off a core, so that none of them takes it from the calling thread, which is pinned
     * there. Threads that may use no other core stay; threads that a moved thread starts later stay
     * off it, too.
     *
     * @param core to keep free
     * @return releases the core when it is closed
     */
    public static ClearedCores keepOthersOff(final int core) {
        final ClearedCores cleared = new ClearedCores(List.of(core));
        if (refusal().isEmpty() && GET.isPresent()) {
            cleared.clear(threadId());
        }
        return cleared;
    }

    /**
     * Keeps all threads of this process off some cores, on which other processes measure. Threads
     * that it starts meanwhile stay off them, too.
     *
     * @param cores to keep free
     * @return releases the cores when it is closed
     */
    public static ClearedCores keepOff(final Collection<Integer> cores) {
        final ClearedCores cleared = new ClearedCores(cores);
        if (SET.isPresent() && GET.isPresent() && !cores.isEmpty()) {
            cleared.clear(NO_THREAD);
        }
        return cleared;
    }

    /** Cores that threads of this process are kept off. Single-threaded. */
    public static final class ClearedCores implements AutoCloseable {
        private final Set<Integer> cleared;

        /** The masks of threads before, by their masks since. */
        private final Map<List<Integer>, List<Integer>> before = new HashMap<>();

        private int moved;

        private ClearedCores(final Collection<Integer> cores) {
            cleared = Set.copyOf(cores);
        }

        /** The process's first thread only waits, and its mask shows what the process may use. */
        private void clear(final int caller) {
            final long first = ProcessHandle.current().pid();
            for (final int thread : threads()) {
                final List<Integer> cores = coresOf(thread);
                final List<Integer> others =
                        cores.stream().filter(each -> !cleared.contains(each)).toList();
                if (thread != caller
                        && thread != first
                        && others.size() < cores.size()
                        && !others.isEmpty()
                        && trySet(thread, others)) {
                    before.put(others, cores);
                    moved++;
                }
            }
        }

        /**
         * How many threads were moved.
         *
         * @return 0 where there is no other core for them, or the system cannot be queried
         */
        public int movedThreads() {
            return moved;
        }

        /**
         * Restores the masks of the threads that were kept off the cores, and of the threads that
         * they have started.
         */
        @Override
        public void close() {
            if (moved > 0) {
                for (final int thread : threads()) {
                    final List<Integer> cores = before.get(coresOf(thread));
                    if (cores != null) {
                        trySet(thread, cores);
                    }
                }
                moved = 0;
            }
        }
    }

    /** Numbers of the threads that this process has now. */
    private static List<Integer> threads() {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            return tasks.map(task -> Integer.valueOf(task.getFileName().toString())).toList();
        } catch (final IOException | UncheckedIOException e) {
            return List
                    .of(); // not reported here: nothing is moved, and the caller reports how many
            // were
        }
    }

    /** Empty for a thread that has ended. */
    private static List<Integer> coresOf(final int thread) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment mask = arena.allocate(MASK_BYTES, Long.BYTES);
            return call(GET.orElseThrow(), new Errno(), thread, mask) < 0 ? List.of() : cores(mask);
        }
    }

    private static boolean trySet(final int thread, final List<Integer> cores) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment mask = arena.allocate(MASK_BYTES, Long.BYTES);
            cores.forEach(core -> setBit(mask, core));
            return call(SET.orElseThrow(), new Errno(), thread, mask) >= 0;
        }
    }

    private static Optional<String> set(final List<Integer> cores, final String failed) {
        final Optional<String> refusal = refusal();
        if (refusal.isPresent()) {
            return refusal.map(reason -> failed + ": " + reason + ".");
        }
        final MethodHandle setAffinity = SET.orElseThrow();
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment mask = arena.allocate(MASK_BYTES, Long.BYTES);
            cores.forEach(core -> setBit(mask, core));
            final Errno errno = new Errno();
            if (call(setAffinity, errno, 0, mask) < 0) {
                return Optional.of(failed + ": " + reason(errno) + ".");
            }
        }
        final List<Integer> found = currentCores();
        return found.equals(cores)
                ? Optional.empty()
                : Optional.of(
                        failed + ": the thread may use cores " + CoreList.format(found) + ".");
    }

    private static Optional<String> refusal() {
        if (SET.isEmpty() || Gettid.CALL.isEmpty()) {
            return Optional.of(
                    Libc.isAvailable()
                            ? "the C library has no sched_setaffinity() or gettid()"
                            : Libc.whyNotAvailable());
        }
        final Thread thread = Thread.currentThread();
        if (thread.isVirtual()) {
            return Optional.of("a virtual thread has no core of its own");
        }
        if (thread.threadId() == JAVA_MAIN_THREAD || threadId() == ProcessHandle.current().pid()) {
            return Optional.of(
                    "it is the main thread, and all it starts later would share that one core");
        }
        return Optional.empty();
    }

    private static String reason(final Errno errno) {
        return errno.value() == Errno.EINVAL
                ? "this process may only use cores " + CoreList.format(reachableCores())
                : errno.text();
    }

    private static int threadId() {
        try {
            return (int) Gettid.CALL.orElseThrow().invokeExact();
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** Number 0 is the calling thread; the kernel answers with the bytes it wrote, or -1. */
    private static int call(
            final MethodHandle handle,
            final Errno errno,
            final int thread,
            final MemorySegment mask) {
        try {
            return (int) handle.invokeExact(errno.segment(), thread, (long) MASK_BYTES, mask);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** A mask is an array of native longs, core 0 in the lowest bit of the first. */
    private static void setBit(final MemorySegment mask, final int core) {
        final int index = core / Long.SIZE;
        final long old = mask.getAtIndex(JAVA_LONG, index);
        mask.setAtIndex(JAVA_LONG, index, old | 1L << core % Long.SIZE);
    }

    private static List<Integer> cores(final MemorySegment mask) {
        final List<Integer> cores = new ArrayList<>();
        for (int core = 0; core < CoreList.MAX_CORES; core++) {
            if ((mask.getAtIndex(JAVA_LONG, core / Long.SIZE) >>> core % Long.SIZE & 1) != 0) {
                cores.add(core);
            }
        }
        return cores;
    }
}
