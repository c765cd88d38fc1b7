package io.tickmark.transport.broker;

import java.lang.invoke.VarHandle;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;

/**
 * Calls a client whose call for sending may block, for one or several publications of a process, in
 * the order in which they add messages: so the measuring thread never waits. The queue is bounded
 * by the messages that each publication may have in flight.
 */
public final class SendThread {
    /** Messages that follow each other quickly find it awake. */
    private static final int SPINS = 100;

    private final ManyToOneConcurrentLinkedQueue<Waiting> waiting =
            new ManyToOneConcurrentLinkedQueue<>();
    private final Map<Sender, Consumer<Throwable>> senders = new IdentityHashMap<>();
    private final Thread thread;
    private Sender current;
    private volatile boolean isAsleep;
    private volatile boolean isStopped;

    /** Sends the messages of one publication. */
    @FunctionalInterface
    public interface Sender {
        /**
         * Calls the client, which may block.
         *
         * @param message to send
         * @throws Exception whatever the client throws; the message then counts as not sent
         */
        void send(byte[] message) throws Exception;
    }

    private record Waiting(Sender sender, byte[] message) {}

    /**
     * Starts the thread.
     *
     * @param threads makes it for a task, not started
     */
    public SendThread(final Function<Runnable, Thread> threads) {
        thread = threads.apply(this::run);
        thread.start();
    }

    /**
     * Starts a thread.
     *
     * @param name of the thread, which keeps no JVM alive
     * @return with no senders yet
     */
    public static SendThread named(final String name) {
        return new SendThread(task -> Thread.ofPlatform().daemon().name(name).unstarted(task));
    }

    /**
     * Sends the messages of a sender from now on. Any thread.
     *
     * @param sender of a publication
     * @param failed receives what the sender threw, once for each message that was not sent, on
     *     this thread; throws nothing
     */
    public synchronized void join(final Sender sender, final Consumer<Throwable> failed) {
        senders.put(sender, failed);
    }

    /**
     * Adds a message; called by the publication's thread.
     *
     * @param sender that has joined
     * @param message which nobody else changes
     */
    public void add(final Sender sender, final byte[] message) {
        waiting.offer(new Waiting(sender, message));
        VarHandle.fullFence(); // the message is visible before isAsleep is read
        if (isAsleep) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        int spins = 0;
        while (!isStopped) {
            final Waiting next = waiting.poll();
            if (next == null) {
                if (++spins < SPINS) {
                    Thread.onSpinWait();
                } else {
                    sleep();
                }
                continue;
            }
            spins = 0;
            final Consumer<Throwable> failed = begin(next.sender());
            if (failed != null) {
                try {
                    next.sender().send(next.message());
                } catch (final Throwable e) { // an engine's client may throw anything
                    failed.accept(e);
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

    /** Where a failure is told; null where the sender has left. */
    private synchronized Consumer<Throwable> begin(final Sender sender) {
        final Consumer<Throwable> failed = senders.get(sender);
        current = failed == null ? null : sender;
        return failed;
    }

    /** An interrupt was meant for the call that has ended. */
    private synchronized void end() {
        current = null;
        Thread.interrupted();
    }

    /**
     * Waits until everything is sent; briefly where a server was silent just before.
     *
     * @param longestNs longest wait
     */
    public void drain(final long longestNs) {
        BoundedClose.await(longestNs, this::isIdle);
    }

    private synchronized boolean isIdle() {
        return waiting.isEmpty() && current == null && isAsleep;
    }

    /**
     * Stops sending the messages of a sender; interrupts a call that still blocks after a while.
     *
     * @param sender that has joined
     * @param timeoutNs until it is interrupted
     */
    public void leave(final Sender sender, final long timeoutNs) {
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

    /** Ends the thread; messages that wait are not sent. */
    public void stop() {
        isStopped = true;
        LockSupport.unpark(thread);
    }
}
