package io.tickmark.engines.kafka;

import io.tickmark.transport.HostPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Detects at once that brokers die, which Kafka's clients do not report while they retry: an idle
 * connection to each that has a copy of a topic, on a separate thread, which closes with the
 * broker. When fewer are left than a message needs, the store is lost for good.
 */
final class Watch implements AutoCloseable {
    private static final int CONNECT_MS = 1000;
    private static final long AGAIN_NS = 50_000_000;

    private final Copies copies;
    private final int mayEnd;
    private final List<Thread> threads = new ArrayList<>();
    private int ended;
    private volatile boolean lost;
    private volatile boolean closed;

    /**
     * The brokers that have copies of a topic.
     *
     * @param count of all of them
     * @param addresses where they are watched; of a broker that does not run none is known
     * @param areOurs whether we have started them: one that cannot be reached has ended; of others
     *     only one that was reached before
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
     */
    Watch(final Copies copies, final int needed) {
        this.copies = copies;
        mayEnd = Math.max(0, copies.count() - needed);
        for (final InetSocketAddress address : copies.addresses()) {
            threads.add(Thread.ofVirtual().name("kafka-watch").start(() -> watch(address)));
        }
    }

    private void watch(final InetSocketAddress address) {
        boolean wasReached = copies.areOurs();
        boolean hasEnded = false;
        while (!closed) {
            try (Socket socket = new Socket()) {
                socket.connect(address, CONNECT_MS);
                wasReached = true;
                if (hasEnded) {
                    hasEnded = false;
                    count(-1);
                }
                socket.getInputStream().read(); // a broker sends nothing by itself
            } catch (final IOException e) {
                if (wasReached && !hasEnded && !closed) { // or we have closed it
                    hasEnded = true;
                    count(1);
                }
                LockSupport.parkNanos(AGAIN_NS);
            }
        }
    }

    private synchronized void count(final int change) {
        ended += change;
        lost |= ended > mayEnd;
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
        return ended <= mayEnd;
    }

    /** The interrupt closes the socket at which a virtual thread waits. */
    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
    }
}
