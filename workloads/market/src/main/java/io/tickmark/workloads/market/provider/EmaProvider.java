package io.tickmark.workloads.market.provider;

import com.refinitiv.ema.access.AckMsg;
import com.refinitiv.ema.access.ComplexType;
import com.refinitiv.ema.access.DataType.DataTypes;
import com.refinitiv.ema.access.ElementList;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.GenericMsg;
import com.refinitiv.ema.access.Msg;
import com.refinitiv.ema.access.OmmException;
import com.refinitiv.ema.access.OmmIProviderConfig;
import com.refinitiv.ema.access.OmmProvider;
import com.refinitiv.ema.access.OmmProviderClient;
import com.refinitiv.ema.access.OmmProviderEvent;
import com.refinitiv.ema.access.OmmState;
import com.refinitiv.ema.access.Payload;
import com.refinitiv.ema.access.PostMsg;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.access.ReqMsg;
import com.refinitiv.ema.access.StatusMsg;
import com.refinitiv.ema.access.UpdateMsg;
import com.refinitiv.ema.rdm.EmaRdm;
import com.refinitiv.eta.rdm.DomainTypes;
import io.tickmark.kernel.loop.LoopCounts;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.DictionarySettings;
import io.tickmark.workloads.market.data.EmaContent;
import io.tickmark.workloads.market.data.EmaDecoder;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.measure.LatencyKind;
import io.tickmark.workloads.market.measure.LatencyMeter;
import io.tickmark.workloads.market.measure.LatencyMeter.LatencyListener;
import io.tickmark.workloads.market.measure.StampClock;
import io.tickmark.workloads.market.rssl.EmaFile;
import io.tickmark.workloads.market.rssl.EmaFile.EmaService;
import io.tickmark.workloads.market.rssl.EmaRefusals;
import io.tickmark.workloads.market.rssl.EmaWait;
import io.tickmark.workloads.market.rssl.JsonPools;
import io.tickmark.workloads.market.rssl.LibraryDispatch;
import io.tickmark.workloads.market.source.EmaSink;
import io.tickmark.workloads.market.source.EncodeTime;
import io.tickmark.workloads.market.source.ItemFeed;
import io.tickmark.workloads.market.source.SentItem;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;

/**
 * The provider on the Message API, with all its consumers: one thread dispatches for them. It is
 * our own thread, and callbacks run inside {@link #dispatch} and {@link #idle}; or it belongs to
 * the library, and changes by callbacks are passed to our thread.
 */
final class EmaProvider implements ProviderApi, OmmProviderClient {
    private final ProviderShared shared;
    private final EmaWait wait;
    private final EmaContent contents;
    private final EmaDecoder decoder = new EmaDecoder();
    private final LoopCounts<ProviderCounts> loop;
    private final ProviderCounts counts;
    private final LatencyMeter generics;
    private final StampClock stampClock = new StampClock();
    private final LatencyRecorder decodeTime;
    private final EncodeTime encodeTime;
    private final List<EmaServed> connections = new ArrayList<>();
    private final Map<Long, EmaServed> byClient = new HashMap<>();
    private final Set<Long> logins = ConcurrentHashMap.newKeySet();

    /** Streams and consumers that have ended in the library, until our thread has been told. */
    private final Set<Long> closing = ConcurrentHashMap.newKeySet();

    private final Set<Long> leaving = ConcurrentHashMap.newKeySet();
    private final AtomicInteger waitingAnswers = new AtomicInteger();
    private final LibraryDispatch libraryDispatch;
    private final Queue<Runnable> handedOver = new ConcurrentLinkedQueue<>();
    private final OmmProvider provider;

    EmaProvider(
            final ProviderShared shared,
            final String address,
            final int port,
            final LatencyListener each) {
        this.shared = shared;
        libraryDispatch = shared.settings().run().dispatch(1, shared.context());
        libraryDispatch.begin();
        contents = new EmaContent(shared.dictionary(), shared.settings().source().stampUnit());
        final var recording = shared.context().recording();
        loop = new LoopCounts<>(ProviderCounts.COLUMNS, 1, recording);
        counts = loop.live();
        generics =
                new LatencyMeter(
                        LatencyKind.GENERIC,
                        1,
                        "AtProvider",
                        recording,
                        counts.genericLatency(),
                        each);
        decodeTime = shared.settings().measureDecode() ? recording.latency("decodeNs") : null;
        encodeTime = shared.encodeTime(1);
        JsonPools.fill();
        try (DictionarySettings.Files files = shared.settings().content().files();
                EmaFile file = EmaFile.provider(shared.connection(), service(files), address)) {
            final OmmIProviderConfig config = config(file, port);
            provider =
                    shared.settings()
                            .run()
                            .onWorkerCore(1, () -> EmaFactory.createOmmProvider(config, this));
        } catch (final OmmException e) {
            throw UserError.environment(
                    "Cannot listen on %s:%d (%s); name another --port or --bind-address."
                            .formatted(address, port, e.getMessage().replaceAll("\\s+", " ")),
                    e);
        }
        wait = new EmaWait(shared.idle(1), provider::dispatch);
    }

    private OmmIProviderConfig config(final EmaFile file, final int port) {
        final OmmIProviderConfig config =
                EmaFactory.createOmmIProviderConfig(file.path())
                        .port(Integer.toString(port))
                        .operationModel(
                                libraryDispatch.isOn()
                                        ? OmmIProviderConfig.OperationModel.API_DISPATCH
                                        : OmmIProviderConfig.OperationModel.USER_DISPATCH)
                        .providerName("Provider_1");
        if (!shared.connection().keyFile().isEmpty()) {
            config.keystoreFile(shared.connection().keyFile());
            config.keystorePasswd(shared.connection().keyPassword());
        }
        return config;
    }

    private EmaService service(final DictionarySettings.Files files) {
        final ProviderSettings settings = shared.settings();
        return new EmaService(
                settings.serviceName(), settings.serviceId(), shared.messages().domains(), files);
    }

    @Override
    public List<EmaServed> connections() {
        return connections;
    }

    @Override
    public boolean dispatch(final long nowNs) {
        disconnectSlow();
        if (!libraryDispatch.isOn()) {
            wait.poll();
            return false;
        }
        for (Runnable next = handedOver.poll(); next != null; next = handedOver.poll()) {
            next.run();
        }
        return false;
    }

    private void disconnectSlow() {
        for (int i = connections.size() - 1; i >= 0; i--) {
            final EmaServed each = connections.get(i);
            if (shared.isTooSlow(each, counts)) {
                gone(each);
                try {
                    provider.closeChannel(each.client());
                } catch (final OmmException _) {
                    // it has gone by itself
                }
            }
        }
    }

    /** Makes our thread do the changes of connections, items and counts. */
    private void hand(final Runnable change) {
        if (libraryDispatch.isOn()) {
            handedOver.add(change);
        } else {
            change.run();
        }
    }

    @Override
    public void idle(final long forNs) {
        wait.idle(forNs, !libraryDispatch.isOn());
    }

    @Override
    public long libraryThread() {
        return libraryDispatch.threadId();
    }

    @Override
    public LoopCounts<ProviderCounts> counts() {
        return loop;
    }

    @Override
    public boolean hasOtherClock() {
        return stampClock.hasOther();
    }

    @Override
    public void sendRoundTrips() {
        // the library does not let its users
    }

    @Override
    public void close() {
        provider.uninitialize();
    }

    @Override
    public void onReqMsg(final ReqMsg request, final OmmProviderEvent event) {
        libraryDispatch.called();
        final long handle = event.handle();
        final long client = event.clientHandle();
        switch (request.domainType()) {
            case EmaRdm.MMT_LOGIN -> {
                final boolean isNew = logins.add(handle); // otherwise it only renews its login
                EmaReplies.login(request, event);
                if (isNew) {
                    final boolean isElsewhere =
                            shared.otherClock()
                                    .isElsewhere(
                                            Objects.requireNonNullElse(
                                                    event.channelInformation().ipAddress(), ""));
                    hand(() -> came(client, handle, isElsewhere));
                }
            }
            case EmaRdm.MMT_DIRECTORY, EmaRdm.MMT_DICTIONARY -> {
                // the library answers from its configuration
            }
            default -> {
                if (!shared.messages().has(request.domainType()) || !request.hasName()) {
                    EmaReplies.refuse(request, event);
                    hand(() -> counts.refused().increment());
                    return;
                }
                final ItemRequest wanted =
                        new ItemRequest(
                                request.domainType(),
                                request.name(),
                                request.interestAfterRefresh());
                hand(() -> item(wanted, handle, client));
            }
        }
    }

    /** The request; the library's message is only valid during the callback. */
    private record ItemRequest(int domainType, String name, boolean isStreaming) {}

    private void came(final long client, final long login, final boolean isElsewhere) {
        final ProviderSettings settings = shared.settings();
        final ItemFeed feed = shared.feed(connections.size());
        final EmaSink sink =
                new EmaSink(
                        provider,
                        contents,
                        settings.serviceId(),
                        LongUnaryOperator.identity(),
                        encodeTime);
        final EmaServed served =
                new EmaServed(
                        feed,
                        sink,
                        counts,
                        new EmaServed.Library(
                                provider,
                                client,
                                login,
                                waitingAnswers,
                                handle -> closing.contains(handle) || leaving.contains(client)));
        served.isElsewhere(isElsewhere);
        byClient.put(client, served);
        connections.add(served);
        counts.connections().increment();
        shared.consumerJoined();
    }

    private void item(final ItemRequest wanted, final long handle, final long client) {
        counts.requests().increment();
        final EmaServed from = byClient.get(client);
        if (from != null) { // otherwise it has gone again
            from.request(
                    handle,
                    wanted.name(),
                    shared.messages().messages(wanted.domainType()),
                    wanted.isStreaming());
        }
    }

    @Override
    public void onReissue(final ReqMsg request, final OmmProviderEvent event) {
        switch (request.domainType()) {
            case EmaRdm.MMT_LOGIN, EmaRdm.MMT_DIRECTORY, EmaRdm.MMT_DICTIONARY -> {
                // the stream goes on as it is
            }
            default -> {
                libraryDispatch.called();
                final long handle = event.handle();
                final long client = event.clientHandle();
                final ItemReissue again =
                        new ItemReissue(
                                request.domainType(),
                                request.hasName() ? request.name() : "",
                                request.hasBatch(),
                                request.initialImage());
                hand(() -> reissued(again, handle, client));
            }
        }
    }

    /** A request on an open stream; its name is empty where it leaves that out. */
    record ItemReissue(int domainType, String name, boolean isBatch, boolean wantsImage) {}

    private void reissued(final ItemReissue again, final long handle, final long client) {
        counts.requests().increment();
        final EmaServed from = byClient.get(client);
        if (from != null) { // otherwise it has gone again
            from.reissue(handle, again);
        }
    }

    @Override
    public void onClose(final ReqMsg request, final OmmProviderEvent event) {
        final long handle = event.handle();
        final long client = event.clientHandle();
        final boolean isLogin = logins.remove(handle);
        final Set<Long> ending = isLogin ? leaving : closing;
        final long ends = isLogin ? client : handle;
        ending.add(ends);
        hand(() -> {
            closed(handle, client, isLogin);
            ending.remove(ends);
        });
    }

    private void closed(final long handle, final long client, final boolean isLogin) {
        final EmaServed from = byClient.get(client);
        if (from == null) {
            return;
        }
        if (!isLogin) {
            from.close(handle, shared.context().clock().nanoTime());
            return;
        }
        gone(from);
    }

    private void gone(final EmaServed consumer) {
        byClient.remove(consumer.client());
        consumer.settle();
        consumer.leave(shared.context().clock().nanoTime());
        consumer.forgetAnswers();
        connections.remove(consumer);
        shared.consumerLeft();
    }

    @Override
    public void onPostMsg(final PostMsg post, final OmmProviderEvent event) {
        hand(() -> counts.posts().increment());
        final long client = event.clientHandle();
        for (final EmaAnswer answer :
                EmaAnswer.of(
                        post,
                        event.handle(),
                        !logins.contains(event.handle()),
                        () -> hand(() -> counts.unreflected().increment()))) {
            // here and now, so that consumers need not wait for our thread; but in turn
            final boolean[] isDropped = {false};
            if (waitingAnswers.get() == 0
                    && answer.isTakenBy(event.provider(), () -> isDropped[0] = true)) {
                if (isDropped[0]) {
                    hand(() -> refused(answer.handle(), client));
                } else if (answer.isReflection()) {
                    hand(() -> counts.reflected().increment());
                }
            } else {
                waitingAnswers.incrementAndGet();
                final EmaAnswer copy = answer.copy();
                hand(() -> keep(copy, client));
            }
        }
    }

    private void refused(final long handle, final long client) {
        final EmaServed from = byClient.get(client);
        if (from != null) { // otherwise it has gone
            from.refusedAtOnce(handle);
        }
    }

    private void keep(final EmaAnswer answer, final long client) {
        final EmaServed from = byClient.get(client);
        if (from == null) { // it has gone
            waitingAnswers.decrementAndGet();
        } else {
            from.answer(answer);
        }
    }

    @Override
    public void onGenericMsg(final GenericMsg message, final OmmProviderEvent event) {
        final long beginNs = decodeTime == null ? 0 : shared.context().clock().nanoTime();
        final boolean isWhole = decoder.decode(message.payload());
        final long handle = event.handle();
        final long client = event.clientHandle();
        final long sequence = decoder.sequence(MessageKind.GENERIC);
        final long stamp = decoder.taken(MessageKind.GENERIC);
        final long intendedNs = decoder.intendedNs();
        final long host = decoder.host();
        final long decodedNs =
                stamp == 0 && decodeTime == null ? 0 : shared.context().clock().nanoTime();
        hand(() -> {
            counts.genericsReceived().increment();
            counts.garbled().add(isWhole ? 0 : 1);
            final EmaServed from = byClient.get(client);
            if (from != null && sequence != 0) {
                from.generic(handle, sequence);
            }
            if (decodeTime != null) {
                decodeTime.record(decodedNs - beginNs);
            }
            if (stamp != 0 && stampClock.isOwn(host, from != null && from.isElsewhere())) {
                generics.onStamped(stamp, intendedNs, decodedNs);
            }
        });
    }

    @Override
    public void onRefreshMsg(final RefreshMsg message, final OmmProviderEvent event) {
        // consumers send none
    }

    @Override
    public void onStatusMsg(final StatusMsg message, final OmmProviderEvent event) {
        // consumers send none
    }

    @Override
    public void onAllMsg(final Msg message, final OmmProviderEvent event) {
        // each kind has its own method
    }

    /** Immediate answers to logins and refused requests on the Message API. Any thread. */
    private static final class EmaReplies {
        private EmaReplies() {}

        static void login(final ReqMsg request, final OmmProviderEvent event) {
            final ElementList attributes = EmaFactory.createElementList();
            attributes.add(EmaFactory.createElementEntry().uintValue(EmaRdm.ENAME_SUPPORT_POST, 1));
            // not by the field: the library's thread calls as soon as it exists
            event.provider()
                    .submit(
                            EmaFactory.createRefreshMsg()
                                    .domainType(EmaRdm.MMT_LOGIN)
                                    .name(request.name())
                                    .nameType(EmaRdm.USER_NAME)
                                    .complete(true)
                                    .solicited(true)
                                    .state(OmmState.StreamState.OPEN, OmmState.DataState.OK)
                                    .attrib(attributes),
                            event.handle());
        }

        static void refuse(final ReqMsg request, final OmmProviderEvent event) {
            event.provider()
                    .submit(
                            EmaFactory.createStatusMsg()
                                    .domainType(request.domainType())
                                    .state(
                                            OmmState.StreamState.CLOSED,
                                            OmmState.DataState.SUSPECT,
                                            OmmState.StatusCode.NOT_FOUND,
                                            request.hasName()
                                                    ? "the message file has nothing for this domain"
                                                    : "the request names no item; batch requests are not "
                                                            + "supported here"),
                            event.handle());
        }
    }

    /** One consumer of a provider on the Message API. Single-threaded. */
    static final class EmaServed extends ServedConsumer {
        private final EmaSink sink;
        private final ProviderCounts counts;
        private final Library library;
        private final ArrayDeque<EmaAnswer> answers = new ArrayDeque<>();
        private long answersBytes;
        private long answersRefused;

        /**
         * The library's side of it.
         *
         * @param provider to submit to
         * @param client the library's handle of the consumer
         * @param login the library's handle of its login stream, on which it may post as well
         * @param waitingAnswers of all consumers
         * @param isEnding whether the other side has closed a stream, by its handle, or has gone,
         *     which may not have been passed to our thread yet
         */
        record Library(
                OmmProvider provider,
                long client,
                long login,
                AtomicInteger waitingAnswers,
                LongPredicate isEnding) {}

        EmaServed(
                final ItemFeed feed,
                final EmaSink sink,
                final ProviderCounts counts,
                final Library library) {
            super(feed, sink, counts);
            this.sink = sink;
            this.counts = counts;
            this.library = library;
        }

        /** The library's handle of the consumer. */
        long client() {
            return library.client();
        }

        /** An item was requested on a new stream. */
        void request(
                final long handle,
                final String name,
                final MessageFile.Messages messages,
                final boolean isStreaming) {
            forgetSnapshots();
            open(new SentItem(handle, name, messages, isStreaming));
        }

        /** A request on an open stream: for its image again, or for what it cannot have. */
        void reissue(final long handle, final ItemReissue again) {
            forgetSnapshots();
            final SentItem item = item(handle);
            if (item == null) {
                refuse(
                        new EmaAnswer(
                                handle,
                                status(
                                        again.domainType(),
                                        OmmState.StreamState.CLOSED,
                                        OmmState.DataState.SUSPECT,
                                        OmmState.StatusCode.NOT_OPEN,
                                        "the stream has ended with its image; request the item anew")));
            } else if (again.isBatch()) {
                refuse(
                        item,
                        OmmState.StatusCode.UNABLE_TO_REQUEST_AS_BATCH,
                        "batch requests are not supported here");
            } else if (again.domainType() != item.domainType()
                    || !again.name().isEmpty() && !again.name().equals(item.name())) {
                refuse(
                        item,
                        OmmState.StatusCode.USAGE_ERROR,
                        "another item needs a stream of its own");
            } else if (again.wantsImage()) {
                feed().wantImage(item, true);
            }
        }

        /** The stream goes on with the item that it has. */
        private void refuse(final SentItem open, final int code, final String why) {
            refuse(
                    new EmaAnswer(
                            open.handle(),
                            status(
                                    open.domainType(),
                                    OmmState.StreamState.OPEN,
                                    OmmState.DataState.NO_CHANGE,
                                    code,
                                    "the stream is open for %s in domain %s: %s"
                                            .formatted(
                                                    open.name(),
                                                    DomainTypes.toString(open.domainType()),
                                                    why))));
        }

        private void refuse(final EmaAnswer refusal) {
            counts.refused().increment();
            library.waitingAnswers().incrementAndGet();
            answer(refusal);
        }

        private static StatusMsg status(
                final int domainType,
                final int streamState,
                final int dataState,
                final int code,
                final String words) {
            return EmaFactory.createStatusMsg()
                    .domainType(domainType)
                    .state(streamState, dataState, code, words);
        }

        /** A numbered generic message has arrived. */
        void generic(final long handle, final long sequence) {
            if (item(handle) != null) { // otherwise nothing would ever end it
                generics().onMessage(handle, sequence);
            }
        }

        /** The library takes none for it, either. */
        @Override
        void forgetAnswers(final long handle) {
            answers.removeIf(answer -> {
                if (answer.handle() != handle) {
                    return false;
                }
                answersBytes -= bytes(answer);
                library.waitingAnswers().decrementAndGet();
                return true;
            });
        }

        /** Keeps an answer that refers to no message of the library, already counted as waiting. */
        void answer(final EmaAnswer copy) {
            answers.add(copy);
            answersBytes += bytes(copy);
        }

        private static long bytes(final EmaAnswer copy) {
            return HEADER_BYTES + copy.contentBytes();
        }

        /** The consumer has gone: it is not answered any more. */
        void forgetAnswers() {
            library.waitingAnswers().addAndGet(-answers.size());
            answers.clear();
            answersBytes = 0;
        }

        @Override
        void sendWaiting() {
            if (answers.isEmpty()) {
                return;
            }
            forgetSnapshots();
            while (!answers.isEmpty()) {
                final EmaAnswer next = answers.peek();
                final boolean[] isDropped = {false};
                if (!next.isTakenBy(library.provider(), () -> isDropped[0] = true)) {
                    answersRefused++;
                    return;
                }
                answers.poll();
                answersBytes -= bytes(next);
                library.waitingAnswers().decrementAndGet();
                if (!isDropped[0]) {
                    counts.reflected().add(next.isReflection() ? 1 : 0);
                } else {
                    refused(next.handle());
                }
            }
        }

        /** An answer was submitted without waiting, and refused for a reason other than buffers. */
        void refusedAtOnce(final long handle) {
            forgetSnapshots();
            refused(handle);
        }

        /**
         * The answer is dropped, unless its stream has ended: then the consumer has that end, and
         * the library takes no answer for a stream that it no longer knows.
         */
        private void refused(final long handle) {
            final boolean isOpen = item(handle) != null || handle == library.login();
            if (isOpen && !library.isEnding().test(handle)) {
                counts.unsent().increment();
            }
        }

        @Override
        long waitingBytes() {
            return answersBytes;
        }

        @Override
        long noBuffer() {
            return sink.noBuffer() + answersRefused;
        }

        /** The library does not report it. */
        @Override
        int buffersInUse() {
            return 0;
        }

        @Override
        String failure() {
            return sink.failure();
        }
    }

    /**
     * What answers a post on the Message API (its acknowledgement, or what all watchers of the item
     * receive of it, as on the Transport API), or the status that refuses a request on an open
     * stream.
     *
     * @param handle of the stream that was posted or requested on
     * @param message to submit
     */
    record EmaAnswer(long handle, Msg message) {
        /**
         * The answers of a post.
         *
         * @param post what it holds is referred to until they are submitted or copied
         * @param handle of its stream
         * @param isWatched false on the login stream, which has no watchers
         * @param dropped is called where no consumer will see the post
         */
        static List<EmaAnswer> of(
                final PostMsg post,
                final long handle,
                final boolean isWatched,
                final Runnable dropped) {
            final List<EmaAnswer> answers = new ArrayList<>(2);
            if (post.solicitAck()) {
                answers.add(new EmaAnswer(handle, acknowledgement(post)));
            }
            try {
                final Msg reflection = isWatched ? reflection(post) : null;
                if (reflection == null) {
                    dropped.run();
                } else {
                    answers.add(new EmaAnswer(handle, reflection));
                }
            } catch (final OmmException _) {
                dropped.run(); // its content cannot be read, and therefore not be reflected
            }
            return answers;
        }

        private static Msg acknowledgement(final PostMsg post) {
            final AckMsg message =
                    EmaFactory.createAckMsg().domainType(post.domainType()).ackId(post.postId());
            return post.hasSeqNum() ? message.seqNum(post.seqNum()) : message;
        }

        /** Null where the post holds neither an image nor an update nor content. */
        private static Msg reflection(final PostMsg post) {
            return switch (post.payload().dataType()) {
                case DataTypes.UPDATE_MSG -> {
                    final UpdateMsg posted = post.payload().updateMsg();
                    yield update(post, posted.payload()).updateTypeNum(posted.updateTypeNum());
                }
                case DataTypes.REFRESH_MSG ->
                        EmaFactory.createRefreshMsg(post.payload().refreshMsg())
                                .publisherId(
                                        post.publisherIdUserId(), post.publisherIdUserAddress());
                case DataTypes.ERROR,
                        DataTypes.STATUS_MSG,
                        DataTypes.GENERIC_MSG,
                        DataTypes.POST_MSG,
                        DataTypes.REQ_MSG,
                        DataTypes.ACK_MSG ->
                        null;
                default -> update(post, post.payload());
            };
        }

        private static UpdateMsg update(final PostMsg post, final Payload posted) {
            final UpdateMsg update =
                    EmaFactory.createUpdateMsg()
                            .domainType(post.domainType())
                            .publisherId(post.publisherIdUserId(), post.publisherIdUserAddress());
            return posted.data() instanceof final ComplexType content
                    ? update.payload(content)
                    : update;
        }

        boolean isReflection() {
            return message instanceof UpdateMsg || message instanceof RefreshMsg;
        }

        /** The same without the content of the post. */
        EmaAnswer copy() {
            return message instanceof final UpdateMsg update
                    ? new EmaAnswer(handle, EmaFactory.createUpdateMsg(update))
                    : this; // an image is a copy already
        }

        /** The size of its content; only of a copy. */
        int contentBytes() {
            return isReflection() ? message.payload().data().asHex().remaining() : 0;
        }

        /**
         * Submits it.
         *
         * @param dropped is called where it was refused for a reason other than buffers
         * @return false where no output buffer is free; what is refused for another reason is done
         *     with: the poster has gone, or what it posted cannot be sent on
         */
        boolean isTakenBy(final OmmProvider provider, final Runnable dropped) {
            try {
                switch (message) {
                    case final RefreshMsg image -> provider.submit(image, handle);
                    case final UpdateMsg update -> provider.submit(update, handle);
                    case final StatusMsg status -> provider.submit(status, handle);
                    default -> provider.submit((AckMsg) message, handle);
                }
                return true;
            } catch (final OmmException | NullPointerException e) {
                // release 3.9.1 finds no session of a consumer that is just disconnecting
                if (EmaRefusals.isWantOfBuffers(e)) {
                    return false;
                }
                dropped.run();
                return true;
            }
        }
    }
}
