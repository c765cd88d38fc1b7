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
    private final Failure failure = new Failure();

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
            threads.add(
                    Thread.ofPlatform()
                            .name("feed-" + threads.size())
                            .daemon()
                            .start(() -> run(maker)));
        }
    }

    private void run(final FeedThread maker) {
        try {
            maker.run();
        } catch (final Throwable e) { // nobody would ever hear of it
            failure.keep(Thread.currentThread().getName(), e);
        }
    }

    @Override
    public FeedFigures figures() {
        return counts.stream().map(FeedCounts::figures).reduce(FeedFigures.NONE, FeedFigures::and);
    }

    @Override
    public void forgetMaxima() {
        counts.forEach(FeedCounts::forgetMaxima);
    }

    @Override
    public String failure() {
        return failure.words();
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
