package io.tickmark.workloads.market.hub;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.EncodeIterator;
import java.nio.ByteBuffer;
import java.util.function.ToIntFunction;

/**
 * Where messages are encoded before they go out, to one consumer or to many. Single-threaded; grows
 * to the largest message.
 */
final class HubScratch {
    private static final int FIRST_BYTES = 1 << 16;
    private static final int MAX_BYTES = 1 << 26;

    private final EncodeIterator iterator = CodecFactory.createEncodeIterator();
    private final Buffer buffer = CodecFactory.createBuffer();
    private ByteBuffer bytes = ByteBuffer.allocate(FIRST_BYTES);

    /** Ready to encode a message of at most that many bytes. */
    EncodeIterator begin(final int atMost) {
        if (bytes.capacity() < atMost) {
            bytes = ByteBuffer.allocate(atMost);
        }
        bytes.clear();
        buffer.clear();
        buffer.data(bytes, 0, bytes.capacity());
        iterator.clear();
        iterator.setBufferAndRWFVersion(buffer, Codec.majorVersion(), Codec.minorVersion());
        return iterator;
    }

    /** Encodes with as much room as needed; returns the codec's last return code. */
    int encode(final ToIntFunction<EncodeIterator> message) {
        int room = bytes.capacity();
        int result = message.applyAsInt(begin(room));
        while (result == CodecReturnCodes.BUFFER_TOO_SMALL && room < MAX_BYTES) {
            room *= 4;
            result = message.applyAsInt(begin(room));
        }
        return result;
    }

    /** The encoded message. */
    Buffer encoded() {
        return buffer;
    }
}
