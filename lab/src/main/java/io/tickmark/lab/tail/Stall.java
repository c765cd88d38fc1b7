package io.tickmark.lab.tail;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * A time in which a watched thread did not run.
 *
 * @param beginNs last clock read before it
 * @param endNs first clock read after it
 * @param causes parts of it, which add up to its length
 * @param instead what ran on its core for most of it; empty where nothing was found
 */
public record Stall(long beginNs, long endNs, Map<Cause, Long> causes, String instead) {
    /**
     * What mapping a page and clearing it takes at most, on virtual machines too: few faults do not
     * explain a long stall.
     */
    private static final long MOST_OF_A_FAULT_NS = 2_000;

    /** Checks that the parts add up to the whole. */
    public Stall {
        if (causes.values().stream().mapToLong(Long::longValue).sum() != endNs - beginNs) {
            throw new IllegalArgumentException("the causes of a stall add up to its length");
        }
        causes = Map.copyOf(causes);
    }

    /**
     * A stall with a single cause.
     *
     * @param beginNs of it
     * @param endNs of it
     * @param cause of it
     * @return the stall
     */
    public static Stall of(final long beginNs, final long endNs, final Cause cause) {
        return new Stall(beginNs, endNs, Map.of(cause, endNs - beginNs), "");
    }

    /**
     * Evidence of a stall from the JVM's log, the kernel's counters and signals.
     *
     * @param collectedNs the JVM collected garbage
     * @param heldNs the JVM paused its threads for another reason
     * @param offCoreNs the thread was off its core
     * @param waitedNs it waited for a core
     * @param minorFaults pages of memory that had to be mapped, over the interval that contains it
     * @param majorFaults pages from disk
     * @param rolesRan CPU time of the roles' other threads, and of servers that they started
     * @param stop {@link Cause#STOPPED} or {@link Cause#PLANNED_STOP} where the process was stopped
     *     meanwhile; empty where nothing says so
     * @param isShared whether what took its core may have been the test's own though nothing says
     *     when that ran: a server of others, a role that is not watched, or a hot thread where
     *     there are more than cores
     * @param dated what the kernel dated; null where it dates nothing
     */
    record Evidence(
            long collectedNs,
            long heldNs,
            long offCoreNs,
            long waitedNs,
            long minorFaults,
            long majorFaults,
            RolesRan rolesRan,
            Optional<Cause> stop,
            boolean isShared,
            Dated dated) {}

    /**
     * CPU time of the roles' other threads, on whichever core, as far as it is known to be in a
     * stall: it is counted over an interval of some milliseconds that contains the stall. What the
     * kernel dated of them is not among it.
     *
     * @param mostNs all that they ran in the interval
     * @param ns of it, as much as the stall is of the interval
     * @param hereNs of that, what the other cores could not carry: it was on the thread's own
     */
    record RolesRan(long mostNs, long ns, long hereNs) {
        static final RolesRan NONE = new RolesRan(0, 0, 0);

        /** The rest of it, once the first is known by name. */
        private RolesRan without(final long namedNs) {
            return new RolesRan(
                    Math.max(0, mostNs - namedNs),
                    Math.max(0, ns - namedNs),
                    Math.max(0, hereNs - namedNs));
        }
    }

    /**
     * Evidence of a stall from the kernel's records of switches and interrupts.
     *
     * @param preemptedNs it was off its core though it was runnable
     * @param leftNs it was off its core because it waited for something, or was stopped
     * @param isNamed whether it is known what ran instead
     * @param byOursNs part of the time it was preempted in which the roles' threads, compilers of
     *     their JVMs, or the bench's threads ran instead, by the cause that they are
     * @param byOthersNs the same of others
     * @param notRecordedNs part of the time it was preempted in which records of its core are
     *     missing; none where it was not traced
     * @param firstNs who of {@code byOursNs} ran there in the time after a wake-up
     * @param interruptedNs on its core, which handled interrupts of the kernel, by the cause that
     *     they are
     */
    record Dated(
            long preemptedNs,
            long leftNs,
            boolean isNamed,
            Map<Cause, Long> byOursNs,
            long byOthersNs,
            long notRecordedNs,
            Map<Cause, Long> firstNs,
            Map<Cause, Long> interruptedNs) {
        /** The same where others may be the test's own: who ran for their part is not known. */
        Dated withoutOthers() {
            return new Dated(
                    preemptedNs,
                    leftNs,
                    isNamed,
                    byOursNs,
                    0,
                    notRecordedNs,
                    firstNs,
                    interruptedNs);
        }
    }

    /** Divides it among its causes, as far as the evidence shows them. */
    static Stall judged(final long beginNs, final long endNs, final Evidence evidence) {
        final Map<Cause, Long> causes = new EnumMap<>(Cause.class);
        long left = endNs - beginNs;
        final long collected = Math.clamp(evidence.collectedNs(), 0, left);
        put(causes, Cause.COLLECTION, collected);
        left -= collected;
        final long held = Math.clamp(evidence.heldNs(), 0, left);
        put(causes, Cause.SAFEPOINT, held);
        left -= held;
        final Dated dated = evidence.dated();
        final long waited =
                Math.clamp(dated == null ? evidence.waitedNs() : dated.preemptedNs(), 0, left);
        left -= waited;
        RolesRan rolesRan = evidence.rolesRan();
        long others = waited;
        if (dated != null) {
            others -= putAll(causes, dated.byOursNs(), others);
        }
        if (dated != null && dated.isNamed()) {
            rolesRan =
                    rolesRan.without(
                            dated.byOursNs().values().stream().mapToLong(Long::longValue).sum());
            others -= put(causes, Cause.PREEMPTED, dated.byOthersNs(), others);
            others -= put(causes, Cause.CORE_SHARED, dated.notRecordedNs(), others);
            put(causes, taken(evidence), others);
        } else {
            if (dated != null && !evidence.isShared()) {
                // more than all other threads of the roles ran: the kernel's dates alone show it
                others -= put(causes, Cause.PREEMPTED, others - rolesRan.mostNs(), others);
            }
            rolesRan = rolesRan.without(waitedBehind(causes, evidence, rolesRan, others));
        }
        final long offNs = dated == null ? evidence.offCoreNs() - waited : dated.leftNs();
        long blocked = Math.clamp(offNs - collected - held, 0, left);
        left -= blocked;
        if (dated != null) {
            // it was ready to run again, and waited for its core
            long woken = Math.clamp(evidence.waitedNs() - waited, 0, blocked);
            blocked -= woken;
            woken -= putAll(causes, dated.firstNs(), woken);
            waitedBehind(causes, evidence, rolesRan, woken);
        }
        put(
                causes,
                evidence.stop()
                        .orElse(evidence.majorFaults() > 0 ? Cause.DISK_FAULT : Cause.OFF_CORE),
                blocked);
        if (dated != null) {
            left -= putAll(causes, dated.interruptedNs(), left);
        }
        left -= put(causes, Cause.PAGE_FAULT, evidence.minorFaults() * MOST_OF_A_FAULT_NS, left);
        put(causes, Cause.ON_CORE, left);
        return new Stall(beginNs, endNs, causes, "");
    }

    /**
     * Divides a wait for a core among the roles' other threads, nobody known, and others.
     *
     * @return how much of it the roles' threads may have run
     */
    private static long waitedBehind(
            final Map<Cause, Long> causes,
            final Evidence evidence,
            final RolesRan rolesRan,
            final long waitedNs) {
        final long here = put(causes, Cause.ROLE_THREADS, rolesRan.hereNs(), waitedNs);
        final long elsewhere =
                put(causes, Cause.CORE_SHARED, rolesRan.ns() - here, waitedNs - here);
        put(causes, taken(evidence), waitedNs - here - elsewhere);
        return here + elsewhere;
    }

    /** The same with what ran instead. */
    Stall with(final String ran) {
        return new Stall(beginNs, endNs, causes, ran);
    }

    /** The parts that fit into the rest, in their order; returns how much that is. */
    private static long putAll(
            final Map<Cause, Long> causes, final Map<Cause, Long> parts, final long most) {
        long left = most;
        for (final Map.Entry<Cause, Long> part : parts.entrySet()) {
            left -= put(causes, part.getKey(), part.getValue(), left);
        }
        return most - left;
    }

    /** The part that fits into the rest. */
    private static long put(
            final Map<Cause, Long> causes, final Cause cause, final long ns, final long most) {
        final long part = Math.clamp(ns, 0, most);
        put(causes, cause, part);
        return part;
    }

    private static Cause taken(final Evidence evidence) {
        return evidence.isShared() ? Cause.CORE_SHARED : Cause.CORE_TAKEN;
    }

    private static void put(final Map<Cause, Long> causes, final Cause cause, final long ns) {
        if (ns > 0) {
            causes.merge(cause, ns, Long::sum);
        }
    }

    /** The same with another division among causes. */
    Stall caused(final Map<Cause, Long> by) {
        return new Stall(beginNs, endNs, by, instead);
    }

    /**
     * How long it lasted.
     *
     * @return ns
     */
    public long lengthNs() {
        return endNs - beginNs;
    }

    /** The part of it between two times, if its causes were spread evenly over it. */
    long ns(final Cause cause, final long fromNs, final long toNs) {
        final long ns = Math.min(endNs, toNs) - Math.max(beginNs, fromNs);
        return ns <= 0
                ? 0
                : Math.round(causes.getOrDefault(cause, 0L) * ((double) ns / (endNs - beginNs)));
    }

    /** Whether the machine caused at least half of it: of a mixed stall the larger part decides. */
    boolean isTheMachines() {
        final long machineNs =
                causes.entrySet().stream()
                        .filter(cause -> cause.getKey().isMachine())
                        .mapToLong(Map.Entry::getValue)
                        .sum();
        return machineNs > 0 && 2 * machineNs >= endNs - beginNs;
    }
}
