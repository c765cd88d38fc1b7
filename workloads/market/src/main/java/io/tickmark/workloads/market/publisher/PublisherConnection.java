package io.tickmark.workloads.market.publisher;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.data.Item;
import io.tickmark.workloads.market.measure.Cost;
import io.tickmark.workloads.market.measure.TickBursts;
import io.tickmark.workloads.market.source.FedItem;
import io.tickmark.workloads.market.source.ItemFeed;
import io.tickmark.workloads.market.source.SourceSettings;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;

/** One connection of a publisher: its images first, then its updates. One thread. */
final class PublisherConnection {
    private static final long LONGEST_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(5);

    /** Pause before an image that found no output buffer is offered again. */
    private static final long RETRY_NS = TimeUnit.MICROSECONDS.toNanos(100);

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
    private long rowImages;
    private long rowUpdates;
    private long updatesAtStart;
    private long noBufferAtStart;
    private Cost cost = Cost.NONE;

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
        final int most = shared.settings().source().refreshBurstSize();
        boolean isReady = false;
        long aheadNs = openedNs;
        long nowNs = clock.nanoTime();
        while ((!isReady || feed.hasImages()) && !shared.isOver()) {
            line.dispatch(nowNs);
            if (!isReady && line.isReady()) {
                isReady = true;
                aheadNs = nowNs;
            }
            if (isReady && feed.sendImages(line.sink(), most) > 0) {
                aheadNs = nowNs;
            } else if (nowNs - aheadNs > shared.context().connectTimeoutNs()) {
                shared.fail(impatience(isReady));
            } else {
                line.idle(isReady ? RETRY_NS : LONGEST_WAIT_NS);
            }
            nowNs = clock.nanoTime();
        }
    }

    private String impatience(final boolean isReady) {
        final String patience =
                Durations.format(Duration.ofNanos(shared.context().connectTimeoutNs()));
        return isReady
                ? "The hub at %s has taken no image for %s, and %d of %d before: it reads no more."
                        .formatted(shared.hub(), patience, feed.imagesSent(), items)
                : "Cannot connect within %s: %s.".formatted(patience, line.diagnosis());
    }

    /** Publishes updates until the end. */
    void publishUpdates() {
        awaitStart();
        steadyNs = clock.nanoTime();
        rowNs = steadyNs;
        updatesAtStart = feed.updatesSent();
        noBufferAtStart = line.noBuffer();
        final Cost atStart = Cost.now();
        try {
            sendUpdates();
        } finally { // one that fails has its figures up to then
            endNs = clock.nanoTime();
            cost = Cost.now().since(atStart);
            row(endNs);
            line.close();
        }
    }

    private void awaitStart() {
        long nowNs = clock.nanoTime();
        while (nowNs - shared.startAtNs() < 0 && !shared.isOver()) {
            line.dispatch(nowNs);
            line.idle(Math.min(LONGEST_WAIT_NS, shared.startAtNs() - nowNs));
            nowNs = clock.nanoTime();
        }
    }

    private void sendUpdates() {
        final long intervalNs = shared.settings().run().writeStatsInterval().toNanos();
        final long untilNs = steadyNs + shared.settings().source().runTime().toNanos();
        long nextRowNs = steadyNs + intervalNs;
        long nowNs = steadyNs;
        while (!shared.isOver() && nowNs - untilNs < 0) {
            feed.sendBursts(line.sink(), nowNs);
            sent.set(feed.updatesSent());
            line.dispatch(nowNs);
            nowNs = clock.nanoTime();
            if (nowNs - nextRowNs >= 0) {
                row(nowNs);
                nextRowNs += intervalNs;
            }
            line.idle(Math.min(feed.nextTickNs(), nowNs + LONGEST_WAIT_NS) - nowNs);
            nowNs = clock.nanoTime();
        }
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
        } catch (final RuntimeException | Error e) {
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
                line.noBuffer() - noBufferAtStart,
                cost,
                new PublisherFindings.Times(
                        endNs - steadyNs,
                        line.loginNs(),
                        feed.updates().maxLagNs(),
                        feed.updates().maxTightSends()));
    }
}
