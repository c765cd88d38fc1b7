package io.tickmark.lab.tail;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The stalls of one thread through which messages pass, to be queried in the order of time. */
final class Station {
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

    /** The stall that covers most between two times; null where there is none. */
    Stall longest(final long fromNs, final long toNs) {
        Stall longest = null;
        long most = 0;
        for (int i = firstAfter(fromNs); i < stalls.length && stalls[i].beginNs() < toNs; i++) {
            final long ns = overlap(stalls[i], fromNs, toNs);
            if (ns > most) {
                most = ns;
                longest = stalls[i];
            }
        }
        return longest;
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
