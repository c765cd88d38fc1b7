package io.tickmark.workloads.feed.session;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The sessions of one owner thread: all, by symbol, and those that have something to send. */
final class SessionTable {
    private static final Session[] NOBODY = {};

    private final List<Session> all = new ArrayList<>();
    private final List<Session> active = new ArrayList<>();
    private final Map<String, Session> byId = new HashMap<>();
    private final Session[][] bySymbol;

    SessionTable(final int symbols) {
        bySymbol = new Session[symbols][];
        Arrays.fill(bySymbol, NOBODY);
    }

    void add(final Session session) {
        all.add(session);
        byId.put(session.id(), session);
        final int end = session.firstSymbol() + session.symbols();
        for (int symbol = session.firstSymbol(); symbol < end; symbol++) {
            final Session[] before = bySymbol[symbol];
            bySymbol[symbol] = Arrays.copyOf(before, before.length + 1);
            bySymbol[symbol][before.length] = session;
        }
    }

    /** False where it was not here. */
    boolean remove(final Session session) {
        if (byId.remove(session.id()) == null) {
            return false;
        }
        all.remove(session);
        active.remove(session);
        final int end = session.firstSymbol() + session.symbols();
        for (int symbol = session.firstSymbol(); symbol < end; symbol++) {
            bySymbol[symbol] =
                    Arrays.stream(bySymbol[symbol])
                            .filter(each -> each != session)
                            .toArray(Session[]::new);
        }
        return true;
    }

    Session byId(final String id) {
        return byId.get(id);
    }

    Session[] of(final int symbol) {
        return bySymbol[symbol];
    }

    List<Session> all() {
        return all;
    }

    List<Session> active() {
        return active;
    }

    void list(final Session session) {
        if (!session.isListed()) {
            session.list(true);
            active.add(session);
        }
    }

    /** Takes one out of the active; the last takes its place. */
    void unlist(final int place) {
        final Session session = active.get(place);
        session.list(false);
        final Session last = active.removeLast();
        if (last != session) {
            active.set(place, last);
        }
    }
}
