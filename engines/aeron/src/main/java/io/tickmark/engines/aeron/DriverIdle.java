package io.tickmark.engines.aeron;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

/** What the threads of an embedded driver do when there is nothing to do. */
public enum DriverIdle {
    /** Busy spin. */
    SPIN,
    /** Yield between turns. */
    YIELD,
    /** Spin, then yield, then park up to a millisecond. */
    BACKOFF,
    /** Sleep a millisecond. */
    SLEEP;

    /**
     * A new strategy.
     *
     * @return for one thread
     */
    public IdleStrategy strategy() {
        return switch (this) {
            case SPIN -> new BusySpinIdleStrategy();
            case YIELD -> new YieldingIdleStrategy();
            case BACKOFF -> new BackoffIdleStrategy();
            case SLEEP -> new SleepingMillisIdleStrategy(1);
        };
    }
}
