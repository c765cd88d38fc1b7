package io.tickmark.workloads.market.provider;

import io.tickmark.workloads.market.data.ItemSequences.StreamSequences;
import io.tickmark.workloads.market.source.FeedSink;
import io.tickmark.workloads.market.source.ItemFeed;
import io.tickmark.workloads.market.source.SentItem;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The messages of a provider to one consumer, and their counts, on either library. Single-threaded.
 */
abstract class ServedConsumer {
    /** Message headers of posts and acknowledgements; also the approximate size of an item. */
    static final int HEADER_BYTES = 128;

    private final ItemFeed feed;
    private final FeedSink sink;
    private final ProviderCounts counts;
    private final StreamSequences generics = new StreamSequences();
    private final Long2ObjectHashMap<SentItem> items = new Long2ObjectHashMap<>();
    private final ArrayDeque<SentItem> snapshots = new ArrayDeque<>();
    private boolean isElsewhere;
    private long steadyNs;
    private long imagesCounted;
    private long updatesCounted;
    private long genericsCounted;
    private long stampedCounted;
    private long noBufferCounted;
    private long genericsLostCounted;

    ServedConsumer(final ItemFeed feed, final FeedSink sink, final ProviderCounts counts) {
        this.feed = feed;
        this.sink = sink;
        this.counts = counts;
    }

    /** Whether stamps that do not say whose they are may be of another clock, by its address. */
    final boolean isElsewhere() {
        return isElsewhere;
    }

    final void isElsewhere(final boolean is) {
        isElsewhere = is;
    }

    final ItemFeed feed() {
        return feed;
    }

    /** Sends what had no buffer before. */
    abstract void sendWaiting();

    /** Bytes of what had no buffer before. */
    abstract long waitingBytes();

    /** Whether more is queued for the consumer than may be queued for one. */
    final boolean isTooSlow(final long maxQueuedBytes) {
        final long itemBytes = (long) feed.keptForImage() * HEADER_BYTES;
        return waitingBytes() + itemBytes > maxQueuedBytes;
    }

    /** How often no output buffer was free. */
    abstract long noBuffer();

    /**
     * Why the library accepts no more messages although the consumer is connected; otherwise empty.
     */
    abstract String failure();

    /** Output buffers in use; 0 where the library does not report it. */
    abstract int buffersInUse();

    /**
     * The consumer's generic messages by their numbers, to detect losses. A repeated number is not
     * an error: the consumers of a hub share its stream of an item, each with its own numbers. A
     * number skipped by one of them that none has reached yet is lost.
     */
    final StreamSequences generics() {
        return generics;
    }

    /**
     * Sends what is due: bursts of {@code most} messages, and what had no buffer before; how many
     * messages of bursts were sent.
     */
    final int sendBursts(final long nowNs, final int most) {
        final int sent = feed.sendBursts(sink, nowNs, most);
        sendWaiting();
        sink.flush();
        return sent;
    }

    final int sendImages(final int most) {
        return feed.sendImages(sink, most);
    }

    /** Sends what answers have been packed. */
    final void flush() {
        sink.flush();
    }

    /** The item of an open stream; null where the stream is not open. */
    final SentItem item(final long handle) {
        return items.get(handle);
    }

    /** Items of which something is or may be sent, and snapshots that are not forgotten yet. */
    final Collection<SentItem> items() {
        return items.values();
    }

    /** An item was requested on a stream that was not open: its image is sent in its turn. */
    final void open(final SentItem item) {
        items.put(item.handle(), item);
        if (!item.isStreaming()) {
            snapshots.add(item);
        }
        feed.wantImage(item, true);
    }

    /** The consumer has closed a stream: nothing more is sent on it. */
    final void close(final long handle, final long nowNs) {
        generics.forget(handle);
        forgetAnswers(handle);
        final SentItem item = items.remove(handle);
        if (item != null) {
            remove(item, nowNs);
        }
    }

    /** Those that are sent: the image has ended their streams, and nothing reports it. */
    final void forgetSnapshots() {
        while (!snapshots.isEmpty() && !snapshots.peek().wantsImage()) {
            final SentItem sent = snapshots.poll();
            final long handle = sent.handle();
            if (items.get(handle) == sent) { // one that was closed may have made way for another
                items.remove(handle);
                generics.forget(handle);
                forgetAnswers(handle);
            }
        }
    }

    /** The stream has ended: nobody waits for an answer on it. */
    abstract void forgetAnswers(long handle);

    private void remove(final SentItem item, final long nowNs) {
        final boolean wasStarted = feed.isStarted();
        feed.remove(item);
        if (wasStarted && !feed.isStarted()) {
            leave(nowNs); // without an item no message is required, until it opens one again
        }
    }

    /** It has another server that is active, or no longer has one. */
    final void standby(final boolean isStandby, final long nowNs) {
        final boolean wasStarted = feed.isStarted();
        feed.standby(isStandby);
        if (wasStarted && !feed.isStarted()) {
            leave(nowNs);
        }
    }

    /** Starts counting how many messages the rates require. */
    final void beginSteady(final long nowNs) {
        feed.updates().forgetFigures();
        feed.generics().forgetFigures();
        joinSteady(nowNs);
    }

    /** Whether it counts in the steady state, which it does until it leaves or closes all items. */
    final boolean isCounted() {
        return steadyNs != 0;
    }

    /** One that connected later, or opens items again, counts from its first burst on. */
    final void joinSteady(final long nowNs) {
        if (steadyNs == 0 && feed.isStarted()) {
            steadyNs = nowNs;
        }
    }

    /**
     * The connection or its last item is gone, or the provider ends: the required number is known.
     */
    final void leave(final long nowNs) {
        if (steadyNs != 0) {
            final long forNs = nowNs - steadyNs;
            counts.wantedUpdatesE6()
                    .add(feed.updates().ratePerSecond() * TimeUnit.NANOSECONDS.toMicros(forNs));
            counts.wantedGenericsE6()
                    .add(feed.generics().ratePerSecond() * TimeUnit.NANOSECONDS.toMicros(forNs));
            counts.leastGenerics().add(feed.generics().leastIn(steadyNs, nowNs));
        }
        steadyNs = 0;
    }

    /** Adds what was sent to the counts. */
    final void settle() {
        counts.images().add(feed.imagesSent() - imagesCounted);
        counts.updates().add(feed.updatesSent() - updatesCounted);
        counts.genericsSent().add(feed.genericsSent() - genericsCounted);
        counts.genericLatenciesSent().add(feed.genericsStamped() - stampedCounted);
        counts.noBuffer().add(noBuffer() - noBufferCounted);
        counts.genericsLost().add(generics.lost() - genericsLostCounted);
        imagesCounted = feed.imagesSent();
        updatesCounted = feed.updatesSent();
        genericsCounted = feed.genericsSent();
        stampedCounted = feed.genericsStamped();
        noBufferCounted = noBuffer();
        genericsLostCounted = generics.lost();
    }
}
