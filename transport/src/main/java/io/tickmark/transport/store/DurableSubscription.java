package io.tickmark.transport.store;

import io.tickmark.transport.Subscription;

/**
 * A subscription that tells its store what it has dealt with. Messages come in the order of their
 * ordinals; an engine may deliver them before they are stable. When the store is lost, {@code
 * isConnected} turns false; where it stays so, whoever reads opens anew behind the last ordinal.
 */
public interface DurableSubscription extends Subscription {
    /**
     * Ordinal of the message that the handler is being given, or was given last.
     *
     * @return the ordinal, -1 before the first
     */
    long ordinal();

    /**
     * Tells that all messages up to an ordinal were dealt with; a receiver-paced store may delete
     * them.
     *
     * @param ordinal the highest one dealt with
     */
    void acknowledge(long ordinal);
}
