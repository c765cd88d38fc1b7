package io.tickmark.transport.store;

import io.tickmark.transport.Publication;

/**
 * A publication whose {@code offer} returns the message's ordinal. Flight size is offered minus
 * stable: adapters translate byte positions and acknowledgements out of order into ordinals.
 */
public interface DurablePublication extends Publication {
    /** {@link #stablePosition()} while nothing is stable. */
    long NONE_STABLE = -1;

    /**
     * The highest ordinal up to which all messages are stable, as the store defines it (its
     * durability class says how).
     *
     * @return the ordinal, or {@link #NONE_STABLE}
     */
    long stablePosition();
}
