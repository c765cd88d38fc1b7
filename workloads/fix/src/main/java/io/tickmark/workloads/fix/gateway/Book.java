package io.tickmark.workloads.fix.gateway;

import java.util.Arrays;

/** The newest message of each symbol: for snapshots and for conflation. Single-threaded. */
final class Book {
    /** A stream of arbitrary symbols, or of long messages, must not exhaust the memory. */
    private static final long MOST_BYTES = 1 << 27;

    private final SymbolTable symbols = new SymbolTable();
    private final long mostBytes;
    private FanOutMessage[] newest = new FanOutMessage[64];
    private long bytes;

    Book() {
        this(MOST_BYTES);
    }

    Book(final long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /**
     * Takes the newest message of a symbol, where there is room for it; the number of the symbol,
     * -1 where it has none.
     */
    int update(final FanOutMessage message) {
        if (!message.hasSymbol()) {
            return -1;
        }
        final int id =
                symbols.idOf(message.body().array(), message.symbol(), message.symbolLength());
        if (id >= 0) {
            if (id >= newest.length) {
                newest = Arrays.copyOf(newest, 2 * id);
            }
            update(id, message);
        }
        return id;
    }

    /**
     * A message without room is not kept, and the older one of its symbol is no longer the newest.
     */
    private void update(final int id, final FanOutMessage message) {
        final int before = newest[id] == null ? 0 : newest[id].body().array().length;
        final int length = message.body().length();
        if (length > before && bytes - before + length > mostBytes) {
            newest[id] = null;
            bytes -= before;
            return;
        }
        if (newest[id] == null) {
            newest[id] = new FanOutMessage(length);
        }
        newest[id].copy(message);
        bytes += newest[id].body().array().length - before;
    }

    int idOf(final byte[] symbol) {
        return symbols.idOf(symbol, 0, symbol.length);
    }

    /** The newest message of a symbol, null where there is none, or there was no room for it. */
    FanOutMessage newest(final int id) {
        return id < newest.length ? newest[id] : null;
    }

    byte[] symbol(final int id) {
        return symbols.symbol(id);
    }

    /**
     * Numbers for symbols, found from their bytes without making text of them. Open addressing, at
     * most half full. Single-threaded; allocates nothing for a symbol that is known.
     */
    static final class SymbolTable {
        /** No market has more; a stream of arbitrary symbols must not exhaust the memory. */
        static final int MOST_SYMBOLS = 1 << 20;

        /** Limit of all symbols together; a message may hold one that is as long as itself. */
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
}
