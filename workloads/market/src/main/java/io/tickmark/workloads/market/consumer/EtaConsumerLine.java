package io.tickmark.workloads.market.consumer;

import com.refinitiv.eta.codec.AckMsg;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.MapEntryActions;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.RefreshMsg;
import com.refinitiv.eta.codec.RequestMsg;
import com.refinitiv.eta.codec.State;
import com.refinitiv.eta.codec.StatusMsg;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.codec.UpdateMsg;
import com.refinitiv.eta.rdm.InstrumentNameTypes;
import com.refinitiv.eta.transport.Transport;
import com.refinitiv.eta.valueadd.domainrep.rdm.MsgBase;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsg;
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
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.Item;
import io.tickmark.workloads.market.data.MessageEncoder;
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.data.MessageTemplate;
import io.tickmark.workloads.market.data.PayloadDecoder;
import io.tickmark.workloads.market.data.PostHeader;
import io.tickmark.workloads.market.data.Tracking;
import io.tickmark.workloads.market.rssl.DictionaryDownload;
import io.tickmark.workloads.market.rssl.FirstSender;
import io.tickmark.workloads.market.rssl.PackedWriter;
import io.tickmark.workloads.market.rssl.ReactorLoop;
import io.tickmark.workloads.market.rssl.Rssl;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A connection on the Transport API: messages are encoded into packed buffers. */
final class EtaConsumerLine implements ConsumerLine {
    /** Message header and key without the name. */
    private static final int HEADER_BYTES = 64;

    private static final long LOOPBACK = 0x7f000001L;

    private final ReactorLoop loop;
    private final ConsumerSession session;
    private final WatchedItems items;
    private final TimeUnit stampUnit;
    private final RequestMsg request;
    private final PostHeader header;
    private final Tracking tracking = new Tracking();
    private MessageEncoder encoder;

    EtaConsumerLine(
            final ConsumerShared shared,
            final int number,
            final WatchedItems items,
            final ItemIntake intake,
            final long ownUserId) {
        loop = shared.settings().run().reactor(shared, number, shared.connection());
        this.items = items;
        session =
                new ConsumerSession(
                        shared, loop, new ConsumerInbox(items, intake, shared.dictionary()));
        stampUnit = shared.settings().nanoTime() ? TimeUnit.NANOSECONDS : TimeUnit.MICROSECONDS;
        header = new PostHeader(ownUserId, LOOPBACK);
        final Msg message = CodecFactory.createMsg();
        message.msgClass(MsgClasses.REQUEST);
        request = (RequestMsg) message;
    }

    @Override
    public void open() {
        session.open();
    }

    @Override
    public void dispatch(final long nowNs) {
        loop.dispatch(nowNs);
    }

    @Override
    public void idle(final long forNs) {
        loop.idle(forNs);
    }

    @Override
    public ConsumerLine.Phase phase() {
        return session.phase();
    }

    @Override
    public void phase(final ConsumerLine.Phase reached) {
        session.phase(reached);
    }

    @Override
    public boolean isReady() {
        return session.isReady();
    }

    @Override
    public String diagnosis() {
        return session.diagnosis();
    }

    @Override
    public FieldDictionary dictionary() {
        return session.dictionary();
    }

    @Override
    public boolean request(final int index, final boolean isSnapshot) {
        final Item item = items.get(index);
        final EncodeIterator iterator =
                session.writer().begin(HEADER_BYTES + 3 * item.name().length());
        if (iterator == null) {
            return false;
        }
        request.clear();
        request.msgClass(MsgClasses.REQUEST);
        request.streamId(WatchedItems.stream(index));
        request.domainType(item.domainType());
        request.containerType(DataTypes.NO_DATA);
        if (!isSnapshot) {
            request.applyStreaming();
        }
        request.msgKey().applyHasServiceId();
        request.msgKey().serviceId(session.serviceId());
        request.msgKey().applyHasNameType();
        request.msgKey().nameType(InstrumentNameTypes.RIC);
        request.msgKey().applyHasName();
        request.msgKey().name().data(item.name());
        check(request.encode(iterator));
        session.writer().end();
        return true;
    }

    @Override
    public boolean post(final int index, final MessageTemplate template, final Marks marks) {
        final EncodeIterator iterator = begin(template, marks);
        if (iterator == null) {
            return false;
        }
        check(encoder.post(iterator, template, WatchedItems.stream(index), tracking, header));
        session.writer().end();
        return true;
    }

    @Override
    public boolean generic(final int index, final MessageTemplate template, final Marks marks) {
        final EncodeIterator iterator = begin(template, marks);
        if (iterator == null) {
            return false;
        }
        check(encoder.generic(iterator, template, WatchedItems.stream(index), tracking));
        session.writer().end();
        return true;
    }

    private EncodeIterator begin(final MessageTemplate template, final Marks marks) {
        if (encoder == null) {
            encoder = new MessageEncoder(session.dictionary(), stampUnit);
        }
        if (marks.takenNs() == 0) {
            tracking.plain(marks.sequence());
        } else {
            tracking.timed(marks.sequence(), marks.takenNs(), marks.intendedNs());
        }
        return session.writer().begin(template.maxBytes(0));
    }

    private static void check(final int code) {
        if (code < CodecReturnCodes.SUCCESS) {
            throw new IllegalStateException(
                    "a message cannot be encoded: " + CodecReturnCodes.toString(code));
        }
    }

    @Override
    public void flush() {
        session.writer().flush();
    }

    @Override
    public String failure() {
        final PackedWriter writer = session.writer();
        return writer.hasFailed() ? writer.failure() : "";
    }

    @Override
    public long loginNs() {
        return session.loginNs();
    }

    @Override
    public void close() {
        session.close();
    }

    /**
     * The administrative side of one connection of the consumer: connects, logs in, finds its
     * service and loads the dictionary. Single-threaded.
     */
    private static final class ConsumerSession implements ConsumerCallback {
        private final ConsumerShared shared;
        private final ReactorLoop loop;
        private final ConsumerInbox inbox;
        private final ServiceWatch service;
        private final ReactorErrorInfo error = ReactorFactory.createReactorErrorInfo();
        private final DictionaryDownload download = new DictionaryDownload();
        private ConsumerLine.Phase phase = ConsumerLine.Phase.CONNECTING;
        private ReactorChannel channel;
        private PackedWriter writer;
        private FieldDictionary dictionary;
        private String lastTrouble = "";
        private long loginSentNs;
        private long loginNs;
        private boolean isDone;

        ConsumerSession(
                final ConsumerShared shared, final ReactorLoop loop, final ConsumerInbox inbox) {
            this.shared = shared;
            this.loop = loop;
            this.inbox = inbox;
            service = new ServiceWatch(shared.settings().serviceName());
            dictionary = shared.dictionary();
        }

        /** Starts connecting; continues in callbacks. */
        void open() {
            if (shared.connection().mayBeJson()) {
                loop.speakJson(dictionary, name -> service.isReady() ? service.serviceId() : -1);
            }
            final ConsumerRole role = ReactorFactory.createConsumerRole();
            role.channelEventCallback(this);
            role.loginMsgCallback(this);
            role.directoryMsgCallback(this);
            role.dictionaryMsgCallback(this);
            role.defaultMsgCallback(this);
            role.initDefaultRDMLoginRequest();
            role.rdmLoginRequest().userName().data(userName(shared.settings().uname()));
            role.rdmLoginRequest().attrib().applicationName().data("tickmark");
            role.initDefaultLoginRTT(); // a provider that measures round trips gets its answers
            role.initDefaultRDMDirectoryRequest();
            final int code =
                    loop.reactor()
                            .connect(
                                    Rssl.connectTo(
                                            shared.host(),
                                            shared.port(),
                                            shared.connection(),
                                            shared.settings().reconnectDelay()),
                                    role,
                                    error);
            if (code < ReactorReturnCodes.SUCCESS) {
                shared.fail(
                        "The connection to %s:%d cannot be opened: %s."
                                .formatted(shared.host(), shared.port(), Rssl.text(error)));
            }
        }

        private static String userName(final String wanted) {
            return wanted.isEmpty() ? Transport.userName() : wanted;
        }

        @Override
        public int reactorChannelEventCallback(final ReactorChannelEvent event) {
            final ReactorChannel from = event.reactorChannel();
            switch (event.eventType()) {
                case ReactorChannelEventTypes.CHANNEL_UP -> {
                    channel = from;
                    loop.add(from);
                    FirstSender.await(from);
                    writer = new PackedWriter(from, shared.connection());
                    phase = ConsumerLine.Phase.LOGIN;
                    loginSentNs = shared.context().clock().nanoTime();
                }
                case ReactorChannelEventTypes.FD_CHANGE -> loop.descriptorChanged(from);
                case ReactorChannelEventTypes.CHANNEL_DOWN,
                        ReactorChannelEventTypes.CHANNEL_DOWN_RECONNECTING ->
                        onDown(event);
                default -> {}
            }
            return ReactorCallbackReturnCodes.SUCCESS;
        }

        /** Before the first success it is tried again; afterwards the test is over. */
        private void onDown(final ReactorChannelEvent event) {
            lastTrouble = Rssl.text(event.errorInfo());
            if (phase == ConsumerLine.Phase.CONNECTING || isDone) {
                return;
            }
            shared.fail(
                    "The connection to %s:%d was lost while %s%s."
                            .formatted(
                                    shared.host(),
                                    shared.port(),
                                    phase.words(),
                                    lastTrouble.isEmpty() ? "" : " (" + lastTrouble + ")"));
        }

        @Override
        public int rdmLoginMsgCallback(final RDMLoginMsgEvent event) {
            if (event.rdmLoginMsg() == null) {
                return ReactorCallbackReturnCodes.SUCCESS;
            }
            if (event.rdmLoginMsg().rdmMsgType() == LoginMsgType.REFRESH) {
                final LoginRefresh refresh = (LoginRefresh) event.rdmLoginMsg();
                if (refresh.state().streamState() != StreamStates.OPEN) {
                    refused(refresh.state().text().toString());
                } else if (refresh.state().dataState() == DataStates.OK
                        && phase == ConsumerLine.Phase.LOGIN) {
                    loginNs = shared.context().clock().nanoTime() - loginSentNs;
                    phase = ConsumerLine.Phase.SERVICE;
                }
            } else if (event.rdmLoginMsg().rdmMsgType() == LoginMsgType.STATUS) {
                final LoginStatus status = (LoginStatus) event.rdmLoginMsg();
                if (status.checkHasState() && status.state().streamState() != StreamStates.OPEN) {
                    refused(status.state().text().toString());
                }
            }
            return ReactorCallbackReturnCodes.SUCCESS;
        }

        private void refused(final String words) {
            shared.fail(
                    "The provider at %s:%d refused the login of '%s': %s."
                            .formatted(
                                    shared.host(),
                                    shared.port(),
                                    userName(shared.settings().uname()),
                                    words.isEmpty() ? "no reason given" : words));
        }

        @Override
        public int rdmDirectoryMsgCallback(final RDMDirectoryMsgEvent event) {
            if (event.rdmDirectoryMsg() != null) {
                service.on(event.rdmDirectoryMsg());
            }
            return ReactorCallbackReturnCodes.SUCCESS;
        }

        @Override
        public int rdmDictionaryMsgCallback(final RDMDictionaryMsgEvent event) {
            if (event.rdmDictionaryMsg() != null && phase == ConsumerLine.Phase.DICTIONARY) {
                download.on(
                        event.rdmDictionaryMsg(), channel.majorVersion(), channel.minorVersion());
            }
            return ReactorCallbackReturnCodes.SUCCESS;
        }

        @Override
        public int defaultMsgCallback(final ReactorMsgEvent event) {
            inbox.on(event.msg(), event.reactorChannel());
            return ReactorCallbackReturnCodes.SUCCESS;
        }

        /** Moves on as far as it can; true once items may be requested. */
        boolean isReady() {
            if (phase == ConsumerLine.Phase.SERVICE && service.isReady()) {
                if (wantsDownload()) {
                    phase = ConsumerLine.Phase.DICTIONARY;
                    DictionaryDownload.requests(service.serviceId()).forEach(this::submit);
                } else {
                    phase = ConsumerLine.Phase.STARTUP;
                }
            }
            if (phase == ConsumerLine.Phase.DICTIONARY) {
                if (!download.failure().isEmpty()) {
                    shared.fail("No dictionary: " + download.failure() + ".");
                } else if (download.isComplete()) {
                    dictionary = download.result();
                    inbox.dictionary(dictionary);
                    phase = ConsumerLine.Phase.STARTUP;
                }
            }
            return phase.compareTo(ConsumerLine.Phase.DICTIONARY) > 0;
        }

        private boolean wantsDownload() {
            // JSON is converted with the dictionary that was there before the connection
            return shared.settings().content().fieldDictionary().isEmpty()
                    && !shared.connection().mayBeJson()
                    && DictionaryDownload.isOffered(service.dictionaries());
        }

        private void submit(final MsgBase message) {
            final int code =
                    channel.submit(message, ReactorFactory.createReactorSubmitOptions(), error);
            if (code < ReactorReturnCodes.SUCCESS) {
                shared.fail("A request cannot be sent: " + Rssl.text(error) + ".");
            }
        }

        /** Why items cannot be requested yet. */
        String diagnosis() {
            return switch (phase) {
                case CONNECTING ->
                        "nothing answers at %s:%d%s; start the provider first, and check host and --port"
                                .formatted(
                                        shared.host(),
                                        shared.port(),
                                        Optional.of(lastTrouble)
                                                .filter(t -> !t.isEmpty())
                                                .map(t -> " (" + t + ")")
                                                .orElse(""));
                case LOGIN ->
                        "%s:%d is connected but does not answer the login"
                                .formatted(shared.host(), shared.port());
                case SERVICE -> service.diagnosis();
                case DICTIONARY ->
                        "the provider does not send the dictionary that its directory offers";
                default -> phase.words();
            };
        }

        ConsumerLine.Phase phase() {
            return phase;
        }

        void phase(final ConsumerLine.Phase reached) {
            phase = reached;
        }

        PackedWriter writer() {
            return writer;
        }

        FieldDictionary dictionary() {
            return dictionary;
        }

        int serviceId() {
            return service.serviceId();
        }

        /** From the login request to its answer, 0 before. */
        long loginNs() {
            return loginNs;
        }

        /** A connection that closes from now on is not a failure. */
        void close() {
            isDone = true;
            loop.close();
        }
    }

    /**
     * Decodes the item messages of one connection on the Transport API, every field of them. One
     * thread.
     */
    private static final class ConsumerInbox {
        private final WatchedItems items;
        private final ItemIntake intake;
        private PayloadDecoder decoder;

        ConsumerInbox(
                final WatchedItems items,
                final ItemIntake intake,
                final FieldDictionary dictionary) {
            this.items = items;
            this.intake = intake;
            dictionary(dictionary);
        }

        /** Decodes with this dictionary from now on. */
        void dictionary(final FieldDictionary dictionary) {
            // the raw number: its unit is seen from the number itself
            decoder = new PayloadDecoder(dictionary);
        }

        void on(final Msg message, final ReactorChannel channel) {
            if (message == null) {
                intake.garbled();
                return;
            }
            final int index = items.index(message.streamId());
            if (index < 0) {
                intake.stray();
                return;
            }
            switch (message.msgClass()) {
                case MsgClasses.UPDATE -> onUpdate((UpdateMsg) message, index, channel);
                case MsgClasses.REFRESH -> onRefresh((RefreshMsg) message, index, channel);
                case MsgClasses.STATUS -> onStatus((StatusMsg) message, index);
                case MsgClasses.GENERIC -> onGeneric(message, index, channel);
                case MsgClasses.ACK -> intake.acknowledged(((AckMsg) message).checkHasNakCode());
                default -> intake.stray(); // a provider sends nothing else
            }
        }

        private void decode(final Msg message, final ReactorChannel channel) {
            final long beginNs = intake.beginDecode();
            final int code =
                    decoder.decode(message, channel.majorVersion(), channel.minorVersion());
            intake.decoded(beginNs, code >= CodecReturnCodes.SUCCESS, decoder.unknownFields());
        }

        private void onUpdate(
                final UpdateMsg update, final int index, final ReactorChannel channel) {
            decode(update, channel);
            if (update.checkHasPostUserInfo()) {
                intake.post(
                        index,
                        update.postUserInfo().userId(),
                        decoder.sequence(MessageKind.POST),
                        decoder.taken(MessageKind.POST),
                        decoder.intendedNs());
            } else {
                intake.update(
                        index,
                        decoder.sequence(MessageKind.UPDATE),
                        decoder.taken(MessageKind.UPDATE),
                        decoder.intendedNs());
            }
        }

        private void onGeneric(final Msg generic, final int index, final ReactorChannel channel) {
            decode(generic, channel);
            intake.generic(
                    index,
                    decoder.sequence(MessageKind.GENERIC),
                    decoder.taken(MessageKind.GENERIC),
                    decoder.intendedNs());
        }

        private void onRefresh(
                final RefreshMsg refresh, final int index, final ReactorChannel channel) {
            decode(refresh, channel);
            final State state = refresh.state();
            intake.refresh(
                    index,
                    state.streamState(),
                    state.dataState(),
                    refresh.checkRefreshComplete(),
                    decoder.sequence(MessageKind.UPDATE));
            onState(state, index);
        }

        private void onStatus(final StatusMsg status, final int index) {
            if (status.checkHasState()) {
                intake.status(index, status.state().streamState(), status.state().dataState());
                onState(status.state(), index);
            } else {
                intake.status();
            }
        }

        private void onState(final State state, final int index) {
            if (ItemIntake.isFinal(state.streamState())) {
                intake.closed(index, state.text().toString());
            }
        }
    }

    /** Watches a source directory for one service. Single-threaded. */
    static final class ServiceWatch {
        private final WatchedService service;
        private final List<String> dictionaries = new ArrayList<>();

        ServiceWatch(final String name) {
            service = new WatchedService(name);
        }

        void on(final DirectoryMsg message) {
            switch (message.rdmMsgType()) {
                case REFRESH -> {
                    service.heard();
                    if (((DirectoryRefresh) message).checkClearCache()) {
                        service.forget();
                    }
                    ((DirectoryRefresh) message).serviceList().forEach(this::on);
                }
                case UPDATE -> ((DirectoryUpdate) message).serviceList().forEach(this::on);
                default -> {}
            }
        }

        private void on(final Service announced) {
            final boolean isNew = !service.is(announced.serviceId());
            if (announced.checkHasInfo()) {
                if (!service.found(
                        announced.info().serviceName().toString(), announced.serviceId())) {
                    return;
                }
                dictionaries.clear();
                if (announced.info().checkHasDictionariesProvided()) {
                    dictionaries.addAll(announced.info().dictionariesProvidedList());
                }
            }
            if (!service.is(announced.serviceId())) {
                return;
            }
            if (announced.action() == MapEntryActions.DELETE) {
                service.forget();
            } else if (announced.checkHasState()) {
                service.state(
                        announced.state().serviceState() == 1,
                        !announced.state().checkHasAcceptingRequests()
                                || announced.state().acceptingRequests() == 1);
            } else if (isNew) {
                service.state(true, true); // a directory without states has services that are up
            }
        }

        boolean isReady() {
            return service.isReady();
        }

        int serviceId() {
            return (int) service.id();
        }

        /** Names of the dictionaries that the service provides. */
        List<String> dictionaries() {
            return List.copyOf(dictionaries);
        }

        /** Why requests cannot begin. */
        String diagnosis() {
            return service.diagnosis();
        }
    }
}
