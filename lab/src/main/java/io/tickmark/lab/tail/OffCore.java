package io.tickmark.lab.tail;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * When a watched thread was off its core or its core handled an interrupt, as the kernel dated it,
 * and what ran there instead where that was traced.
 */
final class OffCore {

    /** The owner of a process. */
    enum Process {
        /** A role; all its threads except the reporter belong to the test. */
        ROLE,
        /** The controller or an agent. */
        BENCH
    }

    private static final String REPORTER = "reporter";

    /** Stands for what ran while the kernel's records of a core are missing. */
    private static final String NOT_RECORDED = "-2:not-recorded";

    /** All threads of the process that started the roles. */
    private static final String CONTROLLER = "controller";

    private static final List<String> COMPILERS = List.of("C1_Compiler", "C2_Compiler");

    /** The tick of the kernel and what follows it, on every core that has a task. */
    private static final Set<String> KERNELS_OWN =
            Set.of(
                    "irq:local-timer",
                    "irq:thermal-apic",
                    "softirq:timer",
                    "softirq:sched",
                    "softirq:rcu");

    /** Of files of 0.1.0, which do not say. */
    private static final int NO_CORE = -1;

    private static final int ANY_CORE = -2;

    /** A time off the core, or in an interrupt, and the core that the thread came back to. */
    private record Away(
            long beginNs,
            long endNs,
            boolean isPreempted,
            Map<String, Long> ran,
            String what,
            int core,
            int backOn) {}

    /** A time in which a thread ran, and on which core. */
    private record Ran(long beginNs, long endNs, int core) {}

    /** A thread of a role that is not watched, and when it ran as the kernel dated it. */
    static final class Other {
        private final Optional<TailReader.RoleFolder> role;
        private final String name;
        private final List<Ran> ran = new ArrayList<>();

        /** The controller's are of no role: the CPU time of roles has nothing of theirs. */
        Other(final TailReader.RoleFolder role, final String name) {
            this.role = Optional.of(role).filter(_ -> !name.equals(CONTROLLER));
            this.name = name;
        }

        boolean isOf(final Predicate<TailReader.RoleFolder> roles) {
            return role.filter(roles).isPresent();
        }

        /** On whichever core. */
        long ranNs(final long fromNs, final long toNs) {
            return OffCore.ranNs(ran, ANY_CORE, fromNs, toNs);
        }

        /** Later than all before. */
        void ran(final long beginNs, final long endNs, final int core) {
            ran.add(new Ran(beginNs, endNs, core));
        }

        private long ranNs(final int core, final long fromNs, final long toNs) {
            return OffCore.ranNs(ran, core, fromNs, toNs);
        }
    }

    /** A time of which the kernel's records are missing. */
    private record Unseen(long fromNs, long toNs) {}

    /** Of the clock that dates them. */
    private final ClockLine line;

    private final List<Away> left = new ArrayList<>();
    private final List<Away> interrupts = new ArrayList<>();
    private final List<Unseen> unseen = new ArrayList<>();
    private List<Other> others = List.of();
    private List<Ran> ran;
    private long endedNs = Long.MAX_VALUE;
    private boolean isDated;
    private boolean isOrdered;
    private String whyNotDated = "";

    OffCore(final ClockLine line) {
        this.line = line;
    }

    /** Threads of the roles on its host that are not watched and are dated. */
    void beside(final List<Other> threads) {
        others = threads;
    }

    /** A clause that says why the kernel's records are missing; empty where they are not. */
    void isDated(final String whyNot) {
        isDated = whyNot.isEmpty();
        whyNotDated = whyNot;
    }

    /**
     * Reads a line {@code off}: begin, end, whether it was preempted, what ran for how long, the
     * core that it left and the one that it came back to.
     */
    void left(final String[] cells) {
        final Map<String, Long> ran = new HashMap<>();
        for (final String each : cells[6].split(";")) {
            final int at = each.lastIndexOf('=');
            if (at > 0) {
                ran.put(each.substring(0, at), Long.parseLong(each.substring(at + 1)));
            }
        }
        left.add(
                new Away(
                        line.at(Long.parseLong(cells[3])),
                        line.at(Long.parseLong(cells[4])),
                        cells[5].equals("1"),
                        ran,
                        "",
                        cells.length > 7 ? Integer.parseInt(cells[7]) : NO_CORE,
                        cells.length > 8 ? Integer.parseInt(cells[8]) : NO_CORE));
    }

    /** Reads a line {@code unseen}: begin, and end; where that is empty, it lasts for good. */
    void unseen(final String[] cells) {
        unseen.add(
                new Unseen(
                        line.at(Long.parseLong(cells[3])),
                        cells[4].isEmpty() ? Long.MAX_VALUE : line.at(Long.parseLong(cells[4]))));
    }

    /** Nothing is known from then on. */
    void unseenFrom(final long ns) {
        unseen.add(new Unseen(ns, Long.MAX_VALUE));
    }

    /** The end of its last absence; 0 where it has none. */
    long lastNs() {
        return left.isEmpty() ? 0 : left.getLast().endNs();
    }

    /** Reads a line {@code end}: until when the thread may have run. */
    void ended(final String[] cells) {
        endedNs = line.at(Long.parseLong(cells[3]));
    }

    /** Reads a line {@code interrupt}: begin, end and what it was. */
    void interrupted(final String[] cells) {
        interrupts.add(
                new Away(
                        line.at(Long.parseLong(cells[3])),
                        line.at(Long.parseLong(cells[4])),
                        false,
                        Map.of(),
                        cells[5],
                        NO_CORE,
                        NO_CORE));
    }

    /** What is unknown about the thread, a sentence. */
    Optional<String> lacks() {
        return whyNotDated.isEmpty()
                ? Optional.empty()
                : Optional.of("context switches have no timestamps: " + whyNotDated + ".");
    }

    boolean isDated() {
        return isDated;
    }

    /** Whether none of the kernel's records between two times is missing. */
    boolean isDated(final long fromNs, final long toNs) {
        return isDated
                && unseen.stream().noneMatch(each -> each.fromNs() < toNs && each.toNs() > fromNs);
    }

    /** Cores that the thread has left or come back to. */
    Set<Integer> cores() {
        return left.stream()
                .flatMap(away -> Stream.of(away.core(), away.backOn()))
                .filter(core -> core != NO_CORE)
                .collect(Collectors.toSet());
    }

    /** How long the thread is known to have run between two times. */
    long ranNs(final long fromNs, final long toNs) {
        return ranNs(ANY_CORE, fromNs, toNs);
    }

    private long ranNs(final int core, final long fromNs, final long toNs) {
        ran = ran == null ? ran() : ran;
        return ranNs(ran, core, fromNs, toNs);
    }

    /** They are in order, one after the other. */
    private static long ranNs(
            final List<Ran> all, final int core, final long fromNs, final long toNs) {
        int low = 0;
        int high = all.size();
        while (low < high) {
            final int middle = low + high >>> 1;
            if (all.get(middle).endNs() <= fromNs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        long sum = 0;
        for (int i = low; i < all.size() && all.get(i).beginNs() < toNs; i++) {
            final Ran each = all.get(i);
            if (each.core() == core || core == ANY_CORE) {
                sum += Math.min(each.endNs(), toNs) - Math.max(each.beginNs(), fromNs);
            }
        }
        return sum;
    }

    /**
     * Between its absences, without what is unseen; never where it was not seen to leave a core.
     */
    private List<Ran> ran() {
        final List<Ran> all = new ArrayList<>();
        final int count = left.size();
        unseen.sort(Comparator.comparingLong(Unseen::fromNs));
        int next = 0;
        for (int i = 0; i <= count && count > 0; i++) {
            long beginNs = i == 0 ? Long.MIN_VALUE : left.get(i - 1).endNs();
            final long endNs = i == count ? endedNs : left.get(i).beginNs();
            final int leaves = i == count ? NO_CORE : left.get(i).core();
            int core = i == 0 ? leaves : left.get(i - 1).backOn();
            while (next < unseen.size() && unseen.get(next).fromNs() < endNs) {
                final Unseen gap = unseen.get(next);
                if (gap.fromNs() > beginNs) {
                    all.add(new Ran(beginNs, gap.fromNs(), core));
                }
                if (gap.toNs() > beginNs) {
                    beginNs = gap.toNs();
                    core = leaves; // it may have come back to any, and left from this one
                }
                if (gap.toNs() > endNs) {
                    break; // a part of it is in the next
                }
                next++;
            }
            if (beginNs < endNs) {
                all.add(new Ran(beginNs, endNs, core));
            }
        }
        return all;
    }

    /** How long others ran where it was to go on: on the core that it left, and on its next. */
    private static long rivalsNs(
            final Away away, final long fromNs, final long toNs, final List<OffCore> rivals) {
        long sum = 0;
        for (final OffCore rival : rivals) {
            sum += away.core() == NO_CORE ? 0 : rival.ranNs(away.core(), fromNs, toNs);
            sum += away.core() == away.backOn() ? 0 : rival.ranNs(away.backOn(), fromNs, toNs);
        }
        return Math.min(sum, toNs - fromNs);
    }

    /**
     * What the other threads of the roles ran where it was to go on, by name; none where a trace of
     * the cores names all.
     */
    private Map<String, Long> besideNs(final Away away, final long fromNs, final long toNs) {
        final Map<String, Long> sums = new HashMap<>();
        if (away.ran().isEmpty() && away.core() != NO_CORE) {
            for (final Other other : others) {
                long ns = other.ranNs(away.core(), fromNs, toNs);
                if (away.backOn() != away.core()) {
                    ns += other.ranNs(away.backOn(), fromNs, toNs);
                }
                if (ns > 0) {
                    sums.merge(other.name, Math.min(ns, toNs - fromNs), Long::sum);
                }
            }
        }
        return sums;
    }

    /** Adds what {@link #besideNs} finds, by the cause that it is to a thread that waits. */
    private void addBeside(
            final Map<Cause, Long> sums, final Away away, final long fromNs, final long toNs) {
        besideNs(away, fromNs, toNs)
                .forEach((name, ns) ->
                        add(
                                sums,
                                name.equals(CONTROLLER) ? Cause.BENCH_PREEMPTED : ofRole(name),
                                ns));
    }

    /** Who a thread of a role's process is to a thread that waits. */
    private static Cause ofRole(final String name) {
        if (name.startsWith(REPORTER)) {
            return Cause.BENCH_PREEMPTED;
        }
        return COMPILERS.stream().anyMatch(name::startsWith)
                ? Cause.COMPILATION
                : Cause.ROLE_PREEMPTED;
    }

    private static void add(final Map<Cause, Long> sums, final Cause cause, final long ns) {
        if (ns > 0) {
            sums.merge(cause, ns, Long::sum);
        }
    }

    /**
     * The dated parts of a stall.
     *
     * @param waitedNs how long it waited for a core, by the kernel's count
     * @param processes of the roles and the bench, by number
     * @param rivals other watched threads of the roles
     * @return null where nothing is dated, or some of the kernel's records are missing
     */
    Stall.Dated between(
            final long fromNs,
            final long toNs,
            final long waitedNs,
            final Map<Long, Process> processes,
            final List<OffCore> rivals) {
        if (!isDated(fromNs, toNs)) {
            return null;
        }
        long byRivalsNs = 0;
        Away slept = null;
        long preemptedNs = 0;
        long leftNs = 0;
        final Map<Cause, Long> byOursNs = new EnumMap<>(Cause.class);
        long byOthersNs = 0;
        long notRecordedNs = 0;
        boolean isNamed = false;
        for (final Away away : within(left, fromNs, toNs)) {
            final long ns = overlap(away, fromNs, toNs);
            if (away.isPreempted()) {
                preemptedNs += ns;
                final long beginNs = Math.max(away.beginNs(), fromNs);
                final long endNs = Math.min(away.endNs(), toNs);
                byRivalsNs += rivalsNs(away, beginNs, endNs, rivals);
                addBeside(byOursNs, away, beginNs, endNs);
                isNamed |= !away.ran().isEmpty();
                for (final Map.Entry<String, Long> each : away.ran().entrySet()) {
                    final long part = part(each.getValue(), ns, away);
                    if (each.getKey().equals(NOT_RECORDED)) {
                        notRecordedNs += part;
                        continue;
                    }
                    final int colon = each.getKey().indexOf(':');
                    final Process of = processes.get(Long.parseLong(each.getKey(), 0, colon, 10));
                    if (of == null) {
                        byOthersNs += part;
                    } else {
                        add(
                                byOursNs,
                                of == Process.BENCH
                                        ? Cause.BENCH_PREEMPTED
                                        : ofRole(each.getKey().substring(colon + 1)),
                                part);
                    }
                }
            } else {
                leftNs += ns;
                slept = away;
            }
        }
        if (!isNamed) { // or they are among all that are
            add(byOursNs, Cause.ROLE_PREEMPTED, byRivalsNs);
        }
        final Map<Cause, Long> firstNs = new EnumMap<>(Cause.class);
        if (slept != null) {
            // what it waited beyond its preemptions it waited at the end of its sleep
            final long endNs = Math.min(slept.endNs(), toNs);
            final long wokenNs =
                    Math.clamp(
                            waitedNs - preemptedNs, 0, endNs - Math.max(slept.beginNs(), fromNs));
            addBeside(firstNs, slept, endNs - wokenNs, endNs);
            add(firstNs, Cause.ROLE_PREEMPTED, rivalsNs(slept, endNs - wokenNs, endNs, rivals));
        }
        final Map<Cause, Long> interruptedNs = new EnumMap<>(Cause.class);
        for (final Away each : within(interrupts(), fromNs, toNs)) {
            add(interruptedNs, cause(each.what()), overlap(each, fromNs, toNs));
        }
        return new Stall.Dated(
                preemptedNs,
                leftNs,
                isNamed,
                byOursNs,
                byOthersNs,
                notRecordedNs,
                firstNs,
                interruptedNs);
    }

    /**
     * Who causes an interrupt. A wake-up of another core, a call to it, a timer of a task, a disk
     * and a network card may serve the test as well as others; nothing says whom.
     */
    private static Cause cause(final String interrupt) {
        if (interrupt.startsWith("packets:") || interrupt.startsWith("softirq:net-")) {
            return Cause.PACKETS;
        }
        return KERNELS_OWN.contains(interrupt) ? Cause.INTERRUPT : Cause.OWN_INTERRUPT;
    }

    /**
     * In order, and one after the other: an interrupt during another one counts as part of that
     * one.
     */
    private List<Away> interrupts() {
        if (!isOrdered) {
            isOrdered = true;
            interrupts.sort(Comparator.comparingLong(Away::beginNs));
            final List<Away> apart = new ArrayList<>();
            for (final Away each : interrupts) {
                if (apart.isEmpty() || each.beginNs() >= apart.getLast().endNs()) {
                    apart.add(each);
                }
            }
            interrupts.clear();
            interrupts.addAll(apart);
        }
        return interrupts;
    }

    /**
     * Adds what ran instead of the thread between two times.
     *
     * @param sums by name, ns
     */
    void addRanInstead(final long fromNs, final long toNs, final Map<String, Long> sums) {
        for (final Away away : within(left, fromNs, toNs)) {
            final long ns = overlap(away, fromNs, toNs);
            if (away.isPreempted()) {
                besideNs(away, Math.max(away.beginNs(), fromNs), Math.min(away.endNs(), toNs))
                        .forEach((who, ran) -> sums.merge(who, ran, Long::sum));
                away.ran().entrySet().stream()
                        .filter(each -> !each.getKey().equals(NOT_RECORDED))
                        .forEach(each ->
                                sums.merge(
                                        each.getKey().substring(each.getKey().indexOf(':') + 1),
                                        part(each.getValue(), ns, away),
                                        Long::sum));
            }
        }
        for (final Away each : within(interrupts(), fromNs, toNs)) {
            sums.merge(each.what(), overlap(each, fromNs, toNs), Long::sum);
        }
    }

    /** What ran is only known for the interval as a whole, not for a part of it. */
    private static long part(final long ranNs, final long ns, final Away away) {
        final long allNs = away.endNs() - away.beginNs();
        return allNs <= 0 ? 0 : Math.round((double) ranNs * ns / allNs);
    }

    private static long overlap(final Away away, final long fromNs, final long toNs) {
        return Math.min(away.endNs(), toNs) - Math.max(away.beginNs(), fromNs);
    }

    /** Those that overlap the given interval; they are in order, one after the other. */
    private static List<Away> within(final List<Away> all, final long fromNs, final long toNs) {
        final int begin = after(all, fromNs);
        int end = begin;
        while (end < all.size() && all.get(end).beginNs() < toNs) {
            end++;
        }
        return all.subList(begin, end);
    }

    /** The first that ends after a time. */
    private static int after(final List<Away> all, final long ns) {
        int low = 0;
        int high = all.size();
        while (low < high) {
            final int middle = low + high >>> 1;
            if (all.get(middle).endNs() <= ns) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
