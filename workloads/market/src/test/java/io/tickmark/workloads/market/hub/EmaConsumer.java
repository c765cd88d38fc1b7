package io.tickmark.workloads.market.hub;

import com.refinitiv.ema.access.AckMsg;
import com.refinitiv.ema.access.ElementList;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FieldList;
import com.refinitiv.ema.access.GenericMsg;
import com.refinitiv.ema.access.Msg;
import com.refinitiv.ema.access.OmmArray;
import com.refinitiv.ema.access.OmmConsumer;
import com.refinitiv.ema.access.OmmConsumerClient;
import com.refinitiv.ema.access.OmmConsumerConfig;
import com.refinitiv.ema.access.OmmConsumerEvent;
import com.refinitiv.ema.access.OmmState;
import com.refinitiv.ema.access.PostMsg;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.access.StatusMsg;
import com.refinitiv.ema.access.UpdateMsg;
import com.refinitiv.ema.rdm.EmaRdm;
import io.tickmark.workloads.market.hub.Heard.Event;
import io.tickmark.workloads.market.rssl.JsonPools;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A consumer that we did not write: the Message API's. */
final class EmaConsumer implements OmmConsumerClient, AutoCloseable {
    private final OmmConsumer consumer;
    private final Heard heard = new Heard();
    private final Map<String, Long> handles = new ConcurrentHashMap<>();

    EmaConsumer(final String hostAndPort) {
        this(EmaFactory.createOmmConsumerConfig().host(hostAndPort));
    }

    EmaConsumer(final OmmConsumerConfig config) {
        JsonPools.fill();
        consumer = EmaFactory.createOmmConsumer(config.username("test"));
    }

    /** One that takes messages only on request. */
    static OmmConsumerConfig lazy(final String hostAndPort) {
        return EmaFactory.createOmmConsumerConfig()
                .host(hostAndPort)
                .operationModel(OmmConsumerConfig.OperationModel.USER_DISPATCH);
    }

    OmmConsumer api() {
        return consumer;
    }

    Heard heard() {
        return heard;
    }

    EmaConsumer open(final String service, final String item) {
        return open(service, item, true);
    }

    EmaConsumer open(final String service, final String item, final boolean streaming) {
        handles.put(
                item,
                consumer.registerClient(
                        EmaFactory.createReqMsg()
                                .serviceName(service)
                                .name(item)
                                .interestAfterRefresh(streaming),
                        this,
                        item));
        return this;
    }

    /** Asks for several items in one request, and for some of their fields. */
    EmaConsumer openBatch(final String service, final List<String> items, final int... view) {
        final OmmArray names = EmaFactory.createOmmArray();
        items.forEach(item -> names.add(EmaFactory.createOmmArrayEntry().ascii(item)));
        final ElementList payload = EmaFactory.createElementList();
        payload.add(EmaFactory.createElementEntry().array(EmaRdm.ENAME_BATCH_ITEM_LIST, names));
        if (view.length > 0) {
            final OmmArray fields = EmaFactory.createOmmArray();
            for (final int field : view) {
                fields.add(EmaFactory.createOmmArrayEntry().intValue(field));
            }
            payload.add(EmaFactory.createElementEntry().uintValue(EmaRdm.ENAME_VIEW_TYPE, 1));
            payload.add(EmaFactory.createElementEntry().array(EmaRdm.ENAME_VIEW_DATA, fields));
        }
        consumer.registerClient(
                EmaFactory.createReqMsg().serviceName(service).payload(payload), this, "batch");
        return this;
    }

    void close(final String item) {
        consumer.unregister(handles.get(item));
    }

    void post(final String item, final PostMsg post) {
        consumer.submit(post, handles.get(item));
    }

    void generic(final String item, final FieldList fields) {
        consumer.submit(
                EmaFactory.createGenericMsg().complete(true).payload(fields), handles.get(item));
    }

    @Override
    public void onRefreshMsg(final RefreshMsg message, final OmmConsumerEvent event) {
        add(
                "refresh",
                event,
                state(message.state()),
                message,
                message.hasPublisherId() ? message.publisherIdUserId() : -1);
    }

    @Override
    public void onUpdateMsg(final UpdateMsg message, final OmmConsumerEvent event) {
        add(
                "update",
                event,
                "",
                message,
                message.hasPublisherId() ? message.publisherIdUserId() : -1);
    }

    @Override
    public void onStatusMsg(final StatusMsg message, final OmmConsumerEvent event) {
        heard.add(
                new Event(
                        "status",
                        (String) event.closure(),
                        message.hasState() ? state(message.state()) : "",
                        Map.of(),
                        -1));
    }

    @Override
    public void onGenericMsg(final GenericMsg message, final OmmConsumerEvent event) {
        add("generic", event, "", message, -1);
    }

    @Override
    public void onAckMsg(final AckMsg message, final OmmConsumerEvent event) {
        heard.add(
                new Event(
                        "ack",
                        (String) event.closure(),
                        message.ackId()
                                + (message.hasNackCode() ? " " + message.nackCodeAsString() : ""),
                        Map.of(),
                        -1));
    }

    @Override
    public void onAllMsg(final Msg message, final OmmConsumerEvent event) {
        // the other callbacks do
    }

    private void add(
            final String kind,
            final OmmConsumerEvent event,
            final String state,
            final Msg message,
            final long poster) {
        heard.add(new Event(kind, (String) event.closure(), state, Heard.fields(message), poster));
    }

    private static String state(final OmmState state) {
        return state.streamStateAsString()
                + "/"
                + state.dataStateAsString()
                + "/"
                + state.statusCodeAsString();
    }

    @Override
    public void close() {
        consumer.uninitialize();
    }
}
