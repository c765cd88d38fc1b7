package io.tickmark.transport.store;

import io.tickmark.transport.Publication;

/**
 * A publication whose {@code offer} returns the message's ordinal. Flight size is offered minus
 * stable: adapters translate byte positions and acknowledgements out of order into ordinals.
 *
 * <p>When its store is lost, {@code offer} refuses with {@code NOT_CONNECTED} for good, also after
 * the store is back: messages that were not stable may be gone, and the sender has to reopen the
 * publication and send them again. A store that keeps its quorum is lost only to publications whose
 * messages may be gone with one member nevertheless: where a leader accepted them and that leader
 * is gone.
 */
public interface DurablePublication extends Publication {
    /** {@link #stablePosition()} while nothing is stable. */
    long NONE_STABLE = -1;

    /**
     * The ordinal of the next message that is taken; those of {@link #offerAll} follow each other.
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
     * Whether its store is lost, so that {@code offer} refuses for good; for callers that only wait
     * until messages are stable; it is set without any offer.
     *
     * @return true once the publication has to be reopened
     */
    boolean isLost();

    /**
     * Why the positions of messages no longer say which of the messages that are not stable are in
     * the store: one was refused and later ones were perhaps not, or another client writes to it.
     * Where the publication is {@link #isLost() lost} as well, all messages that were not stable
     * have to be sent again; where it is not, it has ended, and {@code offer} refuses with {@code
     * CLOSED}.
     *
     * @return a sentence without its full stop; empty while positions are reliable
     */
    default String failure() {
        return "";
    }

    /**
     * What the engine reported about why messages do not become stable: a sentence for the user
     * when the store is lost.
     *
     * @return the engine's text; empty where it reported nothing, or nothing is wrong any more
     */
    default String trouble() {
        return "";
    }
}
