package io.tickmark.transport.broker;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;

/**
 * Messages that have arrived for a subscriber and wait to be polled: threads of an engine's client
 * add to it, one thread takes from it and may sleep until a message arrives.
 *
 * @param <T> a message, with what its engine needs to acknowledge it
 */
public final class Inbox<T> {
    private final ManyToOneConcurrentLinkedQueue<T> messages =
            new ManyToOneConcurrentLinkedQueue<>();
    private final ToIntFunction<T> bytesOf;
    private final long mostBytes;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private volatile Thread sleeper;

    /**
     * Empty.
     *
     * @param bytesOf length of a message's payload
     * @param mostBytes that may wait together; a single message is accepted however long it is
     */
    public Inbox(final ToIntFunction<T> bytesOf, final long mostBytes) {
        this.bytesOf = bytesOf;
        this.mostBytes = mostBytes;
    }

    /**
     * An empty one for payloads that are acknowledged by nobody.
     *
     * @param mostBytes that may wait together; a single message is accepted however long it is
     * @return the inbox
     */
    public static Inbox<byte[]> ofPayloads(final long mostBytes) {
        return new Inbox<>(payload -> payload.length, mostBytes);
    }

    /**
     * Whether a message still fits. Any thread.
     *
     * @param message that has arrived
     * @return false where the limit is reached
     */
    public boolean hasRoom(final T message) {
        return messages.isEmpty() || bytes.get() + bytesOf.applyAsInt(message) <= mostBytes;
    }

    /**
     * Adds a message where it fits; drops and counts it where it does not. Any thread.
     *
     * @param message that has arrived
     */
    public void addOrDrop(final T message) {
        if (hasRoom(message)) {
            add(message);
        } else {
            dropped.incrementAndGet();
        }
    }

    /**
     * Adds a message once it fits: for a client whose thread may wait, and whose server keeps the
     * rest meanwhile. Any thread but the taking one.
     *
     * @param message that has arrived
     * @param isEnded whether nobody will take messages any more, which ends the wait
     */
    public void addOrWait(final T message, final BooleanSupplier isEnded) {
        Flight.awaitUntil(Long.MAX_VALUE, () -> hasRoom(message) || isEnded.getAsBoolean());
        add(message);
    }

    /**
     * Adds a message whether it fits or not. Any thread.
     *
     * @param message that has arrived
     */
    public void add(final T message) {
        bytes.addAndGet(bytesOf.applyAsInt(message));
        messages.offer(message);
        wake();
    }

    /** Ends the sleep of the taking thread, where it sleeps. Any thread. */
    public void wake() {
        VarHandle.fullFence(); // a message must be visible before sleepers are looked up
        final Thread woken = sleeper;
        if (woken != null) {
            LockSupport.unpark(woken);
        }
    }

    /**
     * Takes the oldest message. One thread.
     *
     * @return null where none waits
     */
    public T poll() {
        final T message = messages.poll();
        if (message != null) {
            bytes.addAndGet(-bytesOf.applyAsInt(message));
        }
        return message;
    }

    /**
     * Whether no message waits. Any thread.
     *
     * @return false where {@link #poll} has one to take
     */
    public boolean isEmpty() {
        return messages.isEmpty();
    }

    /**
     * Sleeps until a message waits or the time is over. The taking thread.
     *
     * @param timeoutNs longest sleep
     */
    public void await(final long timeoutNs) {
        sleeper = Thread.currentThread();
        VarHandle.fullFence();
        if (messages.isEmpty()) {
            LockSupport.parkNanos(timeoutNs);
        }
        sleeper = null;
    }

    /**
     * How many messages were dropped. Any thread.
     *
     * @return the count
     */
    public long dropped() {
        return dropped.get();
    }
}
