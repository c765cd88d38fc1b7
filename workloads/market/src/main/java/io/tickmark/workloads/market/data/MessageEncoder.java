package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.GenericMsg;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.PostMsg;
import com.refinitiv.eta.codec.RefreshMsg;
import com.refinitiv.eta.codec.UpdateMsg;
import com.refinitiv.eta.rdm.UpdateEventTypes;
import java.util.concurrent.TimeUnit;

/**
 * Encodes messages of a message file with their measuring fields. Single-threaded; allocates
 * nothing after construction. The iterator given must be set to a buffer of at least {@link
 * MessageTemplate#maxBytes} and to the channel's version; results are {@link CodecReturnCodes}.
 */
public final class MessageEncoder {
    private final PayloadEncoder payloads;
    private final Msg message = CodecFactory.createMsg();
    private final Msg nested = CodecFactory.createMsg();

    /**
     * An encoder.
     *
     * @param dictionary determines which measuring fields counterparts know; the others are left
     *     out
     * @param trackingUnit of the tracking fields: microseconds as the vendor's tools have it, or
     *     nanoseconds
     */
    public MessageEncoder(final FieldDictionary dictionary, final TimeUnit trackingUnit) {
        payloads = new PayloadEncoder(dictionary, trackingUnit);
    }

    /**
     * Encodes an image.
     *
     * @param iterator set to a buffer
     * @param template a refresh
     * @param streamId of the item's stream
     * @param tracking its number is that of the item's last update
     * @param header whose image it is
     * @return {@link CodecReturnCodes#SUCCESS} or less
     */
    public int refresh(
            final EncodeIterator iterator,
            final MessageTemplate template,
            final int streamId,
            final Tracking tracking,
            final ImageHeader header) {
        begin(message, template, MsgClasses.REFRESH, streamId);
        header.applyTo((RefreshMsg) message);
        return encode(iterator, message, template, tracking);
    }

    /**
     * Encodes an image without content, as a server on standby sends it.
     *
     * @param iterator set to a buffer
     * @param domainType of the item
     * @param streamId of the item's stream
     * @param header whose image it is
     * @return {@link CodecReturnCodes#SUCCESS} or less
     */
    public int emptyRefresh(
            final EncodeIterator iterator,
            final int domainType,
            final int streamId,
            final ImageHeader header) {
        message.clear();
        message.msgClass(MsgClasses.REFRESH);
        message.domainType(domainType);
        message.containerType(DataTypes.NO_DATA);
        message.streamId(streamId);
        header.applyTo((RefreshMsg) message);
        return message.encode(iterator);
    }

    /**
     * Encodes an update.
     *
     * @param iterator set to a buffer
     * @param template an update
     * @param streamId of the item's stream
     * @param tracking number and times
     * @return {@link CodecReturnCodes#SUCCESS} or less
     */
    public int update(
            final EncodeIterator iterator,
            final MessageTemplate template,
            final int streamId,
            final Tracking tracking) {
        begin(message, template, MsgClasses.UPDATE, streamId);
        ((UpdateMsg) message).updateType(UpdateEventTypes.QUOTE);
        ((UpdateMsg) message).applyDoNotConflate(); // a conflated update would count as lost
        return encode(iterator, message, template, tracking);
    }

    /**
     * Encodes a post on an item's stream: an update inside a post message.
     *
     * @param iterator set to a buffer
     * @param template a post
     * @param streamId of the item's stream
     * @param tracking number and times
     * @param header who posts
     * @return {@link CodecReturnCodes#SUCCESS} or less
     */
    public int post(
            final EncodeIterator iterator,
            final MessageTemplate template,
            final int streamId,
            final Tracking tracking,
            final PostHeader header) {
        begin(message, template, MsgClasses.POST, streamId);
        message.containerType(DataTypes.MSG);
        header.applyTo((PostMsg) message);
        int result = message.encodeInit(iterator, 0);
        if (result < CodecReturnCodes.SUCCESS) {
            return result;
        }
        begin(nested, template, MsgClasses.UPDATE, 0); // the post's stream counts
        ((UpdateMsg) nested).updateType(UpdateEventTypes.QUOTE);
        result = encode(iterator, nested, template, tracking);
        return result < CodecReturnCodes.SUCCESS ? result : message.encodeComplete(iterator, true);
    }

    /**
     * Encodes a generic message.
     *
     * @param iterator set to a buffer
     * @param template a generic message
     * @param streamId of the item's stream
     * @param tracking number and times
     * @return {@link CodecReturnCodes#SUCCESS} or less
     */
    public int generic(
            final EncodeIterator iterator,
            final MessageTemplate template,
            final int streamId,
            final Tracking tracking) {
        begin(message, template, MsgClasses.GENERIC, streamId);
        ((GenericMsg) message).applyMessageComplete();
        return encode(iterator, message, template, tracking);
    }

    private static void begin(
            final Msg message, final MessageTemplate template, final int kind, final int streamId) {
        message.clear();
        message.msgClass(kind);
        message.domainType(template.domainType());
        message.containerType(template.containerType());
        message.streamId(streamId);
    }

    private int encode(
            final EncodeIterator iterator,
            final Msg header,
            final MessageTemplate template,
            final Tracking tracking) {
        int result = header.encodeInit(iterator, 0);
        if (result < CodecReturnCodes.SUCCESS) {
            return result;
        }
        result = payloads.encode(iterator, template, tracking);
        return result < CodecReturnCodes.SUCCESS ? result : header.encodeComplete(iterator, true);
    }

    /**
     * Encodes updates, posts or generic messages once, to be sent any number of times with another
     * stream, number and times.
     *
     * @param template of any kind but an image
     * @param header who posts; ignored but for a post
     * @return the encoded message, with and without latency data
     */
    public PreEncoded preEncode(final MessageTemplate template, final PostHeader header) {
        return PreEncoded.of(this, template, header);
    }

    /** Of the tracking fields. */
    long nsPerUnit() {
        return payloads.nsPerUnit();
    }

    /** As {@link #update}, {@link #post} or {@link #generic}, by the template's kind. */
    int any(
            final EncodeIterator iterator,
            final MessageTemplate template,
            final int streamId,
            final Tracking tracking,
            final PostHeader header) {
        return switch (template.kind()) {
            case UPDATE -> update(iterator, template, streamId, tracking);
            case POST -> post(iterator, template, streamId, tracking, header);
            case GENERIC -> generic(iterator, template, streamId, tracking);
            case REFRESH -> throw new IllegalArgumentException("an image is encoded each time");
        };
    }

    /** Sets an iterator to a buffer outside of any channel. */
    static void set(final EncodeIterator iterator, final com.refinitiv.eta.codec.Buffer buffer) {
        iterator.clear();
        iterator.setBufferAndRWFVersion(buffer, Codec.majorVersion(), Codec.minorVersion());
    }
}
