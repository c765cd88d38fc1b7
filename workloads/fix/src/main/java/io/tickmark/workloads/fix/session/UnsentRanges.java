package io.tickmark.workloads.fix.session;

import java.util.Arrays;

/**
 * The numbers of messages that were kept in place of being sent, and have not been sent since: a
 * few ranges, as messages are kept and fetched one after the other. Single-threaded; allocates only
 * for more ranges than ever before.
 */
public final class UnsentRanges {
    private long[] from = {};

    /** The first number after each range. */
    private long[] until = {};

    private int ranges;

    /** No numbers. */
    public UnsentRanges() {}

    /**
     * A message is kept.
     *
     * @param number higher than all others
     */
    void add(final long number) {
        if (ranges > 0 && until[ranges - 1] == number) {
            until[ranges - 1]++;
        } else {
            insert(ranges, number, number + 1);
        }
    }

    /**
     * A message is sent.
     *
     * @param number of the message
     * @return whether it is one of these
     */
    boolean remove(final long number) {
        final int found = Arrays.binarySearch(from, 0, ranges, number);
        final int range = found < 0 ? -found - 2 : found;
        if (range < 0 || number >= until[range]) {
            return false;
        }
        final long after = until[range];
        until[range] = number;
        if (number + 1 < after) {
            insert(range + 1, number + 1, after);
        }
        if (from[range] == number) {
            ranges--;
            System.arraycopy(from, range + 1, from, range, ranges - range);
            System.arraycopy(until, range + 1, until, range, ranges - range);
        }
        return true;
    }

    private void insert(final int at, final long first, final long after) {
        if (ranges == from.length) {
            from = Arrays.copyOf(from, 2 * ranges + 1);
            until = Arrays.copyOf(until, from.length);
        }
        System.arraycopy(from, at, from, at + 1, ranges - at);
        System.arraycopy(until, at, until, at + 1, ranges - at);
        from[at] = first;
        until[at] = after;
        ranges++;
    }

    /** The numbers begin at 1 again. */
    void clear() {
        ranges = 0;
    }
}
