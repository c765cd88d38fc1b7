package io.tickmark.lab.tail;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
    private static final List<String> COMPILERS = List.of("C1_Compiler", "C2_Compiler");

    /** A time off the core, or in an interrupt. */
    private record Away(
            long beginNs, long endNs, boolean isPreempted, Map<String, Long> ran, String what) {}

    private final List<Away> left = new ArrayList<>();
    private final List<Away> interrupts = new ArrayList<>();
    private boolean isDated;
    private boolean isOrdered;
    private String whyNotDated = "";

    /** A clause that says why the kernel's records are missing; empty where they are not. */
    void isDated(final String whyNot) {
        isDated = whyNot.isEmpty();
        whyNotDated = whyNot;
    }

    /**
     * Reads a line {@code off}: begin, end, whether it was preempted, and what ran for how long.
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
                        Long.parseLong(cells[3]),
                        Long.parseLong(cells[4]),
                        cells[5].equals("1"),
                        ran,
                        ""));
    }

    /** Reads a line {@code interrupt}: begin, end and what it was. */
    void interrupted(final String[] cells) {
        interrupts.add(
                new Away(
                        Long.parseLong(cells[3]),
                        Long.parseLong(cells[4]),
                        false,
                        Map.of(),
                        cells[5]));
    }

    /** What is unknown about the thread, a sentence. */
    Optional<String> lacks() {
        return whyNotDated.isEmpty()
                ? Optional.empty()
                : Optional.of("its switches are not dated: " + whyNotDated + ".");
    }

    /**
     * The dated parts of a stall.
     *
     * @param processes of the roles and the bench, by number
     * @return null where nothing is dated
     */
    Stall.Dated between(final long fromNs, final long toNs, final Map<Long, Process> processes) {
        if (!isDated) {
            return null;
        }
        long preemptedNs = 0;
        long leftNs = 0;
        long byRolesNs = 0;
        long byCompilersNs = 0;
        long byBenchNs = 0;
        long byOthersNs = 0;
        boolean isNamed = false;
        for (final Away away : within(left, fromNs, toNs)) {
            final long ns = overlap(away, fromNs, toNs);
            if (away.isPreempted()) {
                preemptedNs += ns;
                isNamed |= !away.ran().isEmpty();
                for (final Map.Entry<String, Long> each : away.ran().entrySet()) {
                    final long part = part(each.getValue(), ns, away);
                    final int colon = each.getKey().indexOf(':');
                    final Process of = processes.get(Long.parseLong(each.getKey(), 0, colon, 10));
                    if (of == null) {
                        byOthersNs += part;
                    } else if (of == Process.BENCH
                            || each.getKey().startsWith(REPORTER, colon + 1)) {
                        byBenchNs += part;
                    } else if (COMPILERS.stream()
                            .anyMatch(name -> each.getKey().startsWith(name, colon + 1))) {
                        byCompilersNs += part;
                    } else {
                        byRolesNs += part;
                    }
                }
            } else {
                leftNs += ns;
            }
        }
        return new Stall.Dated(
                preemptedNs,
                leftNs,
                isNamed,
                byRolesNs,
                byCompilersNs,
                byBenchNs,
                byOthersNs,
                interrupted(fromNs, toNs));
    }

    private long interrupted(final long fromNs, final long toNs) {
        return within(interrupts(), fromNs, toNs).stream()
                .mapToLong(each -> overlap(each, fromNs, toNs))
                .sum();
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
                away.ran()
                        .forEach((who, ran) ->
                                sums.merge(
                                        who.substring(who.indexOf(':') + 1),
                                        part(ran, ns, away),
                                        Long::sum));
            }
        }
        for (final Away each : within(interrupts(), fromNs, toNs)) {
            sums.merge(each.what(), overlap(each, fromNs, toNs), Long::sum);
        }
    }

    /** The name of what ran longest instead between two times; empty where it is not known. */
    String mostInstead(final long fromNs, final long toNs) {
        final Map<String, Long> sums = new HashMap<>();
        addRanInstead(fromNs, toNs, sums);
        return sums.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("");
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
        int end = low;
        while (end < all.size() && all.get(end).beginNs() < toNs) {
            end++;
        }
        return all.subList(low, end);
    }
}
