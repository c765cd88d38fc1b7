package io.tickmark.workloads.market.measure;

import java.util.function.Supplier;

/**
 * The cost of the updates of a steady state, from the first mark of a period to its last. Work
 * before the first and after the last does not count; an interrupted period ends at the mark
 * before. Single-threaded.
 */
public final class SteadyCost {
    private final Supplier<CpuCost> now;
    private boolean isOpen;
    private CpuCost atFirst = CpuCost.NONE;
    private long updatesAtFirst;
    private CpuCost cost = CpuCost.NONE;
    private long updates;

    /**
     * Nothing yet.
     *
     * @param now supplies the cost of the calling thread and its process so far
     */
    public SteadyCost(final Supplier<CpuCost> now) {
        this.now = now;
    }

    /**
     * The state is steady: begins a period, or extends the current one.
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

    /** The following work is excluded until the next mark, which begins a new period. */
    public void interrupt() {
        isOpen = false;
    }

    /**
     * Cost of the last period with two marks.
     *
     * @return {@link CpuCost#NONE} without one
     */
    public CpuCost cost() {
        return cost;
    }

    /**
     * Updates sent in that period.
     *
     * @return 0 without one
     */
    public long updates() {
        return updates;
    }
}
