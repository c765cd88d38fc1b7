package io.tickmark.workloads.market.publisher;

import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.data.Item;
import io.tickmark.workloads.market.data.MessageEncoder;
import io.tickmark.workloads.market.measure.TickBursts;
import io.tickmark.workloads.market.rssl.ReactorLoop;
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
    private final ReactorLoop loop;
    private final PublisherSession session;
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
    private boolean areImagesTold;

    /** What it is made from. */
    record Parts(int thread, List<Item> items, ReactorLoop loop, Queue<PublisherRow> rows) {}

    PublisherConnection(final PublisherShared shared, final Parts parts) {
        this.shared = shared;
        clock = shared.context().clock();
        thread = parts.thread();
        loop = parts.loop();
        rows = parts.rows();
        items = parts.items().size();
        session = new PublisherSession(shared, loop);
        final PublisherSettings settings = shared.settings();
        final SourceSettings source = settings.source();
        final String suffix = thread == 1 ? "" : "-" + thread;
        sent = shared.context().recording().counter(Counts.SENT + suffix);
        feed =
                new ItemFeed(
                        new ItemFeed.Making(
                                new MessageEncoder(
                                        shared.dictionary(),
                                        source.nanoTime()
                                                ? TimeUnit.NANOSECONDS
                                                : TimeUnit.MICROSECONDS),
                                clock,
                                source.preEnc(),
                                source.measureEncode()
                                        ? shared.context().recording().latency("encodeNs" + suffix)
                                        : null,
                                settings.serviceId()),
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
        session.open();
        final long patienceNs = shared.context().connectTimeoutNs();
        long nowNs = clock.nanoTime();
        while (!areImagesTold && !shared.isOver()) {
            loop.dispatch(nowNs);
            if (session.isReady()) {
                feed.sendImages(session.writer(), shared.settings().source().refreshBurstSize());
                if (!feed.hasImages()) {
                    areImagesTold = true;
                    shared.imagesSent();
                }
            } else if (nowNs - openedNs > patienceNs) {
                shared.fail(
                        "Cannot connect within %d s: %s."
                                .formatted(
                                        TimeUnit.NANOSECONDS.toSeconds(patienceNs),
                                        session.diagnosis()));
            } else {
                loop.idle(LONGEST_WAIT_NS);
            }
            nowNs = clock.nanoTime();
        }
    }

    /** Publishes updates until the end. */
    void publishUpdates() {
        final SourceSettings source = shared.settings().source();
        long nowNs = clock.nanoTime();
        while (nowNs - shared.startAtNs() < 0 && !shared.isOver()) {
            loop.dispatch(nowNs);
            loop.idle(Math.min(LONGEST_WAIT_NS, shared.startAtNs() - nowNs));
            nowNs = clock.nanoTime();
        }
        steadyNs = nowNs;
        rowNs = nowNs;
        updatesAtStart = feed.updatesSent();
        nextRowNs = nowNs + shared.settings().run().writeStatsInterval().toNanos();
        final long untilNs = nowNs + source.runTime().toNanos();
        while (!shared.isOver() && nowNs - untilNs < 0) {
            feed.sendBursts(session.writer(), nowNs);
            sent.set(feed.updatesSent());
            loop.dispatch(nowNs);
            if (session.writer().hasFailed()) {
                loop.dispatch(clock.nanoTime());
            }
            nowNs = clock.nanoTime();
            if (nowNs - nextRowNs >= 0) {
                row(nowNs);
                nextRowNs += shared.settings().run().writeStatsInterval().toNanos();
            }
            loop.idle(Math.min(feed.nextTickNs(), nowNs + LONGEST_WAIT_NS) - nowNs);
            nowNs = clock.nanoTime();
        }
        endNs = nowNs;
        row(nowNs);
        loop.close();
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
                session.posts(),
                session.writer() == null ? 0 : session.writer().noBuffer(),
                new PublisherFindings.Times(
                        endNs - steadyNs,
                        session.loginNs(),
                        feed.updates().maxLagNs(),
                        feed.updates().maxTightSends()));
    }
}
