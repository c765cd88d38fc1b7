package io.tickmark.workloads.market.source;

import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.transport.TransportBuffer;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.workloads.market.data.ImageHeader;
import io.tickmark.workloads.market.data.MessageEncoder;
import io.tickmark.workloads.market.data.MessageTemplate;
import io.tickmark.workloads.market.data.PreEncoded;
import io.tickmark.workloads.market.data.Tracking;
import io.tickmark.workloads.market.measure.TickBursts;
import io.tickmark.workloads.market.rssl.PackedWriter;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import org.agrona.concurrent.NanoClock;

/**
 * The items of one connection and what is sent of them: images in spare time, and updates and
 * generic messages in bursts, item by item in turn. What finds no output buffer is kept: an image
 * stays in its queue, a burst goes on where it stopped, with the intended time it had. One thread;
 * allocates nothing for an update.
 */
public final class ItemFeed {
    /** Pause before a burst that found no output buffer goes on. */
    private static final long RETRY_NS = 100_000;

    private final MessageEncoder encoder;
    private final NanoClock clock;
    private final boolean preEncodes;
    private final LatencyRecorder encodeTime;
    private final TickBursts updates;
    private final TickBursts generics;
    private final int serviceId;
    private final Tracking tracking = new Tracking();
    private final ImageHeader header = new ImageHeader();
    private final ArrayDeque<FedItem> images = new ArrayDeque<>();
    private final Map<MessageTemplate, PreEncoded> encoded = new IdentityHashMap<>();
    private FedItem[] open = new FedItem[16];
    private int openCount;
    private int nextUpdate;
    private int nextGeneric;
    private boolean isStarted;
    private long retryNs = Long.MIN_VALUE / 2;
    private long imagesSent;
    private long updatesSent;
    private long genericsSent;
    private long genericsStamped;

    /**
     * How messages are made.
     *
     * @param encoder of the thread
     * @param clock of time stamps
     * @param preEncodes whether messages without a time stamp are encoded once
     * @param encodeTime records how long encoding takes, null for not
     * @param serviceId in the keys of images
     */
    public record Making(
            MessageEncoder encoder,
            NanoClock clock,
            boolean preEncodes,
            LatencyRecorder encodeTime,
            int serviceId) {}

    /**
     * A feed without items.
     *
     * @param making how messages are made
     * @param updates bursts of updates
     * @param generics bursts of generic messages
     */
    public ItemFeed(final Making making, final TickBursts updates, final TickBursts generics) {
        encoder = making.encoder();
        clock = making.clock();
        preEncodes = making.preEncodes();
        encodeTime = making.encodeTime();
        serviceId = making.serviceId();
        this.updates = updates;
        this.generics = generics;
    }

    /**
     * Wants an image of an item to be sent, after those that wait already; updates follow it where
     * the item streams.
     *
     * @param item of this connection
     * @param isSolicited whether the image answers a request
     */
    public void wantImage(final FedItem item, final boolean isSolicited) {
        item.isSolicited = isSolicited;
        if (!item.wantsImage) {
            item.wantsImage = true;
            images.add(item);
        }
    }

    /**
     * Sends nothing more of an item.
     *
     * @param item of this connection
     */
    public void remove(final FedItem item) {
        item.wantsImage = false; // it is skipped when its turn comes
        if (item.place >= 0) {
            final FedItem last = open[--openCount];
            open[item.place] = last;
            last.place = item.place;
            open[openCount] = null;
            item.place = -1;
        }
    }

    /**
     * Sends images that wait.
     *
     * @param writer of the connection
     * @param most how many at most
     * @return how many were sent; fewer than asked for where none is left or no buffer is free
     */
    public int sendImages(final PackedWriter writer, final int most) {
        int sent = 0;
        while (sent < most && !images.isEmpty()) {
            final FedItem item = images.peek();
            if (item.wantsImage) {
                if (!sendImage(writer, item)) {
                    break;
                }
                sent++;
                item.wantsImage = false;
                opened(item);
            }
            images.poll();
        }
        if (sent > 0) {
            writer.flush();
            imagesSent += sent;
        }
        return sent;
    }

    private boolean sendImage(final PackedWriter writer, final FedItem item) {
        final MessageTemplate template = item.messages.refresh();
        final EncodeIterator iterator = writer.begin(template.maxBytes(item.name.length()));
        if (iterator == null) {
            return false;
        }
        header.of(item.name, serviceId).as(item.isSolicited, item.isStreaming);
        tracking.plain(item.sequence);
        check(encoder.refresh(iterator, template, item.streamId, tracking, header));
        writer.end();
        return true;
    }

    private static void check(final int code) {
        if (code < CodecReturnCodes.SUCCESS) {
            throw new IllegalStateException(
                    "a message cannot be encoded: " + CodecReturnCodes.toString(code));
        }
    }

    private void opened(final FedItem item) {
        if (item.place >= 0 || !item.isStreaming) {
            return;
        }
        if (openCount == open.length) {
            open = Arrays.copyOf(open, 2 * openCount);
        }
        item.place = openCount;
        open[openCount++] = item;
    }

    /**
     * Sends the bursts that are due.
     *
     * @param writer of the connection
     * @param nowNs current time
     */
    public void sendBursts(final PackedWriter writer, final long nowNs) {
        if (openCount == 0 || nowNs - retryNs < 0) {
            return;
        }
        if (!isStarted) {
            isStarted = true;
            updates.start(nowNs);
            generics.start(nowNs);
        }
        boolean wrote = false;
        while (updates.isDue(nowNs) && sendUpdate(writer, nowNs)) {
            wrote = true;
        }
        while (generics.isDue(nowNs) && sendGeneric(writer, nowNs)) {
            wrote = true;
        }
        if (wrote) {
            writer.flush();
        }
        // a consumer that reads too slowly must not keep this thread from the others
        final boolean isBlocked = updates.isDue(nowNs) || generics.isDue(nowNs);
        retryNs = isBlocked ? nowNs + RETRY_NS : nowNs;
    }

    private boolean sendUpdate(final PackedWriter writer, final long nowNs) {
        nextUpdate = nextUpdate >= openCount ? 0 : nextUpdate;
        final FedItem item = open[nextUpdate];
        final var templates = item.messages.updates();
        final MessageTemplate template = templates.get((int) (item.sequence % templates.size()));
        final boolean marked = updates.isMarked();
        if (!send(writer, item, template, updates, marked)) {
            return false;
        }
        updates.sent(nowNs, marked);
        updatesSent++;
        nextUpdate++;
        return true;
    }

    private boolean sendGeneric(final PackedWriter writer, final long nowNs) {
        nextGeneric = nextGeneric >= openCount ? 0 : nextGeneric;
        final FedItem item = open[nextGeneric];
        final var templates = item.messages.generics();
        final MessageTemplate template =
                templates.get((int) (item.genericSequence % templates.size()));
        final boolean marked = generics.isMarked();
        if (!send(writer, item, template, generics, marked)) {
            return false;
        }
        generics.sent(nowNs, marked);
        genericsSent++;
        genericsStamped += marked ? 1 : 0;
        nextGeneric++;
        return true;
    }

    private boolean send(
            final PackedWriter writer,
            final FedItem item,
            final MessageTemplate template,
            final TickBursts bursts,
            final boolean marked) {
        final boolean isUpdate = bursts == updates;
        final long sequence = (isUpdate ? item.sequence : item.genericSequence) + 1;
        final long beginNs = marked || encodeTime != null ? clock.nanoTime() : 0;
        if (preEncodes && !marked) {
            if (!copy(writer, template, item.streamId, sequence)) {
                return false;
            }
        } else {
            final EncodeIterator iterator = writer.begin(template.maxBytes(0));
            if (iterator == null) {
                return false;
            }
            if (marked) {
                tracking.timed(sequence, beginNs, bursts.intendedNs());
            } else {
                tracking.plain(sequence);
            }
            check(
                    isUpdate
                            ? encoder.update(iterator, template, item.streamId, tracking)
                            : encoder.generic(iterator, template, item.streamId, tracking));
        }
        if (encodeTime != null) {
            encodeTime.record(clock.nanoTime() - beginNs);
        }
        writer.end();
        if (isUpdate) {
            item.sequence = sequence;
        } else {
            item.genericSequence = sequence;
        }
        return true;
    }

    private boolean copy(
            final PackedWriter writer,
            final MessageTemplate template,
            final int streamId,
            final long sequence) {
        PreEncoded message = encoded.get(template);
        if (message == null) {
            message = encoder.preEncode(template, null);
            encoded.put(template, message);
        }
        final TransportBuffer buffer = writer.beginRaw(message.length());
        if (buffer == null) {
            return false;
        }
        message.write(buffer, streamId, sequence);
        return true;
    }

    /**
     * Whether images wait to be sent.
     *
     * @return true until all are sent
     */
    public boolean hasImages() {
        return !images.isEmpty();
    }

    /**
     * Whether bursts have begun: with the first item that streams.
     *
     * @return true from then on
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
