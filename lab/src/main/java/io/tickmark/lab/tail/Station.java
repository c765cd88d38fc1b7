package io.tickmark.lab.tail;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The stalls of one thread through which messages pass, to be queried in the order of time. */
final class Station {
    private static final Stall[] NONE = {};

    private final Stall[] stalls;

    /** For each stall, the latest end of it and those before. */
    private final long[] latestEnd;

    Station(final List<Stall> unordered) {
        stalls = unordered.toArray(Stall[]::new);
        Arrays.sort(stalls, Comparator.comparingLong(Stall::beginNs));
        latestEnd = new long[stalls.length];
        long latest = Long.MIN_VALUE;
        for (int i = 0; i < stalls.length; i++) {
            latest = Math.max(latest, stalls[i].endNs());
            latestEnd[i] = latest;
        }
    }

    /** How long it was stalled between two times; a thread's stalls do not overlap each other. */
    long stoodNs(final long fromNs, final long toNs) {
        long sum = 0;
        for (int i = firstAfter(fromNs); i < stalls.length && stalls[i].beginNs() < toNs; i++) {
            sum += Math.max(0, overlap(stalls[i], fromNs, toNs));
        }
        return sum;
    }

    private static long overlap(final Stall stall, final long fromNs, final long toNs) {
        return Math.min(stall.endNs(), toNs) - Math.max(stall.beginNs(), fromNs);
    }

    /** The stalls between two times, the one that covers most of it first. */
    Stall[] within(final long fromNs, final long toNs) {
        final int first = firstAfter(fromNs);
        int end = first;
        while (end < stalls.length && stalls[end].beginNs() < toNs) {
            end++;
        }
        if (end == first) {
            return NONE;
        }
        final Stall[] within =
                Arrays.stream(stalls, first, end)
                        .filter(stall -> overlap(stall, fromNs, toNs) > 0)
                        .toArray(Stall[]::new);
        if (within.length > 1) {
            Arrays.sort(
                    within,
                    Comparator.comparingLong((Stall each) -> overlap(each, fromNs, toNs))
                            .reversed());
        }
        return within;
    }

    /** The end of the stall that contains a time, otherwise the time itself. */
    long runsFrom(final long ns) {
        final int at = firstAfter(ns);
        return at < stalls.length && stalls[at].beginNs() <= ns
                ? Math.max(ns, stalls[at].endNs())
                : ns;
    }

    private int firstAfter(final long ns) {
        int low = 0;
        int high = stalls.length;
        while (low < high) {
            final int middle = low + high >>> 1;
            if (latestEnd[middle] <= ns) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    List<Stall> stalls() {
        return List.of(stalls);
    }
}
