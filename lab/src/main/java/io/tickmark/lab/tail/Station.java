package io.tickmark.lab.tail;

import io.tickmark.lab.tail.Attribution.StallPart;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The stalls of one thread through which messages pass, to be queried in the order of time. */
final class Station {
    /** More of them are too small to matter beside these. */
    static final int MOST_PARTS = 16;

    private static final StallPart[] NONE = {};

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

    /**
     * What of its stalls is between two times, the most first: of many the largest alone, as a
     * message may wait through thousands of them.
     */
    StallPart[] within(final long fromNs, final long toNs) {
        StallPart[] parts = NONE;
        for (int i = firstAfter(fromNs); i < stalls.length && stalls[i].beginNs() < toNs; i++) {
            final long ns = overlap(stalls[i], fromNs, toNs);
            if (ns > 0 && (parts.length < MOST_PARTS || ns > parts[parts.length - 1].ns())) {
                parts = with(parts, new StallPart(stalls[i], ns));
            }
        }
        return parts;
    }

    /** In its place; the smallest goes where there are too many. */
    private static StallPart[] with(final StallPart[] parts, final StallPart more) {
        final StallPart[] grown = Arrays.copyOf(parts, Math.min(MOST_PARTS, parts.length + 1));
        int at = grown.length - 1;
        while (at > 0 && parts[at - 1].ns() < more.ns()) {
            grown[at] = parts[at - 1];
            at--;
        }
        grown[at] = more;
        return grown;
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
