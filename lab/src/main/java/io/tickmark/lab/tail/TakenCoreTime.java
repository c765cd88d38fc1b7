package io.tickmark.lab.tail;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * For which part of the measured time the machine had taken the core from a hot thread: other
 * tasks, interrupts, a quota of the control group, the hypervisor. What the test's own threads took
 * from each other is not among it, and where the two cannot be told apart only the quota's and the
 * hypervisor's part is. A stop by a signal takes no core.
 */
final class TakenCoreTime {
    private static final double WORTH_TELLING = 0.2;
    private static final String QUOTA = "a quota of its control group kept it from its core";
    private static final String HYPERVISOR = "the hypervisor had the core";

    /** A count since some beginning, as it was read at a time. */
    record Reading(long atNs, long ns) {}

    private final Map<Tail.RoleFolder, List<Reading>> throttled = new HashMap<>();
    private final Map<Integer, List<Reading>> stolen = new HashMap<>();

    /**
     * A thread.
     *
     * @param role it belongs to
     * @param cores it was on, as far as that is known
     * @param whyNotTold why other tasks cannot be told from the test's own threads, a clause; empty
     *     where they can
     */
    record Thread(Tail.RoleFolder role, Set<Integer> cores, String whyNotTold) {}

    /**
     * What was taken from it.
     *
     * @param part of the time, 0 to 1
     * @param by the largest cause; empty where there is none
     * @param untold what more was seen, a sentence
     */
    record Share(double part, String by, Optional<String> untold) {}

    /**
     * What the control group of a role had been kept from its cores by then, all cores added up.
     */
    void throttled(final Tail.RoleFolder role, final long atNs, final long ns) {
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

    /** Of the stalls of a thread between two times. */
    Share share(final List<Stall> stalls, final Thread thread, final long fromNs, final long toNs) {
        final long measuredNs = toNs - fromNs;
        if (measuredNs <= 0) {
            return new Share(0, "", Optional.empty());
        }
        final Map<Cause, Long> sums = new HashMap<>();
        for (final Stall stall : stalls) {
            for (final Cause cause : Cause.values()) {
                sums.merge(cause, stall.ns(cause, fromNs, toNs), Long::sum);
            }
        }
        final Map<String, Long> taken = new HashMap<>();
        final long othersNs =
                sums.getOrDefault(Cause.PREEMPTED, 0L)
                        + sums.getOrDefault(Cause.CORE_TAKEN, 0L)
                        + sums.getOrDefault(Cause.CORE_SHARED, 0L);
        final boolean isTold = thread.whyNotTold().isEmpty();
        final long quotaNs = Math.min(othersNs, throttledNs(thread.role(), fromNs, toNs));
        taken.put(QUOTA, quotaNs);
        taken.put(Cause.PREEMPTED.words(), isTold ? othersNs - quotaNs : 0);
        taken.put(Cause.INTERRUPT.words(), sums.getOrDefault(Cause.INTERRUPT, 0L));
        taken.put(
                HYPERVISOR,
                Math.min(
                        sums.getOrDefault(Cause.ON_CORE, 0L),
                        stolenNs(thread.cores(), fromNs, toNs)));
        final long takenNs = taken.values().stream().mapToLong(Long::longValue).sum();
        final double untoldPart = isTold ? 0 : (double) (othersNs - quotaNs) / measuredNs;
        return new Share(
                (double) takenNs / measuredNs,
                takenNs == 0
                        ? ""
                        : taken.entrySet().stream()
                                .max(Map.Entry.comparingByValue())
                                .orElseThrow()
                                .getKey(),
                untoldPart <= WORTH_TELLING
                        ? Optional.empty()
                        : Optional.of(
                                String.format(
                                        Locale.ROOT,
                                        "for %.0f %% of the time another task had its core; whether that was one of the"
                                                + " test's own cannot be told, because %s.",
                                        100 * untoldPart,
                                        thread.whyNotTold())));
    }

    private long throttledNs(final Tail.RoleFolder role, final long fromNs, final long toNs) {
        return between(throttled.getOrDefault(role, List.of()), fromNs, toNs);
    }

    /** The mean of its cores; of all where they are not known. */
    private long stolenNs(final Set<Integer> cores, final long fromNs, final long toNs) {
        final IntStream among =
                (cores.isEmpty() ? stolen.keySet() : cores)
                        .stream().filter(stolen::containsKey).mapToInt(Integer::intValue);
        return Math.round(
                among.mapToLong(core -> between(stolen.get(core), fromNs, toNs))
                        .average()
                        .orElse(0));
    }

    /** What was counted between two times, evenly within the interval of two readings. */
    static long between(final List<Reading> unordered, final long fromNs, final long toNs) {
        final List<Reading> readings =
                unordered.stream().sorted(Comparator.comparingLong(Reading::atNs)).toList();
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
