package io.tickmark.workloads.market.consumer;

import com.refinitiv.ema.access.AckMsg;
import com.refinitiv.ema.access.ComplexType;
import com.refinitiv.ema.access.DataType.DataTypes;
import com.refinitiv.ema.access.ElementEntry;
import com.refinitiv.ema.access.ElementList;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FilterEntry;
import com.refinitiv.ema.access.GenericMsg;
import com.refinitiv.ema.access.MapEntry;
import com.refinitiv.ema.access.Msg;
import com.refinitiv.ema.access.OmmConsumer;
import com.refinitiv.ema.access.OmmConsumerClient;
import com.refinitiv.ema.access.OmmConsumerConfig;
import com.refinitiv.ema.access.OmmConsumerEvent;
import com.refinitiv.ema.access.OmmException;
import com.refinitiv.ema.access.OmmState;
import com.refinitiv.ema.access.PostMsg;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.access.ReqMsg;
import com.refinitiv.ema.access.StatusMsg;
import com.refinitiv.ema.access.UpdateMsg;
import com.refinitiv.ema.rdm.DataDictionary;
import com.refinitiv.ema.rdm.EmaRdm;
import io.tickmark.workloads.market.DictionarySettings;
import io.tickmark.workloads.market.data.EmaContent;
import io.tickmark.workloads.market.data.EmaDecoder;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.Item;
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.data.MessageTemplate;
import io.tickmark.workloads.market.data.Tracking;
import io.tickmark.workloads.market.rssl.EmaConnection;
import io.tickmark.workloads.market.rssl.EmaFile;
import io.tickmark.workloads.market.rssl.EmaOpening;
import io.tickmark.workloads.market.rssl.EmaRefusals;
import io.tickmark.workloads.market.rssl.LibraryDispatch;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * A connection on the Message API. The connection's thread dispatches, or it keeps the ticks and
 * lets a thread of the library dispatch whenever it waits or calls the library.
 */
final class EmaConsumer extends EmaConnection<OmmConsumer> implements ConsumerApi {
    private static final long LOOPBACK = 0x7f000001L;
    private static final long NOT_LOST = Long.MIN_VALUE;

    private final ConsumerShared shared;
    private final int number;
    private final WatchedItems items;
    private final OmmConsumerClient inbox;
    private final LibraryDispatch dispatch;
    private final EmaServices services;
    private final EmaContent contents;
    private final long ownUserId;
    private final long[] handles;
    private final ReqMsg request = EmaFactory.createReqMsg();
    private final PostMsg postMsg = EmaFactory.createPostMsg();
    private final UpdateMsg posted = EmaFactory.createUpdateMsg();
    private final GenericMsg generic = EmaFactory.createGenericMsg();
    private final Tracking tracking = new Tracking();
    private ConsumerApi.Phase phase = ConsumerApi.Phase.LOGIN;
    private OmmConsumer consumer;
    private long lostNs = NOT_LOST;
    private final EmaRefusals requests;
    private final EmaRefusals posts;
    private final EmaRefusals generics;

    EmaConsumer(
            final ConsumerShared shared,
            final int number,
            final WatchedItems items,
            final ItemIntake intake,
            final long ownUserId) {
        final LibraryDispatch dispatch = shared.settings().run().dispatch(number, shared.context());
        super(
                shared,
                shared.provider(),
                dispatch,
                shared.idle(number),
                OmmConsumer::dispatch,
                OmmConsumer::uninitialize);
        this.shared = shared;
        this.number = number;
        this.items = items;
        this.ownUserId = ownUserId;
        this.dispatch = dispatch;
        requests = new EmaRefusals(shared.context().clock());
        posts = new EmaRefusals(shared.context().clock());
        generics = new EmaRefusals(shared.context().clock());
        inbox =
                EmaTurns.of(
                        new EmaInbox(intake, shared.settings().standbyServer().isPresent()),
                        dispatch);
        services = new EmaServices(shared.settings().serviceName());
        contents = new EmaContent(shared.dictionary(), shared.settings().stampUnit());
        handles = new long[items.size()];
    }

    @Override
    protected OmmConsumer connect() {
        return shared.settings().run().onWorkerCore(number, this::make);
    }

    private OmmConsumer make() {
        try (EmaFile file =
                        EmaFile.consumer(
                                shared.connection(),
                                calling(shared.settings().requestTimeout()),
                                shared.settings().standbyServer());
                DictionarySettings.Files files = shared.settings().content().files()) {
            return make(file, files);
        }
    }

    private OmmConsumer make(final EmaFile file, final DictionarySettings.Files files) {
        final OmmConsumerConfig config =
                EmaFactory.createOmmConsumerConfig(file.path())
                        .operationModel(
                                dispatch.isOn()
                                        ? OmmConsumerConfig.OperationModel.API_DISPATCH
                                        : OmmConsumerConfig.OperationModel.USER_DISPATCH);
        if (!shared.connection().keyFile().isEmpty()) {
            config.tunnelingKeyStoreFile(shared.connection().keyFile());
            config.tunnelingKeyStorePasswd(shared.connection().keyPassword());
        }
        if (!shared.settings().uname().isEmpty()) {
            config.username(shared.settings().uname());
        }
        // from files: in 3.9.1.0, loading it from the library's own provider never ends
        final DataDictionary dictionary = EmaFactory.createDataDictionary();
        dictionary.loadFieldDictionary(files.fields().toString());
        dictionary.loadEnumTypeDictionary(files.enums().toString());
        config.dataDictionary(dictionary, false);
        return EmaFactory.createOmmConsumer(config);
    }

    @Override
    public void open() {
        dispatch.take();
        super.open();
    }

    @Override
    protected void opened(final OmmConsumer made) {
        consumer = made;
        phase = ConsumerApi.Phase.SERVICE;
        dispatch.give();
        try {
            services.watch(consumer, EmaTurns.of(services, dispatch));
        } catch (final OmmException e) {
            shared.fail("The directory cannot be requested: " + EmaOpening.text(e) + ".");
        } finally {
            dispatch.take();
        }
    }

    @Override
    protected void check(final long nowNs) {
        if (!services.isLost()) {
            lostNs = NOT_LOST;
        } else if (lostNs == NOT_LOST) {
            lostNs = nowNs;
        }
        if (services.isLost() && nowNs - lostNs >= patienceNs()) {
            shared.lost(phase, "");
        }
    }

    /** A standby may take as long to take over as a first connection may take. */
    private long patienceNs() {
        return shared.settings().standbyServer().isPresent()
                ? shared.context().connectTimeoutNs()
                : 0;
    }

    @Override
    public void idle(final long forNs) {
        dispatch.give();
        super.idle(forNs);
        dispatch.take();
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
        if (phase == ConsumerApi.Phase.SERVICE && services.isReady()) {
            phase = ConsumerApi.Phase.STARTUP;
        }
        return phase.compareTo(ConsumerApi.Phase.DICTIONARY) > 0;
    }

    @Override
    public String diagnosis() {
        return phase == ConsumerApi.Phase.SERVICE ? services.diagnosis() : super.diagnosis();
    }

    @Override
    public FieldDictionary dictionary() {
        return shared.dictionary();
    }

    @Override
    public boolean asksAgain() {
        return true;
    }

    @Override
    public boolean request(final int index, final boolean isSnapshot) {
        final Item item = items.get(index);
        request.clear()
                .domainType(item.domainType())
                .serviceName(shared.settings().serviceName())
                .name(item.name())
                .interestAfterRefresh(!isSnapshot);
        return attempt(
                requests, () -> handles[index] = consumer.registerClient(request, inbox, index));
    }

    @Override
    public boolean post(final int index, final MessageTemplate template, final Marks marks) {
        posted.clear().payload(content(template, marks));
        postMsg.clear()
                .domainType(template.domainType())
                .complete(true)
                .publisherId(ownUserId, LOOPBACK)
                .payload(posted);
        return attempt(posts, () -> consumer.submit(postMsg, handles[index]));
    }

    @Override
    public boolean generic(final int index, final MessageTemplate template, final Marks marks) {
        generic.clear()
                .domainType(template.domainType())
                .complete(true)
                .payload(content(template, marks));
        return attempt(generics, () -> consumer.submit(generic, handles[index]));
    }

    private ComplexType content(final MessageTemplate template, final Marks marks) {
        if (marks.takenNs() == 0) {
            tracking.plain(marks.sequence());
        } else {
            tracking.timed(marks.sequence(), marks.takenNs(), marks.intendedNs());
        }
        return contents.of(template, tracking);
    }

    private boolean attempt(final EmaRefusals refusals, final Runnable call) {
        dispatch.give();
        try {
            call.run();
            refusals.taken();
            return true;
        } catch (final OmmException e) {
            refusals.refused(e);
            return false;
        } finally {
            dispatch.take();
        }
    }

    @Override
    public void flush() {
        // the library sends at once
    }

    @Override
    public String failure() {
        return EmaRefusals.failure(requests, posts, generics);
    }

    @Override
    public void close() {
        dispatch.give();
        super.close();
    }

    /** Passes the library's calls on in its turn. Called by the library's thread. */
    private static final class EmaTurns implements OmmConsumerClient {
        private final OmmConsumerClient client;
        private final LibraryDispatch dispatch;

        private EmaTurns(final OmmConsumerClient client, final LibraryDispatch dispatch) {
            this.client = client;
            this.dispatch = dispatch;
        }

        /**
         * The client itself where the role's own thread dispatches: it has no other thread to wait
         * for.
         */
        static OmmConsumerClient of(
                final OmmConsumerClient client, final LibraryDispatch dispatch) {
            return dispatch.isOn() ? new EmaTurns(client, dispatch) : client;
        }

        private <M> void pass(
                final BiConsumer<M, OmmConsumerEvent> call,
                final M message,
                final OmmConsumerEvent event) {
            dispatch.called();
            dispatch.take();
            try {
                call.accept(message, event);
            } finally {
                dispatch.give();
            }
        }

        @Override
        public void onRefreshMsg(final RefreshMsg message, final OmmConsumerEvent event) {
            pass(client::onRefreshMsg, message, event);
        }

        @Override
        public void onUpdateMsg(final UpdateMsg message, final OmmConsumerEvent event) {
            pass(client::onUpdateMsg, message, event);
        }

        @Override
        public void onStatusMsg(final StatusMsg message, final OmmConsumerEvent event) {
            pass(client::onStatusMsg, message, event);
        }

        @Override
        public void onGenericMsg(final GenericMsg message, final OmmConsumerEvent event) {
            pass(client::onGenericMsg, message, event);
        }

        @Override
        public void onAckMsg(final AckMsg message, final OmmConsumerEvent event) {
            pass(client::onAckMsg, message, event);
        }

        @Override
        public void onAllMsg(final Msg message, final OmmConsumerEvent event) {
            // each kind has its own method
        }
    }

    /**
     * Decodes the item messages of one connection on the Message API, every field of them. Called
     * by the thread that dispatches; an item's closure is its index.
     */
    private static final class EmaInbox implements OmmConsumerClient {
        private final ItemIntake intake;
        private final boolean hasStandby;
        private final EmaDecoder decoder = new EmaDecoder();

        /** With a standby, unsolicited images are those of a server that takes over. */
        EmaInbox(final ItemIntake intake, final boolean hasStandby) {
            this.hasStandby = hasStandby;
            this.intake = intake;
        }

        private void decode(final Msg message) {
            final long beginNs = intake.beginDecode();
            final boolean isWhole = decoder.decode(message.payload());
            intake.decoded(beginNs, isWhole, decoder.unknownFields());
        }

        private static int index(final OmmConsumerEvent event) {
            return (Integer) event.closure();
        }

        @Override
        public void onUpdateMsg(final UpdateMsg update, final OmmConsumerEvent event) {
            decode(update);
            if (update.hasPublisherId()) {
                intake.post(
                        index(event),
                        update.publisherIdUserId(),
                        decoder.sequence(MessageKind.POST),
                        decoder.taken(MessageKind.POST),
                        decoder.intendedNs());
            } else {
                intake.update(
                        index(event),
                        decoder.sequence(MessageKind.UPDATE),
                        decoder.taken(MessageKind.UPDATE),
                        decoder.intendedNs(),
                        decoder.host());
            }
        }

        @Override
        public void onRefreshMsg(final RefreshMsg refresh, final OmmConsumerEvent event) {
            if (hasStandby && !refresh.solicited()) {
                intake.takenOver(index(event));
            }
            decode(refresh);
            final OmmState state = refresh.state();
            intake.refresh(
                    index(event),
                    state.streamState(),
                    state.dataState(),
                    refresh.complete(),
                    decoder.sequence(MessageKind.UPDATE));
            onState(state, event);
        }

        @Override
        public void onStatusMsg(final StatusMsg status, final OmmConsumerEvent event) {
            if (status.hasState()) {
                intake.status(
                        index(event), status.state().streamState(), status.state().dataState());
                onState(status.state(), event);
            } else {
                intake.status();
            }
        }

        private void onState(final OmmState state, final OmmConsumerEvent event) {
            if (ItemIntake.isFinal(state.streamState())) {
                intake.closed(index(event), state.statusText());
            }
        }

        @Override
        public void onGenericMsg(final GenericMsg generic, final OmmConsumerEvent event) {
            decode(generic);
            intake.generic(
                    index(event),
                    decoder.sequence(MessageKind.GENERIC),
                    decoder.taken(MessageKind.GENERIC),
                    decoder.intendedNs(),
                    decoder.host());
        }

        @Override
        public void onAckMsg(final AckMsg ack, final OmmConsumerEvent event) {
            intake.acknowledged(ack.hasNackCode());
        }

        @Override
        public void onAllMsg(final Msg message, final OmmConsumerEvent event) {
            // each kind has its own method
        }
    }

    /**
     * Watches the Message API's source directory for one service. Called where it is dispatched.
     */
    static final class EmaServices implements OmmConsumerClient {
        private final WatchedService service;
        private boolean isLost;

        EmaServices(final String name) {
            service = new WatchedService(name);
        }

        /**
         * Requests the directory and the state of the login; the dispatching thread calls the
         * client.
         */
        void watch(final OmmConsumer consumer, final OmmConsumerClient client) {
            service.heard(); // without a directory the library would not have been opened
            consumer.registerClient(
                    EmaFactory.createReqMsg()
                            .domainType(EmaRdm.MMT_DIRECTORY)
                            .filter(EmaRdm.SERVICE_INFO_FILTER | EmaRdm.SERVICE_STATE_FILTER),
                    client);
            consumer.registerClient(EmaFactory.createReqMsg().domainType(EmaRdm.MMT_LOGIN), client);
        }

        /**
         * Whether the connection has gone: the library retries for ever, a test does not. A standby
         * may bring it back.
         */
        boolean isLost() {
            return isLost;
        }

        boolean isReady() {
            return service.isReady();
        }

        /** Why requests cannot begin. */
        String diagnosis() {
            return service.diagnosis();
        }

        private void on(final Msg message) {
            if (message.payload().dataType() == DataTypes.MAP) {
                message.payload().map().forEach(this::on);
            }
        }

        private void on(final MapEntry entry) {
            final long id = entry.key().uintValue();
            if (entry.action() == MapEntry.MapAction.DELETE) {
                if (service.is(id)) {
                    service.forget();
                }
                return;
            }
            final Optional<ElementList> info = part(entry, EmaRdm.SERVICE_INFO_ID);
            final Optional<ElementList> state = part(entry, EmaRdm.SERVICE_STATE_ID);
            if (info.isPresent()) {
                final Optional<ElementEntry> found = element(info.get(), EmaRdm.ENAME_NAME);
                final boolean isNew = !service.is(id);
                if (!service.found(found.map(each -> each.ascii().toString()).orElse(""), id)) {
                    return;
                }
                if (isNew) {
                    service.state(
                            true, true); // a directory without states has services that are up
                }
            }
            if (state.isPresent() && service.is(id)) {
                service.state(
                        value(state.get(), EmaRdm.ENAME_SVC_STATE, 0) == EmaRdm.SERVICE_UP,
                        value(state.get(), EmaRdm.ENAME_ACCEPTING_REQS, 1) == 1);
            }
        }

        private static Optional<ElementList> part(final MapEntry entry, final int filterId) {
            return entry.loadType() != DataTypes.FILTER_LIST
                    ? Optional.empty()
                    : entry.filterList().stream()
                            .filter(part -> part.filterId() == filterId)
                            .filter(part -> part.loadType() == DataTypes.ELEMENT_LIST)
                            .map(FilterEntry::elementList)
                            .findFirst();
        }

        private static Optional<ElementEntry> element(final ElementList of, final String name) {
            return of.stream().filter(each -> each.name().equals(name)).findFirst();
        }

        private static long value(final ElementList of, final String name, final long otherwise) {
            return element(of, name).map(ElementEntry::uintValue).orElse(otherwise);
        }

        @Override
        public void onRefreshMsg(final RefreshMsg message, final OmmConsumerEvent event) {
            if (message.domainType() == EmaRdm.MMT_DIRECTORY) {
                if (message.clearCache()) {
                    service.forget();
                }
                on(message);
            } else if (message.domainType() == EmaRdm.MMT_LOGIN) {
                isLost = message.state().dataState() == OmmState.DataState.SUSPECT;
            }
        }

        @Override
        public void onUpdateMsg(final UpdateMsg message, final OmmConsumerEvent event) {
            on(message);
        }

        @Override
        public void onStatusMsg(final StatusMsg message, final OmmConsumerEvent event) {
            if (message.domainType() == EmaRdm.MMT_LOGIN && message.hasState()) {
                isLost = message.state().dataState() == OmmState.DataState.SUSPECT;
            }
        }

        @Override
        public void onGenericMsg(final GenericMsg message, final OmmConsumerEvent event) {
            // none is sent on a directory
        }

        @Override
        public void onAckMsg(final AckMsg message, final OmmConsumerEvent event) {
            // nothing is posted on a directory
        }

        @Override
        public void onAllMsg(final Msg message, final OmmConsumerEvent event) {
            // each kind has its own method
        }
    }
}
