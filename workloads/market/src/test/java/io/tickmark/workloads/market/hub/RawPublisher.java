package io.tickmark.workloads.market.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.FilterEntryActions;
import com.refinitiv.eta.codec.MapEntryActions;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.RefreshMsg;
import com.refinitiv.eta.codec.StatusMsg;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.codec.UpdateMsg;
import com.refinitiv.eta.rdm.Directory;
import com.refinitiv.eta.rdm.DomainTypes;
import com.refinitiv.eta.rdm.Login;
import com.refinitiv.eta.transport.Channel;
import com.refinitiv.eta.transport.ChannelState;
import com.refinitiv.eta.transport.Error;
import com.refinitiv.eta.transport.Transport;
import com.refinitiv.eta.transport.TransportBuffer;
import com.refinitiv.eta.transport.TransportFactory;
import com.refinitiv.eta.transport.WriteArgs;
import com.refinitiv.eta.transport.WriteFlags;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsgFactory;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryRefresh;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.Service;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginMsgFactory;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginRequest;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.ImageHeader;
import io.tickmark.workloads.market.data.MessageEncoder;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.data.Tracking;
import io.tickmark.workloads.market.rssl.ConnectionSettings;
import io.tickmark.workloads.market.rssl.Rssl;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/** A publisher that may send what no library would; a hub must be running in the process. */
final class RawPublisher implements AutoCloseable {
    static final String SERVICE = "RAW_FEED";

    private static final int SERVICE_ID = 7;
    private static final int MOST_BYTES = 5000;

    private final Error error = TransportFactory.createError();
    private final Channel channel;

    RawPublisher(final String hostAndPort) {
        final Peer hub = Peer.parse(hostAndPort);
        final ConnectionSettings settings =
                Settings.read(ConnectionSettings.class, Map.of(), key -> key);
        channel =
                Transport.connect(
                        Rssl.connectTo(hub.host(), hub.port(), settings, Duration.ofSeconds(1))
                                .connectionList()
                                .getFirst()
                                .connectOptions(),
                        error);
        while (channel.state() != ChannelState.ACTIVE) {
            assertThat(channel.init(TransportFactory.createInProgInfo(), error)).isNotNegative();
        }
        login();
        service(true, service -> {});
    }

    private void login() {
        final LoginRequest login = (LoginRequest) LoginMsgFactory.createMsg();
        login.rdmMsgType(LoginMsgType.REQUEST);
        login.initDefaultRequest(1);
        login.applyHasRole();
        login.role(Login.RoleTypes.PROV);
        send(login::encode);
    }

    /** Announces its directory again, with what is added to its service. */
    void service(final boolean isUp, final Consumer<Service> more) {
        final DirectoryRefresh directory = (DirectoryRefresh) DirectoryMsgFactory.createMsg();
        directory.rdmMsgType(DirectoryMsgType.REFRESH);
        directory.streamId(-1);
        directory.state().streamState(StreamStates.OPEN);
        directory.state().dataState(DataStates.OK);
        directory.filter(
                Directory.ServiceFilterFlags.INFO
                        | Directory.ServiceFilterFlags.STATE
                        | Directory.ServiceFilterFlags.GROUP);
        final Service service = DirectoryMsgFactory.createService();
        service.serviceId(SERVICE_ID);
        service.action(MapEntryActions.ADD);
        service.applyHasInfo();
        service.info().action(FilterEntryActions.SET);
        service.info().serviceName().data(SERVICE);
        service.info().capabilitiesList().add((long) DomainTypes.MARKET_PRICE);
        service.applyHasState();
        service.state().action(FilterEntryActions.SET);
        service.state().serviceState(isUp ? 1 : 0);
        more.accept(service);
        directory.serviceList().add(service);
        send(directory::encode);
    }

    void image(final int streamId, final String item) {
        final FieldDictionary dictionary = FieldDictionary.own();
        final MessageEncoder encoder = new MessageEncoder(dictionary, TimeUnit.MICROSECONDS);
        final ImageHeader header =
                new ImageHeader().of(ImageHeader.nameOf(item), SERVICE_ID).as(false, true);
        send(iterator ->
                encoder.refresh(
                        iterator,
                        MessageFile.own(dictionary).messages(DomainTypes.MARKET_PRICE).refresh(),
                        streamId,
                        new Tracking().plain(0),
                        header));
    }

    /** Puts an item into a group. */
    void group(final int streamId, final Buffer group) {
        final Msg message = CodecFactory.createMsg();
        message.msgClass(MsgClasses.STATUS);
        message.domainType(DomainTypes.MARKET_PRICE);
        message.streamId(streamId);
        message.containerType(DataTypes.NO_DATA);
        ((StatusMsg) message).applyHasGroupId();
        ((StatusMsg) message).groupId(group);
        send(message::encode);
    }

    /** An image that holds whatever it holds. */
    void image(final int streamId, final String item, final int containerType, final byte[] body) {
        image(streamId, DomainTypes.MARKET_PRICE, item, containerType, body);
    }

    void image(
            final int streamId,
            final int domainType,
            final String item,
            final int containerType,
            final byte[] body) {
        image(streamId, domainType, ImageHeader.nameOf(item), containerType, body);
    }

    void image(
            final int streamId,
            final int domainType,
            final Buffer item,
            final int containerType,
            final byte[] body) {
        final Msg message = CodecFactory.createMsg();
        message.msgClass(MsgClasses.REFRESH);
        message.domainType(domainType);
        message.streamId(streamId);
        message.containerType(containerType);
        final RefreshMsg refresh = (RefreshMsg) message;
        refresh.applyHasMsgKey();
        refresh.msgKey().applyHasName();
        refresh.msgKey().name(item);
        refresh.msgKey().applyHasServiceId();
        refresh.msgKey().serviceId(SERVICE_ID);
        refresh.applyRefreshComplete();
        refresh.state().streamState(StreamStates.OPEN);
        refresh.state().dataState(DataStates.OK);
        message.encodedDataBody(bufferOf(body));
        send(message::encode);
    }

    static Buffer bufferOf(final byte[] body) {
        final Buffer buffer = CodecFactory.createBuffer();
        buffer.data(ByteBuffer.wrap(body), 0, body.length);
        return buffer;
    }

    void update(final int streamId, final int containerType, final byte[] body) {
        update(streamId, containerType, body, false);
    }

    void update(
            final int streamId,
            final int containerType,
            final byte[] body,
            final boolean isForCaches) {
        final UpdateMsg update = update(streamId, containerType, body, null);
        if (!isForCaches) {
            update.applyDoNotCache();
        }
        send(update::encode);
    }

    /** An update that repeats the name of its item, as it may. */
    void updateOf(final int streamId, final Buffer item, final byte[] body) {
        send(update(streamId, DataTypes.FIELD_LIST, body, item)::encode);
    }

    private static UpdateMsg update(
            final int streamId, final int containerType, final byte[] body, final Buffer item) {
        final Msg message = CodecFactory.createMsg();
        message.msgClass(MsgClasses.UPDATE);
        message.domainType(DomainTypes.MARKET_PRICE);
        message.streamId(streamId);
        message.containerType(containerType);
        message.encodedDataBody(bufferOf(body));
        final UpdateMsg update = (UpdateMsg) message;
        if (item != null) {
            update.applyHasMsgKey();
            update.msgKey().applyHasName();
            update.msgKey().name(item);
        }
        return update;
    }

    private void send(final ToIntFunction<EncodeIterator> message) {
        final TransportBuffer buffer = channel.getBuffer(MOST_BYTES, false, error);
        final EncodeIterator iterator = CodecFactory.createEncodeIterator();
        iterator.setBufferAndRWFVersion(buffer, channel.majorVersion(), channel.minorVersion());
        assertThat(message.applyAsInt(iterator)).isEqualTo(CodecReturnCodes.SUCCESS);
        final WriteArgs direct = TransportFactory.createWriteArgs();
        direct.flags(WriteFlags.DIRECT_SOCKET_WRITE);
        assertThat(channel.write(buffer, direct, error)).isNotNegative();
    }

    @Override
    public void close() {
        channel.close(error);
    }
}
