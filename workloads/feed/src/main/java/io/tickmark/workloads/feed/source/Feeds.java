package io.tickmark.workloads.feed.source;

import java.util.List;
import java.util.function.Supplier;
import org.agrona.concurrent.IdleStrategy;

/** Opens the feed that settings ask for. */
public final class Feeds {
    private Feeds() {}

    /**
     * A feed that has not begun.
     *
     * @param settings of it
     * @param time its clock
     * @param sinks of each thread, by thread
     * @param idle strategies, one for each thread
     * @return the feed
     */
    public static Feed open(
            final FeedSettings settings,
            final FeedClock time,
            final List<List<TickRing>> sinks,
            final Supplier<IdleStrategy> idle) {
        return new GeneratedFeed(settings, time, sinks, idle);
    }
}
