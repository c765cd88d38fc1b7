package io.tickmark.workloads.feed.source;

import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.stall.StallWatch;

/** Where the threads of a feed server run, and what they wait with; they are told apart by name. */
@FunctionalInterface
public interface ThreadPlacement {
    /**
     * What a thread waits with where there is nothing to do.
     *
     * @param thread its name: {@code feed-1} makes messages, {@code sessions-1} sends them
     * @return a new one
     */
    Idle idle(String thread);

    /**
     * Watches a thread for stalls.
     *
     * @param thread its name
     * @param part what it does with the messages
     * @return to be begun by the thread itself
     */
    default StallWatch watch(final String thread, final StallWatch.Part part) {
        return StallWatch.off();
    }

    /**
     * Called by each thread before it begins, to give itself a core.
     *
     * @param thread its name
     */
    default void begin(final String thread) {
        // wherever the system lets it run
    }
}
