package io.tickmark.workloads.market.publisher;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.data.Item;
import io.tickmark.workloads.market.measure.Cost;
import io.tickmark.workloads.market.measure.TickBursts;
import io.tickmark.workloads.market.source.FedItem;
import io.tickmark.workloads.market.source.ItemFeed;
import io.tickmark.workloads.market.source.SourceSettings;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;

/** One connection of a publisher: its images first, then its updates. One thread. */
final class PublisherConnection {
    private static final long LONGEST_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int FIRST_STREAM = 16;

    private final PublisherShared shared;
    private final NanoClock clock;
    private final int thread;
    private final PublisherLine line;
    private final ItemFeed feed;
    private final Queue<PublisherRow> rows;
    private final Counter sent;
    private final int items;
    private final long openedNs;
    private long steadyNs;
    private long endNs;
    private long rowNs;
    private long nextRowNs;
    private long rowImages;
    private long rowUpdates;
    private long updatesAtStart;
    private Cost cost = Cost.NONE;
    private boolean areImagesTold;

    /** What it is made from. */
    record Parts(int thread, List<Item> items, PublisherLine line, Queue<PublisherRow> rows) {}

    PublisherConnection(final PublisherShared shared, final Parts parts) {
        this.shared = shared;
        clock = shared.context().clock();
        thread = parts.thread();
        line = parts.line();
        rows = parts.rows();
        items = parts.items().size();
        final PublisherSettings settings = shared.settings();
        final SourceSettings source = settings.source();
        final String suffix = thread == 1 ? "" : "-" + thread;
        sent = shared.context().recording().counter(Counts.SENT + suffix);
        feed =
                new ItemFeed(
                        clock,
                        new TickBursts(
                                source.updateRate(),
                                source.latencyRate(),
                                settings.run().tickRate(),
                                thread),
                        new TickBursts(0, 0, settings.run().tickRate(), thread));
        int stream = -FIRST_STREAM;
        for (final Item item : parts.items()) {
            feed.wantImage(
                    new FedItem(
                            stream--,
                            item.name(),
                            shared.messages().messages(item.domainType()),
                            true),
                    false);
        }
        openedNs = clock.nanoTime();
    }

    /** Connects and publishes the images; ends when they are sent. */
    void publishImages() {
        line.open();
        final long patienceNs = shared.context().connectTimeoutNs();
        long nowNs = clock.nanoTime();
        while (!areImagesTold && !shared.isOver()) {
            line.dispatch(nowNs);
            if (line.isReady()) {
                feed.sendImages(line.sink(), shared.settings().source().refreshBurstSize());
                if (!feed.hasImages()) {
                    areImagesTold = true;
                    shared.imagesSent();
                }
            } else if (nowNs - openedNs > patienceNs) {
                shared.fail(
                        "Cannot connect within %d s: %s."
                                .formatted(
                                        TimeUnit.NANOSECONDS.toSeconds(patienceNs),
                                        line.diagnosis()));
            } else {
                line.idle(LONGEST_WAIT_NS);
            }
            nowNs = clock.nanoTime();
        }
    }

    /** Publishes updates until the end. */
    void publishUpdates() {
        final SourceSettings source = shared.settings().source();
        long nowNs = clock.nanoTime();
        while (nowNs - shared.startAtNs() < 0 && !shared.isOver()) {
            line.dispatch(nowNs);
            line.idle(Math.min(LONGEST_WAIT_NS, shared.startAtNs() - nowNs));
            nowNs = clock.nanoTime();
        }
        steadyNs = nowNs;
        rowNs = nowNs;
        updatesAtStart = feed.updatesSent();
        final Cost atStart = Cost.now();
        nextRowNs = nowNs + shared.settings().run().writeStatsInterval().toNanos();
        final long untilNs = nowNs + source.runTime().toNanos();
        while (!shared.isOver() && nowNs - untilNs < 0) {
            feed.sendBursts(line.sink(), nowNs);
            sent.set(feed.updatesSent());
            line.dispatch(nowNs);
            nowNs = clock.nanoTime();
            if (nowNs - nextRowNs >= 0) {
                row(nowNs);
                nextRowNs += shared.settings().run().writeStatsInterval().toNanos();
            }
            line.idle(Math.min(feed.nextTickNs(), nowNs + LONGEST_WAIT_NS) - nowNs);
            nowNs = clock.nanoTime();
        }
        endNs = nowNs;
        cost = Cost.now().since(atStart);
        row(nowNs);
        line.close();
    }

    /** Ends the connection; idempotent. */
    void close() {
        line.close();
    }

    /** Runs one part and turns what goes wrong into the reason of the end. */
    void guarded(final Runnable part) {
        try {
            part.run();
        } catch (final UserError e) {
            shared.fail(e.getMessage());
        } catch (final RuntimeException e) {
            shared.fail("The connection " + thread + " failed by a defect: " + e + ".");
        }
    }

    private void row(final long nowNs) {
        rows.add(
                new PublisherRow(
                        thread,
                        nowNs,
                        nowNs - rowNs,
                        feed.imagesSent() - rowImages,
                        feed.updatesSent() - rowUpdates,
                        feed.imagesSent()));
        rowImages = feed.imagesSent();
        rowUpdates = feed.updatesSent();
        rowNs = nowNs;
    }

    /** What it found out; after {@link #publishUpdates}. */
    PublisherFindings findings() {
        return new PublisherFindings(
                thread,
                items,
                feed.imagesSent(),
                feed.updatesSent() - updatesAtStart,
                line.posts(),
                line.noBuffer(),
                cost,
                new PublisherFindings.Times(
                        endNs - steadyNs,
                        line.loginNs(),
                        feed.updates().maxLagNs(),
                        feed.updates().maxTightSends()));
    }
}
