package io.tickmark.workloads.fix.gateway;

import java.util.Arrays;

/**
 * Numbers for symbols, found from their bytes without making text of them. Open addressing, at most
 * half full. Single thread; allocates nothing for a symbol that is known.
 */
final class SymbolTable {
    /** Nobody trades more; a stream of made-up symbols must not fill the memory. */
    static final int MOST_SYMBOLS = 1 << 20;

    /** Of all symbols together; a message may hold one that is as long as itself. */
    static final int MOST_BYTES = 1 << 26;

    private int[] slots = new int[1 << 10];
    private byte[][] symbols = new byte[1 << 9][];
    private int count;
    private int bytes;

    SymbolTable() {}

    /** The number of a symbol, given to it where it has none; -1 where there are too many. */
    int idOf(final byte[] from, final int begin, final int length) {
        int slot = hash(from, begin, length) & slots.length - 1;
        while (slots[slot] != 0) {
            final byte[] known = symbols[slots[slot] - 1];
            if (Arrays.equals(known, 0, known.length, from, begin, begin + length)) {
                return slots[slot] - 1;
            }
            slot = slot + 1 & slots.length - 1;
        }
        if (count == MOST_SYMBOLS || bytes > MOST_BYTES - length) {
            return -1;
        }
        bytes += length;
        symbols[count++] = Arrays.copyOfRange(from, begin, begin + length);
        slots[slot] = count;
        if (2 * count == slots.length) {
            grow();
        }
        return count - 1;
    }

    private void grow() {
        slots = new int[2 * slots.length];
        symbols = Arrays.copyOf(symbols, 2 * symbols.length);
        for (int id = 0; id < count; id++) {
            int slot = hash(symbols[id], 0, symbols[id].length) & slots.length - 1;
            while (slots[slot] != 0) {
                slot = slot + 1 & slots.length - 1;
            }
            slots[slot] = id + 1;
        }
    }

    private static int hash(final byte[] from, final int begin, final int length) {
        int hash = 0;
        for (int i = begin; i < begin + length; i++) {
            hash = 31 * hash + from[i];
        }
        return hash * 0x9e3779b1 >>> 7;
    }

    byte[] symbol(final int id) {
        return symbols[id];
    }

    int count() {
        return count;
    }
}
