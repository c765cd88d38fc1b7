package io.tickmark.workloads.feed.source;

import org.agrona.concurrent.NanoClock;

/**
 * The clock of a feed and the instant its times count from: small numbers, which a browser's
 * doubles hold to the nanosecond.
 *
 * @param clock monotonic
 * @param epochNs on that clock
 */
public record FeedClock(NanoClock clock, long epochNs) {
    /**
     * Counts from now.
     *
     * @param clock monotonic
     * @return a feed's clock
     */
    public static FeedClock from(final NanoClock clock) {
        return new FeedClock(clock, clock.nanoTime());
    }

    /**
     * Current time.
     *
     * @return ns after the epoch
     */
    public long nowNs() {
        return clock.nanoTime() - epochNs;
    }
}
