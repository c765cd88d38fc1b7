package io.tickmark.workloads.market.data;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.transport.TransportBuffer;
import java.nio.ByteBuffer;

/**
 * A message encoded once. Sending it copies its bytes and writes stream, number and times into the
 * copy. Immutable; any thread.
 */
public final class PreEncoded {
    /** Where every message has its stream: after the length of its header, its class and domain. */
    private static final int STREAM_AT = 4;

    /** Two numbers that differ in every byte, of four bytes each. */
    private static final long ONE = 0x81828384L;

    private static final long OTHER = ONE ^ 0x7f7f7f7fL;

    /** Two times that differ in every byte, of eight bytes each and in us still ns that fit. */
    private static final long ONE_TIME = 0x1112131415161718L;

    private static final long OTHER_TIME = ONE_TIME ^ 0x0f7f7f7f7f7f7f7fL;

    /** Bytes of a time in a coarser unit than ns: the largest of them needs no more. */
    private static final int COARSE_BYTES = 7;

    private final Form plain;
    private final Form timed;
    private final long nsPerUnit;
    private final int takenBytes;

    private PreEncoded(final MessageEncoder encoder, final Encoding encoding) {
        nsPerUnit = encoder.nsPerUnit();
        takenBytes = nsPerUnit == 1 ? Long.BYTES : COARSE_BYTES;
        final int shift = Byte.SIZE * (Long.BYTES - takenBytes);
        final long one = (ONE_TIME >>> shift) * nsPerUnit;
        final long other = (OTHER_TIME >>> shift) * nsPerUnit;
        final byte[] bare = encoding.of(new Tracking().plain(ONE));
        plain =
                new Form(
                        bare,
                        place(bare, encoding.of(new Tracking().plain(OTHER)), Integer.BYTES),
                        -1,
                        -1);
        final byte[] full = encoding.of(new Tracking().timed(ONE, one, ONE_TIME));
        timed =
                new Form(
                        full,
                        place(
                                full,
                                encoding.of(new Tracking().timed(OTHER, one, ONE_TIME)),
                                Integer.BYTES),
                        place(
                                full,
                                encoding.of(new Tracking().timed(ONE, other, ONE_TIME)),
                                takenBytes),
                        place(
                                full,
                                encoding.of(new Tracking().timed(ONE, one, OTHER_TIME)),
                                Long.BYTES));
    }

    /**
     * An encoded message and the positions of its variable fields, -1 for one that the dictionary
     * in use does not have.
     */
    private record Form(byte[] bytes, int sequenceAt, int takenAt, int intendedAt) {}

    /** Encodes the message with the given values. */
    @FunctionalInterface
    private interface Encoding {
        byte[] of(Tracking tracking);
    }

    static PreEncoded of(
            final MessageEncoder encoder, final MessageTemplate template, final PostHeader header) {
        return new PreEncoded(encoder, tracking -> encode(encoder, template, header, tracking));
    }

    /** Finds the position of a field by trial: it is the difference between two encodings. */
    private static int place(final byte[] one, final byte[] other, final int length) {
        int first = -1;
        int differing = 0;
        for (int i = 0; i < Math.min(one.length, other.length); i++) {
            if (one[i] != other[i]) {
                first = first < 0 ? i : first;
                differing++;
            }
        }
        if (one.length != other.length || differing != 0 && differing != length) {
            throw new IllegalStateException("a field of a message is not where it should be");
        }
        return first;
    }

    private static byte[] encode(
            final MessageEncoder encoder,
            final MessageTemplate template,
            final PostHeader header,
            final Tracking tracking) {
        final EncodeIterator iterator = CodecFactory.createEncodeIterator();
        final Buffer buffer = CodecFactory.createBuffer();
        final ByteBuffer bytes = ByteBuffer.allocate(template.maxBytes(0));
        buffer.data(bytes, 0, bytes.capacity());
        MessageEncoder.set(iterator, buffer);
        final int result = encoder.any(iterator, template, 1, tracking, header);
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
     * @param tracking what it is to carry
     * @return its length
     */
    public int length(final Tracking tracking) {
        return form(tracking).bytes.length;
    }

    private Form form(final Tracking tracking) {
        return tracking.isTimed() ? timed : plain;
    }

    /**
     * Writes the message into an empty buffer of a channel. Fields of a fixed length are read as
     * any other; where an encoder would have used fewer bytes, zeros lead.
     *
     * @param buffer with room for {@link #length}
     * @param streamId of the item's stream
     * @param tracking number of the message, of which the low 32 bits are carried, and its times
     */
    public void write(final TransportBuffer buffer, final int streamId, final Tracking tracking) {
        final Form form = form(tracking);
        final ByteBuffer bytes = buffer.data();
        final int at = bytes.position();
        bytes.put(at, form.bytes);
        bytes.putInt(at + STREAM_AT, streamId);
        if (form.sequenceAt >= 0) {
            bytes.putInt(at + form.sequenceAt, (int) tracking.sequence());
        }
        if (form.takenAt >= 0) {
            taken(bytes, at + form.takenAt, tracking.takenNs() / nsPerUnit);
        }
        if (form.intendedAt >= 0) {
            bytes.putLong(at + form.intendedAt, tracking.intendedNs());
        }
        bytes.position(at + form.bytes.length);
    }

    private void taken(final ByteBuffer bytes, final int at, final long units) {
        if (takenBytes == Long.BYTES) {
            bytes.putLong(at, units);
        } else { // the byte before it is the field's length and must stay
            bytes.putInt(at, (int) (units >>> 24));
            bytes.putInt(at + 3, (int) units);
        }
    }
}
