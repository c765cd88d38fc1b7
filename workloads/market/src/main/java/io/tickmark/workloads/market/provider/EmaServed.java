package io.tickmark.workloads.market.provider;

import com.refinitiv.ema.access.OmmProvider;
import io.tickmark.workloads.market.data.EmaContent;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.source.EmaSink;
import io.tickmark.workloads.market.source.EncodeTime;
import io.tickmark.workloads.market.source.FedItem;
import io.tickmark.workloads.market.source.ItemFeed;
import java.util.ArrayDeque;
import java.util.function.LongUnaryOperator;
import org.agrona.collections.Long2ObjectHashMap;

/** One consumer of a provider on the Message API. One thread. */
final class EmaServed extends ServedConsumer {
    private final EmaSink sink;
    private final Long2ObjectHashMap<FedItem> items = new Long2ObjectHashMap<>();
    private final ArrayDeque<FedItem> snapshots = new ArrayDeque<>();

    private EmaServed(final ItemFeed feed, final EmaSink sink, final ProviderTotals totals) {
        super(feed, sink, totals);
        this.sink = sink;
    }

    static EmaServed of(
            final ItemFeed feed,
            final OmmProvider provider,
            final EmaContent contents,
            final int serviceId,
            final EncodeTime encodeTime,
            final ProviderTotals totals) {
        final EmaSink sink =
                new EmaSink(
                        provider, contents, serviceId, LongUnaryOperator.identity(), encodeTime);
        return new EmaServed(feed, sink, totals);
    }

    /** An item was asked for, the first time or once more. */
    void request(
            final long handle,
            final String name,
            final MessageFile.Messages messages,
            final boolean isStreaming) {
        forgetSnapshots();
        FedItem item = items.get(handle);
        if (item == null) {
            item = new FedItem(handle, name, messages, isStreaming);
            items.put(handle, item);
            if (!isStreaming) {
                snapshots.add(item);
            }
        }
        feed().wantImage(item, true);
    }

    /** Those that are sent: with the image the library ends the stream, and says nothing of it. */
    private void forgetSnapshots() {
        while (!snapshots.isEmpty() && !snapshots.peek().wantsImage()) {
            final long handle = snapshots.poll().handle();
            generics().forget(handle);
            items.remove(handle);
        }
    }

    /** Items of which something is or may be sent, and snapshots since the last request. */
    int items() {
        return items.size();
    }

    /** A numbered generic message has come. */
    void generic(final long handle, final long sequence) {
        if (items.containsKey(handle)) { // else nothing would ever end it
            generics().onMessage(handle, sequence);
        }
    }

    /** An item is not wanted any more. */
    void close(final long handle, final long nowNs) {
        generics().forget(handle);
        final FedItem item = items.remove(handle);
        if (item != null) {
            remove(item, nowNs);
        }
    }

    @Override
    void sendWaiting() {
        // what answers posts is submitted at once
    }

    @Override
    long noBuffer() {
        return sink.noBuffer();
    }

    /** The library keeps that to itself. */
    @Override
    int buffersInUse() {
        return 0;
    }

    @Override
    String failure() {
        return sink.failure();
    }
}
