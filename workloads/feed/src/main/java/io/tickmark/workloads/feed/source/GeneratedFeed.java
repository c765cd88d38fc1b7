package io.tickmark.workloads.feed.source;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.agrona.concurrent.IdleStrategy;

/** Prices made up or replayed by threads, each with its part of the symbols. */
public final class GeneratedFeed implements Feed {
    private final FeedPlan plan;
    private final List<FeedThread> makers = new ArrayList<>();
    private final List<FeedCounts> counts = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    /**
     * A feed that has not begun.
     *
     * @param plan of it
     * @param time its clock
     * @param sinks of each thread, by thread
     * @param idle a strategy for each thread
     */
    public GeneratedFeed(
            final FeedPlan plan,
            final FeedClock time,
            final List<List<TickRing>> sinks,
            final Supplier<IdleStrategy> idle) {
        this.plan = plan;
        for (int index = 0; index < plan.settings().threads(); index++) {
            final FeedCounts own = new FeedCounts();
            counts.add(own);
            makers.add(
                    new FeedThread(
                            plan.settings(),
                            plan.prices(index),
                            time,
                            sinks.get(index).toArray(TickSink[]::new),
                            idle.get(),
                            own));
        }
    }

    @Override
    public void start(final long startNs) {
        for (final FeedThread maker : makers) {
            maker.startAt(startNs);
            threads.add(Thread.ofPlatform().name("feed-" + threads.size()).daemon().start(maker));
        }
    }

    @Override
    public FeedFigures figures() {
        return counts.stream().map(FeedCounts::figures).reduce(FeedFigures.NONE, FeedFigures::and);
    }

    @Override
    public List<String> symbolNames() {
        return plan.names();
    }

    @Override
    public void close() {
        makers.forEach(FeedThread::stop);
        Threads.join(threads);
        threads.clear();
    }
}
