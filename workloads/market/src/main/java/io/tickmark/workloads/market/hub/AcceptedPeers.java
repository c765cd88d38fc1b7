package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.RefreshMsg;
import com.refinitiv.eta.rdm.Login;
import com.refinitiv.eta.transport.Server;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryRequest;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.ConsumerStatusService;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryConsumerStatus;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginConsumerConnectionStatus;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginRequest;
import com.refinitiv.eta.valueadd.reactor.ProviderCallback;
import com.refinitiv.eta.valueadd.reactor.ProviderRole;
import com.refinitiv.eta.valueadd.reactor.RDMDictionaryMsgEvent;
import com.refinitiv.eta.valueadd.reactor.RDMDirectoryMsgEvent;
import com.refinitiv.eta.valueadd.reactor.RDMLoginMsgEvent;
import com.refinitiv.eta.valueadd.reactor.ReactorAcceptOptions;
import com.refinitiv.eta.valueadd.reactor.ReactorCallbackReturnCodes;
import com.refinitiv.eta.valueadd.reactor.ReactorChannel;
import com.refinitiv.eta.valueadd.reactor.ReactorChannelEvent;
import com.refinitiv.eta.valueadd.reactor.ReactorChannelEventTypes;
import com.refinitiv.eta.valueadd.reactor.ReactorErrorInfo;
import com.refinitiv.eta.valueadd.reactor.ReactorFactory;
import com.refinitiv.eta.valueadd.reactor.ReactorMsgEvent;
import io.tickmark.workloads.market.hub.HubCounts.Traffic;
import io.tickmark.workloads.market.hub.ItemSource.UnsolicitedSource;
import io.tickmark.workloads.market.rssl.FirstSender;
import io.tickmark.workloads.market.rssl.PackedWriter;
import io.tickmark.workloads.market.rssl.Rssl;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The peers that connect to the hub. Their login states their kind: consumers, or providers that
 * publish unsolicited. Single-threaded.
 */
final class AcceptedPeers implements ProviderCallback {
    private final Hub hub;
    private final ProviderRole role = ReactorFactory.createProviderRole();
    private final ReactorAcceptOptions options = ReactorFactory.createReactorAcceptOptions();
    private final ReactorErrorInfo error = ReactorFactory.createReactorErrorInfo();
    private final List<HubConsumer> consumers = new ArrayList<>();
    private int accepted;
    private boolean isShort;
    private boolean seen;

    /** Facts about one connection: none before its login. */
    private static final class Session {
        private final int number;
        private Outbox outbox;
        private HubConsumer consumer;
        private UnsolicitedSource publisher;

        Session(final int number) {
            this.number = number;
        }

        private String name() {
            if (consumer != null) {
                return "the consumer " + consumer.name();
            }
            return publisher != null
                    ? "the publisher " + publisher.name()
                    : "connection " + number + " before its login";
        }
    }

    AcceptedPeers(final Hub hub) {
        this.hub = hub;
        role.channelEventCallback(this);
        role.defaultMsgCallback(this);
        role.loginMsgCallback(this);
        role.directoryMsgCallback(this);
        role.dictionaryMsgCallback(this);
    }

    /** False where a connection could not be accepted; the first of several in a row is told. */
    boolean accept(final Server server) {
        options.clear();
        options.acceptOptions().userSpecObject(new Session(++accepted));
        options.acceptOptions().sysSendBufSize(hub.settings().connection().socketSendBytes());
        final Optional<String> refusal =
                Rssl.accept(hub.loop().reactor(), server, options, role, error);
        refusal.ifPresent(why -> {
            hub.counts().dropped(Traffic::connectionsRefused, () -> why);
            if (!isShort) {
                hub.report(
                        "A connection cannot be accepted: %s; it is tried again until it can be."
                                .formatted(why));
            }
        });
        isShort = refusal.isPresent();
        return !isShort;
    }

    List<HubConsumer> consumers() {
        return consumers;
    }

    boolean hadConsumer() {
        return seen;
    }

    /** Whether consumers were here and the last one has gone. */
    boolean haveGone() {
        return seen && consumers.isEmpty();
    }

    @Override
    public int reactorChannelEventCallback(final ReactorChannelEvent event) {
        hub.dictionaries().hasRead();
        final ReactorChannel channel = event.reactorChannel();
        switch (event.eventType()) {
            case ReactorChannelEventTypes.CHANNEL_UP -> {
                ((Session) channel.userSpecObj()).outbox =
                        new Outbox(
                                new PackedWriter(channel, hub.settings().connection()),
                                hub.settings().queue().maxQueuedBytes(),
                                hub.counts().traffic().noBuffer(),
                                channel.protocolType() == Codec.JSON_PROTOCOL_TYPE
                                        ? hub.jsonFields()
                                        : null);
                hub.loop().add(channel);
                FirstSender.say(channel, hub.settings().connection());
            }
            case ReactorChannelEventTypes.FD_CHANGE -> hub.loop().descriptorChanged(channel);
            case ReactorChannelEventTypes.CHANNEL_DOWN -> {
                final String why = Rssl.text(event.errorInfo());
                end(channel, "is gone" + (why.isEmpty() ? "" : " (" + why + ")"));
            }
            default -> {
                // ready: its login is next
            }
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    /** The name of a connection's peer. */
    String name(final ReactorChannel channel) {
        final Session session = (Session) channel.userSpecObj();
        return session.name();
    }

    /** Ends a connection and everything that depends on it. */
    void end(final ReactorChannel channel, final String how) {
        final Session session = (Session) channel.userSpecObj();
        hub.loop().close(channel);
        if (session.consumer != null) {
            final HubConsumer consumer = session.consumer;
            session.consumer = null;
            consumers.remove(consumer);
            hub.counts().traffic().consumers().set(consumers.size());
            hub.report("The consumer %s %s.".formatted(consumer.name(), how));
            List.copyOf(consumer.streams().values()).forEach(hub.items()::close);
        } else if (session.publisher != null) {
            final UnsolicitedSource publisher = session.publisher;
            session.publisher = null;
            hub.report("The publisher %s %s.".formatted(publisher.name(), how));
            hub.lost(publisher);
        } else {
            hub.report("Connection %d %s before its login.".formatted(session.number, how));
        }
    }

    @Override
    public int rdmLoginMsgCallback(final RDMLoginMsgEvent event) {
        hub.dictionaries().hasRead();
        final ReactorChannel channel = event.reactorChannel();
        final Session session = (Session) channel.userSpecObj();
        if (event.rdmLoginMsg() == null) {
            hub.unreadable("of " + session.name());
            return ReactorCallbackReturnCodes.SUCCESS;
        }
        if (event.rdmLoginMsg().rdmMsgType() == LoginMsgType.CONSUMER_CONNECTION_STATUS) {
            final LoginConsumerConnectionStatus status =
                    (LoginConsumerConnectionStatus) event.rdmLoginMsg();
            if (session.consumer != null && status.checkHasWarmStandbyInfo()) {
                hub.standby(
                        session.consumer,
                        null,
                        status.warmStandbyInfo().warmStandbyMode() == Login.ServerTypes.STANDBY);
            }
        }
        if (event.rdmLoginMsg().rdmMsgType() != LoginMsgType.REQUEST) {
            return ReactorCallbackReturnCodes.SUCCESS; // a login is closed with its connection
        }
        final LoginRequest request = (LoginRequest) event.rdmLoginMsg();
        final String name = request.userName() + " (connection " + session.number + ")";
        final HubConsumer consumer =
                new HubConsumer(channel, name, request.streamId(), session.outbox);
        hub.admin().login(consumer, request);
        session.outbox.flush();
        if (session.consumer != null || session.publisher != null) {
            return ReactorCallbackReturnCodes.SUCCESS; // it has only renewed its login
        }
        if (request.checkHasRole() && request.role() == Login.RoleTypes.PROV) {
            session.publisher = new UnsolicitedSource(name);
            hub.report("The publisher %s has connected.".formatted(name));
        } else {
            session.consumer = consumer;
            consumers.add(consumer);
            seen = true;
            hub.counts().traffic().consumers().set(consumers.size());
            hub.report("The consumer %s has connected.".formatted(name));
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public int rdmDirectoryMsgCallback(final RDMDirectoryMsgEvent event) {
        hub.dictionaries().hasRead();
        final Session session = (Session) event.reactorChannel().userSpecObj();
        if (event.rdmDirectoryMsg() == null) {
            hub.unreadable("of " + session.name());
            return ReactorCallbackReturnCodes.SUCCESS;
        }
        if (session.publisher != null) {
            hub.services().on(session.publisher, event.rdmDirectoryMsg());
        } else if (session.consumer != null) {
            if (event.rdmDirectoryMsg().rdmMsgType() == DirectoryMsgType.REQUEST) {
                hub.admin().directory(session.consumer, event.rdmDirectoryMsg().streamId());
            } else if (event.rdmDirectoryMsg().rdmMsgType() == DirectoryMsgType.CLOSE) {
                session.consumer.directoryStream(HubConsumer.NONE);
            } else if (event.rdmDirectoryMsg().rdmMsgType() == DirectoryMsgType.CONSUMER_STATUS) {
                standby(session.consumer, (DirectoryConsumerStatus) event.rdmDirectoryMsg());
            }
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    private void standby(final HubConsumer consumer, final DirectoryConsumerStatus status) {
        for (final ConsumerStatusService each : status.consumerServiceStatusList()) {
            final HubService service = hub.services().byId((int) each.serviceId());
            if (service != null && each.checkHasWarmStandbyMode()) {
                hub.standby(consumer, service, each.warmStandbyMode() == Login.ServerTypes.STANDBY);
            }
        }
    }

    @Override
    public int rdmDictionaryMsgCallback(final RDMDictionaryMsgEvent event) {
        hub.dictionaries().hasRead();
        final Session session = (Session) event.reactorChannel().userSpecObj();
        if (event.rdmDictionaryMsg() == null) {
            hub.unreadable("of " + session.name());
        } else if (session.consumer != null
                && event.rdmDictionaryMsg().rdmMsgType() == DictionaryMsgType.REQUEST) {
            hub.admin().dictionary(session.consumer, (DictionaryRequest) event.rdmDictionaryMsg());
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public int defaultMsgCallback(final ReactorMsgEvent event) {
        final Session session = (Session) event.reactorChannel().userSpecObj();
        try {
            on(session, event.msg(), event.reactorChannel());
        } finally {
            hub.dictionaries().hasRead();
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    private void on(final Session session, final Msg message, final ReactorChannel channel) {
        if (message == null) {
            hub.unreadable("of " + session.name());
        } else if (session.consumer != null) {
            hub.fromConsumer(session.consumer, message);
        } else if (session.publisher != null) {
            HubItem item = session.publisher.items().get(message.streamId());
            if (message.msgClass() == MsgClasses.REFRESH) {
                item = published(session.publisher, item, (RefreshMsg) message);
            }
            hub.fromSource(session.publisher, item, message, channel);
        } else {
            hub.ignored(message, "of " + session.name());
        }
    }

    /** The item of an unsolicited image; its last publisher provides it. */
    private HubItem published(
            final UnsolicitedSource publisher, final HubItem known, final RefreshMsg refresh) {
        if (known != null || !refresh.checkHasMsgKey() || !refresh.msgKey().checkHasName()) {
            return known;
        }
        final HubService service =
                publisher
                        .services()
                        .get(
                                refresh.msgKey().checkHasServiceId()
                                        ? refresh.msgKey().serviceId()
                                        : publisher.services().keySet().stream()
                                                .findFirst()
                                                .orElse(0));
        if (service == null) {
            return null;
        }
        final HubItem item = service.item(refresh.domainType(), refresh.msgKey().name().toString());
        if (item.source() != null) {
            item.source().items().remove(item.sourceStream());
        }
        item.from(publisher, refresh.streamId());
        publisher.items().put(refresh.streamId(), item);
        return item;
    }
}
