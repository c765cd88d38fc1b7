package io.tickmark.workloads.market.publisher;

import io.tickmark.kernel.loop.Column;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.loop.LoopResult;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.stall.StallWatch;
import io.tickmark.workloads.market.data.Item;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.measure.CpuCost;
import io.tickmark.workloads.market.measure.TickBursts;
import io.tickmark.workloads.market.source.ItemFeed;
import io.tickmark.workloads.market.source.SentItem;
import io.tickmark.workloads.market.source.SourceSettings;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;

/** One connection of a publisher: its images first, then its updates. Single-threaded. */
final class PublisherConnection implements LoopResult.OneLoop<PublisherConnection.PublisherCounts> {
    private static final long LONGEST_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(5);

    /** Pause before an image that found no output buffer is offered again. */
    private static final long RETRY_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final int FIRST_STREAM = 16;

    private final PublisherShared shared;
    private final NanoClock clock;
    private final LoopCounts<PublisherCounts> loop;
    private final PublisherCounts counts;
    private final StallWatch watch;
    private final PublisherApi api;
    private final ItemFeed feed;
    private final Queue<LoopCounts.Row<PublisherCounts>> rows;
    private final int items;
    private final long openedNs;
    private long steadyNs;
    private CpuCost cost = CpuCost.NONE;

    /**
     * The counts of one connection, and where they are shown.
     *
     * @param images images sent
     * @param updates updates sent
     * @param loginNs from the login request to its answer
     * @param posts posts that the hub passed on
     * @param noBuffer how often no output buffer was free
     * @param maxLagNs the largest delay of an update after its tick
     * @param maxTightSends most updates in a row without waiting for a tick
     */
    record PublisherCounts(
            @Column(csv = "Images sent", summary = "Images sent", metric = "images") Counter images,
            @Column(
                            csv = "Updates sent",
                            consolePerSecond = "UpdRate: %8d",
                            summary = "Updates sent",
                            metric = "updates",
                            metricPerSecond = "updatesPerSecond",
                            count = Counts.SENT,
                            recorded = Counts.SENT)
                    Counter updates,
            @Column(metric = "loginRoundTripNs", isLargest = true) Counter loginNs,
            @Column(metric = "posts", isSparse = true) Counter posts,
            @Column(count = Counts.BACK_PRESSURED) Counter noBuffer,
            @Column(isLargest = true, count = Counts.MAX_LAG_NS) Counter maxLagNs,
            @Column(isLargest = true, count = Counts.MAX_TIGHT_SENDS) Counter maxTightSends,
            @Column(isLargest = true) Counter steadyNs) {
        static final Columns<PublisherCounts> COLUMNS = Columns.of(PublisherCounts.class);
    }

    /** Its context. */
    record Parts(
            int thread,
            List<Item> items,
            PublisherApi api,
            Queue<LoopCounts.Row<PublisherCounts>> rows) {}

    PublisherConnection(final PublisherShared shared, final Parts parts) {
        this.shared = shared;
        clock = shared.context().clock();
        final int thread = parts.thread();
        loop = new LoopCounts<>(PublisherCounts.COLUMNS, thread, shared.context().recording());
        counts = loop.live();
        watch = shared.watch(thread);
        api = parts.api();
        rows = parts.rows();
        items = parts.items().size();
        final PublisherSettings settings = shared.settings();
        final SourceSettings source = settings.source();
        feed =
                new ItemFeed(
                        clock,
                        new TickBursts(
                                source.updateRate(),
                                source.latencyRate(),
                                settings.run().tickRate(),
                                thread),
                        new TickBursts(0, 0, settings.run().tickRate(), thread));
        final MessageFile messages = shared.ownMessages();
        int stream = -FIRST_STREAM;
        for (final Item item : parts.items()) {
            feed.wantImage(
                    new SentItem(stream--, item.name(), messages.messages(item.domainType()), true),
                    false);
        }
        openedNs = clock.nanoTime();
    }

    /** Connects and publishes the images; ends when they are sent. */
    void publishImages() {
        api.open();
        final int most = shared.settings().source().refreshBurstSize();
        boolean isReady = false;
        long aheadNs = openedNs;
        long nowNs = clock.nanoTime();
        while ((!isReady || feed.hasImages()) && !shared.isOver()) {
            api.dispatch(nowNs);
            if (!isReady && api.isReady()) {
                isReady = true;
                aheadNs = nowNs;
            }
            if (isReady && feed.sendImages(api.sink(), most) > 0) {
                aheadNs = nowNs;
            } else if (nowNs - aheadNs > shared.context().connectTimeoutNs()) {
                shared.fail(timeoutSentence(isReady));
            } else {
                api.idle(isReady ? RETRY_NS : LONGEST_WAIT_NS);
            }
            nowNs = clock.nanoTime();
        }
    }

    private String timeoutSentence(final boolean isReady) {
        final String patience =
                Durations.format(Duration.ofNanos(shared.context().connectTimeoutNs()));
        return isReady
                ? "The hub at %s has accepted no image for %s, and only %d of %d before: it no longer reads."
                        .formatted(shared.hub().peer(), patience, feed.imagesSent(), items)
                : "Cannot connect within %s: %s.".formatted(patience, api.diagnosis());
    }

    /** Publishes updates until the end. */
    void publishUpdates() {
        awaitStart();
        steadyNs = clock.nanoTime();
        loop.beginIntervals(steadyNs);
        count();
        loop.beginSteady();
        final CpuCost atStart = CpuCost.now();
        watch.restart();
        try {
            sendUpdates();
        } finally { // a connection that fails keeps its figures up to then
            final long endNs = clock.nanoTime();
            counts.steadyNs().set(endNs - steadyNs);
            cost = CpuCost.now().since(atStart);
            row(endNs);
            api.close();
        }
    }

    private void awaitStart() {
        long nowNs = clock.nanoTime();
        while (nowNs - shared.startAtNs() < 0 && !shared.isOver()) {
            api.dispatch(nowNs);
            api.idle(Math.min(LONGEST_WAIT_NS, shared.startAtNs() - nowNs));
            nowNs = clock.nanoTime();
        }
    }

    private void sendUpdates() {
        final long intervalNs = shared.settings().run().writeStatsInterval().toNanos();
        final long untilNs = steadyNs + shared.settings().source().runTime().toNanos();
        long nextRowNs = steadyNs + intervalNs;
        long nowNs = steadyNs;
        while (!shared.isOver() && nowNs - untilNs < 0) {
            watch.worked(); // sends are not stalls
            feed.sendBursts(api.sink(), nowNs, TickBursts.MOST_IN_A_TURN);
            counts.updates().set(feed.updatesSent());
            api.dispatch(nowNs);
            nowNs = clock.nanoTime();
            if (nowNs - nextRowNs >= 0) {
                row(nowNs);
                nextRowNs += intervalNs;
            }
            watch.look(nowNs);
            api.idle(Math.min(feed.nextTickNs(), nowNs + LONGEST_WAIT_NS) - nowNs);
            nowNs = clock.nanoTime();
            watch.look(nowNs);
        }
    }

    /** Ends the connection; idempotent. */
    void close() {
        api.close();
    }

    private void row(final long nowNs) {
        count();
        rows.add(loop.takeInterval(nowNs));
    }

    /** Adds counts of other objects to the counts. */
    private void count() {
        counts.images().set(feed.imagesSent());
        counts.updates().set(feed.updatesSent());
        counts.posts().set(api.posts());
        counts.noBuffer().set(api.noBuffer());
        counts.loginNs().set(api.loginNs());
        counts.maxLagNs().set(feed.updates().maxLagNs());
        counts.maxTightSends().set(feed.updates().maxTightSends());
    }

    /** Its counts; complete after {@link #publishUpdates}. */
    @Override
    public LoopCounts<PublisherCounts> counts() {
        count();
        return loop;
    }

    /** Of the steady state. */
    CpuCost cost() {
        return cost;
    }
}
