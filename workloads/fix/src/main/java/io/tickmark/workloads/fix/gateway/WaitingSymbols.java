package io.tickmark.workloads.fix.gateway;

import java.util.Arrays;

/**
 * Symbols whose newest message a consumer has not got yet, in the order of these messages. A ring
 * of links by symbol: each call takes the same short time, however many wait. Single thread;
 * allocates for symbols with higher numbers than any before.
 */
final class WaitingSymbols {
    private static final int ABSENT = -1;

    /** Where the ring begins and ends; a symbol stands at its number and one. */
    private static final int ENDS = 0;

    private int[] after = {ENDS};
    private int[] before = {ENDS};

    WaitingSymbols() {}

    boolean isEmpty() {
        return after[ENDS] == ENDS;
    }

    /**
     * A symbol has a new message, the newest of all; false where it waited already, for an older.
     */
    boolean add(final int symbol) {
        final int node = symbol + 1;
        if (node >= after.length) {
            grow(node + 1);
        }
        final boolean isNew = after[node] == ABSENT;
        if (!isNew) {
            takeOut(node);
        }
        final int last = before[ENDS];
        after[last] = node;
        before[node] = last;
        after[node] = ENDS;
        before[ENDS] = node;
        return isNew;
    }

    private void grow(final int least) {
        final int length = after.length;
        after = Arrays.copyOf(after, Math.max(2 * length, least));
        before = Arrays.copyOf(before, after.length);
        Arrays.fill(after, length, after.length, ABSENT);
    }

    private void takeOut(final int node) {
        after[before[node]] = after[node];
        before[after[node]] = before[node];
        after[node] = ABSENT;
    }

    /** The symbol with the oldest message; only where there is one. */
    int first() {
        return after[ENDS] - 1;
    }

    /** Takes out the symbol with the oldest message; only where there is one. */
    void removeFirst() {
        takeOut(after[ENDS]);
    }
}
