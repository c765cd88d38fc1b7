package io.tickmark.lab.tail;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the counts of a control group and of the hypervisor say of stalls, and for which part of the
 * measured time the machine had taken the core from a hot thread: other tasks, interrupts, a quota
 * of the control group, the hypervisor. What the test's own threads took from each other is not
 * among it, and where the two cannot be told apart only the quota's and the hypervisor's part is. A
 * stop by a signal takes no core.
 */
final class TakenCoreTime {
    /** What a thread waits for its core with, whoever has it. */
    private static final List<Cause> WAITS =
            List.of(Cause.PREEMPTED, Cause.CORE_TAKEN, Cause.CORE_SHARED);

    /** Of these, others than the test's own, among which a quota may be. */
    private static final List<Cause> OTHERS = List.of(Cause.PREEMPTED, Cause.CORE_TAKEN);

    /** What takes a core, and is the machine's where it can be told. */
    private static final List<Cause> TAKING =
            List.of(
                    Cause.PREEMPTED,
                    Cause.CORE_TAKEN,
                    Cause.QUOTA,
                    Cause.HYPERVISOR,
                    Cause.INTERRUPT);

    /** A count since some beginning, as it was read at a time. */
    record Reading(long atNs, long ns) {}

    private final Map<TailReader.RoleFolder, List<Reading>> throttled = new HashMap<>();
    private final Map<Integer, List<Reading>> stolen = new HashMap<>();

    /**
     * What was taken from a thread.
     *
     * @param part of the time, 0 to 1
     * @param by the largest cause; empty where there is none
     * @param unattributedPart of the time, for which others had its core that may have been the
     *     test's own
     * @param whyUnattributed why that cannot be told, a clause; empty where there is no such time
     */
    record Share(double part, String by, double unattributedPart, String whyUnattributed) {
        /** The same with a time of which it is not known who had the core, if anybody. */
        Share with(final long unknownNs, final long measuredNs, final String why) {
            return unknownNs <= 0
                    ? this
                    : new Share(
                            part,
                            by,
                            Math.min(
                                    Math.max(0, 1 - part),
                                    unattributedPart + (double) unknownNs / measuredNs),
                            whyUnattributed.isEmpty() ? why : whyUnattributed + ", and " + why);
        }
    }

    /**
     * What the control group of a role had been kept from its cores by then, all cores added up.
     */
    void throttled(final TailReader.RoleFolder role, final long atNs, final long ns) {
        throttled.computeIfAbsent(role, key -> new ArrayList<>()).add(new Reading(atNs, ns));
    }

    /** What the hypervisor had taken by then, by core; each role on this host says it. */
    void stolen(final long atNs, final String byCore) {
        final String[] ns = byCore.split(";");
        for (int core = 0; core < ns.length; core++) {
            stolen.computeIfAbsent(core, key -> new ArrayList<>())
                    .add(new Reading(atNs, Long.parseLong(ns[core])));
        }
    }

    /**
     * Divides stalls once more: what a quota kept the thread from, of what others are said to have
     * had, and what the hypervisor had, of what no counter shows. Each count covers an interval,
     * and is spread evenly over the parts of stalls in it that it may explain. A quota's count is
     * that of all its cores together, so that it may explain too much of what others had: nothing
     * that may have been the test's own is charged to it.
     *
     * @param stalls of one thread, in order
     * @param role it belongs to
     * @param cores it was on, as far as that is known
     * @return the same stalls
     */
    List<Stall> apportioned(
            final List<Stall> stalls, final TailReader.RoleFolder role, final Set<Integer> cores) {
        return spread(
                spread(stalls, throttled.getOrDefault(role, List.of()), OTHERS, Cause.QUOTA),
                meanOf(cores),
                List.of(Cause.ON_CORE),
                Cause.HYPERVISOR);
    }

    private static List<Stall> spread(
            final List<Stall> stalls,
            final List<Reading> counts,
            final List<Cause> from,
            final Cause to) {
        final List<Reading> readings = ordered(counts);
        final List<Stall> spread = new ArrayList<>(stalls);
        int first = 0;
        for (int i = 1; i < readings.size(); i++) {
            final long fromNs = readings.get(i - 1).atNs();
            final long toNs = readings.get(i).atNs();
            while (first < stalls.size() && stalls.get(first).endNs() <= fromNs) {
                first++;
            }
            final long countedNs = readings.get(i).ns() - readings.get(i - 1).ns();
            long allNs = 0;
            int last = first;
            for (; countedNs > 0 && last < stalls.size(); last++) {
                final Stall stall = stalls.get(last);
                if (stall.beginNs() >= toNs) {
                    break;
                }
                for (final Cause cause : from) {
                    allNs += stall.ns(cause, fromNs, toNs);
                }
            }
            if (allNs > 0) {
                final double part = Math.min(1, (double) countedNs / allNs);
                for (int at = first; at < last; at++) {
                    spread.set(
                            at,
                            moved(spread.get(at), stalls.get(at), from, to, fromNs, toNs, part));
                }
            }
        }
        return spread;
    }

    /** {@code part} of what the original had of some causes between two times. */
    private static Stall moved(
            final Stall stall,
            final Stall original,
            final List<Cause> from,
            final Cause to,
            final long fromNs,
            final long toNs,
            final double part) {
        final Map<Cause, Long> causes = new EnumMap<>(Cause.class);
        causes.putAll(stall.causes());
        for (final Cause cause : from) {
            final long hasNs = causes.getOrDefault(cause, 0L);
            final long ns = Math.min(hasNs, Math.round(part * original.ns(cause, fromNs, toNs)));
            if (ns > 0) {
                causes.merge(to, ns, Long::sum);
                if (ns == hasNs) {
                    causes.remove(cause);
                } else {
                    causes.put(cause, hasNs - ns);
                }
            }
        }
        return stall.caused(causes);
    }

    /**
     * Of the stalls of a thread between two times, apportioned.
     *
     * @param whyNotTold why other tasks cannot be told from the test's own threads, a clause; empty
     *     where they can
     * @param whyShared why they cannot in single stalls, a clause
     */
    static Share share(
            final List<Stall> stalls,
            final String whyNotTold,
            final String whyShared,
            final long fromNs,
            final long toNs) {
        final long measuredNs = toNs - fromNs;
        if (measuredNs <= 0) {
            return new Share(0, "", 0, "");
        }
        final Map<Cause, Long> sums = new EnumMap<>(Cause.class);
        for (final Stall stall : stalls) {
            for (final Cause cause : stall.causes().keySet()) {
                sums.merge(cause, stall.ns(cause, fromNs, toNs), Long::sum);
            }
        }
        final boolean isTold = whyNotTold.isEmpty();
        final Map<String, Long> taken = new HashMap<>();
        long unattributedNs = sums.getOrDefault(Cause.CORE_SHARED, 0L);
        for (final Cause cause : TAKING) {
            final long ns = sums.getOrDefault(cause, 0L);
            if (isTold || !WAITS.contains(cause)) {
                taken.merge(cause.words(), ns, Long::sum);
            } else {
                unattributedNs += ns;
            }
        }
        final long takenNs = taken.values().stream().mapToLong(Long::longValue).sum();
        return new Share(
                (double) takenNs / measuredNs,
                takenNs == 0
                        ? ""
                        : taken.entrySet().stream()
                                .max(Map.Entry.comparingByValue())
                                .orElseThrow()
                                .getKey(),
                (double) unattributedNs / measuredNs,
                unattributedNs == 0 ? "" : isTold ? whyShared : whyNotTold);
    }

    /** What the hypervisor took of some cores in the mean; of all where they are not known. */
    private List<Reading> meanOf(final Set<Integer> cores) {
        final Map<Long, List<Long>> byTime = new TreeMap<>();
        for (final int core : cores.isEmpty() ? stolen.keySet() : cores) {
            for (final Reading each : stolen.getOrDefault(core, List.of())) {
                byTime.computeIfAbsent(each.atNs(), key -> new ArrayList<>()).add(each.ns());
            }
        }
        return byTime.entrySet().stream()
                .map(each ->
                        new Reading(
                                each.getKey(),
                                Math.round(
                                        each.getValue().stream()
                                                .mapToLong(Long::longValue)
                                                .average()
                                                .orElse(0))))
                .toList();
    }

    private static List<Reading> ordered(final List<Reading> readings) {
        return readings.stream().sorted(Comparator.comparingLong(Reading::atNs)).toList();
    }

    /** What was counted between two times, evenly within the interval of two readings. */
    static long between(final List<Reading> unordered, final long fromNs, final long toNs) {
        final List<Reading> readings = ordered(unordered);
        double sum = 0;
        for (int i = 1; i < readings.size(); i++) {
            final Reading first = readings.get(i - 1);
            final Reading next = readings.get(i);
            final long allNs = next.atNs() - first.atNs();
            final long ns = Math.min(next.atNs(), toNs) - Math.max(first.atNs(), fromNs);
            if (ns > 0 && allNs > 0) {
                sum += (double) Math.max(0, next.ns() - first.ns()) * ns / allNs;
            }
        }
        return Math.round(sum);
    }
}
