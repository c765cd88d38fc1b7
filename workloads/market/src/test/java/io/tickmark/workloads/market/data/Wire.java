package io.tickmark.workloads.market.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.Codec;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DecodeIterator;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.Msg;
import java.nio.ByteBuffer;
import java.util.function.ToIntFunction;

/** A piece of memory that messages are written to and read from, in place of a connection. */
final class Wire {
    private final ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
    private final Buffer buffer = CodecFactory.createBuffer();
    private final EncodeIterator encoding = CodecFactory.createEncodeIterator();
    private final DecodeIterator decoding = CodecFactory.createDecodeIterator();
    private final Msg message = CodecFactory.createMsg();

    /** Writes one message. */
    Wire write(final int room, final ToIntFunction<EncodeIterator> encode) {
        buffer.clear();
        bytes.clear();
        buffer.data(bytes, 0, room);
        MessageEncoder.set(encoding, buffer);
        final int result = encode.applyAsInt(encoding);
        if (result < CodecReturnCodes.SUCCESS) {
            throw new AssertionError(CodecReturnCodes.toString(result));
        }
        return this;
    }

    /** Puts bytes in place of a message. */
    Wire put(final byte[] foreign) {
        bytes.clear();
        bytes.put(0, foreign, 0, Math.min(foreign.length, bytes.capacity()));
        buffer.clear();
        buffer.data(bytes, 0, Math.min(foreign.length, bytes.capacity()));
        return this;
    }

    /** The bytes that were written. */
    byte[] written() {
        final byte[] copy = new byte[buffer.length()];
        bytes.get(buffer.position(), copy);
        return copy;
    }

    /** Reads the message's header; null if it is none. */
    Msg read() {
        decoding.clear();
        decoding.setBufferAndRWFVersion(buffer, Codec.majorVersion(), Codec.minorVersion());
        message.clear();
        try {
            return message.decode(decoding) < CodecReturnCodes.SUCCESS ? null : message;
        } catch (final RuntimeException e) { // how the codec says that lengths do not fit
            return null;
        }
    }

    /** Reads the whole message. */
    Msg read(final PayloadDecoder decoder) {
        final Msg read = read();
        assertThat(decode(decoder, read)).isEqualTo(CodecReturnCodes.SUCCESS);
        return read;
    }

    static int decode(final PayloadDecoder decoder, final Msg message) {
        return decoder.decode(message, Codec.majorVersion(), Codec.minorVersion());
    }
}
