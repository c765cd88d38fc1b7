package io.tickmark.workloads.fix.gateway;

import java.util.Arrays;

/** The newest message of each symbol: for snapshots and for conflation. Single thread. */
final class Book {
    private final SymbolTable symbols = new SymbolTable();
    private FanOutMessage[] newest = new FanOutMessage[64];

    Book() {}

    /** Keeps a message; the number of its symbol, -1 where it has none. */
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
            if (newest[id] == null) {
                newest[id] = new FanOutMessage();
            }
            newest[id].copy(message);
        }
        return id;
    }

    int idOf(final byte[] symbol) {
        return symbols.idOf(symbol, 0, symbol.length);
    }

    /** The newest message of a symbol, null where there is none yet. */
    FanOutMessage newest(final int id) {
        return id < newest.length ? newest[id] : null;
    }

    byte[] symbol(final int id) {
        return symbols.symbol(id);
    }
}
