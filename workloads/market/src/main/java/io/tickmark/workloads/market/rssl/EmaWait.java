package io.tickmark.workloads.market.rssl;

import io.tickmark.kernel.role.IdleMode;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;

/** How a thread that dispatches the Message API waits. Stateless. */
public final class EmaWait {
    private static final long US_NS = 1_000;

    private EmaWait() {}

    /**
     * Waits as the idle mode says, until there is something to read or the time is over.
     *
     * @param idle mode of the thread
     * @param forNs at most this long
     * @param dispatch the library's own wait, which takes microseconds and calls back; null where
     *     there is no connection yet
     */
    public static void idle(
            final IdleMode idle, final long forNs, final LongUnaryOperator dispatch) {
        if (forNs <= US_NS) {
            return;
        }
        if (dispatch == null) {
            LockSupport.parkNanos(forNs);
            return;
        }
        switch (idle) {
            case SPIN, AUTO -> Thread.onSpinWait();
            case YIELD -> Thread.yield();
            // 0 waits for ever and 1 not at all
            case PARK, BLOCK, ADAPTIVE -> dispatch.applyAsLong(Math.max(2, forNs / US_NS));
        }
    }
}
