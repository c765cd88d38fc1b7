package io.tickmark.workloads.feed.conflate;

/**
 * Symbols that were sent so lately that they may not be sent again yet. All have the same gap, so
 * the first to be sent is the first to be free: a ring without sorting. Allocates nothing after
 * construction.
 */
final class Cooling {
    private final long gapNs;
    private final int[] symbols;
    private final long[] freeAtNs;
    private final boolean[] isCooling;
    private int head;
    private int size;

    Cooling(final int symbols, final long gapNs) {
        this.gapNs = gapNs;
        this.symbols = new int[symbols];
        freeAtNs = new long[symbols];
        isCooling = new boolean[symbols];
    }

    boolean isCooling(final int symbol) {
        return isCooling[symbol];
    }

    /** The symbol was sent now; it is not cooling. */
    void sent(final int symbol, final long nowNs) {
        if (gapNs == 0) {
            return;
        }
        isCooling[symbol] = true;
        final int tail = (head + size++) % symbols.length;
        symbols[tail] = symbol;
        freeAtNs[tail] = nowNs + gapNs;
    }

    /** The next symbol that is free again, -1 where none is. */
    int pollFree(final long nowNs) {
        if (size == 0 || freeAtNs[head] - nowNs > 0) {
            return -1;
        }
        final int symbol = symbols[head];
        isCooling[symbol] = false;
        head = (head + 1) % symbols.length;
        size--;
        return symbol;
    }

    /** When the next one is free; only where {@link #isEmpty} is false. */
    long nextFreeNs() {
        return freeAtNs[head];
    }

    boolean isEmpty() {
        return size == 0;
    }
}
