package io.tickmark.workloads.market.source;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.transport.TransportBuffer;
import io.tickmark.workloads.market.data.FieldView.ViewFilter;
import io.tickmark.workloads.market.data.ImageHeader;
import io.tickmark.workloads.market.data.MessageEncoder;
import io.tickmark.workloads.market.data.MessageKind;
import io.tickmark.workloads.market.data.MessageTemplate;
import io.tickmark.workloads.market.data.PreEncoded;
import io.tickmark.workloads.market.data.Tracking;
import io.tickmark.workloads.market.rssl.PackedWriter;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Encodes into packed buffers of the Transport API. Single-threaded; allocates nothing for an
 * update.
 */
public final class EtaSink implements FeedSink {
    private final MessageEncoder encoder;
    private final PackedWriter writer;
    private final boolean preEncodes;
    private final int serviceId;
    private final EncodeTime encodeTime;
    private final ImageHeader header = new ImageHeader();
    private final Map<MessageTemplate, PreEncoded> encoded = new IdentityHashMap<>();
    private final ViewFilter views = new ViewFilter();
    private final EncodeIterator wholeIterator = CodecFactory.createEncodeIterator();
    private final Buffer whole = CodecFactory.createBuffer();
    private ByteBuffer wholeBytes = ByteBuffer.allocate(0);
    private boolean isStandby;

    /**
     * A sink.
     *
     * @param encoder of the thread
     * @param writer of the connection
     * @param preEncodes whether updates and generic messages are encoded once
     * @param serviceId in the keys of images
     * @param encodeTime of updates and generic messages
     */
    public EtaSink(
            final MessageEncoder encoder,
            final PackedWriter writer,
            final boolean preEncodes,
            final int serviceId,
            final EncodeTime encodeTime) {
        this.encoder = encoder;
        this.writer = writer;
        this.preEncodes = preEncodes;
        this.serviceId = serviceId;
        this.encodeTime = encodeTime;
    }

    /**
     * On standby images are sent without content.
     *
     * @param nowStandby whether the consumer has another server that is active
     */
    public void standby(final boolean nowStandby) {
        isStandby = nowStandby;
    }

    @Override
    public boolean image(final SentItem item, final Tracking tracking) {
        final MessageTemplate template = item.messages.refresh();
        final int maxBytes = template.maxBytes(item.name.length());
        header.of(item.name, serviceId).as(item.isSolicited, item.isStreaming);
        if (item.view != null && !isStandby) {
            check(
                    encoder.refresh(
                            beginWhole(maxBytes), template, item.streamId(), tracking, header));
            return writeView(item);
        }
        final EncodeIterator iterator = writer.begin(maxBytes);
        if (iterator == null) {
            return false;
        }
        check(
                isStandby
                        ? encoder.emptyRefresh(
                                iterator, template.domainType(), item.streamId(), header)
                        : encoder.refresh(iterator, template, item.streamId(), tracking, header));
        writer.end();
        return true;
    }

    private EncodeIterator beginWhole(final int maxBytes) {
        if (wholeBytes.capacity() < maxBytes) {
            wholeBytes = ByteBuffer.allocate(maxBytes);
        }
        wholeBytes.clear();
        whole.clear();
        whole.data(wholeBytes, 0, wholeBytes.capacity());
        wholeIterator.clear();
        wholeIterator.setBufferAndRWFVersion(whole, Codec.majorVersion(), Codec.minorVersion());
        return wholeIterator;
    }

    /** Writes the part of the message within the item's view. */
    private boolean writeView(final SentItem item) {
        final Buffer wanted = views.of(whole, item.view);
        final TransportBuffer buffer = writer.beginRaw(wanted.length());
        if (buffer == null) {
            return false;
        }
        final int at = buffer.data().position();
        buffer.data().put(at, wanted.data(), wanted.position(), wanted.length());
        buffer.data().position(at + wanted.length());
        writer.end();
        return true;
    }

    @Override
    public boolean message(
            final SentItem item, final MessageTemplate template, final Tracking tracking) {
        if (item.view != null && template.kind() == MessageKind.UPDATE) {
            final long beginNs = encodeTime.begin();
            check(
                    encoder.update(
                            beginWhole(template.maxBytes(0)), template, item.streamId(), tracking));
            final boolean isSent = writeView(item);
            encodeTime.end(beginNs);
            return isSent;
        }
        if (preEncodes) {
            return copy(item, template, tracking);
        }
        final EncodeIterator iterator = writer.begin(template.maxBytes(0));
        if (iterator == null) {
            return false;
        }
        final long beginNs = encodeTime.begin();
        check(
                template.kind() == MessageKind.UPDATE
                        ? encoder.update(iterator, template, item.streamId(), tracking)
                        : encoder.generic(iterator, template, item.streamId(), tracking));
        encodeTime.end(beginNs);
        writer.end();
        return true;
    }

    private boolean copy(
            final SentItem item, final MessageTemplate template, final Tracking tracking) {
        PreEncoded message = encoded.get(template);
        if (message == null) {
            message = encoder.preEncode(template, null);
            encoded.put(template, message);
        }
        final TransportBuffer buffer = writer.beginRaw(message.length(tracking));
        if (buffer == null) {
            return false;
        }
        final long beginNs = encodeTime.begin();
        message.write(buffer, item.streamId(), tracking);
        encodeTime.end(beginNs);
        writer.end();
        return true;
    }

    private static void check(final int code) {
        if (code < CodecReturnCodes.SUCCESS) {
            throw new IllegalStateException(
                    "a message cannot be encoded: " + CodecReturnCodes.toString(code));
        }
    }

    @Override
    public void flush() {
        writer.flush();
    }
}
