package io.tickmark.workloads.market.consumer;

import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.EncodeIterator;
import io.tickmark.workloads.market.data.Item;
import io.tickmark.workloads.market.data.MessageEncoder;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.data.MessageTemplate;
import io.tickmark.workloads.market.data.PostHeader;
import io.tickmark.workloads.market.data.Tracking;
import io.tickmark.workloads.market.measure.TickBursts;
import io.tickmark.workloads.market.rssl.PackedWriter;
import java.util.List;
import org.agrona.concurrent.NanoClock;

/**
 * Sends posts or generic messages of one connection in bursts, item by item in turn, each item's
 * messages in the order of the message file. One thread; allocates nothing once it sends.
 */
final class ItemMessages {
    private final MessageKind kind;
    private final WatchedItems items;
    private final TickBursts bursts;
    private final MessageEncoder encoder;
    private final PostHeader header;
    private final NanoClock clock;
    private final Tracking tracking = new Tracking();
    private final int[] indexes;
    private final long[] sequences;
    private final MessageTemplate[][] templates;
    private int next;
    private long sent;
    private long stamped;

    /** What it sends. */
    record Content(MessageKind kind, MessageFile file, MessageEncoder encoder, PostHeader header) {}

    ItemMessages(
            final Content content,
            final WatchedItems items,
            final TickBursts bursts,
            final NanoClock clock) {
        kind = content.kind();
        encoder = content.encoder();
        header = content.header();
        this.items = items;
        this.bursts = bursts;
        this.clock = clock;
        indexes = indexes(kind, items);
        sequences = new long[indexes.length];
        templates = new MessageTemplate[indexes.length][];
        for (int i = 0; i < indexes.length; i++) {
            final List<MessageTemplate> of =
                    content.file().messages(items.get(indexes[i]).domainType()).of(kind);
            templates[i] = of.toArray(MessageTemplate[]::new);
        }
    }

    private static int[] indexes(final MessageKind kind, final WatchedItems items) {
        return java.util.stream.IntStream.range(0, items.size())
                .filter(index -> isMeant(kind, items.get(index)))
                .toArray();
    }

    private static boolean isMeant(final MessageKind kind, final Item item) {
        return kind == MessageKind.POST ? item.posts() : item.genericMessages();
    }

    void start(final long nowNs) {
        if (indexes.length > 0) {
            bursts.start(nowNs);
        }
    }

    long nextTickNs() {
        return bursts.nextTickNs();
    }

    /** Sends what is due. */
    void send(final PackedWriter writer, final long nowNs) {
        boolean wrote = false;
        while (bursts.isDue(nowNs)) {
            if (!seekOpen()) {
                break;
            }
            final boolean marked = bursts.isMarked();
            if (!send(writer, next, marked)) {
                break;
            }
            wrote = true;
            bursts.sent(nowNs, marked);
            next = next + 1 == indexes.length ? 0 : next + 1;
        }
        if (wrote) {
            writer.flush();
        }
    }

    /** Moves on to an item that is open; false where none is. */
    private boolean seekOpen() {
        for (int tried = 0; tried < indexes.length; tried++) {
            if (items.isOpen(indexes[next])) {
                return true;
            }
            next = next + 1 == indexes.length ? 0 : next + 1;
        }
        return false;
    }

    private boolean send(final PackedWriter writer, final int place, final boolean marked) {
        final MessageTemplate[] own = templates[place];
        final MessageTemplate template = own[(int) (sequences[place] % own.length)];
        final long takenNs = marked ? clock.nanoTime() : 0;
        final EncodeIterator iterator = writer.begin(template.maxBytes(0));
        if (iterator == null) {
            return false;
        }
        final long sequence = sequences[place] + 1;
        if (marked) {
            tracking.timed(sequence, takenNs, bursts.intendedNs());
        } else {
            tracking.plain(sequence);
        }
        final int stream = WatchedItems.stream(indexes[place]);
        final int code =
                kind == MessageKind.POST
                        ? encoder.post(iterator, template, stream, tracking, header)
                        : encoder.generic(iterator, template, stream, tracking);
        if (code < CodecReturnCodes.SUCCESS) {
            throw new IllegalStateException(
                    "a message cannot be encoded: " + CodecReturnCodes.toString(code));
        }
        writer.end();
        sequences[place] = sequence;
        sent++;
        if (marked) {
            stamped++;
        }
        return true;
    }

    long sent() {
        return sent;
    }

    /** Of these, messages with a time stamp. */
    long stamped() {
        return stamped;
    }

    TickBursts bursts() {
        return bursts;
    }
}
