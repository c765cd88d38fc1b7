package io.tickmark.workloads.market.provider;

import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.loop.LoopResult;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.workloads.market.measure.CpuCost;
import io.tickmark.workloads.market.measure.SteadyCost;
import io.tickmark.workloads.market.measure.TickBursts;
import io.tickmark.workloads.market.source.ItemFeed;
import io.tickmark.workloads.market.source.SourceSettings;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;

/**
 * The time slicing of one provider thread: bursts first, then images and reading until the tick.
 */
final class ProviderLoop implements Runnable {
    private static final long LONGEST_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(5);

    /** With no image waiting, and none sent for this long, all requested ones count as sent. */
    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final ProviderShared shared;
    private final ProviderApi api;
    private final Queue<LoopCounts.Row<ProviderCounts>> rows;
    private final NanoClock clock;
    private final LoopCounts<ProviderCounts> loop;
    private final ProviderCounts counts;
    private final long intervalNs;
    private final StallWatch watch;
    private final SteadyCost cost;
    private long steadyNs;
    private long watchedNs;
    private long endNs;
    private long lastImageNs;
    private boolean sendsImages;
    private long nextRowNs;
    private long nextSecondNs;
    private int firstInTurn;

    ProviderLoop(
            final ProviderShared shared,
            final ProviderApi api,
            final Queue<LoopCounts.Row<ProviderCounts>> rows) {
        this.shared = shared;
        this.api = api;
        this.rows = rows;
        cost = new SteadyCost(() -> CpuCost.now(api.libraryThread()));
        clock = shared.context().clock();
        loop = api.counts();
        watch = shared.watch(loop.number());
        counts = loop.live();
        intervalNs = shared.settings().run().writeStatsInterval().toNanos();
    }

    @Override
    public void run() {
        final long beganNs = clock.nanoTime();
        loop.beginIntervals(beganNs);
        try {
            serve(beganNs);
        } finally { // a thread that fails keeps its figures up to then
            endNs = clock.nanoTime();
            sendsImages(false);
            served(endNs);
            row(endNs);
        }
    }

    private void serve(final long beganNs) {
        final SourceSettings source = shared.settings().source();
        long nowNs = beganNs;
        final long untilNs = nowNs + source.runTime().toNanos();
        nextRowNs = nowNs + intervalNs;
        nextSecondNs = nowNs + SECOND_NS;
        final long patienceNs = nowNs + shared.context().connectTimeoutNs();
        while (!shared.isOver() && nowNs - untilNs < 0) {
            if (nowNs - patienceNs > 0) {
                shared.checkForConsumers();
            }
            watch.worked(); // sends, and reading what consumers ask for, are not stalls
            bursts(nowNs);
            nowNs = spareTime(source.refreshBurstSize());
            watch(nowNs);
            if (nowNs - nextSecondNs >= 0) {
                nextSecondNs = nowNs + SECOND_NS;
                second();
            }
            if (nowNs - nextRowNs >= 0) {
                row(nowNs);
                nextRowNs += intervalNs;
            }
            api.idle(Math.min(nextTickNs(), nowNs + LONGEST_WAIT_NS) - nowNs);
            nowNs = clock.nanoTime();
            watch.look(nowNs);
        }
    }

    /**
     * Whole seconds with a consumer: one-time work when the steady state begins or a consumer
     * leaves (histograms, loaded classes) is not a cost of updates.
     */
    private void second() {
        if (steadyNs != 0 && !api.connections().isEmpty()) {
            cost.mark(counts.updates().get());
        }
        final List<? extends ServedConsumer> connections = api.connections();
        for (int i = 0; i < connections.size(); i++) {
            raise(counts.mostBuffersInUse(), connections.get(i).buffersInUse());
        }
        api.sendRoundTrips();
    }

    /** All connections share one turn's messages: where these end, the next turn goes on. */
    private void bursts(final long nowNs) {
        final List<? extends ServedConsumer> connections = api.connections();
        final int first = firstInTurn < connections.size() ? firstInTurn : 0;
        int left = TickBursts.MOST_IN_A_TURN;
        for (int i = 0; i < connections.size(); i++) {
            final int at = (first + i) % connections.size();
            final int sent = connections.get(at).sendBursts(nowNs, left);
            left -= sent;
            if (sent > 0 && left == 0) {
                firstInTurn = at + 1;
            }
        }
    }

    /** Reads and sends at least once, so that a late provider still receives and sends. */
    private long spareTime(final int refreshBurst) {
        long nowNs = clock.nanoTime();
        boolean more;
        do {
            more = api.dispatch(nowNs);
            final List<? extends ServedConsumer> connections = api.connections();
            for (int i = 0; i < connections.size(); i++) {
                final ServedConsumer each = connections.get(i);
                each.flush();
                if (!each.failure().isEmpty()) {
                    shared.fail("A message cannot be sent: " + each.failure() + ".");
                }
                // one at least: a provider that is always late would never answer a request
                final int most = each.feed().nextTickNs() - nowNs > 0 ? refreshBurst : 1;
                final int sent = each.sendImages(most);
                more |= sent == refreshBurst;
                if (sent > 0) {
                    lastImageNs = nowNs;
                    cost.interrupt(); // the memory of items is not a cost of updates
                }
            }
            api.settle(); // while images are sent too, which may take long
            nowNs = clock.nanoTime();
            watch.look(nowNs);
            watch.worked();
        } while (more && nextTickNs() - nowNs > 0);
        return nowNs;
    }

    private static void raise(final Counter largest, final long value) {
        if (value > largest.get()) {
            largest.set(value);
        }
    }

    private long nextTickNs() {
        long next = Long.MAX_VALUE;
        final List<? extends ServedConsumer> connections = api.connections();
        for (int i = 0; i < connections.size(); i++) {
            next = Math.min(next, connections.get(i).feed().nextTickNs());
        }
        return next;
    }

    /** Notices when the images are sent, and keeps the figures of the bursts from then on. */
    private void watch(final long nowNs) {
        if (steadyNs == 0) {
            sendsImages(isSendingImages(nowNs));
            if (shared.isSteady() || lastImageNs != 0 && shared.areImagesSent()) {
                shared.beginSteady();
                steadyNs = nowNs;
                api.settle();
                loop.beginSteady();
                api.connections().forEach(each -> each.beginSteady(nowNs));
                watchedNs = nowNs;
            }
            return;
        }
        served(nowNs);
        final List<? extends ServedConsumer> connections = api.connections();
        for (int i = 0; i < connections.size(); i++) {
            connections.get(i).joinSteady(nowNs);
            final ItemFeed feed = connections.get(i).feed();
            raise(counts.maxLagNs(), feed.updates().maxLagNs());
            raise(counts.maxLagNs(), feed.generics().maxLagNs());
            raise(counts.maxTightSends(), feed.updates().maxTightSends());
        }
    }

    private boolean isSendingImages(final long nowNs) {
        final List<? extends ServedConsumer> connections = api.connections();
        boolean isWaiting = false;
        for (int i = 0; i < connections.size(); i++) {
            isWaiting |= connections.get(i).feed().hasImages();
        }
        if (lastImageNs == 0) {
            return isWaiting;
        }
        // a consumer that never accepts any must not keep the others out of their steady state
        return nowNs - lastImageNs <= (isWaiting ? shared.context().connectTimeoutNs() : QUIET_NS);
    }

    private void sendsImages(final boolean isNow) {
        if (isNow != sendsImages) {
            sendsImages = isNow;
            shared.sendsImages(isNow);
        }
    }

    /**
     * Adds the time since it was last called, if a consumer was served: rates refer to that time.
     */
    private void served(final long nowNs) {
        boolean isServing = false;
        final List<? extends ServedConsumer> connections = api.connections();
        for (int i = 0; i < connections.size(); i++) {
            isServing |= connections.get(i).isCounted();
        }
        if (isServing) {
            counts.servedNs().add(nowNs - watchedNs);
        }
        watchedNs = nowNs;
    }

    private void row(final long nowNs) {
        api.settle();
        rows.add(loop.takeInterval(nowNs));
    }

    /** Its result; valid after {@link #run}. */
    Findings findings() {
        for (final ServedConsumer connection : api.connections()) {
            connection.leave(endNs);
        }
        return new Findings(loop, cost, api.hasOtherClock());
    }

    /**
     * The result of one thread of a provider.
     *
     * @param counts that it made
     * @param cost of the whole seconds of the steady state in which a consumer was there
     * @param hasOtherClock whether stamps of consumers were of another machine's clock
     */
    record Findings(LoopCounts<ProviderCounts> counts, SteadyCost cost, boolean hasOtherClock)
            implements LoopResult.OneLoop<ProviderCounts> {}
}
