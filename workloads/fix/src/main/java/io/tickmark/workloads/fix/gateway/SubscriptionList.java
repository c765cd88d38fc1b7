package io.tickmark.workloads.fix.gateway;

import io.tickmark.workloads.fix.session.BodyBytes;
import io.tickmark.workloads.fix.session.Tags;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The subscriptions of one consumer: symbols with their request id, and whether updates are full or
 * incremental. Single-threaded; looking up allocates nothing.
 */
final class SubscriptionList {
    /** A consumer cannot fill the memory with requests. */
    static final int MOST_REQUESTS = 10_000;

    /** Of all its requests together; a symbol requested twice counts twice. */
    static final int MOST_SYMBOLS = 1 << 20;

    /** A request. */
    private record Request(BodyBytes idField, int[] symbols, boolean isIncremental) {}

    private final Map<String, Request> requests = new HashMap<>();
    private Request[] bySymbol = {};
    private int symbolCount;
    private boolean isAll;

    SubscriptionList() {}

    /** Everything, as it is. */
    void all() {
        isAll = true;
    }

    boolean isAll() {
        return isAll;
    }

    boolean has(final String id) {
        return requests.containsKey(id);
    }

    boolean isFull() {
        return requests.size() >= MOST_REQUESTS;
    }

    /** Whether a request for this many symbols would be too large. */
    boolean isTooMuch(final int symbols) {
        return symbolCount + symbols > MOST_SYMBOLS;
    }

    /** Adds a request; a symbol requested twice belongs to the newer one. Its id as a field. */
    BodyBytes add(final String id, final int[] symbols, final boolean isIncremental) {
        final Request request =
                new Request(new BodyBytes(32).field(Tags.MD_REQ_ID, id), symbols, isIncremental);
        requests.put(id, request);
        symbolCount += symbols.length;
        for (final int symbol : symbols) {
            if (symbol >= bySymbol.length) {
                bySymbol = Arrays.copyOf(bySymbol, Math.max(2 * bySymbol.length, symbol + 1));
            }
            bySymbol[symbol] = request;
        }
        return request.idField();
    }

    /** Removes a request; false where there is none with this id. */
    boolean remove(final String id) {
        final Request request = requests.remove(id);
        if (request == null) {
            return false;
        }
        symbolCount -= request.symbols().length;
        for (final int symbol : request.symbols()) {
            if (bySymbol[symbol] == request) {
                bySymbol[symbol] = null;
            }
        }
        return true;
    }

    /** The field 262 of the request for a symbol, null where it was not requested. */
    BodyBytes requestId(final int symbol) {
        return symbol >= 0 && symbol < bySymbol.length && bySymbol[symbol] != null
                ? bySymbol[symbol].idField()
                : null;
    }

    boolean isIncremental(final int symbol) {
        return bySymbol[symbol].isIncremental();
    }
}
