package io.tickmark.transport;

import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.IdleStrategy;

/** The receiving end of a channel and topic. One thread. */
public interface Subscription extends AutoCloseable {
    /**
     * Hands over what has arrived, on the caller's thread; never waits.
     *
     * @param handler called for each message
     * @param limit most messages to hand over
     * @return messages handed over; a transport that receives in batches may pass the limit by the
     *     rest of a batch
     */
    int poll(MessageHandler handler, int limit);

    /**
     * Hands over until told to stop. The default loops over {@link #poll}; an engine may wait in a
     * better way of its own (a listener, a selector, a blocking fetch), as long as it looks at
     * {@code stop} every 100 ms.
     *
     * @param handler called for each message
     * @param idleStrategy used when nothing has arrived
     * @param stop when it turns true the call returns
     */
    default void run(
            final MessageHandler handler,
            final IdleStrategy idleStrategy,
            final BooleanSupplier stop) {
        while (!stop.getAsBoolean()) {
            idleStrategy.idle(poll(handler, Integer.MAX_VALUE));
        }
    }

    /**
     * Whether {@link #run} calls the handler on a thread of the engine's own, which spares the
     * hand-over to the caller's; the caller's thread waits meanwhile.
     *
     * @return false where {@code run} loops over {@link #poll}
     */
    default boolean runsOnOwnThread() {
        return false;
    }

    /**
     * Waits until something may have arrived, without spinning; the idle modes BLOCK and ADAPTIVE.
     * The default parks.
     *
     * @param timeoutNs longest wait, at most 100 ms
     */
    default void await(final long timeoutNs) {
        java.util.concurrent.locks.LockSupport.parkNanos(Math.min(timeoutNs, 50_000));
    }

    /**
     * Whether the kernel stamps the messages of this channel, as its user asked: then {@link
     * #arrivedNs} and {@link Publication#departedNs} tell.
     *
     * @return false by default
     */
    default boolean keepsKernelTimes() {
        return false;
    }

    /**
     * When the message that the handler is being given reached its socket.
     *
     * @return by the clock of {@link System#nanoTime}; 0 where that is unknown
     */
    default long arrivedNs() {
        return 0;
    }

    /**
     * Whether {@link #await} returns as soon as a message arrives, so that a long wait delays none.
     *
     * @return false where it only parks for a while
     */
    default boolean wakesOnArrival() {
        return false;
    }

    /**
     * Whether a publication is at the other end, as far as the engine can tell.
     *
     * @return true where it cannot tell
     */
    boolean isConnected();

    /**
     * Messages the transport itself knows to be lost on the way to this subscription.
     *
     * @return the count; 0 where it cannot tell (sequences tell then)
     */
    default long lost() {
        return 0;
    }

    /**
     * The channel by which publications find this subscription, port filled in.
     *
     * @return the resolved channel
     */
    ChannelUri channel();

    /**
     * What the transport says about this end for the result: options the system really took (kernel
     * batches, effective buffer sizes), where they may differ from what was asked. Read after
     * opening and again at the end, never while hot.
     *
     * @return name in camel case, units in the name, to a number, boolean or text; empty where
     *     there is nothing to say
     */
    default Map<String, Object> facts() {
        return Map.of();
    }

    /**
     * What the engine reported on threads of its own since this end was opened, which no return
     * code told. Asked when it is opened and at the end, never while hot.
     *
     * @return a sentence with the number of errors; empty where there was none
     */
    default Optional<String> engineErrors() {
        return Optional.empty();
    }

    /** Releases all; idempotent. */
    @Override
    void close();
}
