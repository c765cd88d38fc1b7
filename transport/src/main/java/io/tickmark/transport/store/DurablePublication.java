package io.tickmark.transport.store;

import io.tickmark.transport.Publication;

/**
 * A publication whose {@code offer} returns the message's ordinal. Flight size is offered minus
 * stable: adapters translate byte positions and acknowledgements out of order into ordinals.
 *
 * <p>When its store is lost, {@code offer} refuses with {@code NOT_CONNECTED} for good, also after
 * the store is back: what was not stable may be gone, and whoever sends has to open anew and send
 * it again. A store that keeps its quorum is lost only to those whose messages may be gone with one
 * member all the same: where a leader took them in, when that leader is gone.
 */
public interface DurablePublication extends Publication {
    /** {@link #stablePosition()} while nothing is stable. */
    long NONE_STABLE = -1;

    /**
     * The ordinal that the next message taken gets; those of {@link #offerAll} follow each other.
     *
     * @return the ordinal
     */
    long nextOrdinal();

    /**
     * The highest ordinal up to which all messages are stable, as the store defines it (its
     * durability class says how).
     *
     * @return the ordinal, or {@link #NONE_STABLE}
     */
    long stablePosition();

    /**
     * Whether its store is lost, so that {@code offer} refuses for good; for whoever only waits
     * until messages are stable, and shown without any offer.
     *
     * @return true once it has to be opened anew
     */
    boolean isLost();

    /**
     * Why the places of messages no longer tell which of those that are not stable are in the
     * store: one was refused and later ones were perhaps not, or somebody else writes. Where it is
     * {@link #isLost() lost} as well, all that was not stable has to be sent again; where it is
     * not, it has ended, and {@code offer} refuses with {@code CLOSED}.
     *
     * @return a sentence without its end; empty while places tell
     */
    default String failure() {
        return "";
    }

    /**
     * What the engine said of why messages do not become stable: a sentence for the user who finds
     * the store lost.
     *
     * @return its own words; empty where it said nothing, or nothing is wrong any more
     */
    default String trouble() {
        return "";
    }
}
