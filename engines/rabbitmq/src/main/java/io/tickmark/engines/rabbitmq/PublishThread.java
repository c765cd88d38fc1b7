package io.tickmark.engines.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import io.tickmark.transport.broker.Flight;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;

/**
 * Publishes on a separate thread: the client writes to its socket on the caller's thread, and a
 * server that is short of memory stops reading ("Flow Control" in the documentation of RabbitMQ),
 * which would block the measuring thread. One thread offers.
 */
final class PublishThread implements AutoCloseable {
    private static final int SPINS = 100;
    private static final long PARK_NS = 100_000_000;
    private static final long CLOSE_PATIENCE_NS = 2_000_000_000;

    private final Sending sending;
    private final Consumer<Exception> failed;
    private final OneToOneConcurrentArrayQueue<byte[]> waiting;
    private final Thread thread;
    private volatile boolean isParked;
    private volatile boolean isEnded;

    /** Passes one message to the client. */
    @FunctionalInterface
    interface Sending {
        /** Blocks while the socket accepts nothing. */
        void send(byte[] body) throws IOException;
    }

    /**
     * Starts the thread.
     *
     * @param most messages that may wait
     * @param failed called for each message that was not sent, on the thread
     */
    PublishThread(final int most, final Sending sending, final Consumer<Exception> failed) {
        this.sending = sending;
        this.failed = failed;
        waiting = new OneToOneConcurrentArrayQueue<>(most);
        thread = Thread.ofPlatform().daemon().name("rabbitmq-publish").start(this::run);
    }

    /** Adds a message for which there was room in flight. */
    void add(final byte[] body) {
        waiting.offer(body);
        VarHandle.fullFence(); // the message must be visible before the thread is seen as parked
        if (isParked) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        int spins = 0;
        while (true) {
            final byte[] body = waiting.poll();
            if (body != null) {
                send(body);
                spins = 0;
            } else if (isEnded) {
                return;
            } else if (++spins < SPINS) {
                Thread.onSpinWait();
            } else {
                isParked = true;
                VarHandle.fullFence();
                if (waiting.isEmpty() && !isEnded) {
                    LockSupport.parkNanos(PARK_NS);
                }
                isParked = false;
            }
        }
    }

    private void send(final byte[] body) {
        try {
            sending.send(body);
        } catch (final IOException | AlreadyClosedException e) {
            failed.accept(e);
        }
    }

    /** Waits until everything is sent, for a few seconds at most. */
    @Override
    public void close() {
        isEnded = true;
        LockSupport.unpark(thread);
        Flight.awaitUntil(CLOSE_PATIENCE_NS, () -> !thread.isAlive());
    }
}
