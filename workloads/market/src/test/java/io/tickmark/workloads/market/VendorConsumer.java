package io.tickmark.workloads.market;

import com.refinitiv.eta.codec.Array;
import com.refinitiv.eta.codec.ArrayEntry;
import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.DecodeIterator;
import com.refinitiv.eta.codec.ElementEntry;
import com.refinitiv.eta.codec.ElementList;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.FieldEntry;
import com.refinitiv.eta.codec.FieldList;
import com.refinitiv.eta.codec.Int;
import com.refinitiv.eta.codec.MapEntry;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.RefreshMsg;
import com.refinitiv.eta.codec.RequestMsg;
import com.refinitiv.eta.codec.State;
import com.refinitiv.eta.codec.StateCodes;
import com.refinitiv.eta.codec.StatusMsg;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.codec.UInt;
import com.refinitiv.eta.rdm.DomainTypes;
import com.refinitiv.eta.rdm.ElementNames;
import com.refinitiv.eta.rdm.Login;
import com.refinitiv.eta.rdm.ViewTypes;
import com.refinitiv.eta.transport.WriteFlags;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.ConsumerStatusService;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryConsumerStatus;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsgFactory;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryRefresh;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryUpdate;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.Service;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginConsumerConnectionStatus;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginMsgFactory;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginMsgType;
import com.refinitiv.eta.valueadd.reactor.ConsumerCallback;
import com.refinitiv.eta.valueadd.reactor.ConsumerRole;
import com.refinitiv.eta.valueadd.reactor.RDMDictionaryMsgEvent;
import com.refinitiv.eta.valueadd.reactor.RDMDirectoryMsgEvent;
import com.refinitiv.eta.valueadd.reactor.RDMLoginMsgEvent;
import com.refinitiv.eta.valueadd.reactor.Reactor;
import com.refinitiv.eta.valueadd.reactor.ReactorCallbackReturnCodes;
import com.refinitiv.eta.valueadd.reactor.ReactorChannel;
import com.refinitiv.eta.valueadd.reactor.ReactorChannelEvent;
import com.refinitiv.eta.valueadd.reactor.ReactorChannelEventTypes;
import com.refinitiv.eta.valueadd.reactor.ReactorConnectInfo;
import com.refinitiv.eta.valueadd.reactor.ReactorConnectOptions;
import com.refinitiv.eta.valueadd.reactor.ReactorDispatchOptions;
import com.refinitiv.eta.valueadd.reactor.ReactorErrorInfo;
import com.refinitiv.eta.valueadd.reactor.ReactorFactory;
import com.refinitiv.eta.valueadd.reactor.ReactorMsgEvent;
import com.refinitiv.eta.valueadd.reactor.ReactorOptions;
import com.refinitiv.eta.valueadd.reactor.ReactorReturnCodes;
import com.refinitiv.eta.valueadd.reactor.ReactorSubmitOptions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * A consumer that is the vendor's reactor and nothing of ours: it sends requests as they are, with
 * no watchlist that would divide them. Reads and sends on the thread that calls it.
 */
public final class VendorConsumer implements ConsumerCallback, AutoCloseable {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(90);

    /**
     * A message of an item.
     *
     * @param streamId of its stream
     * @param domainType of its item
     * @param kind one of {@link MsgClasses}
     * @param state stream and data state, empty for updates
     * @param text of the state
     * @param hasContent false where the message is a header alone
     * @param fields ids of its fields, those of all rows of a book
     */
    public record Seen(
            int streamId,
            int domainType,
            int kind,
            String state,
            String text,
            boolean hasContent,
            Set<Integer> fields) {
        public boolean isImage() {
            return kind == MsgClasses.REFRESH;
        }

        public boolean isUpdate() {
            return kind == MsgClasses.UPDATE;
        }

        public boolean isStatus() {
            return kind == MsgClasses.STATUS;
        }
    }

    private final ReactorErrorInfo error = ReactorFactory.createReactorErrorInfo();
    private final ReactorDispatchOptions dispatch = ReactorFactory.createReactorDispatchOptions();
    private final ReactorSubmitOptions submit = ReactorFactory.createReactorSubmitOptions();
    private final Reactor reactor;
    private final List<Seen> seen = new ArrayList<>();
    private final Map<String, Integer> services = new HashMap<>();
    private final Map<String, Long> features = new HashMap<>();
    private int viewType = ViewTypes.FIELD_ID_LIST;
    private int domainType = DomainTypes.MARKET_PRICE;
    private boolean isStreaming = true;
    private ReactorChannel channel;
    private String end = "";

    /** Connected once the service is there. */
    public VendorConsumer(final String hostAndPort, final String service) {
        // written at once: the library's own flush may wait for a dispatch
        submit.writeArgs().flags(WriteFlags.DIRECT_SOCKET_WRITE);
        final ReactorOptions options = ReactorFactory.createReactorOptions();
        reactor = ReactorFactory.createReactor(options, error);
        final ConsumerRole role = ReactorFactory.createConsumerRole();
        role.initDefaultRDMLoginRequest();
        role.initDefaultRDMDirectoryRequest();
        role.channelEventCallback(this);
        role.defaultMsgCallback(this);
        role.loginMsgCallback(this);
        role.directoryMsgCallback(this);
        role.dictionaryMsgCallback(this);
        role.watchlistOptions().enableWatchlist(false);
        final Peer peer = Peer.parse(hostAndPort);
        final ReactorConnectInfo info = ReactorFactory.createReactorConnectInfo();
        info.connectOptions().majorVersion(Codec.majorVersion());
        info.connectOptions().minorVersion(Codec.minorVersion());
        info.connectOptions().unifiedNetworkInfo().address(peer.host());
        info.connectOptions().unifiedNetworkInfo().serviceName(Integer.toString(peer.port()));
        final ReactorConnectOptions connect = ReactorFactory.createReactorConnectOptions();
        connect.connectionList().add(info);
        check(reactor.connect(connect, role, error));
        awaitThat("service " + service, () -> services.containsKey(service));
    }

    private void check(final int result) {
        if (result < ReactorReturnCodes.SUCCESS) {
            throw new AssertionError(error.error().text());
        }
    }

    /** What its login was services that the server can do, by the names of the login's elements. */
    public Map<String, Long> features() {
        return features;
    }

    /** All that has come of items, in order. */
    public List<Seen> seen() {
        return seen;
    }

    private interface Condition {
        boolean isMet();
    }

    private void awaitThat(final String what, final Condition condition) {
        final long beginNs = System.nanoTime();
        while (!condition.isMet()) {
            if (System.nanoTime() - beginNs > PATIENCE_NS) {
                throw new AssertionError("no " + what + "; seen: " + seen);
            }
            if (!end.isEmpty()) {
                throw new AssertionError("the connection has ended: " + end + "; seen: " + seen);
            }
            read();
        }
    }

    private void read() {
        check(reactor.dispatchAll(null, dispatch, error));
        LockSupport.parkNanos(200_000);
    }

    /** Reads until it comes. */
    public Seen await(final String what, final Predicate<Seen> wanted) {
        final Seen[] found = {null};
        awaitThat(
                what,
                () -> {
                    found[0] = seen.stream().filter(wanted).findFirst().orElse(null);
                    return found[0] != null;
                });
        return found[0];
    }

    /** Reads until there are so many of them. */
    public void await(final String what, final int count, final Predicate<Seen> wanted) {
        awaitThat(what, () -> seen.stream().filter(wanted).count() >= count);
    }

    /** Asks for an item, or for some of its fields; on an open stream, anew. */
    public void request(
            final String service, final int streamId, final String item, final int... view) {
        final RequestMsg request = request(service, streamId);
        request.msgKey().applyHasName();
        request.msgKey().name().data(item);
        content(request, List.of(), view);
        check(channel.submit(request, submit, error));
    }

    /** Asks for an item by the bytes of its name. */
    public void request(final String service, final int streamId, final Buffer item) {
        final RequestMsg request = request(service, streamId);
        request.msgKey().applyHasName();
        request.msgKey().name(item);
        check(channel.submit(request, submit, error));
    }

    /** Asks for an item of that name in another domain. */
    public void requestIn(
            final int domain, final String service, final int streamId, final String item) {
        domainType = domain;
        request(service, streamId, item);
        domainType = DomainTypes.MARKET_PRICE;
    }

    /** Asks for the image of an open stream again, without saying whose. */
    public void requestAgain(final String service, final int streamId) {
        check(channel.submit(request(service, streamId), submit, error));
    }

    /** Asks for an image that no updates follow. */
    public void requestSnapshot(final String service, final int streamId, final String item) {
        isStreaming = false;
        request(service, streamId, item);
        isStreaming = true;
    }

    /** Asks for a view of elements by their names, which no field list has. */
    public void requestElements(final String service, final int streamId, final String item) {
        final RequestMsg request = request(service, streamId);
        request.msgKey().applyHasName();
        request.msgKey().name().data(item);
        viewType = ViewTypes.ELEMENT_NAME_LIST;
        content(request, List.of(), 1);
        viewType = ViewTypes.FIELD_ID_LIST;
        check(channel.submit(request, submit, error));
    }

    /** Asks for several items at once, or for some fields of them. */
    public void requestBatch(
            final String service, final int streamId, final List<String> items, final int... view) {
        final RequestMsg request = request(service, streamId);
        request.applyHasBatch();
        content(request, items, view);
        check(channel.submit(request, submit, error));
    }

    private RequestMsg request(final String service, final int streamId) {
        final Msg message = CodecFactory.createMsg();
        message.msgClass(MsgClasses.REQUEST);
        message.domainType(domainType);
        message.streamId(streamId);
        message.containerType(DataTypes.NO_DATA);
        final RequestMsg request = (RequestMsg) message;
        if (isStreaming) {
            request.applyStreaming();
        }
        request.msgKey().applyHasServiceId();
        request.msgKey().serviceId(services.get(service));
        return request;
    }

    private void content(final RequestMsg request, final List<String> items, final int... view) {
        if (items.isEmpty() && view.length == 0) {
            return;
        }
        final Buffer body = CodecFactory.createBuffer();
        body.data(ByteBuffer.allocate(10_000));
        final EncodeIterator to = CodecFactory.createEncodeIterator();
        to.setBufferAndRWFVersion(body, Codec.majorVersion(), Codec.minorVersion());
        final ElementList list = CodecFactory.createElementList();
        list.applyHasStandardData();
        list.encodeInit(to, null, 0);
        if (!items.isEmpty()) {
            array(
                    to,
                    ElementNames.BATCH_ITEM_LIST,
                    DataTypes.ASCII_STRING,
                    items.size(),
                    (entry, i) -> {
                        final Buffer name = CodecFactory.createBuffer();
                        name.data(items.get(i));
                        entry.encode(to, name);
                    });
        }
        if (view.length > 0) {
            request.applyHasView();
            final ElementEntry type = CodecFactory.createElementEntry();
            type.name(ElementNames.VIEW_TYPE);
            type.dataType(DataTypes.UINT);
            final UInt fieldIds = CodecFactory.createUInt();
            fieldIds.value(viewType);
            type.encode(to, fieldIds);
            final Int number = CodecFactory.createInt();
            array(
                    to,
                    ElementNames.VIEW_DATA,
                    DataTypes.INT,
                    view.length,
                    (entry, i) -> {
                        number.value(view[i]);
                        entry.encode(to, number);
                    });
        }
        list.encodeComplete(to, true);
        request.containerType(DataTypes.ELEMENT_LIST);
        request.encodedDataBody(body);
    }

    private interface EntryOf {
        void encode(ArrayEntry entry, int index);
    }

    private static void array(
            final EncodeIterator to,
            final Buffer name,
            final int type,
            final int count,
            final EntryOf each) {
        final ElementEntry element = CodecFactory.createElementEntry();
        element.name(name);
        element.dataType(DataTypes.ARRAY);
        element.encodeInit(to, 0);
        final Array array = CodecFactory.createArray();
        array.primitiveType(type);
        array.encodeInit(to);
        final ArrayEntry entry = CodecFactory.createArrayEntry();
        for (int i = 0; i < count; i++) {
            each.encode(entry, i);
        }
        array.encodeComplete(to, true);
        element.encodeComplete(to, true);
    }

    /** Closes an item's stream. */
    public void close(final int streamId) {
        final Msg message = CodecFactory.createMsg();
        message.msgClass(MsgClasses.CLOSE);
        message.domainType(DomainTypes.MARKET_PRICE);
        message.streamId(streamId);
        message.containerType(DataTypes.NO_DATA);
        check(channel.submit(message, submit, error));
    }

    /** States on the login stream whether the server is to stand by, for all services. */
    public void standby(final boolean isStandby) {
        final LoginConsumerConnectionStatus status =
                (LoginConsumerConnectionStatus) LoginMsgFactory.createMsg();
        status.rdmMsgType(LoginMsgType.CONSUMER_CONNECTION_STATUS);
        status.streamId(1);
        status.applyHasWarmStandbyInfo();
        status.warmStandbyInfo().action(com.refinitiv.eta.codec.MapEntryActions.ADD);
        status.warmStandbyInfo().warmStandbyMode(mode(isStandby));
        check(channel.submit(status, submit, error));
    }

    /** States on the directory's stream whether the server is to stand by for a service. */
    public void standby(final String service, final boolean isStandby) {
        final DirectoryConsumerStatus status =
                (DirectoryConsumerStatus) DirectoryMsgFactory.createMsg();
        status.rdmMsgType(DirectoryMsgType.CONSUMER_STATUS);
        status.streamId(2);
        final ConsumerStatusService standby = DirectoryMsgFactory.createConsumerStatusService();
        standby.serviceId(services.get(service));
        standby.action(com.refinitiv.eta.codec.MapEntryActions.ADD);
        standby.applyHasWarmStandbyMode();
        standby.warmStandbyMode(mode(isStandby));
        status.consumerServiceStatusList().add(standby);
        check(channel.submit(status, submit, error));
    }

    private static int mode(final boolean isStandby) {
        return isStandby ? Login.ServerTypes.STANDBY : Login.ServerTypes.ACTIVE;
    }

    @Override
    public int reactorChannelEventCallback(final ReactorChannelEvent event) {
        switch (event.eventType()) {
            case ReactorChannelEventTypes.CHANNEL_UP -> channel = event.reactorChannel();
            case ReactorChannelEventTypes.CHANNEL_DOWN,
                    ReactorChannelEventTypes.CHANNEL_DOWN_RECONNECTING ->
                    end = String.valueOf(event.errorInfo().error().text());
            default -> {
                // ready: nothing follows from it
            }
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public int rdmLoginMsgCallback(final RDMLoginMsgEvent event) {
        if (event.msg().msgClass() == MsgClasses.REFRESH) {
            attributes(event.msg());
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    private void attributes(final Msg login) {
        final DecodeIterator from = iterator(login.msgKey().encodedAttrib());
        final ElementList list = CodecFactory.createElementList();
        final ElementEntry entry = CodecFactory.createElementEntry();
        list.decode(from, null);
        while (entry.decode(from) != CodecReturnCodes.END_OF_CONTAINER) {
            if (entry.dataType() == DataTypes.UINT) {
                final UInt value = CodecFactory.createUInt();
                value.decode(from);
                features.put(entry.name().toString(), value.toLong());
            }
        }
    }

    private DecodeIterator iterator(final Buffer from) {
        final DecodeIterator iterator = CodecFactory.createDecodeIterator();
        iterator.setBufferAndRWFVersion(from, channel.majorVersion(), channel.minorVersion());
        return iterator;
    }

    @Override
    public int rdmDirectoryMsgCallback(final RDMDirectoryMsgEvent event) {
        final List<Service> announced =
                switch (event.rdmDirectoryMsg().rdmMsgType()) {
                    case REFRESH -> ((DirectoryRefresh) event.rdmDirectoryMsg()).serviceList();
                    case UPDATE -> ((DirectoryUpdate) event.rdmDirectoryMsg()).serviceList();
                    default -> List.of();
                };
        for (final Service service : announced) {
            if (service.checkHasInfo() && service.state().serviceState() == 1) {
                services.put(service.info().serviceName().toString(), service.serviceId());
            }
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public int rdmDictionaryMsgCallback(final RDMDictionaryMsgEvent event) {
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public int defaultMsgCallback(final ReactorMsgEvent event) {
        final Msg message = event.msg();
        final State state =
                switch (message) {
                    case final RefreshMsg refresh -> refresh.state();
                    case final StatusMsg status -> status.state();
                    default -> null;
                };
        final Set<Integer> fields = new TreeSet<>();
        if (message.containerType() == DataTypes.FIELD_LIST) {
            fields(iterator(message.encodedDataBody()), fields);
        } else if (message.containerType() == DataTypes.MAP) {
            rows(iterator(message.encodedDataBody()), fields);
        }
        seen.add(
                new Seen(
                        message.streamId(),
                        message.domainType(),
                        message.msgClass(),
                        state == null
                                ? ""
                                : StreamStates.toString(state.streamState())
                                        + "/"
                                        + com.refinitiv.eta.codec.DataStates.toString(
                                                state.dataState())
                                        + "/"
                                        + StateCodes.toString(state.code()),
                        state == null ? "" : String.valueOf(state.text()),
                        message.containerType() != DataTypes.NO_DATA,
                        fields));
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    private static void fields(final DecodeIterator from, final Set<Integer> fields) {
        final FieldList list = CodecFactory.createFieldList();
        final FieldEntry entry = CodecFactory.createFieldEntry();
        if (list.decode(from, null) == CodecReturnCodes.SUCCESS) {
            while (entry.decode(from) != CodecReturnCodes.END_OF_CONTAINER) {
                fields.add(entry.fieldId());
            }
        }
    }

    private static void rows(final DecodeIterator from, final Set<Integer> fields) {
        final com.refinitiv.eta.codec.Map map = CodecFactory.createMap();
        final MapEntry row = CodecFactory.createMapEntry();
        map.decode(from);
        while (row.decode(from, null) != CodecReturnCodes.END_OF_CONTAINER) {
            fields(from, fields);
        }
    }

    @Override
    public void close() {
        if (channel != null) {
            channel.close(error);
        }
        reactor.shutdown(error);
    }
}
