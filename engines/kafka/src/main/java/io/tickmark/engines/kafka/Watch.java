package io.tickmark.engines.kafka;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.HostPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Detects at once that brokers die, which Kafka's clients do not report while they retry: an idle
 * connection to each that has a copy of a topic, on a separate thread, which closes with the
 * broker. When one ends and fewer are left than a message needs, the store is lost for good. While
 * not all were reached, the cluster is asked again and again which of them run.
 */
final class Watch implements AutoCloseable {
    private static final int CONNECT_MS = 1000;
    private static final long AGAIN_NS = 50_000_000;
    private static final long ASK_AGAIN_NS = 2_000_000_000;

    private final Copies copies;
    private final int mayEnd;
    private final Supplier<List<InetSocketAddress>> running;
    private final List<Thread> threads = new ArrayList<>();
    private final Set<InetSocketAddress> watched = new HashSet<>();
    private final Set<InetSocketAddress> reached = new HashSet<>();
    private final EngineErrors breaks =
            new EngineErrors(
                    "Too few brokers were available for a while (%s): messages sent meanwhile may be missing; see whether they"
                            + " run, and what their logs say.",
                    "Too few brokers were available %d times, first: %s; messages sent meanwhile may be missing: see whether they"
                            + " run, and what their logs say.");
    private List<InetSocketAddress> listed = List.of();
    private int ended;

    /** How many were never reached, and do not run as the cluster says. */
    private int absent;

    private volatile boolean lost;
    private volatile boolean closed;

    /**
     * The brokers that have copies of a topic.
     *
     * @param count of all of them
     * @param addresses where they are watched; of a broker that does not run none is known
     * @param areOurs whether we have started them: one that cannot be reached has ended; of others
     *     only one that was reached before, or that does not run as the cluster says
     */
    record Copies(int count, List<InetSocketAddress> addresses, boolean areOurs) {
        static Copies ofOurs(final List<HostPort> brokers) {
            return new Copies(
                    brokers.size(), brokers.stream().map(HostPort::socketAddress).toList(), true);
        }
    }

    /**
     * Begins to watch.
     *
     * @param needed copies of a message
     * @param running asks the cluster where those with copies run now; throws a {@link UserError}
     *     where nobody answers; not needed for ours
     */
    Watch(final Copies copies, final int needed, final Supplier<List<InetSocketAddress>> running) {
        this.copies = copies;
        this.running = running;
        mayEnd = Math.max(0, copies.count() - needed);
        list(copies.addresses());
        if (!copies.areOurs()) {
            start(this::askForOthers);
        }
    }

    private synchronized void start(final Runnable task) {
        if (!closed) {
            threads.add(Thread.ofVirtual().name("kafka-watch").start(task));
        }
    }

    /** Until all were reached: those will be reached again where they were. */
    private void askForOthers() {
        LockSupport.parkNanos(ASK_AGAIN_NS);
        while (!closed && !isEachReached()) {
            try {
                list(running.get());
            } catch (final UserError e) {
                // What was listed last stays: it is unknown whether it still holds.
            }
            LockSupport.parkNanos(ASK_AGAIN_NS);
        }
    }

    private synchronized boolean isEachReached() {
        return reached.size() >= copies.count();
    }

    private synchronized void list(final List<InetSocketAddress> now) {
        listed = now;
        countAbsent();
        for (final InetSocketAddress address : now) {
            if (watched.add(address)) {
                start(() -> watch(address));
            }
        }
    }

    private synchronized void reach(final InetSocketAddress address) {
        if (reached.add(address)) {
            countAbsent();
        }
    }

    private void countAbsent() {
        final Set<InetSocketAddress> known = new HashSet<>(reached);
        known.addAll(listed);
        absent = Math.max(0, copies.count() - known.size());
    }

    private void watch(final InetSocketAddress address) {
        boolean wasReached = copies.areOurs();
        boolean hasEnded = false;
        while (!closed) {
            try (Socket socket = new Socket()) {
                socket.connect(address, CONNECT_MS);
                wasReached = true;
                reach(address);
                if (hasEnded) {
                    hasEnded = false;
                    countBack();
                }
                socket.getInputStream().read(); // a broker sends nothing by itself
            } catch (final IOException e) {
                if (wasReached && !hasEnded && !closed) { // or we have closed it
                    hasEnded = true;
                    countEnded(address);
                }
                LockSupport.parkNanos(AGAIN_NS);
            }
        }
    }

    private synchronized void countEnded(final InetSocketAddress address) {
        ended++;
        if (!isServed()) {
            lost = true;
            breaks.broke(
                    "nobody answers at %s:%d"
                            .formatted(address.getHostString(), address.getPort()));
        }
    }

    private synchronized void countBack() {
        ended--;
        if (isServed()) {
            breaks.mended();
        }
    }

    /** How many brokers have a copy. */
    int copies() {
        return copies.count();
    }

    /** Whether what was not acknowledged may be gone; final. */
    boolean isLost() {
        return lost;
    }

    /** Whether enough brokers are running now. */
    synchronized boolean isServed() {
        return ended + absent <= mayEnd;
    }

    /** That too few were running, as a sentence; not where that has only just begun. */
    Optional<String> errors() {
        return breaks.sentence();
    }

    /** The interrupt closes the socket at which a virtual thread waits. */
    @Override
    public synchronized void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
    }
}
