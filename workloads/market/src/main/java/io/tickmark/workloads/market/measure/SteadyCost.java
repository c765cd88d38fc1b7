package io.tickmark.workloads.market.measure;

import java.util.function.Supplier;

/**
 * What the updates of a steady state cost, from the first mark of a stretch to its last. What comes
 * before the one and after the other does not count; a stretch that is interrupted ends at the mark
 * before. One thread.
 */
public final class SteadyCost {
    private final Supplier<Cost> now;
    private boolean isOpen;
    private Cost atFirst = Cost.NONE;
    private long updatesAtFirst;
    private Cost cost = Cost.NONE;
    private long updates;

    /**
     * Nothing yet.
     *
     * @param now what the calling thread and its process have taken so far
     */
    public SteadyCost(final Supplier<Cost> now) {
        this.now = now;
    }

    /**
     * All is steady: begins a stretch, or takes what has passed since its beginning in.
     *
     * @param updatesSoFar sent by this thread
     */
    public void mark(final long updatesSoFar) {
        if (!isOpen) {
            isOpen = true;
            updatesAtFirst = updatesSoFar;
            atFirst = now.get();
            return;
        }
        cost = now.get().since(atFirst);
        updates = updatesSoFar - updatesAtFirst;
    }

    /** What follows is something else, until the next mark; that begins anew. */
    public void interrupt() {
        isOpen = false;
    }

    /**
     * Of the last stretch with two marks.
     *
     * @return {@link Cost#NONE} without one
     */
    public Cost cost() {
        return cost;
    }

    /**
     * Updates sent in that stretch.
     *
     * @return 0 without one
     */
    public long updates() {
        return updates;
    }
}
