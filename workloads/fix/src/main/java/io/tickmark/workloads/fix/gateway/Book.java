package io.tickmark.workloads.fix.gateway;

import java.util.Arrays;

/** The newest message of each symbol: for snapshots and for conflation. Single thread. */
final class Book {
    /** A stream of made-up symbols, or of long messages, must not fill the memory. */
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
     * Keeps a message, where there is room for it; the number of its symbol, -1 where it has none.
     */
    int keep(final FanOutMessage message) {
        if (!message.hasSymbol()) {
            return -1;
        }
        final int id =
                symbols.idOf(message.body().array(), message.symbol(), message.symbolLength());
        if (id >= 0) {
            if (id >= newest.length) {
                newest = Arrays.copyOf(newest, 2 * id);
            }
            keep(id, message);
        }
        return id;
    }

    /** What has no room is not kept, and what is older of its symbol is no longer the newest. */
    private void keep(final int id, final FanOutMessage message) {
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
}
