package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.transport.TransportBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A message encoded once. Sending it copies its bytes and writes stream and number into the copy.
 * Immutable; any thread.
 */
public final class PreEncoded {
    /** Where every message has its stream: behind the length of its header and class and domain. */
    private static final int STREAM_AT = 4;

    /** Two numbers that differ in every byte, of four bytes each. */
    private static final long ONE = 0x81828384L;

    private static final long OTHER = ONE ^ 0x7f7f7f7fL;

    private final byte[] message;
    private final int[] sequenceAt;

    private PreEncoded(final byte[] message, final int[] sequenceAt) {
        this.message = message;
        this.sequenceAt = sequenceAt;
    }

    /** Finds out by trial where the number stands: it is what differs between two encodings. */
    static PreEncoded of(
            final MessageEncoder encoder,
            final MessageTemplate template,
            final PostHeader header,
            final boolean hasSequences) {
        final byte[] one = encode(encoder, template, header, ONE);
        final byte[] other = encode(encoder, template, header, OTHER);
        final List<Integer> differing = new ArrayList<>();
        for (int i = 0; i < one.length; i++) {
            if (one[i] != other[i]) {
                differing.add(i);
            }
        }
        final int expected = hasSequences ? Integer.BYTES : 0;
        if (one.length != other.length || differing.size() != expected) {
            throw new IllegalStateException("the number of a message is not where it should be");
        }
        return new PreEncoded(one, hasSequences ? new int[] {differing.getFirst()} : new int[0]);
    }

    private static byte[] encode(
            final MessageEncoder encoder,
            final MessageTemplate template,
            final PostHeader header,
            final long sequence) {
        final EncodeIterator iterator = CodecFactory.createEncodeIterator();
        final Buffer buffer = CodecFactory.createBuffer();
        final ByteBuffer bytes = ByteBuffer.allocate(template.maxBytes(0));
        buffer.data(bytes, 0, bytes.capacity());
        MessageEncoder.set(iterator, buffer);
        final int result =
                encoder.any(iterator, template, 1, new Tracking().plain(sequence), header);
        if (result < CodecReturnCodes.SUCCESS) {
            throw new IllegalStateException(
                    "a message cannot be encoded: " + CodecReturnCodes.toString(result));
        }
        final byte[] encoded = new byte[buffer.length()];
        bytes.get(buffer.position(), encoded);
        return encoded;
    }

    /**
     * Bytes of the message.
     *
     * @return its length
     */
    public int length() {
        return message.length;
    }

    /**
     * Writes the message into an empty buffer of a channel.
     *
     * @param buffer with room for {@link #length}
     * @param streamId of the item's stream
     * @param sequence number of the message; its low 32 bits are carried
     */
    public void write(final TransportBuffer buffer, final int streamId, final long sequence) {
        final ByteBuffer bytes = buffer.data();
        final int at = bytes.position();
        bytes.put(at, message);
        bytes.putInt(at + STREAM_AT, streamId);
        if (sequenceAt.length > 0) {
            bytes.putInt(at + sequenceAt[0], (int) sequence);
        }
        bytes.position(at + message.length);
    }
}
