package io.tickmark.workloads.market.source;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.CodecFactory;
import io.tickmark.workloads.market.data.MessageFile;

/** An item that is sent on one connection. One thread. */
public final class FedItem {
    final int streamId;
    final Buffer name = CodecFactory.createBuffer();
    final MessageFile.Messages messages;
    final boolean isStreaming;
    long sequence;
    long genericSequence;

    /** Whether the next image answers a request. */
    boolean isSolicited = true;

    /** Whether an image waits to be sent. */
    boolean wantsImage;

    /** Place among those that get updates, -1 while it gets none. */
    int place = -1;

    /**
     * An item of which nothing is sent yet.
     *
     * @param streamId of its stream
     * @param name within the service
     * @param messages of its domain
     * @param isStreaming whether updates follow the image
     */
    public FedItem(
            final int streamId,
            final String name,
            final MessageFile.Messages messages,
            final boolean isStreaming) {
        this.streamId = streamId;
        this.name.data(name);
        this.messages = messages;
        this.isStreaming = isStreaming;
    }

    /**
     * The item's stream.
     *
     * @return its id
     */
    public int streamId() {
        return streamId;
    }
}
