package io.tickmark.workloads.feed.source;

import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.kernel.time.Pacer;
import io.tickmark.workloads.feed.source.FeedFigures.FeedCounts;
import io.tickmark.workloads.feed.tick.Tick;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.NanoClock;

/** Prices generated or replayed by threads, each with its part of the symbols. */
public final class GeneratedFeed implements Feed {
    private final FeedPlan plan;
    private final ThreadPlacement placing;
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
     * @param placing where each thread runs, and what it waits with
     */
    public GeneratedFeed(
            final FeedPlan plan,
            final FeedClock time,
            final List<List<TickRing>> sinks,
            final ThreadPlacement placing) {
        this.plan = plan;
        this.placing = placing;
        for (int index = 0; index < plan.settings().threads(); index++) {
            final FeedCounts own = new FeedCounts();
            counts.add(own);
            makers.add(
                    new FeedThread(
                            plan.settings(),
                            plan.prices(index),
                            time,
                            sinks.get(index).toArray(TickSink[]::new),
                            placing.idle(name(index)),
                            placing.watch(name(index), StallWatch.Part.SEND),
                            own));
        }
    }

    @Override
    public void start(final long startNs) {
        for (final FeedThread maker : makers) {
            maker.startAt(startNs);
            final String name = name(threads.size());
            threads.add(Thread.ofPlatform().name(name).daemon().start(() -> run(maker)));
        }
    }

    private static String name(final int index) {
        return "feed-" + (index + 1);
    }

    private void run(final FeedThread maker) {
        try {
            placing.begin(Thread.currentThread().getName());
            maker.run();
        } catch (final Throwable e) { // otherwise it would never be reported
            failure.keep(Thread.currentThread().getName(), e);
        }
    }

    @Override
    public FeedFigures figures() {
        return FeedFigures.COLUMNS.sum(counts.stream().map(FeedCounts::figures).toList());
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

    /**
     * Creates the messages of its part of the symbols when they are due. A message is passed to
     * every sink; where one has no room the thread waits for it, and the wait counts for the
     * messages that it delays. Allocates nothing while it runs.
     */
    private static final class FeedThread implements Runnable {
        /** Messages in a row after which the thread checks whether it should stop. */
        private static final int BURST = 256;

        private final NanoClock clock;
        private final long epochNs;
        private final Pacer pacer;
        private final Prices prices;
        private final TickSink[] sinks;
        private final Idle idle;
        private final StallWatch watch;
        private final FeedCounts counts;
        private final AtomicLong startNs = new AtomicLong();
        private volatile boolean isStopped;

        FeedThread(
                final FeedSettings settings,
                final Prices prices,
                final FeedClock time,
                final TickSink[] sinks,
                final Idle idle,
                final StallWatch watch,
                final FeedCounts counts) {
            clock = time.clock();
            epochNs = time.epochNs();
            pacer = new Pacer(settings.schedule());
            this.prices = prices;
            this.sinks = sinks;
            this.idle = idle;
            this.watch = watch;
            idle.watch(watch);
            this.counts = counts;
        }

        void startAt(final long ns) {
            startNs.set(ns);
        }

        void stop() {
            isStopped = true;
        }

        @Override
        public void run() {
            pacer.start(startNs.get());
            watch.begin();
            try {
                make();
            } finally {
                watch.end();
            }
        }

        private void make() {
            while (!isStopped) {
                if (counts.areMaximaForgotten()) {
                    pacer.forgetMaxima();
                }
                final int sent = burst();
                if (sent > 0) {
                    counts.sent(sent, pacer);
                    idle.reset();
                } else {
                    idle.awaitDue(pacer.intendedNs() - clock.nanoTime());
                }
            }
        }

        private int burst() {
            int sent = 0;
            long nowNs = clock.nanoTime();
            watch.look(nowNs);
            while (sent < BURST && pacer.isDue(nowNs) && publish(nowNs)) {
                pacer.sent(nowNs);
                sent++;
                nowNs = clock.nanoTime();
                watch.look(nowNs);
            }
            counts.lag(Math.max(0, nowNs - pacer.intendedNs()));
            return sent;
        }

        /** All sinks or none: a message is written to the last sink, and copied from there. */
        private boolean publish(final long nowNs) {
            final TickSink main = sinks[0];
            final int claim = main.claim();
            if (claim == TickSink.NO_ROOM) {
                counts.live().backPressured().increment();
                return false;
            }
            Tick.times(
                    main.buffer(), claim, pacer.intendedNs() - epochNs, nowNs - pacer.intendedNs());
            prices.next(main.buffer(), claim);
            for (int i = 1; i < sinks.length; i++) {
                copy(main, claim, sinks[i]);
            }
            main.commit(claim);
            return true;
        }

        /** Waits for room: the other sinks have the message already or will have it. */
        private void copy(final TickSink from, final int fromClaim, final TickSink to) {
            int claim = to.claim();
            while (claim == TickSink.NO_ROOM) {
                if (isStopped) {
                    return;
                }
                counts.live().backPressured().increment();
                idle.idle();
                claim = to.claim();
            }
            to.buffer().putBytes(claim, from.buffer(), fromClaim, Tick.LENGTH);
            to.commit(claim);
        }
    }
}
