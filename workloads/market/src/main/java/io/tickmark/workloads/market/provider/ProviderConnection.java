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
import io.tickmark.workloads.market.data.MessageFile;
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.data.PayloadDecoder;
import io.tickmark.workloads.market.data.ReflectedPost;
import io.tickmark.workloads.market.measure.LatencyMeter;
import io.tickmark.workloads.market.rssl.PackedWriter;
import io.tickmark.workloads.market.source.FedItem;
import io.tickmark.workloads.market.source.FeedSink;
import io.tickmark.workloads.market.source.ItemFeed;
import java.util.ArrayDeque;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.NanoClock;

/**
 * The item side of one consumer's connection: its requests, posts and generic messages. One thread.
 */
final class ProviderConnection extends ServedConsumer {
    private final ReactorChannel channel;
    private final PackedWriter writer;
    private final Tools tools;
    private final Int2ObjectHashMap<FedItem> items = new Int2ObjectHashMap<>();
    private final ArrayDeque<Msg> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private int loginStream = -1;

    /** What the connections of a thread share. */
    record Tools(
            MessageFile messages,
            int serviceId,
            PayloadDecoder decoder,
            ReflectedPost reflection,
            LatencyMeter genericMeter,
            LatencyRecorder decodeTime,
            NanoClock clock,
            ProviderTotals totals) {}

    ProviderConnection(
            final ReactorChannel channel,
            final PackedWriter writer,
            final ItemFeed feed,
            final FeedSink sink,
            final Tools tools) {
        super(feed, sink, tools.totals());
        this.channel = channel;
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
            tools.totals().garbled++;
            return;
        }
        switch (message.msgClass()) {
            case MsgClasses.REQUEST -> onRequest((RequestMsg) message);
            case MsgClasses.CLOSE -> onClose(message.streamId());
            case MsgClasses.POST -> onPost((PostMsg) message);
            case MsgClasses.GENERIC -> onGeneric(message);
            default -> tools.totals().ignored++; // a consumer has nothing else to say
        }
    }

    private void onRequest(final RequestMsg request) {
        tools.totals().requests++;
        final FedItem known = items.get(request.streamId());
        if (known != null) {
            if (!request.checkNoRefresh()) {
                feed().wantImage(known, true);
            }
            return;
        }
        final String refusal = refusal(request);
        if (!refusal.isEmpty()) {
            tools.totals().refused++;
            send(closed(request, refusal, code(request)));
            return;
        }
        final FedItem item =
                new FedItem(
                        request.streamId(),
                        request.msgKey().name().toString(),
                        tools.messages().messages(request.domainType()),
                        request.checkStreaming());
        if (request.checkStreaming()) {
            items.put(request.streamId(), item);
        }
        feed().wantImage(item, true);
    }

    private String refusal(final RequestMsg request) {
        if (!tools.messages().has(request.domainType())) {
            return "the message file has nothing for this domain";
        }
        if (request.checkHasBatch()) {
            return "items are requested one by one; a library's watchlist divides a batch";
        }
        if (!request.msgKey().checkHasName()) {
            return "the request names no item";
        }
        return request.msgKey().checkHasServiceId()
                        && request.msgKey().serviceId() != tools.serviceId()
                ? "there is no service " + request.msgKey().serviceId()
                : "";
    }

    private static int code(final RequestMsg request) {
        return request.checkHasBatch()
                ? StateCodes.UNABLE_TO_REQUEST_AS_BATCH
                : StateCodes.NOT_FOUND;
    }

    private static Msg closed(final RequestMsg request, final String words, final int code) {
        final Msg message = CodecFactory.createMsg();
        message.msgClass(MsgClasses.STATUS);
        final StatusMsg status = (StatusMsg) message;
        status.streamId(request.streamId());
        status.domainType(request.domainType());
        status.containerType(DataTypes.NO_DATA);
        status.applyHasState();
        status.state().streamState(StreamStates.CLOSED);
        status.state().dataState(DataStates.SUSPECT);
        status.state().code(code);
        status.state().text().data(words);
        return message;
    }

    private void onClose(final int streamId) {
        generics().forget(streamId);
        final FedItem item = items.remove(streamId);
        if (item != null) {
            remove(item, tools.clock().nanoTime());
        }
    }

    private void onPost(final PostMsg post) {
        tools.totals().posts++;
        if (post.checkAck()) {
            send(acknowledged(post));
        }
        if (!items.containsKey(post.streamId())) {
            tools.totals().unreflected++;
            return; // a post on the login stream: nobody watches it here
        }
        final Msg reflection =
                tools.reflection().of(post, channel.majorVersion(), channel.minorVersion());
        if (reflection == null) {
            tools.totals().unreflected++;
        } else {
            reflection.streamId(post.streamId());
            if (sendOrCopy(reflection)) {
                tools.totals().reflected++;
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
        tools.totals().genericsReceived++;
        final long beginNs = tools.decodeTime() == null ? 0 : tools.clock().nanoTime();
        final int code =
                tools.decoder().decode(message, channel.majorVersion(), channel.minorVersion());
        if (tools.decodeTime() != null) {
            tools.decodeTime().record(tools.clock().nanoTime() - beginNs);
        }
        if (code < CodecReturnCodes.SUCCESS) {
            tools.totals().garbled++;
            return;
        }
        final long sequence = tools.decoder().sequence(MessageKind.GENERIC);
        if (sequence != 0 && items.containsKey(message.streamId())) {
            generics().onMessage(message.streamId(), sequence);
        }
        final long stamp = tools.decoder().takenNs(MessageKind.GENERIC);
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
            tools.totals().unsent++;
            return true; // a peer's message that cannot be sent on is none worth keeping
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
                tools.totals().reflected++;
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
