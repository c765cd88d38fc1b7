package io.tickmark.workloads.market.consumer;

import com.refinitiv.eta.codec.AckMsg;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.MapEntryActions;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.RefreshMsg;
import com.refinitiv.eta.codec.RequestMsg;
import com.refinitiv.eta.codec.State;
import com.refinitiv.eta.codec.StatusMsg;
import com.refinitiv.eta.codec.UpdateMsg;
import com.refinitiv.eta.rdm.InstrumentNameTypes;
import com.refinitiv.eta.valueadd.domainrep.rdm.MsgBase;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsg;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryRefresh;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryUpdate;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.Service;
import com.refinitiv.eta.valueadd.reactor.ConsumerCallback;
import com.refinitiv.eta.valueadd.reactor.ConsumerRole;
import com.refinitiv.eta.valueadd.reactor.RDMDictionaryMsgEvent;
import com.refinitiv.eta.valueadd.reactor.RDMDirectoryMsgEvent;
import com.refinitiv.eta.valueadd.reactor.ReactorCallbackReturnCodes;
import com.refinitiv.eta.valueadd.reactor.ReactorChannel;
import com.refinitiv.eta.valueadd.reactor.ReactorErrorInfo;
import com.refinitiv.eta.valueadd.reactor.ReactorFactory;
import com.refinitiv.eta.valueadd.reactor.ReactorMsgEvent;
import com.refinitiv.eta.valueadd.reactor.ReactorReturnCodes;
import com.refinitiv.eta.valueadd.reactor.ReactorRole;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.Item;
import io.tickmark.workloads.market.data.MessageEncoder;
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.data.MessageTemplate;
import io.tickmark.workloads.market.data.PayloadDecoder;
import io.tickmark.workloads.market.data.PostHeader;
import io.tickmark.workloads.market.data.Tracking;
import io.tickmark.workloads.market.rssl.DictionaryDownload;
import io.tickmark.workloads.market.rssl.EtaConnection;
import io.tickmark.workloads.market.rssl.Rssl;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A connection on the Transport API: messages are encoded into packed buffers. */
final class EtaConsumer extends EtaConnection implements ConsumerApi, ConsumerCallback {
    /** Message header and key without the name. */
    private static final int HEADER_BYTES = 64;

    private static final long LOOPBACK = 0x7f000001L;

    private final ConsumerShared shared;
    private final WatchedItems items;
    private final ConsumerInbox inbox;
    private final ServiceWatch service;
    private final DictionaryDownload download = new DictionaryDownload();
    private final ReactorErrorInfo error = ReactorFactory.createReactorErrorInfo();
    private final TimeUnit stampUnit;
    private final RequestMsg request;
    private final PostHeader header;
    private final Tracking tracking = new Tracking();
    private ConsumerApi.Phase phase = ConsumerApi.Phase.LOGIN;
    private FieldDictionary dictionary;
    private MessageEncoder encoder;

    EtaConsumer(
            final ConsumerShared shared,
            final int number,
            final WatchedItems items,
            final ItemIntake intake,
            final long ownUserId) {
        super(
                shared,
                shared.provider(),
                shared.settings().run().reactor(shared, number, shared.connection()));
        this.shared = shared;
        this.items = items;
        dictionary = shared.dictionary();
        inbox = new ConsumerInbox(items, intake, dictionary);
        service = new ServiceWatch(shared.settings().serviceName());
        stampUnit = shared.settings().stampUnit();
        header = new PostHeader(ownUserId, LOOPBACK);
        final Msg message = CodecFactory.createMsg();
        message.msgClass(MsgClasses.REQUEST);
        request = (RequestMsg) message;
    }

    @Override
    public void open() {
        if (shared.connection().mayBeJson()) {
            loop().speakJson(dictionary, name -> service.isReady() ? service.serviceId() : -1);
        }
        super.open();
    }

    @Override
    protected ReactorRole role(final String userName) {
        final ConsumerRole role = ReactorFactory.createConsumerRole();
        role.loginMsgCallback(this);
        role.directoryMsgCallback(this);
        role.dictionaryMsgCallback(this);
        role.initDefaultRDMLoginRequest();
        role.rdmLoginRequest().userName().data(userName);
        role.rdmLoginRequest().attrib().applicationName().data("tickmark");
        role.initDefaultLoginRTT(); // a provider that measures round trips gets its answers
        role.initDefaultRDMDirectoryRequest();
        return role;
    }

    @Override
    protected void loggedIn() {
        phase = ConsumerApi.Phase.SERVICE;
    }

    @Override
    protected void lost(final String why) {
        shared.lost(phase, why);
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
        if (event.rdmDictionaryMsg() != null && phase == ConsumerApi.Phase.DICTIONARY) {
            download.on(
                    event.rdmDictionaryMsg(), channel().majorVersion(), channel().minorVersion());
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public int defaultMsgCallback(final ReactorMsgEvent event) {
        inbox.on(event.msg(), event.reactorChannel());
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public ConsumerApi.Phase phase() {
        return phase;
    }

    @Override
    public void phase(final ConsumerApi.Phase reached) {
        phase = reached;
    }

    @Override
    public boolean isReady() {
        if (phase == ConsumerApi.Phase.SERVICE && service.isReady()) {
            if (wantsDownload()) {
                phase = ConsumerApi.Phase.DICTIONARY;
                DictionaryDownload.requests(service.serviceId()).forEach(this::submit);
            } else {
                phase = ConsumerApi.Phase.STARTUP;
            }
        }
        if (phase == ConsumerApi.Phase.DICTIONARY) {
            if (!download.failure().isEmpty()) {
                shared.fail("No dictionary: " + download.failure() + ".");
            } else if (download.isComplete()) {
                dictionary = download.result();
                inbox.dictionary(dictionary);
                phase = ConsumerApi.Phase.STARTUP;
            }
        }
        return phase.compareTo(ConsumerApi.Phase.DICTIONARY) > 0;
    }

    private boolean wantsDownload() {
        // JSON is converted with the dictionary that was there before the connection
        return shared.settings().content().fieldDictionary().isEmpty()
                && !shared.connection().mayBeJson()
                && DictionaryDownload.isOffered(service.dictionaries());
    }

    private void submit(final MsgBase message) {
        final int code =
                channel().submit(message, ReactorFactory.createReactorSubmitOptions(), error);
        if (code < ReactorReturnCodes.SUCCESS) {
            shared.fail("A request cannot be sent: " + Rssl.text(error) + ".");
        }
    }

    @Override
    public String diagnosis() {
        return switch (phase) {
            case LOGIN -> super.diagnosis();
            case SERVICE -> service.diagnosis();
            case DICTIONARY ->
                    "the provider does not send the dictionary that its directory offers";
            default -> phase.words();
        };
    }

    @Override
    public FieldDictionary dictionary() {
        return dictionary;
    }

    @Override
    public boolean request(final int index, final boolean isSnapshot) {
        final Item item = items.get(index);
        final EncodeIterator iterator = writer().begin(HEADER_BYTES + 3 * item.name().length());
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
        request.msgKey().serviceId(service.serviceId());
        request.msgKey().applyHasNameType();
        request.msgKey().nameType(InstrumentNameTypes.RIC);
        request.msgKey().applyHasName();
        request.msgKey().name().data(item.name());
        check(request.encode(iterator));
        writer().end();
        return true;
    }

    @Override
    public boolean post(final int index, final MessageTemplate template, final Marks marks) {
        final EncodeIterator iterator = begin(template, marks);
        if (iterator == null) {
            return false;
        }
        check(encoder.post(iterator, template, WatchedItems.stream(index), tracking, header));
        writer().end();
        return true;
    }

    @Override
    public boolean generic(final int index, final MessageTemplate template, final Marks marks) {
        final EncodeIterator iterator = begin(template, marks);
        if (iterator == null) {
            return false;
        }
        check(encoder.generic(iterator, template, WatchedItems.stream(index), tracking));
        writer().end();
        return true;
    }

    private EncodeIterator begin(final MessageTemplate template, final Marks marks) {
        if (encoder == null) {
            encoder = new MessageEncoder(dictionary, stampUnit);
        }
        if (marks.takenNs() == 0) {
            tracking.plain(marks.sequence());
        } else {
            tracking.timed(marks.sequence(), marks.takenNs(), marks.intendedNs());
        }
        return writer().begin(template.maxBytes(0));
    }

    private static void check(final int code) {
        if (code < CodecReturnCodes.SUCCESS) {
            throw new IllegalStateException(
                    "a message cannot be encoded: " + CodecReturnCodes.toString(code));
        }
    }

    @Override
    public void flush() {
        writer().flush();
    }

    @Override
    public String failure() {
        return writer().hasFailed() ? writer().failure() : "";
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
                        decoder.intendedNs(),
                        decoder.host());
            }
        }

        private void onGeneric(final Msg generic, final int index, final ReactorChannel channel) {
            decode(generic, channel);
            intake.generic(
                    index,
                    decoder.sequence(MessageKind.GENERIC),
                    decoder.taken(MessageKind.GENERIC),
                    decoder.intendedNs(),
                    decoder.host());
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
