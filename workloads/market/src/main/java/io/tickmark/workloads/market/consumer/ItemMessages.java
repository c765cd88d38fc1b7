package io.tickmark.workloads.market.consumer;

import io.tickmark.workloads.market.data.Item;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.data.MessageTemplate;
import io.tickmark.workloads.market.measure.TickBursts;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.agrona.concurrent.NanoClock;

/**
 * Sends posts or generic messages of one connection in bursts, item by item in turn, each item's
 * messages in the order of the message file. Single-threaded; allocates nothing once it sends.
 */
final class ItemMessages implements ConsumerApi.Marks {
    private final MessageKind kind;
    private final WatchedItems items;
    private final TickBursts bursts;
    private final NanoClock clock;
    private final int[] indexes;
    private final long[] sequences;
    private final MessageTemplate[][] templates;
    private int next;
    private long sequence;
    private long takenNs;
    private long sent;
    private long stamped;

    /** What it sends, and which option requests it. */
    record Content(MessageKind kind, MessageFile file, String option) {}

    /**
     * Messages of the items that are open to them.
     *
     * @throws io.tickmark.kernel.settings.UserError if the file has none for one of the items
     */
    ItemMessages(
            final Content content,
            final WatchedItems items,
            final TickBursts bursts,
            final NanoClock clock) {
        kind = content.kind();
        this.items = items;
        this.bursts = bursts;
        this.clock = clock;
        indexes = indexes(kind, items);
        for (final int index : indexes) {
            content.file().need(items.get(index).domainType(), kind, content.option());
        }
        sequences = new long[indexes.length];
        templates = new MessageTemplate[indexes.length][];
        for (int i = 0; i < indexes.length; i++) {
            final List<MessageTemplate> of =
                    content.file().messages(items.get(indexes[i]).domainType()).of(kind);
            templates[i] = of.toArray(MessageTemplate[]::new);
        }
    }

    private static int[] indexes(final MessageKind kind, final WatchedItems items) {
        return IntStream.range(0, items.size())
                .filter(index -> isMeant(kind, items.get(index)))
                .toArray();
    }

    /** Whether an item is open to messages of a kind. */
    static boolean isMeant(final MessageKind kind, final Item item) {
        return kind == MessageKind.POST ? item.posts() : item.genericMessages();
    }

    void start(final long nowNs) {
        bursts.start(nowNs);
    }

    long nextTickNs() {
        return bursts.nextTickNs();
    }

    /**
     * Sends what is due, to be flushed by the caller, but no more than belongs between two reads:
     * the rest is still due.
     */
    void send(final ConsumerApi api, final long nowNs) {
        for (int inTurn = 0; inTurn < TickBursts.MOST_IN_A_TURN && bursts.isDue(nowNs); inTurn++) {
            if (!seekOpen()) {
                break;
            }
            final boolean marked = bursts.isMarked();
            if (!send(api, next, marked)) {
                break;
            }
            bursts.sent(nowNs, marked);
            next = next + 1 == indexes.length ? 0 : next + 1;
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

    /** Whether it can continue: the provider may have closed all items that it sends to. */
    boolean hasOpenItem() {
        return Arrays.stream(indexes).anyMatch(items::isOpen);
    }

    private boolean send(final ConsumerApi api, final int place, final boolean marked) {
        final MessageTemplate[] own = templates[place];
        final MessageTemplate template = own[(int) (sequences[place] % own.length)];
        sequence = sequences[place] + 1;
        takenNs = marked ? clock.nanoTime() : 0;
        final boolean isSent =
                kind == MessageKind.POST
                        ? api.post(indexes[place], template, this)
                        : api.generic(indexes[place], template, this);
        if (!isSent) {
            return false;
        }
        sequences[place] = sequence;
        sent++;
        if (marked) {
            stamped++;
        }
        return true;
    }

    @Override
    public long sequence() {
        return sequence;
    }

    @Override
    public long takenNs() {
        return takenNs;
    }

    @Override
    public long intendedNs() {
        return bursts.intendedNs();
    }

    long sent() {
        return sent;
    }

    /** Of these, messages with a time stamp. */
    long stamped() {
        return stamped;
    }
}
