package io.tickmark.engines.omb;

import io.tickmark.transport.broker.Flight;
import java.lang.invoke.VarHandle;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;

/**
 * Calls the driver for all publications of a process, in the order in which they add messages, so
 * that a call that blocks does not block a publisher. The queue is bounded by the messages that
 * each publication may have in flight.
 */
final class SendThread {
    private final ManyToOneConcurrentLinkedQueue<Waiting> waiting =
            new ManyToOneConcurrentLinkedQueue<>();
    private final Set<Sender> senders = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Thread thread;
    private Sender current;
    private volatile boolean isAsleep;
    private volatile boolean isStopped;

    /** Sends the messages of one publication. */
    @FunctionalInterface
    interface Sender {
        /** Calls the driver, which may block; throws nothing. */
        void send(byte[] message);
    }

    private record Waiting(Sender sender, byte[] message) {}

    /** Starts the thread that the factory creates for a task. */
    SendThread(final Function<Runnable, Thread> threads) {
        thread = threads.apply(this::run);
        thread.start();
    }

    synchronized void join(final Sender sender) {
        senders.add(sender);
    }

    /** Adds a message; called by the publication's thread. */
    void add(final Sender sender, final byte[] message) {
        waiting.offer(new Waiting(sender, message));
        VarHandle.fullFence(); // the message is visible before isAsleep is read
        if (isAsleep) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        while (!isStopped) {
            final Waiting next = waiting.poll();
            if (next == null) {
                sleep();
            } else if (begin(next.sender())) {
                try {
                    next.sender().send(next.message());
                } finally {
                    end();
                }
            }
        }
    }

    private void sleep() {
        isAsleep = true;
        VarHandle.fullFence();
        if (waiting.isEmpty() && !isStopped) {
            LockSupport.park();
        }
        isAsleep = false;
    }

    private synchronized boolean begin(final Sender sender) {
        current = senders.contains(sender) ? sender : null;
        return current != null;
    }

    /** An interrupt was meant for the call that has ended. */
    private synchronized void end() {
        current = null;
        Thread.interrupted();
    }

    /**
     * Stops sending the messages of a sender; interrupts a call that still blocks after a while.
     *
     * @param timeoutNs until it is interrupted
     */
    void leave(final Sender sender, final long timeoutNs) {
        synchronized (this) {
            senders.remove(sender);
        }
        Flight.awaitUntil(timeoutNs, () -> !isSending(sender));
        synchronized (this) {
            if (current == sender) {
                thread.interrupt();
            }
        }
    }

    private synchronized boolean isSending(final Sender sender) {
        return current == sender;
    }

    /** Ends the thread. */
    void stop() {
        isStopped = true;
        LockSupport.unpark(thread);
    }
}
