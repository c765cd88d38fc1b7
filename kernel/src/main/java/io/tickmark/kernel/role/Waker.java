package io.tickmark.kernel.role;

import io.tickmark.kernel.stall.StallWatch;
import java.util.concurrent.locks.LockSupport;

/**
 * What a hot loop sleeps on until something arrives for it: a socket, a selector, a futex, an
 * engine's client. Called by the loop's thread alone.
 */
@FunctionalInterface
public interface Waker {
    /**
     * For a loop that nothing wakes: it looks again after 50 us at most. That is short enough for a
     * message, and leaves the core to the threads that spin.
     */
    Waker NONE =
            new Waker() {
                @Override
                public void await(final long timeoutNs) {
                    LockSupport.parkNanos(Math.min(timeoutNs, IdleStrategies.PAUSE_NS));
                }

                @Override
                public boolean wakesOnArrival() {
                    return false;
                }

                @Override
                public long sleepNs(final long timeoutNs) {
                    return Math.min(timeoutNs, IdleStrategies.PAUSE_NS);
                }
            };

    /**
     * Sleeps until something may have arrived, or the time is over.
     *
     * @param timeoutNs longest sleep
     */
    void await(long timeoutNs);

    /**
     * Whether {@link #await} returns as soon as something arrives, so that a long sleep delays
     * nothing.
     *
     * @return false where it only parks for a while
     */
    default boolean wakesOnArrival() {
        return true;
    }

    /**
     * How late {@link #await} may return when nothing arrives: a loop with work that is due sleeps
     * for so much less, and does not sleep at all where twice that is not left.
     *
     * @return ns; 0 where it returns in time, or where that is not needed
     */
    default long slackNs() {
        return 0;
    }

    /**
     * How long {@link #await} sleeps where nothing arrives, if a thread does nothing else in it:
     * for what passes behind that time, the thread was woken late.
     *
     * @param timeoutNs that it is given
     * @return ns; {@link StallWatch#NOT_TIMED} where that is not known: by default where it wakes
     *     on arrival, as what has arrived may be worked on before it returns, and where it may be
     *     late by itself
     */
    default long sleepNs(final long timeoutNs) {
        return wakesOnArrival() || slackNs() > 0 ? StallWatch.NOT_TIMED : timeoutNs;
    }
}
