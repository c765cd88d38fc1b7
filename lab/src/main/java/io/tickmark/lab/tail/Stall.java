package io.tickmark.lab.tail;

import java.util.EnumMap;
import java.util.Map;

/**
 * A time in which a watched thread did not run.
 *
 * @param beginNs last look at the clock before it
 * @param endNs first look after it
 * @param causes parts of it, which add up to its length
 */
public record Stall(long beginNs, long endNs, Map<Cause, Long> causes) {
    /** Checks that the parts are the whole. */
    public Stall {
        if (causes.values().stream().mapToLong(Long::longValue).sum() != endNs - beginNs) {
            throw new IllegalArgumentException("the causes of a stall add up to its length");
        }
        causes = Map.copyOf(causes);
    }

    /**
     * A stall of one cause.
     *
     * @param beginNs of it
     * @param endNs of it
     * @param cause of all of it
     * @return the stall
     */
    public static Stall of(final long beginNs, final long endNs, final Cause cause) {
        return new Stall(beginNs, endNs, Map.of(cause, endNs - beginNs));
    }

    /**
     * What the JVM's log, the kernel's counters and signals tell of it.
     *
     * @param collectedNs the JVM collected garbage
     * @param heldNs the JVM held its threads for another reason
     * @param offCoreNs the thread was off its core
     * @param waitedNs it waited for a core
     * @param majorFaults pages from disk
     * @param rolesRanNs CPU time of the roles' other threads over the interval that holds it
     * @param isContinued whether the process was continued after a stop at its end
     * @param isShared whether the test has more hot threads than cores
     */
    record Evidence(
            long collectedNs,
            long heldNs,
            long offCoreNs,
            long waitedNs,
            long majorFaults,
            long rolesRanNs,
            boolean isContinued,
            boolean isShared) {}

    /** Divides it among its causes, as far as the evidence tells them. */
    static Stall judged(final long beginNs, final long endNs, final Evidence evidence) {
        final Map<Cause, Long> causes = new EnumMap<>(Cause.class);
        long left = endNs - beginNs;
        final long collected = Math.clamp(evidence.collectedNs(), 0, left);
        put(causes, Cause.COLLECTION, collected);
        left -= collected;
        final long held = Math.clamp(evidence.heldNs(), 0, left);
        put(causes, Cause.SAFEPOINT, held);
        left -= held;
        final long waited = Math.clamp(evidence.waitedNs(), 0, left);
        final long byRoles = Math.clamp(evidence.rolesRanNs(), 0, waited);
        put(causes, Cause.ROLE_THREADS, byRoles);
        put(causes, evidence.isShared() ? Cause.CORE_SHARED : Cause.CORE_TAKEN, waited - byRoles);
        left -= waited;
        final long blocked = Math.clamp(evidence.offCoreNs() - collected - held - waited, 0, left);
        put(
                causes,
                evidence.isContinued()
                        ? Cause.STOPPED
                        : evidence.majorFaults() > 0 ? Cause.DISK_FAULT : Cause.OFF_CORE,
                blocked);
        put(causes, Cause.ON_CORE, left - blocked);
        return new Stall(beginNs, endNs, causes);
    }

    private static void put(final Map<Cause, Long> causes, final Cause cause, final long ns) {
        if (ns > 0) {
            causes.put(cause, ns);
        }
    }

    boolean hasMachine() {
        return causes.keySet().stream().anyMatch(Cause::isMachine);
    }
}
