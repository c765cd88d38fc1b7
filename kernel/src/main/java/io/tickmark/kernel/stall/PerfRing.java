package io.tickmark.kernel.stall;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.tickmark.kernel.host.Errno;
import io.tickmark.kernel.host.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A ring into which the kernel writes dated records of a thread or of a core, on the clock of the
 * measurement (CLOCK_MONOTONIC). The kernel writes when something happens and nothing runs in
 * between; {@link #drain} reads the available records. One thread at a time, but for the thread
 * that the records are of: see {@link #share}.
 *
 * <p>Source: perf_event_open(2) and {@code linux/perf_event.h} (struct perf_event_attr of version
 * 4, struct perf_event_mmap_page, the layout of records).
 */
final class PerfRing implements AutoCloseable {
    /** Types of records. */
    static final int LOST = 2;

    static final int NAMED = 3;
    static final int SAMPLE = 9;
    static final int SWITCH = 14;
    static final int SWITCH_ON_CORE = 15;

    /** Bits of a switch's {@code misc}: the thread leaves its core; it would have run on. */
    static final int LEAVES = 1 << 13;

    static final int PREEMPTED = 1 << 14;

    /**
     * Each record ends with pid, tid, time, cpu and the number of its event, samples begin with
     * them.
     */
    static final int TRAILER_BYTES = 32;

    private static final int TYPE_SOFTWARE = 1;
    private static final int TYPE_TRACEPOINT = 2;
    private static final long DUMMY = 9;
    private static final long SAMPLE_TID = 1 << 1;
    private static final long SAMPLE_TIME = 1 << 2;
    private static final long SAMPLE_CPU = 1 << 7;
    private static final long SAMPLE_RAW = 1 << 10;
    private static final long SAMPLE_IDENTIFIER = 1 << 16;
    private static final long EXCLUDE_KERNEL = 1 << 5;
    private static final long EXCLUDE_HYPERVISOR = 1 << 6;
    private static final long NAMES = 1 << 9;
    private static final long SAMPLE_ID_ALL = 1 << 18;
    private static final long USE_CLOCK = 1 << 25;
    private static final long CONTEXT_SWITCH = 1 << 26;
    private static final int CLOCK_MONOTONIC = 1;
    private static final int ATTRIBUTE_BYTES = 104;
    private static final long CLOSE_ON_EXEC = 1 << 3;
    private static final long SET_OUTPUT = 0x2405;
    private static final long SET_FILTER = 0x40082406L;
    private static final long GET_ID = 0x80082407L;
    private static final int PAGE_BYTES = 4096;
    private static final int HEAD = 1024;
    private static final int TAIL = 1032;
    private static final int READ_WRITE = 3;
    private static final int SHARED = 1;
    private static final int HEADER_BYTES = 8;

    /** A record's size is 16 bits: any fits into so many bytes, which are copied at a time. */
    private static final int MOST_RECORD_BYTES = 1 << 16;

    private static final Optional<MethodHandle> SYSCALL =
            Libc.findWithErrno(
                    "syscall",
                    FunctionDescriptor.of(
                            JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                            JAVA_LONG),
                    Linker.Option.firstVariadicArg(1));

    /** Linked once the kernel has opened an event; many forbid it. */
    private static final class Opened {
        static final MethodHandle MMAP =
                Libc.handleWithErrno(
                        "mmap",
                        FunctionDescriptor.of(
                                ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT,
                                JAVA_LONG));
        static final MethodHandle MUNMAP =
                Libc.handle("munmap", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
        static final MethodHandle CLOSE =
                Libc.handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    }

    private static final AtomicInteger TRACEPOINT_LINKS = new AtomicInteger();

    /** Linked before the first tracepoint, which only {@code --explain} adds. */
    private static final class Tracepoints {
        static final MethodHandle IOCTL =
                Libc.handle(
                        "ioctl",
                        FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
                        Linker.Option.firstVariadicArg(2));

        private Tracepoints() {}

        /** Does it now. */
        static void link() {
            // initializing this class is all
        }
    }

    private static final VarHandle POSITION = JAVA_LONG.varHandle();

    /** Receives the kernel's records. */
    @FunctionalInterface
    interface Records {
        /**
         * A record.
         *
         * @param type of it
         * @param misc its bits
         * @param record in the order of this machine, position and limit at its body; valid only
         *     during the call
         */
        void on(int type, int misc, ByteBuffer record);
    }

    private final List<Integer> events = new ArrayList<>();
    private final MemorySegment pages;
    private final long dataBytes;
    private final ByteBuffer copy =
            ByteBuffer.allocate(MOST_RECORD_BYTES).order(ByteOrder.nativeOrder());
    private boolean isClosed;

    /** Those who may look at its memory: who drains it, and the thread that it is of. */
    private final AtomicInteger users = new AtomicInteger(1);

    private PerfRing(final int event, final MemorySegment pages, final long dataBytes) {
        events.add(event);
        this.pages = pages;
        this.dataBytes = dataBytes;
    }

    /**
     * Context switches of the calling thread; every user may see those of their own threads if the
     * kernel's {@code perf_event_paranoid} is 2 or less.
     *
     * @param dataPages of 4 KiB, a power of two
     * @return a ring
     * @throws Refused if the kernel does not allow it
     */
    static PerfRing ofThisThread(final int dataPages) throws Refused {
        // without the kernel's own events, which need a privilege; switches are recorded
        // nevertheless
        return open(0, -1, EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR, dataPages);
    }

    /**
     * The same of another thread of this process.
     *
     * @param thread its number
     * @param dataPages of 4 KiB, a power of two
     * @return a ring
     * @throws Refused if the kernel does not allow it, or the thread has ended
     */
    static PerfRing ofThread(final int thread, final int dataPages) throws Refused {
        return open(thread, -1, EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR, dataPages);
    }

    /**
     * Context switches of all tasks on a core, and their names; root or CAP_PERFMON.
     *
     * @param core number
     * @param dataPages of 4 KiB, a power of two
     * @return a ring
     * @throws Refused if the kernel does not allow it
     */
    static PerfRing ofCore(final int core, final int dataPages) throws Refused {
        return open(-1, core, NAMES, dataPages);
    }

    private static PerfRing open(
            final long thread, final long core, final long flags, final int dataPages)
            throws Refused {
        final int event =
                event(
                        TYPE_SOFTWARE,
                        DUMMY,
                        SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_IDENTIFIER,
                        flags | CONTEXT_SWITCH,
                        thread,
                        core);
        final long bytes = (1L + dataPages) * PAGE_BYTES;
        final Errno errno = new Errno();
        try {
            final MemorySegment at =
                    (MemorySegment)
                            Opened.MMAP.invokeExact(
                                    errno.segment(),
                                    MemorySegment.NULL,
                                    bytes,
                                    READ_WRITE,
                                    SHARED,
                                    event,
                                    0L);
            if (at.address() == -1) {
                close(event);
                throw new Refused("the kernel provides no memory for it: " + errno.text());
            }
            return new PerfRing(event, reach(at, bytes), bytes - PAGE_BYTES);
        } catch (final Refused e) {
            throw e;
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    @SuppressWarnings("restricted") // memory of the kernel, as long as it is mapped
    private static MemorySegment reach(final MemorySegment at, final long bytes) {
        return at.reinterpret(bytes);
    }

    private static int event(
            final int type,
            final long config,
            final long sampleType,
            final long flags,
            final long thread,
            final long core)
            throws Refused {
        final long number =
                switch (System.getProperty("os.arch", "").toLowerCase(Locale.ROOT)) {
                    case "amd64", "x86_64" -> 298;
                    case "aarch64" -> 241;
                    default -> 0;
                };
        if (number == 0 || SYSCALL.isEmpty()) {
            throw new Refused("perf_event_open is not available here");
        }
        final Errno errno = new Errno();
        final long result;
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment attribute = arena.allocate(ATTRIBUTE_BYTES, 8);
            attribute.set(JAVA_INT, 0, type);
            attribute.set(JAVA_INT, 4, ATTRIBUTE_BYTES);
            attribute.set(JAVA_LONG, 8, config);
            attribute.set(JAVA_LONG, 16, type == TYPE_TRACEPOINT ? 1 : 0);
            attribute.set(JAVA_LONG, 24, sampleType);
            attribute.set(JAVA_LONG, 40, flags | SAMPLE_ID_ALL | USE_CLOCK);
            attribute.set(JAVA_INT, 92, CLOCK_MONOTONIC);
            result =
                    (long)
                            SYSCALL.get()
                                    .invokeExact(
                                            errno.segment(),
                                            number,
                                            attribute,
                                            thread,
                                            core,
                                            -1L,
                                            CLOSE_ON_EXEC);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
        if (result < 0) {
            throw new Refused(
                    switch (errno.value()) {
                        case Errno.EACCES, Errno.EPERM ->
                                "the kernel forbids perf_event_open (kernel.perf_event_paranoid, CAP_PERFMON or a"
                                        + " container's profile)";
                        default -> "perf_event_open: " + errno.text();
                    });
        }
        return (int) result;
    }

    /**
     * Links what only tracepoints call, which takes milliseconds the first time: to be called where
     * nobody waits for the calling thread. Of no effect where no ring can be opened.
     */
    static void linkTracepoints() {
        if (SYSCALL.isPresent()) {
            Tracepoints.link();
            TRACEPOINT_LINKS.incrementAndGet();
        }
    }

    /** How often {@link #linkTracepoints} has ended. */
    static int tracepointLinks() {
        return TRACEPOINT_LINKS.get();
    }

    /**
     * Adds a tracepoint of the core, whose samples are written to this ring.
     *
     * @param tracepoint its number, as in its folder's file {@code id}
     * @param core that of this ring
     * @param filter which of its events to record, as in the kernel's {@code filter} files; empty
     *     for all
     * @return the number that its samples end with
     * @throws Refused if the kernel does not allow it
     */
    long addTracepoint(final long tracepoint, final int core, final String filter) throws Refused {
        final int event =
                event(
                        TYPE_TRACEPOINT,
                        tracepoint,
                        SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_RAW | SAMPLE_IDENTIFIER,
                        0,
                        -1,
                        core);
        events.add(event);
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment id = arena.allocate(JAVA_LONG);
            final int output =
                    (int)
                            Tracepoints.IOCTL.invokeExact(
                                    event, SET_OUTPUT, MemorySegment.ofAddress(events.getFirst()));
            if (!filter.isEmpty()
                    && (int)
                                    Tracepoints.IOCTL.invokeExact(
                                            event, SET_FILTER, arena.allocateFrom(filter))
                            != 0) {
                throw new Refused("the tracepoint takes no filter");
            }
            if (output != 0 || (int) Tracepoints.IOCTL.invokeExact(event, GET_ID, id) != 0) {
                throw new Refused("the tracepoint does not write into the core's ring");
            }
            return id.get(JAVA_LONG, 0);
        } catch (final Refused e) {
            throw e;
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /**
     * For the thread that the records are of: it may ask {@link #head} and {@link #hasRoom}, also
     * behind {@link #close}, until its own {@link #leave}.
     *
     * @return false where it is closed already: then it may not
     */
    boolean share() {
        return users.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
    }

    /** Behind the last record: where nothing was recorded in between it is the same. */
    long head() {
        return (long) POSITION.getAcquire(pages, (long) HEAD);
    }

    /** Whether it is filled by less than three quarters: a full one records no more. */
    boolean hasRoom() {
        return head() - (long) POSITION.getAcquire(pages, (long) TAIL) < dataBytes / 4 * 3;
    }

    /** Looks at it no more; its memory is given back by the last one. */
    void leave() {
        if (users.decrementAndGet() == 0) {
            try {
                final int _ = (int) Opened.MUNMAP.invokeExact(pages, pages.byteSize());
            } catch (final Throwable thrown) {
                throw Libc.unexpected(thrown);
            }
        }
    }

    /**
     * Passes the available records on, in the order of time. They are copied many at a time: a copy
     * out of foreign memory is checked so thoroughly that four for each record were most of what
     * there was to compile, and compilers take the cores from what is measured.
     */
    void drain(final Records records) {
        if (isClosed) {
            return;
        }
        final long head = head();
        long at = pages.get(JAVA_LONG, TAIL);
        while (at < head) {
            final int bytes = (int) Math.min(head - at, MOST_RECORD_BYTES);
            copy(at, bytes);
            final int passed = pass(bytes, records);
            if (passed == 0) {
                at = head; // never observed; stopping is better than an endless loop
            }
            at += passed;
        }
        POSITION.setRelease(pages, (long) TAIL, at);
    }

    private void copy(final long from, final int bytes) {
        final long begin = from % dataBytes;
        final int first = (int) Math.min(bytes, dataBytes - begin);
        MemorySegment.copy(pages, JAVA_BYTE, PAGE_BYTES + begin, copy.array(), 0, first);
        MemorySegment.copy(pages, JAVA_BYTE, PAGE_BYTES, copy.array(), first, bytes - first);
    }

    /** Passes on those that were copied whole, at least one; returns their bytes. */
    private int pass(final int copied, final Records records) {
        int at = 0;
        while (copied - at >= HEADER_BYTES) {
            final int type = copy.getInt(at);
            final int misc = copy.getShort(at + 4) & 0xFFFF;
            final int bytes = copy.getShort(at + 6) & 0xFFFF;
            if (bytes < HEADER_BYTES || bytes > copied - at) {
                break;
            }
            records.on(type, misc, copy.limit(at + bytes).position(at + HEADER_BYTES));
            copy.clear();
            at += bytes;
        }
        return at;
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        events.forEach(PerfRing::close);
        leave();
    }

    private static void close(final int file) {
        try {
            final int _ = (int) Opened.CLOSE.invokeExact(file);
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** The kernel refuses such a ring; the message is a clause that says why. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        Refused(final String why) {
            super(why, null, false, false);
        }
    }
}
