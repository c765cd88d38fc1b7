package io.tickmark.transport.store;

import io.tickmark.transport.Subscription;

/**
 * A subscription that acknowledges to its store what it has processed. Messages arrive in the order
 * of their ordinals; an engine may deliver them before they are stable. When the store is lost,
 * {@code isConnected} turns false; where it stays so, the reader closes the subscription and opens
 * another one after the last ordinal, as often as it takes: a closed one is not connected.
 */
public interface DurableSubscription extends Subscription {
    /**
     * Ordinal of the message that the handler is processing or processed last.
     *
     * @return the ordinal, -1 before the first
     */
    long ordinal();

    /**
     * Acknowledges all messages up to an ordinal as processed; a receiver-paced store may delete
     * them.
     *
     * @param ordinal the highest one processed
     */
    void acknowledge(long ordinal);

    /**
     * Waits a few seconds at most until the store has processed what was acknowledged; what it did
     * not process is in {@link #engineErrors} and {@link #facts} from then on. To be called before
     * those are read for the last time; nothing is polled afterwards. Nothing by default, where an
     * acknowledgement is processed when the call returns.
     */
    default void settleAcknowledgements() {}
}
