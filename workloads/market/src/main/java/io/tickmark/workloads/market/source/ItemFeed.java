package io.tickmark.workloads.market.source;

import io.tickmark.workloads.market.data.MessageTemplate;
import io.tickmark.workloads.market.data.Tracking;
import io.tickmark.workloads.market.measure.TickBursts;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.agrona.concurrent.NanoClock;

/**
 * The items of one connection and their messages: images in spare time, and updates and generic
 * messages in bursts, item by item in turn. Without an output buffer, an image stays in its queue,
 * and a burst continues where it stopped, with its intended time. Single-threaded; allocates
 * nothing for an update.
 */
public final class ItemFeed {
    /** Pause before a burst without an output buffer continues. */
    private static final long RETRY_NS = 100_000;

    private final NanoClock clock;
    private final TickBursts updates;
    private final TickBursts generics;
    private final Tracking tracking = new Tracking();
    private final ArrayDeque<SentItem> images = new ArrayDeque<>();
    private SentItem[] open = new SentItem[16];
    private int openCount;
    private int waiting;
    private int keptForImage;
    private int nextUpdate;
    private int nextGeneric;
    private boolean isStarted;
    private boolean isStandby;
    private long retryNs = Long.MIN_VALUE / 2;
    private long imagesSent;
    private long updatesSent;
    private long genericsSent;
    private long genericsStamped;

    /**
     * A feed without items.
     *
     * @param clock of time stamps
     * @param updates bursts of updates
     * @param generics bursts of generic messages
     */
    public ItemFeed(final NanoClock clock, final TickBursts updates, final TickBursts generics) {
        this.clock = clock;
        this.updates = updates;
        this.generics = generics;
    }

    /**
     * Queues an image of an item, after those that already wait; updates follow it where the item
     * streams.
     *
     * @param item of this connection
     * @param isSolicited whether the image answers a request
     */
    public void wantImage(final SentItem item, final boolean isSolicited) {
        item.isSolicited = isSolicited;
        if (!item.wantsImage) {
            item.wantsImage = true;
            images.add(item);
            waiting++;
            keptForImage += item.isStreaming ? 0 : 1;
        }
    }

    /**
     * Sends nothing more of an item. Bursts end with the last streaming item, and restart with the
     * next: nothing is sent for the time in between.
     *
     * @param item of this connection
     */
    public void remove(final SentItem item) {
        if (item.wantsImage) {
            item.wantsImage = false; // it is skipped at its turn
            waiting--;
            keptForImage += item.isStreaming ? 1 : 0;
        }
        if (item.place >= 0) {
            final SentItem last = open[--openCount];
            open[item.place] = last;
            last.place = item.place;
            open[openCount] = null;
            item.place = -1;
            isStarted &= openCount > 0;
        }
    }

    /**
     * While the consumer has another server and this one stands by, nothing follows the images.
     * When it takes over, the caller has to send each image again: updates begin after it.
     *
     * @param nowStandby whether it stands by
     */
    public void standby(final boolean nowStandby) {
        isStandby = nowStandby;
        for (; nowStandby && openCount > 0; openCount--) {
            open[openCount - 1].place = -1;
            open[openCount - 1] = null;
        }
        isStarted &= openCount > 0;
    }

    /**
     * Sends images that wait.
     *
     * @param sink of the connection
     * @param most how many at most
     * @return how many were sent; fewer than asked for where none is left or no buffer is free
     */
    public int sendImages(final FeedSink sink, final int most) {
        int sent = 0;
        while (sent < most && !images.isEmpty()) {
            final SentItem item = images.peek();
            final boolean isGone = !item.wantsImage;
            if (!isGone) {
                if (!sink.image(item, tracking.plain(item.sequence))) {
                    break;
                }
                sent++;
                item.wantsImage = false;
                waiting--;
                opened(item);
            }
            images.poll();
            keptForImage -= item.isStreaming && !isGone ? 0 : 1;
        }
        if (sent > 0) {
            sink.flush();
            imagesSent += sent;
        }
        return sent;
    }

    private void opened(final SentItem item) {
        if (item.place >= 0 || !item.isStreaming || isStandby) {
            return;
        }
        if (openCount == open.length) {
            open = Arrays.copyOf(open, 2 * openCount);
        }
        item.place = openCount;
        open[openCount++] = item;
    }

    /**
     * Sends the bursts that are due, or as much of them as belongs into one turn of the caller's
     * loop; what is left is still due. Where updates and generic messages are behind, each kind has
     * half of the turn.
     *
     * @param sink of the connection
     * @param nowNs current time
     * @param most messages of this turn
     * @return how many were sent
     */
    public int sendBursts(final FeedSink sink, final long nowNs, final int most) {
        if (openCount == 0 || nowNs - retryNs < 0) {
            return 0;
        }
        if (!isStarted) {
            isStarted = true;
            updates.start(nowNs);
            generics.start(nowNs);
        }
        final int mostUpdates = generics.isDue(nowNs) ? most - most / 2 : most;
        int sent = 0;
        boolean isBlocked = false;
        while (!isBlocked && sent < mostUpdates && updates.isDue(nowNs)) {
            isBlocked = !sendUpdate(sink, nowNs);
            sent += isBlocked ? 0 : 1;
        }
        while (!isBlocked && sent < most && generics.isDue(nowNs)) {
            isBlocked = !sendGeneric(sink, nowNs);
            sent += isBlocked ? 0 : 1;
        }
        if (sent > 0) {
            sink.flush();
        }
        // a consumer that reads too slowly must not keep this thread from the others
        retryNs = isBlocked ? nowNs + RETRY_NS : nowNs;
        return sent;
    }

    private boolean sendUpdate(final FeedSink sink, final long nowNs) {
        nextUpdate = nextUpdate >= openCount ? 0 : nextUpdate;
        final SentItem item = open[nextUpdate];
        final var templates = item.messages.updates();
        final MessageTemplate template = templates.get((int) (item.sequence % templates.size()));
        final boolean marked = updates.isMarked();
        if (!send(sink, item, template, updates, marked)) {
            return false;
        }
        updates.sent(nowNs, marked);
        updatesSent++;
        nextUpdate++;
        return true;
    }

    private boolean sendGeneric(final FeedSink sink, final long nowNs) {
        nextGeneric = nextGeneric >= openCount ? 0 : nextGeneric;
        final SentItem item = open[nextGeneric];
        final var templates = item.messages.generics();
        final MessageTemplate template =
                templates.get((int) (item.genericSequence % templates.size()));
        final boolean marked = generics.isMarked();
        if (!send(sink, item, template, generics, marked)) {
            return false;
        }
        generics.sent(nowNs, marked);
        genericsSent++;
        genericsStamped += marked ? 1 : 0;
        nextGeneric++;
        return true;
    }

    private boolean send(
            final FeedSink sink,
            final SentItem item,
            final MessageTemplate template,
            final TickBursts bursts,
            final boolean marked) {
        final boolean isUpdate = bursts == updates;
        final long sequence = (isUpdate ? item.sequence : item.genericSequence) + 1;
        if (marked) {
            tracking.timed(sequence, clock.nanoTime(), bursts.intendedNs());
        } else {
            tracking.plain(sequence);
        }
        if (!sink.message(item, template, tracking)) {
            return false;
        }
        if (isUpdate) {
            item.sequence = sequence;
        } else {
            item.genericSequence = sequence;
        }
        return true;
    }

    /**
     * Whether images wait to be sent.
     *
     * @return true until all are sent
     */
    public boolean hasImages() {
        return waiting > 0;
    }

    /**
     * Items that are kept in the queue of images and only there: snapshots, and those that were
     * closed before their turn.
     *
     * @return the count
     */
    public int keptForImage() {
        return keptForImage;
    }

    /**
     * Whether bursts go on: from the first item that streams to the last.
     *
     * @return true while they are sent
     */
    public boolean isStarted() {
        return isStarted;
    }

    /**
     * When the next burst is due.
     *
     * @return ns, {@link Long#MAX_VALUE} while there is none
     */
    public long nextTickNs() {
        return openCount == 0 || !isStarted
                ? Long.MAX_VALUE
                : Math.max(retryNs, Math.min(updates.nextTickNs(), generics.nextTickNs()));
    }

    /**
     * Bursts of updates, for their figures.
     *
     * @return the bursts
     */
    public TickBursts updates() {
        return updates;
    }

    /**
     * Bursts of generic messages, for their figures.
     *
     * @return the bursts
     */
    public TickBursts generics() {
        return generics;
    }

    /**
     * Images sent so far.
     *
     * @return the count
     */
    public long imagesSent() {
        return imagesSent;
    }

    /**
     * Updates sent so far.
     *
     * @return the count
     */
    public long updatesSent() {
        return updatesSent;
    }

    /**
     * Generic messages sent so far.
     *
     * @return the count
     */
    public long genericsSent() {
        return genericsSent;
    }

    /**
     * Of these, with a time stamp.
     *
     * @return the count
     */
    public long genericsStamped() {
        return genericsStamped;
    }
}
