package io.tickmark.workloads.market.rssl;

import com.refinitiv.ema.access.OmmConsumer;
import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.role.Waker;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;

/**
 * How a thread that dispatches the Message API takes what has arrived, and waits for it. It sleeps
 * in the library's own dispatch, which calls back when something arrives, and returns then. One
 * thread; callbacks run inside.
 */
public final class EmaWait {
    private static final long US_NS = 1_000;

    /** Of what dispatches, in us; shorter than any wait. */
    private static final long NO_WAIT = OmmConsumer.DispatchTimeout.NO_WAIT;

    private final Idle idle;
    private final LongUnaryOperator dispatch;
    private final Waker waker = this::sleep;

    /**
     * A thread with one connection.
     *
     * @param idle how the thread waits
     * @param dispatch of a consumer or a provider, which takes microseconds; called while there is
     *     a connection
     */
    public EmaWait(final Idle idle, final LongUnaryOperator dispatch) {
        this.idle = idle;
        this.dispatch = dispatch;
    }

    /** Takes what has arrived. */
    public void poll() {
        dispatch(NO_WAIT);
    }

    /**
     * Waits as the thread's idle mode says, until there is something to read or the time is over.
     *
     * @param forNs at most this long
     * @param mayDispatch false where there is no connection yet, or a thread of the library
     *     dispatches: then there is nothing to look at
     */
    public void idle(final long forNs, final boolean mayDispatch) {
        if (forNs <= US_NS) {
            return;
        }
        if (mayDispatch) {
            idle.await(waker, forNs);
        } else {
            LockSupport.parkNanos(forNs);
        }
    }

    private void sleep(final long longestNs) {
        dispatch(Math.max(NO_WAIT + 1, longestNs / US_NS));
    }

    private void dispatch(final long us) {
        if (dispatch.applyAsLong(us) == OmmConsumer.DispatchReturn.DISPATCHED) {
            idle.reset();
        }
    }
}
