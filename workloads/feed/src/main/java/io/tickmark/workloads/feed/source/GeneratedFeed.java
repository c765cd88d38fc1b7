package io.tickmark.workloads.feed.source;

import io.tickmark.workloads.feed.tick.Instruments;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.agrona.concurrent.IdleStrategy;

/** Prices made up by threads, each with its part of the symbols. */
public final class GeneratedFeed implements Feed {
    private final int symbols;
    private final List<FeedThread> makers = new ArrayList<>();
    private final List<FeedCounts> counts = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    /**
     * A feed that has not begun.
     *
     * @param settings of it
     * @param time its clock
     * @param sinks of each thread, by thread
     * @param idle a strategy for each thread
     */
    public GeneratedFeed(
            final FeedSettings settings,
            final FeedClock time,
            final List<List<TickRing>> sinks,
            final Supplier<IdleStrategy> idle) {
        symbols = settings.symbols();
        for (int index = 0; index < settings.threads(); index++) {
            final FeedCounts own = new FeedCounts();
            counts.add(own);
            makers.add(
                    new FeedThread(
                            settings,
                            index,
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
        return Instruments.names(symbols);
    }

    @Override
    public void close() {
        makers.forEach(FeedThread::stop);
        Threads.join(threads);
        threads.clear();
    }
}
