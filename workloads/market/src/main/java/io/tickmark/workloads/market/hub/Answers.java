package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.AckMsg;
import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.NakCodes;
import com.refinitiv.eta.codec.PostMsg;
import com.refinitiv.eta.codec.RefreshMsg;
import com.refinitiv.eta.codec.StateCodes;
import com.refinitiv.eta.codec.StatusMsg;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.valueadd.domainrep.rdm.MsgBase;
import io.tickmark.workloads.market.data.FieldView.ViewFilter;
import io.tickmark.workloads.market.data.ImageHeader;
import io.tickmark.workloads.market.hub.HubCounts.Traffic;
import io.tickmark.workloads.market.hub.cache.ImageCodec;
import io.tickmark.workloads.market.hub.cache.ItemImage;

/** Encodes messages for consumers and puts them into their outboxes. Single-threaded. */
final class Answers {
    private final HubScratch scratch;
    private final ImageCodec images;
    private final HubCounts counts;
    private final Msg message = CodecFactory.createMsg();
    private final ViewFilter views = new ViewFilter();

    Answers(final HubScratch scratch, final ImageCodec images, final HubCounts counts) {
        this.scratch = scratch;
        this.images = images;
        this.counts = counts;
    }

    /** Sends the cached image of the subscription's item. */
    void image(final ItemSubscription to, final boolean solicited) {
        if (to.isSilent()) {
            standbyImage(to, solicited);
        } else {
            image(to, to.item().image(), to.item().dataState(), solicited);
            counts.traffic().imagesOut().increment();
        }
        to.answered(true);
    }

    /** Sends an image without fields to show that there is none yet; updates still wait. */
    void placeholder(final ItemSubscription to) {
        image(to, null, DataStates.SUSPECT, to.isRequested());
        counts.traffic().placeholders().increment();
        to.answered(false);
    }

    /** To a consumer whose standby the hub is: shows that there is an image. */
    private void standbyImage(final ItemSubscription to, final boolean solicited) {
        image(to, null, to.item().dataState(), solicited);
        counts.traffic().standbyImages().increment();
    }

    private void image(
            final ItemSubscription to,
            final ItemImage image,
            final int dataState,
            final boolean solicited) {
        final HubItem item = to.item();
        message.clear();
        message.msgClass(MsgClasses.REFRESH);
        message.domainType(item.domainType());
        message.containerType(image == null ? DataTypes.NO_DATA : ImageCodec.containerType(image));
        final RefreshMsg refresh = (RefreshMsg) message;
        item.applyTo(refresh);
        refresh.applyRefreshComplete();
        refresh.applyClearCache();
        if (solicited) {
            refresh.applySolicited();
        }
        refresh.state()
                .streamState(to.isStreaming() ? StreamStates.OPEN : StreamStates.NON_STREAMING);
        refresh.state().dataState(dataState);
        final EncodeIterator iterator = scratch.begin(512 + (image == null ? 0 : image.maxBytes()));
        int result = message.encodeInit(iterator, 0);
        if (image != null && result >= CodecReturnCodes.SUCCESS) {
            result = images.encode(image, iterator);
        }
        if (result >= CodecReturnCodes.SUCCESS) {
            result = message.encodeComplete(iterator, true);
        }
        check(result);
        send(to);
    }

    /** Forwards a provider's image unchanged, where nothing is cached. */
    void forward(final RefreshMsg refresh, final ItemSubscription to, final boolean solicited) {
        final HubItem item = to.item();
        if (to.isSilent()) {
            standbyImage(to, solicited);
            return;
        }
        final int flags = refresh.flags();
        final int stream = refresh.streamId();
        item.applyTo(refresh);
        if (solicited) {
            refresh.applySolicited();
        } else {
            refresh.flags(refresh.flags() & ~com.refinitiv.eta.codec.RefreshMsgFlags.SOLICITED);
        }
        encode(refresh);
        refresh.flags(flags);
        refresh.streamId(stream);
        counts.traffic().imagesOut().increment();
        send(to);
    }

    /** Encodes a message once, to be sent to many with {@link #send}. */
    void encode(final Msg any) {
        check(scratch.encode(any::encode));
    }

    /** Encodes an administrative message. */
    void encode(final MsgBase administrative) {
        check(scratch.encode(administrative::encode));
    }

    /** Sends what {@link #encode} has encoded. */
    void send(final ItemSubscription to) {
        send(scratch.encoded(), to);
    }

    /** Sends a message, or the part of it within the subscription's view. */
    void send(final Buffer encoded, final ItemSubscription to) {
        if (to.view() == null) {
            to.consumer().outbox().send(encoded, to.streamId(), to.item().service());
            return;
        }
        final Buffer wanted = views.of(encoded, to.view());
        if (!views.isKept()) {
            counts.dropped(Traffic::viewsNotKept, () -> "one of " + to.item());
        }
        to.consumer().outbox().send(wanted, to.streamId(), to.item().service());
    }

    /** Sends a status of one stream. */
    void status(
            final ItemSubscription to,
            final int streamState,
            final int dataState,
            final int code,
            final String text) {
        status(to.consumer(), to.streamId(), to.item().domainType(), streamState, dataState);
        ((StatusMsg) message).state().code(code);
        ((StatusMsg) message).state().text(ImageHeader.nameOf(text));
        encode(message);
        send(to);
    }

    private void status(
            final HubConsumer to,
            final int streamId,
            final int domainType,
            final int streamState,
            final int dataState) {
        message.clear();
        message.msgClass(MsgClasses.STATUS);
        message.streamId(streamId);
        message.domainType(domainType);
        message.containerType(DataTypes.NO_DATA);
        final StatusMsg status = (StatusMsg) message;
        status.applyHasState();
        status.state().streamState(streamState);
        status.state().dataState(dataState);
    }

    /** Ends the stream of a batch: each of its items has its own stream. */
    void batchTaken(final HubConsumer consumer, final Msg request, final int items) {
        status(
                consumer,
                request.streamId(),
                request.domainType(),
                StreamStates.CLOSED,
                DataStates.OK);
        ((StatusMsg) message)
                .state()
                .text(ImageHeader.nameOf(items + " items, each on a stream of its own"));
        final int streamId = request.streamId();
        encode(message);
        consumer.outbox().send(scratch.encoded(), streamId);
    }

    /** Closes a stream that never was a subscription. */
    void refuse(
            final HubConsumer consumer,
            final Msg request,
            final int streamState,
            final int code,
            final String text) {
        status(consumer, request.streamId(), request.domainType(), streamState, DataStates.SUSPECT);
        ((StatusMsg) message).state().code(code);
        ((StatusMsg) message).state().text(ImageHeader.nameOf(text));
        final int streamId = request.streamId();
        encode(message);
        consumer.outbox().send(scratch.encoded(), streamId);
    }

    /** Reports that the item stays open but is suspect. */
    void suspect(final ItemSubscription to, final String text) {
        status(to, StreamStates.OPEN, DataStates.SUSPECT, StateCodes.NONE, text);
    }

    /** Acknowledges a post that requests it. */
    void acknowledge(
            final HubConsumer consumer, final PostMsg post, final int nakCode, final String text) {
        if (!post.checkAck()) {
            return;
        }
        message.clear();
        message.msgClass(MsgClasses.ACK);
        message.streamId(post.streamId());
        message.domainType(post.domainType());
        message.containerType(DataTypes.NO_DATA);
        final AckMsg ack = (AckMsg) message;
        ack.ackId(post.postId());
        if (post.checkHasSeqNum()) {
            ack.applyHasSeqNum();
            ack.seqNum(post.seqNum());
        }
        if (nakCode != NakCodes.NONE) {
            ack.applyHasNakCode();
            ack.nakCode(nakCode);
            ack.applyHasText();
            final Buffer why = ImageHeader.nameOf(text);
            ack.text(why);
        }
        encode(message);
        counts.traffic().acknowledgements().increment();
        consumer.outbox().send(scratch.encoded(), post.streamId());
    }

    /** Sends an administrative message. */
    void send(final HubConsumer to, final MsgBase administrative) {
        check(scratch.encode(administrative::encode));
        to.outbox().send(scratch.encoded(), administrative.streamId());
    }

    private static void check(final int result) {
        if (result < CodecReturnCodes.SUCCESS) {
            throw new IllegalStateException(
                    "a message cannot be encoded: " + CodecReturnCodes.toString(result));
        }
    }
}
