package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.CloseMsg;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.GenericMsg;
import com.refinitiv.eta.codec.MapEntryActions;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.PostMsg;
import com.refinitiv.eta.codec.PostMsgFlags;
import com.refinitiv.eta.codec.RequestMsg;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.rdm.InstrumentNameTypes;
import com.refinitiv.eta.valueadd.domainrep.rdm.MsgBase;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsg;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsgFactory;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryRefresh;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryUpdate;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.Service;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginRefresh;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginStatus;
import com.refinitiv.eta.valueadd.reactor.ConsumerCallback;
import com.refinitiv.eta.valueadd.reactor.ConsumerRole;
import com.refinitiv.eta.valueadd.reactor.RDMDictionaryMsgEvent;
import com.refinitiv.eta.valueadd.reactor.RDMDirectoryMsgEvent;
import com.refinitiv.eta.valueadd.reactor.RDMLoginMsgEvent;
import com.refinitiv.eta.valueadd.reactor.ReactorCallbackReturnCodes;
import com.refinitiv.eta.valueadd.reactor.ReactorChannel;
import com.refinitiv.eta.valueadd.reactor.ReactorChannelEvent;
import com.refinitiv.eta.valueadd.reactor.ReactorChannelEventTypes;
import com.refinitiv.eta.valueadd.reactor.ReactorErrorInfo;
import com.refinitiv.eta.valueadd.reactor.ReactorFactory;
import com.refinitiv.eta.valueadd.reactor.ReactorMsgEvent;
import com.refinitiv.eta.valueadd.reactor.ReactorReturnCodes;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.hub.HubCounts.Traffic;
import io.tickmark.workloads.market.rssl.DictionaryDownload;
import io.tickmark.workloads.market.rssl.FirstSender;
import io.tickmark.workloads.market.rssl.PackedWriter;
import io.tickmark.workloads.market.rssl.Rssl;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * The connection to an interactive provider, as a consumer of it; reconnects by itself when it is
 * lost. Single-threaded.
 */
final class ProviderLink implements ItemSource, ConsumerCallback {
    /** Below are login, directory and dictionaries. */
    private static final int FIRST_ITEM_STREAM = 10;

    /** A provider whose run is over ends a moment before the hub. */
    private static final long GONE_NS = 3_000_000_000L;

    private static final double NS_PER_S = 1e9;

    private final Peer peer;
    private final Hub hub;
    private final Msg message = CodecFactory.createMsg();
    private final Int2ObjectHashMap<HubItem> items = new Int2ObjectHashMap<>();
    private final Map<Integer, HubService> services = new HashMap<>();
    private ReactorChannel channel;
    private Outbox outbox;
    private boolean wasUp;
    private long goneSinceNs;
    private String lastTrouble = "";
    private String refusal = "";
    private final Queue<Pending> unanswered = new ArrayDeque<>();
    private final List<DirectoryMsg> heldBack = new ArrayList<>();
    private DictionaryDownload download;
    private long downloadBeganNs;
    private boolean hasDictionary;
    private boolean takesPosts;

    /** A pending request; they are kept in the order of their times. */
    private record Pending(HubItem item, long atNs) {}

    private int nextStream = FIRST_ITEM_STREAM;

    ProviderLink(final Peer peer, final Hub hub) {
        this.peer = peer;
        this.hub = hub;
    }

    /** Begins to connect. */
    void connect() {
        final ConsumerRole role = ReactorFactory.createConsumerRole();
        role.initDefaultRDMLoginRequest();
        role.initDefaultRDMDirectoryRequest();
        role.rdmLoginRequest().userName().data("tickmark-hub");
        role.channelEventCallback(this);
        role.defaultMsgCallback(this);
        role.loginMsgCallback(this);
        role.directoryMsgCallback(this);
        role.dictionaryMsgCallback(this);
        role.watchlistOptions().enableWatchlist(false);
        final ReactorErrorInfo error = ReactorFactory.createReactorErrorInfo();
        final int result =
                hub.loop()
                        .reactor()
                        .connect(
                                Rssl.connectTo(
                                        peer.host(),
                                        peer.port(),
                                        hub.settings().connection(),
                                        hub.settings().reconnectDelay()),
                                role,
                                error);
        if (result < ReactorReturnCodes.SUCCESS) {
            throw UserError.environment(
                    "The provider %s cannot be connected to: %s."
                            .formatted(peer, Rssl.text(error)));
        }
    }

    @Override
    public int reactorChannelEventCallback(final ReactorChannelEvent event) {
        hub.dictionaries().hasRead();
        switch (event.eventType()) {
            case ReactorChannelEventTypes.CHANNEL_UP -> {
                channel = event.reactorChannel();
                wasUp = true;
                lastTrouble = "";
                outbox =
                        new Outbox(
                                new PackedWriter(channel, hub.settings().connection()),
                                hub.settings().queue().maxQueuedBytes(),
                                hub.counts().traffic().noBuffer(),
                                null);
                hub.loop().add(channel);
                FirstSender.await(channel);
            }
            case ReactorChannelEventTypes.FD_CHANGE -> hub.loop().descriptorChanged(channel);
            case ReactorChannelEventTypes.CHANNEL_DOWN_RECONNECTING,
                    ReactorChannelEventTypes.CHANNEL_DOWN ->
                    down(event);
            default -> {
                // ready: the directory lists what can be requested
            }
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    private void down(final ReactorChannelEvent event) {
        if (channel != null) {
            hub.report(
                    "The provider %s is gone (%s); trying to reach it again."
                            .formatted(peer, Rssl.text(event.errorInfo())));
            hub.loop().forget(channel);
            channel = null;
            outbox = null;
            goneSinceNs = hub.nowNs();
            forget();
            hub.lost(this);
        } else {
            unreached(Rssl.text(event.errorInfo()));
        }
        if (event.eventType() == ReactorChannelEventTypes.CHANNEL_DOWN) {
            hub.loop().close(event.reactorChannel());
        }
    }

    /** An attempt has failed; the same error is reported once, however often it is tried. */
    private void unreached(final String why) {
        if (!why.equals(lastTrouble)) {
            lastTrouble = why;
            hub.report(
                    "The provider %s cannot be reached (%s); trying again.".formatted(peer, why));
        }
    }

    /**
     * A warning, at the end, where it was never reached, has refused the login, is gone, has not
     * given its dictionary, which its directory waits for, or has no service; otherwise empty.
     */
    String warning() {
        if (!refusal.isEmpty()) {
            return "The provider %s refused the hub's login (%s): its services were missing."
                    .formatted(peer, refusal);
        }
        if (wasUp && channel == null && hub.nowNs() - goneSinceNs > GONE_NS) {
            return String.format(
                    Locale.ROOT,
                    "The provider %s was gone at the end, and had been for %.1f s: its items were suspect.",
                    peer,
                    (hub.nowNs() - goneSinceNs) / NS_PER_S);
        }
        if (download != null) {
            return "The provider %s had not given its dictionary by the end: its services were missing (--request-timeout)."
                    .formatted(peer);
        }
        if (channel != null && services.isEmpty()) {
            return "The provider %s had named no service by the end: nothing could be requested from it."
                    .formatted(peer);
        }
        return wasUp
                ? ""
                : "The hub never reached the provider %s%s: its services were missing; correct --providers, or start it."
                        .formatted(peer, lastTrouble.isEmpty() ? "" : " (" + lastTrouble + ")");
    }

    @Override
    public int rdmLoginMsgCallback(final RDMLoginMsgEvent event) {
        hub.dictionaries().hasRead();
        if (event.rdmLoginMsg() == null) {
            hub.unreadable("about the login at the provider " + peer);
            return ReactorCallbackReturnCodes.SUCCESS;
        }
        if (event.rdmLoginMsg().rdmMsgType() == LoginMsgType.REFRESH) {
            final LoginRefresh refresh = (LoginRefresh) event.rdmLoginMsg();
            takesPosts =
                    refresh.checkHasFeatures()
                            && refresh.features().checkHasSupportPost()
                            && refresh.features().supportOMMPost() == 1;
        } else if (event.rdmLoginMsg().rdmMsgType() == LoginMsgType.STATUS) {
            final LoginStatus status = (LoginStatus) event.rdmLoginMsg();
            final String words =
                    status.checkHasState() && status.state().text().length() > 0
                            ? status.state().text().toString()
                            : "no reason given";
            if (status.checkHasState() && status.state().streamState() != StreamStates.OPEN) {
                refusal = words;
            }
            hub.report("The provider %s answered the hub's login: %s.".formatted(peer, words));
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public int rdmDirectoryMsgCallback(final RDMDirectoryMsgEvent event) {
        hub.dictionaries().hasRead();
        if (event.rdmDirectoryMsg() != null) {
            directory(event.rdmDirectoryMsg());
        } else {
            hub.unreadable("about the directory of the provider " + peer);
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    /** The directory applies once the dictionary of its items is loaded. */
    private void directory(final DirectoryMsg directory) {
        if (download == null && !hasDictionary && hub.dictionaries().learns()) {
            final int from = offering(directory);
            if (from >= 0) {
                download = new DictionaryDownload();
                downloadBeganNs = hub.nowNs();
                for (final MsgBase request : DictionaryDownload.requests(from)) {
                    hub.answers().encode(request);
                    outbox.send(hub.scratch().encoded(), request.streamId());
                }
            }
        }
        if (download == null) {
            hub.services().on(this, directory);
        } else {
            heldBack.add(copyOf(directory));
        }
    }

    /** The service that offers dictionaries, -1 where none does. */
    private static int offering(final DirectoryMsg directory) {
        final List<Service> services =
                switch (directory.rdmMsgType()) {
                    case REFRESH -> ((DirectoryRefresh) directory).serviceList();
                    case UPDATE -> ((DirectoryUpdate) directory).serviceList();
                    default -> List.of();
                };
        return services.stream()
                .filter(each ->
                        each.action() != MapEntryActions.DELETE
                                && each.checkHasInfo()
                                && DictionaryDownload.isOffered(
                                        each.info().dictionariesProvidedList()))
                .map(Service::serviceId)
                .findFirst()
                .orElse(-1);
    }

    /** The library's message is its own again after the callback. */
    private static DirectoryMsg copyOf(final DirectoryMsg directory) {
        final DirectoryMsg copy = DirectoryMsgFactory.createMsg();
        copy.rdmMsgType(directory.rdmMsgType());
        switch (directory.rdmMsgType()) {
            case REFRESH -> ((DirectoryRefresh) directory).copy((DirectoryRefresh) copy);
            case UPDATE -> ((DirectoryUpdate) directory).copy((DirectoryUpdate) copy);
            default -> {
                // nothing is dropped: no other says anything about services
            }
        }
        return copy;
    }

    @Override
    public int rdmDictionaryMsgCallback(final RDMDictionaryMsgEvent event) {
        hub.dictionaries().hasRead();
        if (event.rdmDictionaryMsg() == null) {
            hub.unreadable("about the dictionary of the provider " + peer);
        } else if (download != null) {
            download.on(event.rdmDictionaryMsg(), channel.majorVersion(), channel.minorVersion());
            if (download.isComplete()) {
                final FieldDictionary learned = download.result();
                hub.dictionaries().learn(this, learned);
                hub.report(
                        "The provider %s has a dictionary of %d fields, which consumers get too."
                                .formatted(peer, learned.codec().numberOfEntries()));
                endDownload();
            } else if (!download.failure().isEmpty()) {
                withoutDictionary(download.failure());
            }
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    private void withoutDictionary(final String why) {
        hub.counts().dropped(Traffic::dictionariesMissing, () -> "%s (%s)".formatted(peer, why));
        hub.report(
                "The provider %s gives no dictionary (%s): consumers get the hub's own."
                        .formatted(peer, why));
        endDownload();
    }

    private void endDownload() {
        download = null;
        hasDictionary = true;
        final List<DirectoryMsg> all = List.copyOf(heldBack);
        heldBack.clear();
        all.forEach(directory -> hub.services().on(this, directory));
    }

    /** Repeats requests that were not answered in time. */
    void remind(final long nowNs) {
        final long timeoutNs = hub.settings().requestTimeout().toNanos();
        if (timeoutNs == 0 || outbox == null) {
            return;
        }
        if (download != null && nowNs - downloadBeganNs > timeoutNs) {
            withoutDictionary(
                    "no answer within " + Durations.format(hub.settings().requestTimeout()));
        }
        while (!unanswered.isEmpty() && nowNs - unanswered.peek().atNs() > timeoutNs) {
            final Pending pending = unanswered.remove();
            final HubItem item = pending.item();
            if (item.source() == this
                    && item.isUnanswered()
                    && item.requestedNs() == pending.atNs()) {
                hub.counts()
                        .dropped(Traffic::requestsRepeated, () -> "%s at %s".formatted(item, peer));
                request(item);
            }
        }
    }

    @Override
    public int defaultMsgCallback(final ReactorMsgEvent event) {
        try {
            if (event.msg() == null) {
                hub.unreadable("of the provider " + peer);
            } else {
                hub.fromSource(this, items.get(event.msg().streamId()), event.msg(), channel);
            }
        } finally {
            hub.dictionaries().hasRead();
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public String name() {
        return peer.toString();
    }

    @Override
    public boolean acceptsRequests() {
        return true;
    }

    @Override
    public void request(final HubItem item) {
        if (item.source() != this) {
            item.from(this, nextStream++);
            items.put(item.sourceStream(), item);
        }
        message.clear();
        message.msgClass(MsgClasses.REQUEST);
        message.domainType(item.domainType());
        message.containerType(DataTypes.NO_DATA);
        final RequestMsg request = (RequestMsg) message;
        request.applyStreaming();
        request.msgKey().applyHasName();
        request.msgKey().name(item.codecName());
        request.msgKey().applyHasNameType();
        request.msgKey().nameType(InstrumentNameTypes.RIC);
        request.msgKey().applyHasServiceId();
        services.forEach((id, service) -> {
            if (service == item.service()) {
                request.msgKey().serviceId(id);
            }
        });
        send(message, item.sourceStream());
        item.requested(hub.nowNs());
        unanswered.add(new Pending(item, item.requestedNs()));
    }

    private void send(final Msg outgoing, final int streamId) {
        if (outbox != null) {
            hub.answers().encode(outgoing);
            outbox.send(hub.scratch().encoded(), streamId);
        }
    }

    @Override
    public void close(final HubItem item) {
        message.clear();
        message.msgClass(MsgClasses.CLOSE);
        message.domainType(item.domainType());
        message.containerType(DataTypes.NO_DATA);
        send((CloseMsg) message, item.sourceStream());
    }

    @Override
    public boolean post(final HubItem item, final PostMsg post) {
        if (!takesPosts) {
            return false;
        }
        final int flags = post.flags();
        post.flags(flags & ~PostMsgFlags.ACK); // the hub answers the poster itself
        send(post, item.sourceStream());
        post.flags(flags);
        return true;
    }

    @Override
    public boolean generic(final HubItem item, final GenericMsg generic) {
        if (outbox == null) {
            return false;
        }
        outbox.send(generic.encodedMsgBuffer(), item.sourceStream());
        return true;
    }

    /** Its outbox while it is connected, otherwise null. */
    Outbox outbox() {
        return outbox;
    }

    /** The connection is not to be used any more; a new one is made. */
    void drop(final String why) {
        hub.report("The provider %s is disconnected: %s.".formatted(peer, why));
        final ReactorChannel lost = channel;
        channel = null;
        outbox = null;
        forget();
        hub.lost(this);
        hub.loop().close(lost);
        connect();
    }

    /** Resets requests in flight on a lost connection; its dictionary is requested again. */
    private void forget() {
        unanswered.clear();
        heldBack.clear();
        download = null;
        hasDictionary = false;
    }

    boolean uses(final ReactorChannel any) {
        return channel == any;
    }

    @Override
    public boolean hasClosed(final int streamId) {
        return streamId >= FIRST_ITEM_STREAM && streamId < nextStream;
    }

    @Override
    public Int2ObjectHashMap<HubItem> items() {
        return items;
    }

    @Override
    public Map<Integer, HubService> services() {
        return services;
    }
}
