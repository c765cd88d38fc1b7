package io.tickmark.workloads.feed.serve;

import io.tickmark.workloads.feed.session.Ending;
import io.tickmark.workloads.feed.session.SessionHub;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * How the connections of a server end: each is notified why, and has a moment to answer. Any
 * thread.
 */
final class Goodbyes {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long NAP_NS = 1_000_000;

    private final Supplier<SessionHub> hub;
    private final Set<SocketOutlet> withoutSession = ConcurrentHashMap.newKeySet();
    private final AtomicInteger open = new AtomicInteger();

    Goodbyes(final Supplier<SessionHub> hub) {
        this.hub = hub;
    }

    /** A connection that no session owns: it ends with the server. */
    void add(final SocketOutlet outlet) {
        withoutSession.add(outlet);
    }

    void begin() {
        open.incrementAndGet();
    }

    void end(final SocketOutlet outlet, final boolean wasLeaving) {
        withoutSession.remove(outlet);
        if (wasLeaving) {
            open.decrementAndGet();
        }
    }

    /** The client was gone, or accepted nothing, when it should have been notified. */
    void unnotified() {
        hub.get().unnotified();
    }

    /** Notifies those that no session owns, and waits until all have answered, a second at most. */
    void sayAll() {
        withoutSession.forEach(outlet -> outlet.close(Ending.SERVER_ENDS));
        final long endNs = hub.get().time().clock().nanoTime() + PATIENCE_NS;
        while (open.get() > 0 && hub.get().time().clock().nanoTime() - endNs < 0) {
            LockSupport.parkNanos(NAP_NS);
        }
    }
}
