package io.tickmark.workloads.market.provider;

import io.tickmark.kernel.loop.LoopCounts;
import java.util.List;

/**
 * What a thread of the provider needs of a library, for its consumers. Called only by that thread.
 */
interface ProviderApi {
    /** The connected consumers. */
    List<? extends ServedConsumer> connections();

    /** Receives available messages; returns whether there was more than one turn's worth. */
    boolean dispatch(long nowNs);

    /** Id of the library's thread that dispatches for it, 0 where this thread does. */
    default long libraryThread() {
        return 0;
    }

    /** Waits, at most this long. */
    void idle(long forNs);

    LoopCounts<ProviderCounts> counts();

    /** Whether there were stamps of another machine's clock, which were not timed. */
    boolean hasOtherClock();

    /** Adds what the connections sent to the counts. */
    default void settle() {
        final List<? extends ServedConsumer> all = connections();
        for (int i = 0; i < all.size(); i++) { // by index: an iterator would be garbage
            all.get(i).settle();
        }
    }

    /** Requests a round trip on each login stream whose consumer answers them. */
    void sendRoundTrips();

    /** Ends all connections. */
    void close();
}
