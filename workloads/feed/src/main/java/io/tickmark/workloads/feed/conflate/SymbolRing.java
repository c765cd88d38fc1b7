package io.tickmark.workloads.feed.conflate;

/** Symbols in order, each at most once; allocates nothing after construction. */
final class SymbolRing {
    private final int[] symbols;
    private int head;
    private int size;

    SymbolRing(final int capacity) {
        symbols = new int[capacity];
    }

    void add(final int symbol) {
        symbols[(head + size++) % symbols.length] = symbol;
    }

    int first() {
        return symbols[head];
    }

    void removeFirst() {
        head = (head + 1) % symbols.length;
        size--;
    }

    boolean isEmpty() {
        return size == 0;
    }
}
