package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.GenericMsg;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.PostMsg;
import com.refinitiv.eta.codec.RefreshMsg;
import com.refinitiv.eta.codec.RequestMsg;
import com.refinitiv.eta.codec.StateCodes;
import com.refinitiv.eta.codec.StatusMsg;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.codec.UpdateMsg;
import com.refinitiv.eta.rdm.DomainTypes;
import com.refinitiv.eta.transport.Server;
import com.refinitiv.eta.valueadd.domainrep.rdm.dictionary.DictionaryRequest;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginRequest;
import com.refinitiv.eta.valueadd.reactor.Reactor;
import com.refinitiv.eta.valueadd.reactor.ReactorChannel;
import com.refinitiv.eta.valueadd.reactor.ReactorErrorInfo;
import com.refinitiv.eta.valueadd.reactor.ReactorFactory;
import com.refinitiv.eta.valueadd.reactor.ReactorJsonConverterOptions;
import com.refinitiv.eta.valueadd.reactor.ReactorReturnCodes;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.role.Idle;
import io.tickmark.kernel.role.Waker;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.data.FieldDictionary;
import io.tickmark.workloads.market.data.RequestContent;
import io.tickmark.workloads.market.hub.HubCounts.Traffic;
import io.tickmark.workloads.market.hub.cache.ImageCodec;
import io.tickmark.workloads.market.rssl.JsonPools;
import io.tickmark.workloads.market.rssl.Rssl;
import io.tickmark.workloads.market.rssl.SocketFlush;
import io.tickmark.workloads.market.source.AdminReplies;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;

/**
 * The state of a running hub, and the routing of messages. Single-threaded: a message is handled
 * before the next one is read, so nothing is locked and nothing overtakes.
 */
final class Hub implements AutoCloseable {
    /** While consumers are behind, how soon to check for free output buffers. */
    private static final long BEHIND_WAIT_MS = 1;

    /** Otherwise: what full sockets left over is due then. */
    private static final long WAIT_MS = TimeUnit.NANOSECONDS.toMillis(SocketFlush.PERIOD_NS);

    private static final int MERGES_A_ROUND = 64;
    private static final String UNREADABLE = "the request cannot be read: ";
    private static final long MS_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final HubSettings settings;
    private final HubCounts counts;
    private final java.util.function.Consumer<String> log;
    private final HubScratch scratch = new HubScratch();
    private final ImageCodec images = new ImageCodec();
    private final HubLoop loop;
    private final Services services;
    private final Answers answers;
    private final Items items;
    private final Posts posts;
    private final PendingMerges merges;
    private final Admin admin;
    private final Dictionaries dictionaries;
    private final JsonFields jsonFields;
    private final NanoClock clock;
    private final Waker waker = this::sleep;
    private final AcceptedPeers peers;
    private final List<ProviderLink> links = new ArrayList<>();
    private boolean hasReadAsleep;

    Hub(
            final HubSettings settings,
            final FieldDictionary dictionary,
            final HubCounts counts,
            final NanoClock clock,
            final java.util.function.Consumer<String> log) {
        this.settings = settings;
        this.counts = counts;
        this.log = log;
        this.clock = clock;
        loop = new HubLoop(clock, settings.connection().dispatchCountOrDefault(), this::broken);
        answers = new Answers(scratch, images, counts);
        merges = new PendingMerges(images, counts);
        items = new Items(settings, answers, images, merges, counts);
        services =
                new Services(
                        log,
                        this::changed,
                        items,
                        settings.holdUntilItems() > 0,
                        what -> counts.dropped(Traffic::messagesIgnored, () -> what));
        dictionaries = new Dictionaries(dictionary, settings, counts);
        posts = new Posts(services, items, answers, images, merges, dictionaries, counts);
        jsonFields = new JsonFields(dictionaries, counts);
        admin = new Admin(this);
        peers = new AcceptedPeers(this);
        JsonConversion.start(loop.reactor(), dictionaries, services);
    }

    HubSettings settings() {
        return settings;
    }

    HubCounts counts() {
        return counts;
    }

    void report(final String line) {
        log.accept(line);
    }

    HubScratch scratch() {
        return scratch;
    }

    ImageCodec images() {
        return images;
    }

    HubLoop loop() {
        return loop;
    }

    Services services() {
        return services;
    }

    Answers answers() {
        return answers;
    }

    Items items() {
        return items;
    }

    Dictionaries dictionaries() {
        return dictionaries;
    }

    /** For peers that speak JSON. */
    JsonFields jsonFields() {
        return jsonFields;
    }

    long nowNs() {
        return clock.nanoTime();
    }

    Admin admin() {
        return admin;
    }

    AcceptedPeers peers() {
        return peers;
    }

    void listen(final Server server) {
        loop.listen(server, () -> peers.accept(server));
    }

    void connect(final Peer provider) {
        final ProviderLink link = new ProviderLink(provider, this);
        links.add(link);
        link.connect();
    }

    private void changed(final HubService service) {
        admin.changed(service);
        if (service.isUp()) {
            dictionaries.choose(service);
            items.recover(service);
        }
    }

    void lost(final ItemSource source) {
        items.lost(source);
        services.lost(source);
    }

    /** A message of a consumer that is neither login nor directory nor dictionary. */
    void fromConsumer(final HubConsumer consumer, final Msg message) {
        switch (message.msgClass()) {
            case MsgClasses.REQUEST -> request(consumer, (RequestMsg) message);
            case MsgClasses.CLOSE -> {
                final ItemSubscription subscription = consumer.streams().get(message.streamId());
                if (subscription != null) {
                    items.close(subscription);
                }
            }
            case MsgClasses.POST -> posts.post(consumer, (PostMsg) message);
            case MsgClasses.GENERIC -> posts.generic(consumer, (GenericMsg) message);
            default -> ignored(message, "of the consumer " + consumer.name());
        }
    }

    /** A message that nothing follows from. */
    void ignored(final Msg message, final String whose) {
        counts.dropped(
                Traffic::messagesIgnored,
                () ->
                        "a message of class %s on stream %d %s"
                                .formatted(
                                        MsgClasses.toString(message.msgClass()),
                                        message.streamId(),
                                        whose));
    }

    /** A message that the library could not read, and has handed over without content. */
    void unreadable(final String whose) {
        counts.dropped(Traffic::messagesUnreadable, () -> "one " + whose);
    }

    private RequestContent content(final HubConsumer consumer, final Msg message) {
        return RequestContent.of(
                message, consumer.channel().majorVersion(), consumer.channel().minorVersion());
    }

    private void request(final HubConsumer consumer, final RequestMsg request) {
        final RequestContent content = content(consumer, request);
        final ItemSubscription open = consumer.streams().get(request.streamId());
        if (!content.trouble().isEmpty()) {
            refuse(
                    consumer,
                    request,
                    open,
                    request.checkHasView()
                            ? StateCodes.INVALID_VIEW
                            : StateCodes.UNABLE_TO_REQUEST_AS_BATCH,
                    UNREADABLE + content.trouble());
            return;
        }
        if (open != null) {
            reissue(open, request, content);
            return;
        }
        final HubService service =
                request.msgKey().checkHasServiceId()
                        ? services.byId(request.msgKey().serviceId())
                        : null;
        if (service == null || !request.checkHasBatch() && !request.msgKey().checkHasName()) {
            counts.dropped(
                    Traffic::requestsRefused,
                    () -> "one of %s for a service that does not exist".formatted(consumer.name()));
            answers.refuse(
                    consumer,
                    request,
                    StreamStates.CLOSED_RECOVER,
                    StateCodes.SOURCE_UNKNOWN,
                    "the hub has no such service");
            return;
        }
        final String misread = dictionaries.misread(service);
        if (!misread.isEmpty()) {
            refuse(consumer, request, null, StateCodes.INVALID_VIEW, UNREADABLE + misread);
        } else if (request.checkHasBatch()) {
            batch(consumer, request, service, content);
        } else {
            items.open(
                    new ItemSubscription(
                            consumer,
                            service.item(request.domainType(), request.msgKey().name().toString()),
                            request.streamId(),
                            request.checkStreaming(),
                            content.view()));
        }
    }

    /** A request on a stream that is open: for its image again, or for other fields of it. */
    private void reissue(
            final ItemSubscription open, final RequestMsg request, final RequestContent content) {
        final HubItem item = open.item();
        final String misread = dictionaries.misread(item.service());
        if (request.checkHasBatch()) {
            refuse(
                    open.consumer(),
                    request,
                    open,
                    StateCodes.UNABLE_TO_REQUEST_AS_BATCH,
                    "stream %d is open for %s: a batch needs a stream that is not"
                            .formatted(open.streamId(), item));
        } else if (!isFor(request, item)) {
            refuse(
                    open.consumer(),
                    request,
                    open,
                    StateCodes.USAGE_ERROR,
                    "stream %d is open for %s in domain %s: another item needs a stream of its own"
                            .formatted(
                                    open.streamId(),
                                    item,
                                    DomainTypes.toString(item.domainType())));
        } else if (!misread.isEmpty()) {
            refuse(open.consumer(), request, open, StateCodes.INVALID_VIEW, UNREADABLE + misread);
        } else {
            if (!request.checkHasView() || content.view() != null) {
                open.view(content.view()); // a view that is not sent again is kept
            }
            if (!request.checkNoRefresh()) {
                items.reissue(open);
            }
        }
    }

    /** Whether a request names the item, or leaves out what the stream says already. */
    private static boolean isFor(final RequestMsg request, final HubItem item) {
        return request.domainType() == item.domainType()
                && (!request.msgKey().checkHasName() || item.isNamed(request.msgKey().name()))
                && (!request.msgKey().checkHasServiceId()
                        || request.msgKey().serviceId() == item.service().id());
    }

    /** A request that cannot be met; a stream that is open already goes on as before. */
    private void refuse(
            final HubConsumer consumer,
            final RequestMsg request,
            final ItemSubscription open,
            final int code,
            final String why) {
        counts.dropped(
                Traffic::requestsRefused, () -> "one of %s: %s".formatted(consumer.name(), why));
        if (open == null) {
            answers.refuse(consumer, request, StreamStates.CLOSED, code, why);
        } else {
            answers.status(open, StreamStates.OPEN, DataStates.NO_CHANGE, code, why);
        }
    }

    /** Its items have the streams after its own, which closes. */
    private void batch(
            final HubConsumer consumer,
            final RequestMsg request,
            final HubService service,
            final RequestContent content) {
        final int batchStream = request.streamId();
        final int domainType = request.domainType();
        final boolean isStreaming = request.checkStreaming();
        final int count = content.items().size();
        if (count == 0) {
            refuse(
                    consumer,
                    request,
                    null,
                    StateCodes.UNABLE_TO_REQUEST_AS_BATCH,
                    "the batch names no item");
            return;
        }
        for (int stream = batchStream + 1; stream <= batchStream + count; stream++) {
            if (consumer.streams().containsKey(stream)) {
                refuse(
                        consumer,
                        request,
                        null,
                        StateCodes.UNABLE_TO_REQUEST_AS_BATCH,
                        "stream %d, which would be an item's, is open already".formatted(stream));
                return;
            }
        }
        answers.batchTaken(consumer, request, count);
        for (int i = 0; i < count; i++) {
            items.open(
                    new ItemSubscription(
                            consumer,
                            service.item(domainType, content.items().get(i)),
                            batchStream + 1 + i,
                            isStreaming,
                            content.view()));
        }
    }

    /** A consumer states whether the hub is its standby, for all services or for one. */
    void standby(final HubConsumer consumer, final HubService service, final boolean isStandby) {
        if (service == null) {
            consumer.standby(isStandby);
        } else {
            consumer.standby(service, isStandby);
        }
        report(
                "The hub is %s for %s of the consumer %s."
                        .formatted(
                                isStandby ? "on standby" : "active",
                                service == null ? "all services" : service.name(),
                                consumer.name()));
        for (final ItemSubscription each : List.copyOf(consumer.streams().values())) {
            items.standby(each, consumer.isStandby(each.item().service()));
        }
    }

    /** A message of a source about one of its items; null where it has no such item. */
    void fromSource(
            final ItemSource source,
            final HubItem item,
            final Msg message,
            final ReactorChannel channel) {
        if (item == null || item.source() != source) {
            if (!source.hasClosed(message.streamId())) { // otherwise it was already in transit
                ignored(message, "of " + source.name() + ", on which there is no item");
            }
            return;
        }
        if (isOfAnother(message, item)) {
            ignored(
                    message,
                    "of %s, which is open for %s in domain %s"
                            .formatted(
                                    source.name(), item, DomainTypes.toString(item.domainType())));
            return;
        }
        final String misread = dictionaries.misread(item.service());
        if (!misread.isEmpty()) {
            unreadable("of %s: %s".formatted(source.name(), misread));
            return;
        }
        final int major = channel.majorVersion();
        final int minor = channel.minorVersion();
        switch (message.msgClass()) {
            case MsgClasses.UPDATE -> items.update(item, (UpdateMsg) message, major, minor);
            case MsgClasses.REFRESH -> items.image(item, (RefreshMsg) message, major, minor);
            case MsgClasses.STATUS -> items.status(item, (StatusMsg) message);
            case MsgClasses.GENERIC -> items.generic(item, message);
            default -> ignored(message, "of " + source.name());
        }
    }

    /**
     * Whether a message's content is another item's than that of its stream. A provider that was
     * asked for an item may spell its name in its own way; what a publisher sends unasked has no
     * other name.
     */
    private static boolean isOfAnother(final Msg message, final HubItem item) {
        return switch (message.msgClass()) {
            case MsgClasses.UPDATE, MsgClasses.REFRESH ->
                    message.domainType() != item.domainType()
                            || !item.source().acceptsRequests()
                                    && message.msgKey() != null
                                    && message.msgKey().checkHasName()
                                    && !item.isNamed(message.msgKey().name());
            default -> false;
        };
    }

    /** A message of a peer made the library fail. */
    private void broken(final ReactorChannel channel, final String why) {
        dictionaries.hasRead(); // the converter may have begun with it
        for (final ProviderLink link : links) {
            if (link.uses(channel)) {
                counts.dropped(
                        Traffic::peersUnreadable, () -> "%s: %s".formatted(link.name(), why));
                link.drop("what it sent cannot be read: " + why);
                return;
            }
        }
        counts.dropped(
                Traffic::peersUnreadable, () -> "%s: %s".formatted(peers.name(channel), why));
        peers.end(channel, "is disconnected: what it sent cannot be read: " + why);
    }

    /** One round: reads what is available, then writes the resulting messages. */
    void work(final Idle idle) {
        read(idle);
        if (services.areHeld() && counts.traffic().items().get() >= settings.holdUntilItems()) {
            log.accept(
                    "%d items are cached: consumers may request them."
                            .formatted(counts.traffic().items().get()));
            services.release();
        }
        final List<HubConsumer> consumers = peers.consumers();
        for (int i = consumers.size() - 1; i >= 0; i--) { // backwards: slow ones are removed
            final HubConsumer consumer = consumers.get(i);
            final Outbox outbox = consumer.outbox();
            outbox.drain();
            outbox.flush();
            final Counter most = counts.traffic().mostQueuedBytes();
            most.set(Math.max(most.get(), outbox.mostQueuedBytes()));
            final String missed = missed(outbox);
            if (!missed.isEmpty()) {
                counts.dropped(
                        outbox.hasOverflowed()
                                ? Traffic::slowConsumers
                                : Traffic::peersUndeliverable,
                        () -> consumer.name() + ": " + missed);
                peers.end(consumer.channel(), "is disconnected: " + missed);
            }
        }
        final long nowNs = clock.nanoTime();
        for (final ProviderLink link : links) {
            link.remind(nowNs);
            if (link.outbox() != null) {
                link.outbox().drain();
                link.outbox().flush();
                final String missed = missed(link.outbox());
                if (!missed.isEmpty()) {
                    counts.dropped(Traffic::peersUndeliverable, () -> link.name() + ": " + missed);
                    link.drop(missed);
                }
            }
        }
        merges.drain(MERGES_A_ROUND); // a few, so that messages arriving meanwhile need not wait
    }

    private void read(final Idle idle) {
        boolean hasRead = loop.poll(0) > 0;
        final long waitMs = waitMs();
        if (!hasRead && waitMs > 0) {
            hasReadAsleep = false;
            idle.await(waker, waitMs * MS_NS);
            hasRead = hasReadAsleep;
        }
        if (hasRead) {
            idle.reset();
        }
    }

    private void sleep(final long longestNs) {
        hasReadAsleep = loop.poll(Math.max(1, longestNs / MS_NS)) > 0;
    }

    /** Why a peer misses a message and must go; empty where it misses none. */
    private String missed(final Outbox outbox) {
        if (outbox.hasOverflowed()) {
            return "more than %d bytes wait for it (--max-queued-bytes)"
                    .formatted(settings.queue().maxQueuedBytes());
        }
        return outbox.hasLost() ? "a message cannot be sent to it: " + outbox.failure() : "";
    }

    private long waitMs() {
        if (!merges.isEmpty()) {
            return 0;
        }
        return isBehind() ? BEHIND_WAIT_MS : WAIT_MS;
    }

    private boolean isBehind() {
        for (int i = 0; i < peers.consumers().size(); i++) {
            if (peers.consumers().get(i).outbox().isBehind()) {
                return true;
            }
        }
        for (int i = 0; i < links.size(); i++) {
            if (links.get(i).outbox() != null && links.get(i).outbox().isBehind()) {
                return true;
            }
        }
        return false;
    }

    /** At the end: what providers have not answered by now. */
    void countUnanswered() {
        links.forEach(link -> link.items().values().forEach(items::countUnanswered));
    }

    /** Of the providers whose services were missing. */
    List<String> warnings() {
        return links.stream()
                .map(ProviderLink::warning)
                .filter(warning -> !warning.isEmpty())
                .toList();
    }

    @Override
    public void close() {
        loop.close();
    }

    /** The hub's answers to login, directory and dictionary requests. Single-threaded. */
    static final class Admin {
        private final Hub hub;

        Admin(final Hub hub) {
            this.hub = hub;
        }

        void login(final HubConsumer consumer, final LoginRequest request) {
            hub.answers().send(consumer, AdminReplies.accepted(request, "tickmark-hub"));
        }

        void directory(final HubConsumer consumer, final int streamId) {
            consumer.directoryStream(streamId);
            hub.answers().send(consumer, hub.services().directory(streamId, true));
        }

        /** Reports the state of a service to all. */
        void changed(final HubService service) {
            for (final HubConsumer consumer : hub.peers().consumers()) {
                if (consumer.directoryStream() != HubConsumer.NONE) {
                    hub.answers()
                            .send(
                                    consumer,
                                    hub.services().change(consumer.directoryStream(), service));
                }
            }
        }

        void dictionary(final HubConsumer consumer, final DictionaryRequest request) {
            final String trouble =
                    hub.dictionaries()
                            .reply(hub.services().byId(request.serviceId()))
                            .answer(
                                    request,
                                    part ->
                                            consumer.outbox()
                                                    .send(
                                                            part.encodedMsgBuffer(),
                                                            request.streamId()));
            if (!trouble.isEmpty()) {
                hub.counts()
                        .dropped(
                                Traffic::requestsRefused,
                                () ->
                                        "one of %s for a dictionary: %s"
                                                .formatted(consumer.name(), trouble));
                hub.report("%s gets no dictionary: %s.".formatted(consumer.name(), trouble));
            }
        }
    }

    /** Lets the Reactor speak JSON with WebSocket peers that request it. */
    private static final class JsonConversion {
        private JsonConversion() {}

        static void start(
                final Reactor reactor, final Dictionaries dictionaries, final Services services) {
            JsonPools.fill();
            final ReactorJsonConverterOptions options =
                    ReactorFactory.createReactorJsonConverterOptions();
            options.dataDictionary(dictionaries.ofAll());
            options.catchUnknownJsonFids(false);
            options.catchUnknownJsonKeys(false);
            options.serviceNameToIdCallback((name, event) -> {
                final int id = services.idOf(name.serviceName());
                if (id == 0) {
                    return ReactorReturnCodes.FAILURE;
                }
                dictionaries.reading(services.byId(id)); // the key comes before the content
                name.serviceId(id);
                return ReactorReturnCodes.SUCCESS;
            });
            final ReactorErrorInfo error = ReactorFactory.createReactorErrorInfo();
            if (reactor.initJsonConverter(options, error) < ReactorReturnCodes.SUCCESS) {
                throw UserError.environment(
                        "The JSON of WebSocket consumers cannot be converted: %s."
                                .formatted(Rssl.text(error)));
            }
        }
    }
}
