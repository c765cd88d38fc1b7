package io.tickmark.workloads.market.source;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.CodecFactory;
import io.tickmark.workloads.market.data.FieldView;
import io.tickmark.workloads.market.data.MessageFile;

/** An item that is sent on one connection. Single-threaded. */
public final class SentItem {
    final long handle;
    final Buffer name = CodecFactory.createBuffer();
    final MessageFile.Messages messages;
    final boolean isStreaming;
    long sequence;
    long genericSequence;

    /** The fields that the consumer requested; null for all. */
    FieldView view;

    /** Whether the next image answers a request. */
    boolean isSolicited = true;

    /** Whether an image waits to be sent. */
    boolean wantsImage;

    /** Place among those that get updates, -1 while it gets none. */
    int place = -1;

    /**
     * An item of which nothing is sent yet.
     *
     * @param handle of its stream: its id on the Transport API, the library's handle on the other
     * @param name within the service
     * @param messages of its domain
     * @param isStreaming whether updates follow the image
     */
    public SentItem(
            final long handle,
            final String name,
            final MessageFile.Messages messages,
            final boolean isStreaming) {
        this.handle = handle;
        this.name.data(name);
        this.messages = messages;
        this.isStreaming = isStreaming;
    }

    /**
     * The item's stream.
     *
     * @return its handle
     */
    public long handle() {
        return handle;
    }

    /**
     * What it is called within its service.
     *
     * @return its name
     */
    public String name() {
        return name.toString();
    }

    /**
     * The domain that it belongs to: items of one name in two domains are two items.
     *
     * @return one of {@link com.refinitiv.eta.rdm.DomainTypes}
     */
    public int domainType() {
        return messages.refresh().domainType();
    }

    /**
     * From now on the consumer requests only some fields.
     *
     * @param wanted its view; null where it wants all
     */
    public void view(final FieldView wanted) {
        view = wanted;
    }

    /**
     * Whether updates follow its image.
     *
     * @return false for a snapshot, whose stream ends with the image
     */
    public boolean isStreaming() {
        return isStreaming;
    }

    /** Its id on the Transport API. */
    int streamId() {
        return (int) handle;
    }

    /**
     * Whether its image waits to be sent.
     *
     * @return false where none was asked for, it is sent, or the item was closed
     */
    public boolean wantsImage() {
        return wantsImage;
    }
}
