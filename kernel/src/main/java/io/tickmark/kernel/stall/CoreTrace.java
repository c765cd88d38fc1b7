package io.tickmark.kernel.stall;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.result.TailSummary.Trace;
import io.tickmark.kernel.settings.IoReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which tasks ran on the cores, and which interrupts occurred, as the kernel dates it: context
 * switches of all tasks, and tracepoints of interrupts and softirqs where its tracing files are
 * mounted. Needs root or CAP_PERFMON. Records that no thread of this role asks for are discarded
 * after a while. Single-threaded, used by the reporter.
 *
 * <p>Source of the fields: the {@code format} files of the kernel's tracepoints.
 */
final class CoreTrace implements AutoCloseable {
    /** Where distributions mount them now, and where earlier ones did. */
    private static final List<Path> TRACING =
            List.of(Path.of("/sys/kernel/tracing"), Path.of("/sys/kernel/debug/tracing"));

    /**
     * Tracepoints that begin and end an interrupt, besides the handlers' and softirqs'. Not {@code
     * irq_work}: records of it make such an interrupt themselves.
     */
    private static final List<String> VECTORS =
            List.of(
                    "local_timer",
                    "reschedule",
                    "call_function",
                    "call_function_single",
                    "thermal_apic");

    /** By the number of the softirq: enum in {@code linux/interrupt.h}. */
    private static final List<String> SOFTIRQS =
            List.of(
                    "high",
                    "timer",
                    "net-tx",
                    "net-rx",
                    "block",
                    "irq-poll",
                    "tasklet",
                    "sched",
                    "hrtimer",
                    "rcu");

    /**
     * Softirqs of packets (2 and 3) occur with each message, on the loopback within the call that
     * sends it: records of them would cost a microsecond each. {@link #OF_A_CARD} stands for those
     * of a network card, which interrupt whatever runs.
     */
    private static final String NO_PACKETS = "vec != 2 && vec != 3";

    /** What handled packets of no device is the loopback's, within a call that sends. */
    private static final String OF_A_CARD = "dev_name != \"(no_device)\"";

    private static final String PACKETS = "packets";

    /** The kernel leaves packets that take longer to a thread of its own, which is a task. */
    private static final long LONGEST_SOFTIRQ_NS = 2_000_000;

    private static final int PAGES = 256;
    private static final int MOST_CORES = 32;
    private static final int MOST_SWITCHES = 1 << 16;
    private static final int MOST_NAMES = 1 << 14;

    /** A stall is at least five times as long; shorter interrupts are not kept. */
    private static final long SHORTEST_NS = 2_000;

    /** Stands for whatever ran while records of a core are missing; no process has this number. */
    static final String NOT_RECORDED = "-2:not-recorded";

    private static final long LOST_TASK = -2L;

    private static final int RAW_FIELDS = 8;
    private static final int NOT_KNOWN = -1;

    /** Opens a ring of a core; a seam for kernels that refuse it. */
    @FunctionalInterface
    interface Rings {
        /**
         * Opens it.
         *
         * @param core number
         * @param dataPages of 4 KiB
         * @return a ring
         * @throws PerfRing.Refused if the kernel does not allow it
         */
        PerfRing ofCore(int core, int dataPages) throws PerfRing.Refused;
    }

    /** An interrupt of a watched thread, by the number of the thread. */
    record Interrupt(int index, long beginNs, long endNs, String what) {}

    /** A tracepoint of a core. */
    private record Point(String kind, boolean isEntry) {}

    /** Start times of what runs now, by kind. */
    private record Open(long beginNs, int tid, String what) {}

    static final class Core {
        private final int number;
        private final PerfRing ring;
        private final Map<Long, Point> points = new HashMap<>();
        private final Map<String, Open> open = new HashMap<>();

        /** Which task was scheduled on the core, and when; the oldest are overwritten. */
        private final long[] times = new long[MOST_SWITCHES];

        private final long[] tasks = new long[MOST_SWITCHES];
        private long switches;

        /** Of the switches, those before the reporter's current round. */
        private long switchesBefore;

        /** Time of the last record. */
        private long lastNs;

        /** Since when packets may be handled: the end of an interrupt, or of those before. */
        private long packetsFromNs;

        Core(final int number, final PerfRing ring) {
            this.number = number;
            this.ring = ring;
        }

        /** Whether that overwrites a switch of this round, which nobody has asked for yet. */
        private boolean isOverwriting(final long timeNs, final long task) {
            final int at = (int) (switches % MOST_SWITCHES);
            times[at] = timeNs;
            tasks[at] = task;
            return switches++ - switchesBefore >= MOST_SWITCHES;
        }
    }

    private final List<Core> cores = new ArrayList<>();
    private final List<Interrupt> interrupts = new ArrayList<>();
    private final Map<Integer, String> names = new HashMap<>();
    private final Map<Integer, Integer> watched = new HashMap<>();
    private boolean isAllowed = true;
    private final Map<Trace, String> lacks = new EnumMap<>(Trace.class);
    private final List<Path> tracing;
    private final Rings rings;
    private long lost;

    CoreTrace() {
        this(TRACING, PerfRing::ofCore);
    }

    /** With other folders in which the kernel's tracing files may be. */
    CoreTrace(final List<Path> tracing, final Rings rings) {
        this.tracing = tracing;
        this.rings = rings;
    }

    /** Keeps the interrupts of the calling thread, and watches the cores that it may run on. */
    void watchThisThread(final int index) {
        for (final int number : Affinity.currentCores()) {
            if (cores.size() == MOST_CORES) {
                lacks(
                        Trace.FURTHER_CORES,
                        "only %d are looked at; pin hot threads".formatted(MOST_CORES));
                break;
            }
            if (isAllowed && cores.stream().noneMatch(core -> core.number == number)) {
                try {
                    addTracepoints(add(new Core(number, rings.ofCore(number, PAGES))));
                } catch (final PerfRing.Refused e) {
                    isAllowed = false;
                    lacks(Trace.RAN_INSTEAD, e.getMessage());
                }
            }
        }
        try {
            // /proc/PID/task/TID
            final Path self = Path.of("/proc/thread-self").toRealPath();
            watched.put(Integer.parseInt(self.getFileName().toString()), index);
        } catch (final IOException | NumberFormatException e) {
            lacks(Trace.INTERRUPTS, "the number of the thread is not known");
        }
    }

    Core add(final Core core) {
        cores.add(core);
        return core;
    }

    private void addTracepoints(final Core core) {
        final Path events =
                tracing.stream()
                        .map(folder -> folder.resolve("events"))
                        .filter(Files::isDirectory)
                        .findFirst()
                        .orElse(null);
        if (events == null) {
            lacks(
                    Trace.INTERRUPTS,
                    "the kernel's tracing files are not mounted (mount -t tracefs nodev /sys/kernel/tracing)");
            return;
        }
        add(core, events.resolve("irq/irq_handler_entry"), new Point("irq", true));
        add(core, events.resolve("irq/irq_handler_exit"), new Point("irq", false));
        add(core, events.resolve("irq/softirq_entry"), new Point("softirq", true), NO_PACKETS);
        add(core, events.resolve("irq/softirq_exit"), new Point("softirq", false), NO_PACKETS);
        add(core, events.resolve("napi/napi_poll"), new Point(PACKETS, false), OF_A_CARD);
        for (final String vector : VECTORS) {
            final Path folder = events.resolve("irq_vectors");
            add(core, folder.resolve(vector + "_entry"), new Point(vector, true));
            add(core, folder.resolve(vector + "_exit"), new Point(vector, false));
        }
    }

    private void add(final Core core, final Path tracepoint, final Point point) {
        add(core, tracepoint, point, "");
    }

    /** A kernel without a tracepoint has no such interrupts, like kernels of other processors. */
    private void add(
            final Core core, final Path tracepoint, final Point point, final String filter) {
        final Path id = tracepoint.resolve("id");
        if (!Files.exists(id)) {
            return;
        }
        try {
            final long number = Long.parseLong(Files.readString(id).strip());
            core.points.put(core.ring.addTracepoint(number, core.number, filter), point);
        } catch (final IOException e) {
            lacks(Trace.INTERRUPTS, id + ": " + IoReason.of(e));
        } catch (final NumberFormatException e) {
            lacks(Trace.INTERRUPTS, id + " holds no number");
        } catch (final PerfRing.Refused e) {
            lacks(Trace.INTERRUPTS, e.getMessage());
        }
    }

    /** The first reason is kept. */
    private void lacks(final Trace what, final String why) {
        lacks.putIfAbsent(what, why);
    }

    /** What cannot be traced, each with a clause that says why; empty where everything can. */
    Map<Trace, String> lacks() {
        return lacks;
    }

    /**
     * Records that the kernel dropped because they were not read in time, and those for which there
     * was no room here until the reporter's next round.
     */
    long lost() {
        return lost;
    }

    /** Reads the available records. */
    void drain() {
        for (final Core core : cores) {
            core.ring.drain((type, misc, record) -> on(core, type, misc, record));
        }
    }

    void on(final Core core, final int type, final int misc, final ByteBuffer record) {
        switch (type) {
            case PerfRing.SWITCH_ON_CORE -> {
                if ((misc & PerfRing.LEAVES) == 0) {
                    final int trailer = record.limit() - PerfRing.TRAILER_BYTES;
                    final int pid = record.getInt(trailer);
                    final int tid = record.getInt(trailer + 4);
                    core.lastNs = record.getLong(trailer + 8);
                    switched(core, core.lastNs, (long) pid << Integer.SIZE | tid & 0xFFFF_FFFFL);
                    name(tid);
                }
            }
            case PerfRing.SAMPLE -> {
                final Point point = core.points.get(record.getLong(record.position()));
                if (point != null) {
                    interrupt(core, point, record);
                }
            }
            case PerfRing.NAMED -> {
                final int tid = record.getInt(record.position() + 4);
                if (names.size() < MOST_NAMES || names.containsKey(tid)) {
                    names.put(tid, plain(text(record, record.position() + 8)));
                }
            }
            case PerfRing.LOST -> {
                lost += record.getLong(record.position() + 8);
                if (core.lastNs != 0) {
                    switched(core, core.lastNs, LOST_TASK); // until the next switch that is known
                }
            }
            default -> {
                // nothing else was requested
            }
        }
    }

    private void switched(final Core core, final long timeNs, final long task) {
        if (core.isOverwriting(timeNs, task)) {
            lost++;
        }
    }

    private void interrupt(final Core core, final Point point, final ByteBuffer record) {
        final int body = record.position();
        final int tid = record.getInt(body + 12);
        final long timeNs = record.getLong(body + 16);
        core.lastNs = timeNs;
        final int raw = body + PerfRing.TRAILER_BYTES + 4;
        if (point.kind().equals(PACKETS)) {
            // recorded at their end alone; they are handled right after the card's interrupt
            final long fromNs = core.packetsFromNs;
            core.packetsFromNs = timeNs;
            if (timeNs - fromNs <= LONGEST_SOFTIRQ_NS) {
                keep(tid, fromNs, timeNs, what(PACKETS, record, raw));
            }
            return;
        }
        if (point.isEntry()) {
            core.open.put(point.kind(), new Open(timeNs, tid, what(point.kind(), record, raw)));
            return;
        }
        if (point.kind().equals("irq")) {
            core.packetsFromNs = timeNs;
        }
        final Open open = core.open.remove(point.kind());
        if (open != null) {
            keep(open.tid(), open.beginNs(), timeNs, open.what());
        }
    }

    void keep(final int tid, final long beginNs, final long endNs, final String what) {
        if (endNs - beginNs < SHORTEST_NS || !watched.containsKey(tid)) {
            return;
        }
        if (interrupts.size() < MOST_SWITCHES) {
            interrupts.add(new Interrupt(watched.get(tid), beginNs, endNs, what));
        } else {
            lost++;
        }
    }

    private static String what(final String kind, final ByteBuffer record, final int raw) {
        return switch (kind) {
            case "softirq" -> {
                final int vector = record.getInt(raw + RAW_FIELDS);
                yield "softirq:"
                        + (vector >= 0 && vector < SOFTIRQS.size()
                                ? SOFTIRQS.get(vector)
                                : "" + vector);
            }
            case PACKETS -> {
                // after the address of what polls the card, 8 bytes
                final int at = raw + (record.getInt(raw + RAW_FIELDS + 8) & 0xFFFF);
                yield PACKETS + ":" + (at < record.limit() ? plain(text(record, at)) : "");
            }
            case "irq" -> {
                final int at = raw + (record.getInt(raw + RAW_FIELDS + 4) & 0xFFFF);
                yield at < record.limit()
                        ? "irq:" + plain(text(record, at))
                        : "irq:" + record.getInt(raw + RAW_FIELDS);
            }
            default -> "irq:" + kind.replace('_', '-');
        };
    }

    private static String text(final ByteBuffer record, final int from) {
        int end = from;
        while (end < record.limit() && record.get(end) != 0) {
            end++;
        }
        return new String(record.array(), from, end - from, StandardCharsets.ISO_8859_1);
    }

    /** Interrupts of watched threads since the last call; ends a round of the reporter. */
    List<Interrupt> interrupts() {
        cores.forEach(core -> core.switchesBefore = core.switches);
        final List<Interrupt> all = List.copyOf(interrupts);
        interrupts.clear();
        return all;
    }

    /**
     * Which processes ran on a core between two times.
     *
     * @return {@code pid:name=ns} of each process, joined by semicolons, with {@link #NOT_RECORDED}
     *     for the time of which there is no record; empty where nothing is known
     */
    String ran(final int number, final long fromNs, final long toNs) {
        final Core core =
                cores.stream().filter(each -> each.number == number).findFirst().orElse(null);
        if (core == null || core.switches == 0) {
            return "";
        }
        final Map<String, Long> sums = new LinkedHashMap<>();
        long endNs = Long.MAX_VALUE;
        for (long n = core.switches - 1; n >= Math.max(0, core.switches - MOST_SWITCHES); n--) {
            final int at = (int) (n % MOST_SWITCHES);
            final long beginNs = core.times[at];
            final long ns = Math.min(endNs, toNs) - Math.max(beginNs, fromNs);
            if (ns > 0) {
                final long task = core.tasks[at];
                sums.merge(
                        task == LOST_TASK
                                ? NOT_RECORDED
                                : (task >> Integer.SIZE) + ":" + name((int) task),
                        ns,
                        Long::sum);
            }
            endNs = beginNs;
            if (beginNs <= fromNs) {
                break;
            }
        }
        if (endNs > fromNs) {
            sums.merge(NOT_RECORDED, Math.min(endNs, toNs) - fromNs, Long::sum);
        }
        final StringBuilder text = new StringBuilder();
        sums.forEach((who, ns) ->
                text.append(text.isEmpty() ? "" : ";").append(who).append('=').append(ns));
        return text.toString();
    }

    /**
     * Looked up while the task still runs, if possible: a task that is gone has no name any more.
     */
    private String name(final int tid) {
        if (tid == NOT_KNOWN) {
            return "a-task-that-ended";
        }
        if (tid == 0) {
            // the idle task, and tasks outside this container
            return "none-or-outside-this-container";
        }
        final String known = names.get(tid);
        if (known != null) {
            return known;
        }
        String name;
        try {
            name = plain(Files.readString(Path.of("/proc/" + tid + "/comm")).strip());
        } catch (final IOException e) {
            name = "a-task-that-ended";
        }
        if (names.size() < MOST_NAMES) {
            names.put(tid, name);
        }
        return name;
    }

    /** Whatever its name, a task must occupy one cell of a file. */
    static String plain(final String name) {
        final String plain = name.replaceAll("[^A-Za-z0-9_./@+-]", "_");
        return plain.isEmpty() ? "_" : plain;
    }

    @Override
    public void close() {
        cores.forEach(core -> core.ring.close());
    }
}
