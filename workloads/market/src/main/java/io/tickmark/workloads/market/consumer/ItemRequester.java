package io.tickmark.workloads.market.consumer;

import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.RequestMsg;
import com.refinitiv.eta.rdm.InstrumentNameTypes;
import io.tickmark.workloads.market.data.Item;
import io.tickmark.workloads.market.measure.TickBursts;
import io.tickmark.workloads.market.rssl.PackedWriter;

/** Requests the items of one connection in bursts, in order; what finds no buffer waits. */
final class ItemRequester {
    /** Message header and key without the name. */
    private static final int HEADER_BYTES = 64;

    private final WatchedItems items;
    private final TickBursts bursts;
    private final boolean snapshots;
    private final RequestMsg request;
    private int serviceId;
    private int next;

    ItemRequester(final WatchedItems items, final TickBursts bursts, final boolean snapshots) {
        this.items = items;
        this.bursts = bursts;
        this.snapshots = snapshots;
        final Msg message = CodecFactory.createMsg();
        message.msgClass(MsgClasses.REQUEST);
        request = (RequestMsg) message;
    }

    void start(final int service, final long nowNs) {
        serviceId = service;
        next = 0;
        bursts.start(nowNs);
    }

    boolean isDone() {
        return next == items.size();
    }

    long nextTickNs() {
        return isDone() ? Long.MAX_VALUE : bursts.nextTickNs();
    }

    /** Sends what is due; returns how many requests went out. */
    int send(final PackedWriter writer, final long nowNs) {
        int sent = 0;
        while (!isDone() && bursts.isDue(nowNs)) {
            final Item item = items.get(next);
            final EncodeIterator iterator = writer.begin(HEADER_BYTES + item.name().length() * 3);
            if (iterator == null) {
                break;
            }
            if (encode(iterator, item, WatchedItems.stream(next)) < CodecReturnCodes.SUCCESS) {
                throw new IllegalStateException("a request cannot be encoded: " + item);
            }
            writer.end();
            bursts.sent(nowNs, false);
            next++;
            sent++;
        }
        if (sent > 0) {
            writer.flush();
        }
        return sent;
    }

    private int encode(final EncodeIterator iterator, final Item item, final int streamId) {
        request.clear();
        request.msgClass(MsgClasses.REQUEST);
        request.streamId(streamId);
        request.domainType(item.domainType());
        request.containerType(DataTypes.NO_DATA);
        if (!snapshots && !item.snapshot()) {
            request.applyStreaming();
        }
        request.msgKey().applyHasServiceId();
        request.msgKey().serviceId(serviceId);
        request.msgKey().applyHasNameType();
        request.msgKey().nameType(InstrumentNameTypes.RIC);
        request.msgKey().applyHasName();
        request.msgKey().name().data(item.name());
        return request.encode(iterator);
    }
}
