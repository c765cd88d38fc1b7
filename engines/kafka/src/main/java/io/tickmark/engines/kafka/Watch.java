package io.tickmark.engines.kafka;

import io.tickmark.transport.HostPort;
import io.tickmark.transport.broker.BrokerChannel;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Detects at once that brokers die, which Kafka's clients do not report while they retry: an idle
 * connection to each, on a separate thread, which closes with the broker. When fewer are left than
 * a message needs, the store is lost for good.
 */
final class Watch implements AutoCloseable {
    private static final int CONNECT_MS = 1000;
    private static final long AGAIN_NS = 50_000_000;

    private final int needed;
    private final List<Thread> threads = new ArrayList<>();
    private int alive;
    private volatile boolean lost;
    private volatile boolean closed;

    Watch(final BrokerChannel<KafkaParameters> channel, final int needed) {
        this.needed = needed;
        alive = channel.addresses().size();
        for (final HostPort address : channel.addresses()) {
            threads.add(Thread.ofVirtual().name("kafka-watch").start(() -> watch(address)));
        }
    }

    private void watch(final HostPort address) {
        boolean counted = true;
        while (!closed) {
            try (Socket socket = new Socket()) {
                socket.connect(address.socketAddress(), CONNECT_MS);
                if (!counted) {
                    counted = true;
                    count(1);
                }
                socket.getInputStream().read(); // a broker sends nothing by itself
            } catch (final IOException e) {
                if (counted) {
                    counted = false;
                    count(-1);
                }
                LockSupport.parkNanos(AGAIN_NS);
            }
        }
    }

    private synchronized void count(final int change) {
        alive += change;
        lost |= alive < needed;
    }

    /** Whether what was not acknowledged may be gone; final. */
    boolean isLost() {
        return lost;
    }

    /** Whether enough brokers are running now. */
    synchronized boolean isServed() {
        return alive >= needed;
    }

    /** The interrupt closes the socket at which a virtual thread waits. */
    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
    }
}
