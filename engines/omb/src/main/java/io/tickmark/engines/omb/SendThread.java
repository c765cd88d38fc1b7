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
 * Calls the driver for all publications of a process, in the order in which their messages come, so
 * that no publisher is held up. What waits here is bounded by what each may have under way.
 */
final class SendThread {
    private final ManyToOneConcurrentLinkedQueue<Waiting> waiting =
            new ManyToOneConcurrentLinkedQueue<>();
    private final Set<Sender> senders = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Thread thread;
    private Sender current;
    private volatile boolean isAsleep;
    private volatile boolean isStopped;

    /** Whose messages are handed over. */
    @FunctionalInterface
    interface Sender {
        /** Calls the driver, which may wait in it; throws nothing. */
        void hand(byte[] message);
    }

    private record Waiting(Sender sender, byte[] message) {}

    /** Starts a thread, which is made of its task. */
    SendThread(final Function<Runnable, Thread> threads) {
        thread = threads.apply(this::run);
        thread.start();
    }

    synchronized void join(final Sender sender) {
        senders.add(sender);
    }

    /** The thread of the sender. */
    void add(final Sender sender, final byte[] message) {
        waiting.offer(new Waiting(sender, message));
        VarHandle.fullFence(); // the message is seen before it is looked who sleeps
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
                    next.sender().hand(next.message());
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

    /** An interrupt is for the call that it came in. */
    private synchronized void end() {
        current = null;
        Thread.interrupted();
    }

    /**
     * Hands over no more of a sender; one that waits in the driver is interrupted.
     *
     * @param patienceNs longest time until then
     */
    void leave(final Sender sender, final long patienceNs) {
        synchronized (this) {
            senders.remove(sender);
        }
        Flight.awaitUntil(patienceNs, () -> !isHanding(sender));
        synchronized (this) {
            if (current == sender) {
                thread.interrupt();
            }
        }
    }

    private synchronized boolean isHanding(final Sender sender) {
        return current == sender;
    }

    /** Nobody sends any more. */
    void stop() {
        isStopped = true;
        LockSupport.unpark(thread);
    }
}
