package io.tickmark.workloads.market.provider;

import com.refinitiv.ema.access.OmmProvider;
import io.tickmark.workloads.market.data.EmaContent;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.source.EmaSink;
import io.tickmark.workloads.market.source.EncodeTime;
import io.tickmark.workloads.market.source.FedItem;
import io.tickmark.workloads.market.source.ItemFeed;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongArrayList;

/** One consumer of a provider on the Message API. One thread. */
final class EmaServed extends ServedConsumer {
    private final EmaSink sink;
    private final Handles handles;
    private final Long2ObjectHashMap<FedItem> items = new Long2ObjectHashMap<>();

    /** The library's handles of the items, by the stream ids that the items have here. */
    private static final class Handles {
        private final LongArrayList all = new LongArrayList();

        int stream(final long handle) {
            all.addLong(handle);
            return all.size() - 1;
        }

        long handle(final int streamId) {
            return all.getLong(streamId);
        }
    }

    private EmaServed(
            final ItemFeed feed,
            final EmaSink sink,
            final Handles handles,
            final ProviderTotals totals) {
        super(feed, sink, totals);
        this.sink = sink;
        this.handles = handles;
    }

    static EmaServed of(
            final ItemFeed feed,
            final OmmProvider provider,
            final EmaContent contents,
            final int serviceId,
            final EncodeTime encodeTime,
            final ProviderTotals totals) {
        final Handles handles = new Handles();
        final EmaSink sink =
                new EmaSink(provider, contents, serviceId, handles::handle, encodeTime);
        return new EmaServed(feed, sink, handles, totals);
    }

    /** An item was asked for, the first time or once more. */
    void request(
            final long handle,
            final String name,
            final MessageFile.Messages messages,
            final boolean isStreaming) {
        FedItem item = items.get(handle);
        if (item == null) {
            item = new FedItem(handles.stream(handle), name, messages, isStreaming);
            items.put(handle, item);
        }
        feed().wantImage(item, true);
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
