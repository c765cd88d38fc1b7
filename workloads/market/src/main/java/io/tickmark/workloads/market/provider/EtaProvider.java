package io.tickmark.workloads.market.provider;

import com.refinitiv.eta.codec.AckMsg;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.CopyMsgFlags;
import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.PostMsg;
import com.refinitiv.eta.codec.RequestMsg;
import com.refinitiv.eta.codec.StateCodes;
import com.refinitiv.eta.codec.StatusMsg;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.rdm.Directory;
import com.refinitiv.eta.rdm.DomainTypes;
import com.refinitiv.eta.rdm.Login;
import com.refinitiv.eta.transport.Server;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryRequest;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.ConsumerStatusService;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryConsumerStatus;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryRequest;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginConsumerConnectionStatus;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginRTT;
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
import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.record.Recording;
import io.tickmark.workloads.market.data.FieldView;
import io.tickmark.workloads.market.data.MessageEncoder;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.data.PayloadDecoder;
import io.tickmark.workloads.market.data.ReflectedPost;
import io.tickmark.workloads.market.data.RequestContent;
import io.tickmark.workloads.market.measure.LatencyKind;
import io.tickmark.workloads.market.measure.LatencyMeter;
import io.tickmark.workloads.market.measure.LatencyMeter.LatencyListener;
import io.tickmark.workloads.market.measure.StampClock;
import io.tickmark.workloads.market.rssl.FirstSender;
import io.tickmark.workloads.market.rssl.PackedWriter;
import io.tickmark.workloads.market.rssl.ReactorLoop;
import io.tickmark.workloads.market.rssl.Rssl;
import io.tickmark.workloads.market.source.AdminReplies;
import io.tickmark.workloads.market.source.DictionaryReply;
import io.tickmark.workloads.market.source.EncodeTime;
import io.tickmark.workloads.market.source.EtaSink;
import io.tickmark.workloads.market.source.ItemFeed;
import io.tickmark.workloads.market.source.SentItem;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.NanoClock;

/**
 * One thread of the provider with its consumers' connections: bursts on the tick, images and
 * reading in the time that is left.
 */
final class EtaProvider implements ProviderCallback, ProviderApi {
    private final ProviderShared shared;
    private final ReactorLoop loop;
    private final AdminReplies admin;
    private final DictionaryReply dictionaries;
    private final EtaServed.Tools tools;
    private final MessageEncoder encoder;
    private final EncodeTime encodeTime;
    private final LoopCounts<ProviderCounts> loopCounts;
    private final ProviderCounts counts;
    private final List<EtaServed> connections = new ArrayList<>();
    private final ProviderRole role = ReactorFactory.createProviderRole();
    private final LatencyRecorder loginRoundTrip;
    private final AtomicInteger load = new AtomicInteger();

    EtaProvider(
            final ProviderShared shared,
            final ReactorLoop loop,
            final int number,
            final LatencyListener each) {
        this.shared = shared;
        this.loop = loop;
        final ProviderSettings settings = shared.settings();
        admin = new AdminReplies(settings.serviceName(), settings.serviceId());
        dictionaries = new DictionaryReply(shared.dictionary());
        encoder = new MessageEncoder(shared.dictionary(), settings.source().stampUnit());
        final Recording recording = shared.context().recording();
        loopCounts = new LoopCounts<>(ProviderCounts.COLUMNS, number, recording);
        counts = loopCounts.live();
        final String suffix = LoopCounts.suffix(number);
        tools =
                new EtaServed.Tools(
                        shared.ownMessages(),
                        settings.serviceId(),
                        new PayloadDecoder(shared.dictionary()),
                        new ReflectedPost(),
                        new LatencyMeter(
                                LatencyKind.GENERIC,
                                number,
                                "AtProvider",
                                recording,
                                counts.genericLatency(),
                                each),
                        new StampClock(),
                        settings.measureDecode() ? recording.latency("decodeNs" + suffix) : null,
                        shared.context().clock(),
                        counts);
        encodeTime = shared.encodeTime(number);
        loginRoundTrip = recording.latency("loginRoundTripNs" + suffix);
        role.channelEventCallback(this);
        role.loginMsgCallback(this);
        role.directoryMsgCallback(this);
        role.dictionaryMsgCallback(this);
        role.defaultMsgCallback(this);
    }

    /**
     * Accepts a connecting consumer; called by the thread that accepts. False where that could not
     * be.
     */
    boolean accept(final Server server) {
        final ReactorErrorInfo trouble = ReactorFactory.createReactorErrorInfo();
        final ReactorAcceptOptions options = ReactorFactory.createReactorAcceptOptions();
        options.acceptOptions().sysSendBufSize(shared.connection().socketSendBytes());
        load.incrementAndGet();
        final Optional<String> refusal =
                Rssl.accept(loop.reactor(), server, options, role, trouble);
        refusal.ifPresent(why -> {
            load.decrementAndGet();
            shared.refusedConnection(why);
        });
        loop.wake();
        return refusal.isEmpty();
    }

    /**
     * Connections assigned to it; the thread that accepts adds to their number, this one subtracts.
     */
    int load() {
        return load.get();
    }

    @Override
    public LoopCounts<ProviderCounts> counts() {
        return loopCounts;
    }

    @Override
    public boolean hasOtherClock() {
        return tools.stampClock().hasOther();
    }

    @Override
    public List<EtaServed> connections() {
        return connections;
    }

    @Override
    public void sendRoundTrips() {
        for (final EtaServed each : connections) {
            if (each.roundTripStream() >= 0) {
                admin.roundTrip(each.channel(), each.roundTripStream());
            }
        }
    }

    @Override
    public boolean dispatch(final long nowNs) {
        for (int i = connections.size() - 1; i >= 0; i--) { // backwards: slow ones are removed
            final EtaServed each = connections.get(i);
            if (shared.isTooSlow(each, counts)) {
                down(each.channel());
            }
        }
        return loop.dispatch(nowNs);
    }

    @Override
    public void idle(final long forNs) {
        loop.idle(forNs);
    }

    @Override
    public void close() {
        loop.close();
    }

    @Override
    public int reactorChannelEventCallback(final ReactorChannelEvent event) {
        final ReactorChannel channel = event.reactorChannel();
        switch (event.eventType()) {
            case ReactorChannelEventTypes.CHANNEL_UP -> up(channel);
            case ReactorChannelEventTypes.FD_CHANGE -> loop.descriptorChanged(channel);
            case ReactorChannelEventTypes.CHANNEL_DOWN -> down(channel);
            default -> {}
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    private void up(final ReactorChannel channel) {
        final ProviderSettings settings = shared.settings();
        final ItemFeed feed = shared.feed(connections.size());
        final PackedWriter writer = new PackedWriter(channel, shared.connection());
        final EtaSink sink =
                new EtaSink(
                        encoder,
                        writer,
                        settings.source().preEnc(),
                        settings.serviceId(),
                        encodeTime);
        final EtaServed served = new EtaServed(channel, writer, feed, sink, tools);
        served.isElsewhere(shared.otherClock().isElsewhere(address(channel)));
        connections.add(served);
        loop.add(channel);
        FirstSender.say(channel, shared.connection());
        counts.connections().increment();
        shared.consumerJoined();
    }

    /** The address of the consumer; empty where it is not known. */
    private static String address(final ReactorChannel channel) {
        final InetAddress address =
                channel.selectableChannel() instanceof final SocketChannel socket
                        ? socket.socket().getInetAddress()
                        : null;
        return address == null ? "" : address.getHostAddress();
    }

    private void down(final ReactorChannel channel) {
        final EtaServed gone = connection(channel);
        loop.remove(channel);
        load.decrementAndGet();
        if (gone != null) {
            gone.settle();
            gone.leave(shared.context().clock().nanoTime());
            connections.remove(gone);
            shared.consumerLeft();
        }
    }

    private EtaServed connection(final ReactorChannel channel) {
        for (int i = 0; i < connections.size(); i++) {
            if (connections.get(i).channel() == channel) {
                return connections.get(i);
            }
        }
        return null;
    }

    @Override
    public int rdmLoginMsgCallback(final RDMLoginMsgEvent event) {
        if (event.rdmLoginMsg() == null) {
            counts.garbled().increment();
            return ReactorCallbackReturnCodes.SUCCESS;
        }
        if (event.rdmLoginMsg().rdmMsgType() == LoginMsgType.CONSUMER_CONNECTION_STATUS) {
            final LoginConsumerConnectionStatus status =
                    (LoginConsumerConnectionStatus) event.rdmLoginMsg();
            if (status.checkHasWarmStandbyInfo()) {
                standby(event.reactorChannel(), status.warmStandbyInfo().warmStandbyMode());
            }
        } else if (event.rdmLoginMsg().rdmMsgType() == LoginMsgType.REQUEST) {
            final LoginRequest request = (LoginRequest) event.rdmLoginMsg();
            admin.login(event.reactorChannel(), request);
            final EtaServed from = connection(event.reactorChannel());
            if (from != null && AdminReplies.measuresRoundTrips(request)) {
                from.roundTripStream(request.streamId());
            }
        } else if (event.rdmLoginMsg().rdmMsgType() == LoginMsgType.RTT) {
            loginRoundTrip.record(
                    ((LoginRTT) event.rdmLoginMsg()).calculateRTTLatency(TimeUnit.NANOSECONDS));
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    private void standby(final ReactorChannel channel, final long mode) {
        final EtaServed from = connection(channel);
        if (from != null) {
            from.standby(mode == Login.ServerTypes.STANDBY);
        }
    }

    @Override
    public int rdmDirectoryMsgCallback(final RDMDirectoryMsgEvent event) {
        if (event.rdmDirectoryMsg() == null) {
            counts.garbled().increment();
        } else if (event.rdmDirectoryMsg().rdmMsgType() == DirectoryMsgType.CONSUMER_STATUS) {
            final DirectoryConsumerStatus status =
                    (DirectoryConsumerStatus) event.rdmDirectoryMsg();
            for (final ConsumerStatusService each : status.consumerServiceStatusList()) {
                if (each.checkHasWarmStandbyMode()
                        && each.serviceId() == shared.settings().serviceId()) {
                    standby(event.reactorChannel(), each.warmStandbyMode());
                }
            }
        }
        if (event.rdmDirectoryMsg() != null
                && event.rdmDirectoryMsg().rdmMsgType() == DirectoryMsgType.REQUEST) {
            final DirectoryRequest request = (DirectoryRequest) event.rdmDirectoryMsg();
            final long filter =
                    request.filter() == 0
                            ? Directory.ServiceFilterFlags.INFO | Directory.ServiceFilterFlags.STATE
                            : request.filter();
            admin.directory(event.reactorChannel(), request.streamId(), filter);
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public int rdmDictionaryMsgCallback(final RDMDictionaryMsgEvent event) {
        final EtaServed from = connection(event.reactorChannel());
        if (event.rdmDictionaryMsg() == null) {
            counts.garbled().increment();
        }
        if (from != null
                && event.rdmDictionaryMsg() != null
                && event.rdmDictionaryMsg().rdmMsgType() == DictionaryMsgType.REQUEST) {
            final DictionaryRequest request = (DictionaryRequest) event.rdmDictionaryMsg();
            final String trouble = dictionaries.answer(request, from::sendOrCopy);
            if (!trouble.isEmpty()) {
                shared.context().log("A dictionary was not sent: " + trouble + ".");
            }
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public int defaultMsgCallback(final ReactorMsgEvent event) {
        final EtaServed from = connection(event.reactorChannel());
        if (from != null) {
            from.on(event.msg());
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    /**
     * The item side of one consumer's connection: its requests, posts and generic messages.
     * Single-threaded.
     */
    static final class EtaServed extends ServedConsumer {
        private final ReactorChannel channel;
        private final PackedWriter writer;
        private final EtaSink sink;
        private final Tools tools;
        private final ArrayDeque<Msg> waiting = new ArrayDeque<>();
        private long waitingBytes;
        private int loginStream = -1;

        /** State shared by the connections of a thread. */
        record Tools(
                MessageFile messages,
                int serviceId,
                PayloadDecoder decoder,
                ReflectedPost reflection,
                LatencyMeter genericMeter,
                StampClock stampClock,
                LatencyRecorder decodeTime,
                NanoClock clock,
                ProviderCounts counts) {}

        EtaServed(
                final ReactorChannel channel,
                final PackedWriter writer,
                final ItemFeed feed,
                final EtaSink sink,
                final Tools tools) {
            super(feed, sink, tools.counts());
            this.channel = channel;
            this.sink = sink;
            this.writer = writer;
            this.tools = tools;
        }

        ReactorChannel channel() {
            return channel;
        }

        /** The consumer answers round trips on this stream; -1 where it does not. */
        int roundTripStream() {
            return loginStream;
        }

        void roundTripStream(final int streamId) {
            loginStream = streamId;
        }

        void on(final Msg message) {
            if (message == null) {
                tools.counts().garbled().increment();
                return;
            }
            forgetSnapshots();
            switch (message.msgClass()) {
                case MsgClasses.REQUEST -> onRequest((RequestMsg) message);
                case MsgClasses.CLOSE -> close(message.streamId(), tools.clock().nanoTime());
                case MsgClasses.POST -> onPost((PostMsg) message);
                case MsgClasses.GENERIC -> onGeneric(message);
                default -> tools.counts().ignored().increment(); // a consumer sends nothing else
            }
        }

        private void onRequest(final RequestMsg request) {
            tools.counts().requests().increment();
            final RequestContent content =
                    RequestContent.of(request, channel.majorVersion(), channel.minorVersion());
            final SentItem known = item(request.streamId());
            if (known != null) {
                reissue(request, content, known);
                return;
            }
            final String refusal = refusal(request, content);
            if (!refusal.isEmpty()) {
                tools.counts().refused().increment();
                send(closed(request, refusal, DataStates.SUSPECT, code(request, content)));
                return;
            }
            if (!request.checkHasBatch()) {
                open(
                        request,
                        request.streamId(),
                        request.msgKey().name().toString(),
                        content.view());
                return;
            }
            final int count = content.items().size();
            send(
                    closed(
                            request,
                            count + " items, each on a stream of its own",
                            DataStates.OK,
                            StateCodes.NONE));
            for (int i = 0; i < count; i++) {
                open(request, request.streamId() + 1 + i, content.items().get(i), content.view());
            }
        }

        /** A request on a stream that is open: for its image again, or for other fields of it. */
        private void reissue(
                final RequestMsg request, final RequestContent content, final SentItem known) {
            final String refusal = refusal(request, content, known);
            if (!refusal.isEmpty()) {
                tools.counts().refused().increment();
                final int code =
                        request.checkHasBatch() || !content.trouble().isEmpty()
                                ? code(request, content)
                                : StateCodes.USAGE_ERROR;
                // the stream goes on as before
                final Msg status =
                        status(request, refusal, StreamStates.OPEN, DataStates.NO_CHANGE, code);
                status.domainType(known.domainType());
                send(status);
                return;
            }
            if (!request.checkHasView() || content.view() != null) {
                known.view(content.view()); // a view that is not sent again is kept
            }
            if (!request.checkNoRefresh()) {
                feed().wantImage(known, true);
            }
        }

        private String refusal(
                final RequestMsg request, final RequestContent content, final SentItem known) {
            if (!content.trouble().isEmpty()) {
                return unreadable(content);
            }
            if (request.checkHasBatch()) {
                return "stream %d is open for %s: a batch needs a stream that is not"
                        .formatted(request.streamId(), known.name());
            }
            final boolean isAnother =
                    request.domainType() != known.domainType()
                            || request.msgKey().checkHasName()
                                    && !request.msgKey().name().toString().equals(known.name())
                            || request.msgKey().checkHasServiceId()
                                    && request.msgKey().serviceId() != tools.serviceId();
            return isAnother
                    ? "stream %d is open for %s in domain %s: another item needs a stream of its own"
                            .formatted(
                                    request.streamId(),
                                    known.name(),
                                    DomainTypes.toString(known.domainType()))
                    : "";
        }

        private void open(
                final RequestMsg request,
                final int streamId,
                final String name,
                final FieldView view) {
            final SentItem item =
                    new SentItem(
                            streamId,
                            name,
                            tools.messages().messages(request.domainType()),
                            request.checkStreaming());
            item.view(view);
            open(item);
        }

        /**
         * The consumer has another server that is active, or no longer has one: then each item's
         * image is sent with its content, and updates follow.
         */
        void standby(final boolean isStandby) {
            sink.standby(isStandby);
            standby(isStandby, tools.clock().nanoTime());
            if (!isStandby) {
                forgetSnapshots(); // otherwise they were sent once more
                items().forEach(item -> feed().wantImage(item, item.wantsImage()));
            }
        }

        private String refusal(final RequestMsg request, final RequestContent content) {
            if (!tools.messages().has(request.domainType())) {
                return "the message file has nothing for this domain";
            }
            if (!content.trouble().isEmpty()) {
                return unreadable(content);
            }
            for (int i = 1; i <= content.items().size(); i++) {
                if (item(request.streamId() + i) != null) {
                    return "stream %d, which an item of the batch needs, is already open"
                            .formatted(request.streamId() + i);
                }
            }
            if (request.checkHasBatch()
                    ? content.items().isEmpty()
                    : !request.msgKey().checkHasName()) {
                return "the request names no item";
            }
            return request.msgKey().checkHasServiceId()
                            && request.msgKey().serviceId() != tools.serviceId()
                    ? "there is no service " + request.msgKey().serviceId()
                    : "";
        }

        private static String unreadable(final RequestContent content) {
            return "the request cannot be read: " + content.trouble();
        }

        private static int code(final RequestMsg request, final RequestContent content) {
            if (request.checkHasView() && !content.trouble().isEmpty()) {
                return StateCodes.INVALID_VIEW;
            }
            return request.checkHasBatch()
                    ? StateCodes.UNABLE_TO_REQUEST_AS_BATCH
                    : StateCodes.NOT_FOUND;
        }

        private static Msg closed(
                final RequestMsg request, final String words, final int dataState, final int code) {
            return status(request, words, StreamStates.CLOSED, dataState, code);
        }

        private static Msg status(
                final RequestMsg request,
                final String words,
                final int streamState,
                final int dataState,
                final int code) {
            final Msg message = CodecFactory.createMsg();
            message.msgClass(MsgClasses.STATUS);
            final StatusMsg status = (StatusMsg) message;
            status.streamId(request.streamId());
            status.domainType(request.domainType());
            status.containerType(DataTypes.NO_DATA);
            status.applyHasState();
            status.state().streamState(streamState);
            status.state().dataState(dataState);
            status.state().code(code);
            status.state().text().data(words);
            return message;
        }

        private void onPost(final PostMsg post) {
            tools.counts().posts().increment();
            if (post.checkAck()) {
                send(acknowledged(post));
            }
            if (item(post.streamId()) == null) {
                tools.counts().unreflected().increment();
                return; // a post on the login stream: it has no watchers here
            }
            final Msg reflection =
                    tools.reflection().of(post, channel.majorVersion(), channel.minorVersion());
            if (reflection == null) {
                tools.counts().unreflected().increment();
            } else {
                reflection.streamId(post.streamId());
                if (sendOrCopy(reflection)) {
                    tools.counts().reflected().increment();
                }
            }
        }

        private static Msg acknowledged(final PostMsg post) {
            final Msg message = CodecFactory.createMsg();
            message.msgClass(MsgClasses.ACK);
            final AckMsg ack = (AckMsg) message;
            ack.streamId(post.streamId());
            ack.domainType(post.domainType());
            ack.containerType(DataTypes.NO_DATA);
            ack.ackId(post.postId());
            if (post.checkHasSeqNum()) {
                ack.applyHasSeqNum();
                ack.seqNum(post.seqNum());
            }
            return message;
        }

        private void onGeneric(final Msg message) {
            tools.counts().genericsReceived().increment();
            final long beginNs = tools.decodeTime() == null ? 0 : tools.clock().nanoTime();
            final int code =
                    tools.decoder().decode(message, channel.majorVersion(), channel.minorVersion());
            if (tools.decodeTime() != null) {
                tools.decodeTime().record(tools.clock().nanoTime() - beginNs);
            }
            if (code < CodecReturnCodes.SUCCESS) {
                tools.counts().garbled().increment();
                return;
            }
            final long sequence = tools.decoder().sequence(MessageKind.GENERIC);
            if (sequence != 0 && item(message.streamId()) != null) {
                generics().onMessage(message.streamId(), sequence);
            }
            final long stamp = tools.decoder().taken(MessageKind.GENERIC);
            if (stamp != 0 && tools.stampClock().isOwn(tools.decoder().host(), isElsewhere())) {
                tools.genericMeter()
                        .onStamped(stamp, tools.decoder().intendedNs(), tools.clock().nanoTime());
            }
        }

        /**
         * Sends a message that only holds now; false where a copy of it waits for output buffers.
         */
        boolean sendOrCopy(final Msg message) {
            if (waiting.isEmpty() && write(message)) {
                return true;
            }
            final Msg copy = CodecFactory.createMsg();
            message.copy(copy, CopyMsgFlags.ALL_FLAGS);
            keep(copy);
            return false;
        }

        private void send(final Msg message) {
            if (!waiting.isEmpty() || !write(message)) {
                keep(message);
            }
        }

        private void keep(final Msg message) {
            waiting.add(message);
            waitingBytes += bytes(message);
        }

        private static int bytes(final Msg message) {
            final int body =
                    message.encodedDataBody() == null ? 0 : message.encodedDataBody().length();
            return HEADER_BYTES + body;
        }

        private boolean write(final Msg message) {
            final EncodeIterator iterator = writer.begin(bytes(message));
            if (iterator == null) {
                return false;
            }
            if (message.encode(iterator) < CodecReturnCodes.SUCCESS) {
                writer.abandon();
                tools.counts().unsent().increment();
                return true; // a peer's message that cannot be forwarded is not worth keeping
            }
            writer.end();
            return true;
        }

        @Override
        void forgetAnswers(final long handle) {
            waiting.removeIf(answer -> {
                if (answer.streamId() != handle) {
                    return false;
                }
                waitingBytes -= bytes(answer);
                return true;
            });
        }

        @Override
        void sendWaiting() {
            if (waiting.isEmpty()) {
                return;
            }
            forgetSnapshots();
            while (!waiting.isEmpty() && write(waiting.peek())) {
                final Msg sent = waiting.poll();
                waitingBytes -= bytes(sent);
                if (sent.msgClass() == MsgClasses.UPDATE) {
                    tools.counts().reflected().increment();
                }
            }
        }

        @Override
        long waitingBytes() {
            return waitingBytes;
        }

        @Override
        long noBuffer() {
            return writer.noBuffer();
        }

        @Override
        int buffersInUse() {
            return writer.bufferUsage();
        }

        @Override
        String failure() {
            if (!writer.hasLost()) {
                return "";
            }
            return writer.failure().isEmpty() ? "no reason given" : writer.failure();
        }
    }
}
