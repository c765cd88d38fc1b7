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
import com.refinitiv.eta.valueadd.reactor.ReactorChannel;
import io.tickmark.kernel.record.LatencyRecorder;
import io.tickmark.workloads.market.data.FieldView;
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.data.PayloadDecoder;
import io.tickmark.workloads.market.data.ReflectedPost;
import io.tickmark.workloads.market.data.RequestContent;
import io.tickmark.workloads.market.measure.LatencyMeter;
import io.tickmark.workloads.market.rssl.PackedWriter;
import io.tickmark.workloads.market.source.EtaSink;
import io.tickmark.workloads.market.source.ItemFeed;
import io.tickmark.workloads.market.source.SentItem;
import java.util.ArrayDeque;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.NanoClock;

/**
 * The item side of one consumer's connection: its requests, posts and generic messages.
 * Single-threaded.
 */
final class EtaServed extends ServedConsumer {
    private final ReactorChannel channel;
    private final PackedWriter writer;
    private final EtaSink sink;
    private final Tools tools;
    private final Int2ObjectHashMap<SentItem> items = new Int2ObjectHashMap<>();
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
        switch (message.msgClass()) {
            case MsgClasses.REQUEST -> onRequest((RequestMsg) message);
            case MsgClasses.CLOSE -> onClose(message.streamId());
            case MsgClasses.POST -> onPost((PostMsg) message);
            case MsgClasses.GENERIC -> onGeneric(message);
            default -> tools.counts().ignored().increment(); // a consumer sends nothing else
        }
    }

    private void onRequest(final RequestMsg request) {
        tools.counts().requests().increment();
        final RequestContent content =
                RequestContent.of(request, channel.majorVersion(), channel.minorVersion());
        final SentItem known = items.get(request.streamId());
        if (known != null) {
            if (!request.checkHasView() || content.view() != null) {
                known.view(content.view()); // a view that is not sent again is kept
            }
            if (!request.checkNoRefresh()) {
                feed().wantImage(known, true);
            }
            return;
        }
        final String refusal = refusal(request, content);
        if (!refusal.isEmpty()) {
            tools.counts().refused().increment();
            send(closed(request, refusal, DataStates.SUSPECT, code(request, content)));
            return;
        }
        if (!request.checkHasBatch()) {
            open(request, request.streamId(), request.msgKey().name().toString(), content.view());
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

    private void open(
            final RequestMsg request, final int streamId, final String name, final FieldView view) {
        final SentItem item =
                new SentItem(
                        streamId,
                        name,
                        tools.messages().messages(request.domainType()),
                        request.checkStreaming());
        item.view(view);
        if (request.checkStreaming()) {
            items.put(streamId, item);
        }
        feed().wantImage(item, true);
    }

    /**
     * The consumer has another server that is active, or no longer has one: then each item's image
     * is sent with its content, and updates follow.
     */
    void standby(final boolean isStandby) {
        sink.standby(isStandby);
        standby(isStandby, tools.clock().nanoTime());
        if (!isStandby) {
            items.values().forEach(item -> feed().wantImage(item, item.wantsImage()));
        }
    }

    private String refusal(final RequestMsg request, final RequestContent content) {
        if (!tools.messages().has(request.domainType())) {
            return "the message file has nothing for this domain";
        }
        if (!content.trouble().isEmpty()) {
            return "the request cannot be read: " + content.trouble();
        }
        for (int i = 1; i <= content.items().size(); i++) {
            if (items.containsKey(request.streamId() + i)) {
                return "stream %d, which would be an item's, is open already"
                        .formatted(request.streamId() + i);
            }
        }
        if (!request.checkHasBatch() && !request.msgKey().checkHasName()) {
            return "the request names no item";
        }
        return request.msgKey().checkHasServiceId()
                        && request.msgKey().serviceId() != tools.serviceId()
                ? "there is no service " + request.msgKey().serviceId()
                : "";
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
        final Msg message = CodecFactory.createMsg();
        message.msgClass(MsgClasses.STATUS);
        final StatusMsg status = (StatusMsg) message;
        status.streamId(request.streamId());
        status.domainType(request.domainType());
        status.containerType(DataTypes.NO_DATA);
        status.applyHasState();
        status.state().streamState(StreamStates.CLOSED);
        status.state().dataState(dataState);
        status.state().code(code);
        status.state().text().data(words);
        return message;
    }

    private void onClose(final int streamId) {
        generics().forget(streamId);
        final SentItem item = items.remove(streamId);
        if (item != null) {
            remove(item, tools.clock().nanoTime());
        }
    }

    private void onPost(final PostMsg post) {
        tools.counts().posts().increment();
        if (post.checkAck()) {
            send(acknowledged(post));
        }
        if (!items.containsKey(post.streamId())) {
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
        if (sequence != 0 && items.containsKey(message.streamId())) {
            generics().onMessage(message.streamId(), sequence);
        }
        final long stamp = tools.decoder().taken(MessageKind.GENERIC);
        if (stamp != 0) {
            tools.genericMeter()
                    .onStamped(stamp, tools.decoder().intendedNs(), tools.clock().nanoTime());
        }
    }

    /** Sends a message that only holds now; false where a copy of it waits for output buffers. */
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
        final int body = message.encodedDataBody() == null ? 0 : message.encodedDataBody().length();
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
    void sendWaiting() {
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
