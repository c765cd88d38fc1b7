package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.rdm.DomainTypes;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Encodes what a message file holds once while it is read: whether a value fits its place is the
 * codec's to say, and there the file and the line are known still. One thread.
 */
final class EncodingCheck {
    private final MessageEncoder encoder;
    private final Tracking tracking = new Tracking().timed(1, 1, 1);
    private final PostHeader post = new PostHeader(1, 1);
    private final ImageHeader header =
            new ImageHeader().of(ImageHeader.nameOf("A"), 1).as(true, true);
    private final EncodeIterator iterator = CodecFactory.createEncodeIterator();
    private final Buffer buffer = CodecFactory.createBuffer();
    private ByteBuffer bytes = ByteBuffer.allocate(0);

    EncodingCheck(final FieldDictionary dictionary) {
        encoder = new MessageEncoder(dictionary, TimeUnit.NANOSECONDS);
    }

    /** Why an entry of a book cannot be sent, empty where it can. */
    String trouble(final Payload.Book bookOfOne) {
        return trouble(
                new MessageTemplate(MessageKind.UPDATE, DomainTypes.MARKET_BY_ORDER, bookOfOne));
    }

    /** Why a message cannot be sent, empty where it can. */
    String trouble(final MessageTemplate template) {
        final int room = template.maxBytes(1);
        if (bytes.capacity() < room) {
            bytes = ByteBuffer.allocate(2 * room);
        }
        bytes.clear();
        buffer.clear();
        buffer.data(bytes, 0, room);
        MessageEncoder.set(iterator, buffer);
        final int result =
                template.kind() == MessageKind.REFRESH
                        ? encoder.refresh(iterator, template, 1, tracking, header)
                        : encoder.any(iterator, template, 1, tracking, post);
        return result < CodecReturnCodes.SUCCESS ? CodecReturnCodes.toString(result) : "";
    }
}
