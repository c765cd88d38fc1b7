package io.tickmark.engines.aeron.archive;

import io.aeron.ExclusivePublication;
import io.aeron.protocol.DataHeaderFlyweight;
import java.nio.ByteOrder;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages of one length as frames one behind the other, which a publication takes in one piece:
 * its limit is looked at once, and readers see them at once. Each carries its ordinal. One thread;
 * allocates nothing after construction.
 */
final class FrameBlock {
    private static final int HEADER = DataHeaderFlyweight.HEADER_LENGTH;
    private static final int BYTES = 1 << 17;
    private static final byte WHOLE = (byte) DataHeaderFlyweight.BEGIN_AND_END_FLAGS;

    private final ExclusivePublication publication;
    private final UnsafeBuffer frames = new UnsafeBuffer(new byte[BYTES]);

    FrameBlock(final ExclusivePublication publication) {
        this.publication = publication;
    }

    /** Bytes of a message with its header. */
    static long framed(final int length) {
        return BitUtil.align((long) length + HEADER, HEADER);
    }

    /** How many messages it can hold and the term has room for; 0 for those that are too long. */
    int most(final int length, final int wanted) {
        final int room = publication.termBufferLength() - publication.termOffset();
        return length > ArchiveTransport.MAX_MESSAGE_BYTES
                ? 0
                : (int) Math.min(wanted, Math.min(room, BYTES) / framed(length));
    }

    /** Offers them; the position behind the last, or one of Aeron's codes. */
    long offer(
            final DirectBuffer messages,
            final int offset,
            final int length,
            final int count,
            final long firstOrdinal) {
        final int framed = (int) framed(length);
        final int termOffset = publication.termOffset();
        for (int i = 0; i < count; i++) {
            final int at = i * framed;
            header(at, length + HEADER, termOffset + at, firstOrdinal + i);
            frames.putBytes(at + HEADER, messages, offset + i * length, length);
        }
        return publication.offerBlock(frames, 0, count * framed);
    }

    private void header(
            final int at, final int frameLength, final int termOffset, final long ordinal) {
        frames.putInt(at, frameLength, ByteOrder.LITTLE_ENDIAN);
        frames.putByte(
                at + DataHeaderFlyweight.VERSION_FIELD_OFFSET, DataHeaderFlyweight.CURRENT_VERSION);
        frames.putByte(at + DataHeaderFlyweight.FLAGS_FIELD_OFFSET, WHOLE);
        frames.putShort(
                at + DataHeaderFlyweight.TYPE_FIELD_OFFSET,
                (short) DataHeaderFlyweight.HDR_TYPE_DATA,
                ByteOrder.LITTLE_ENDIAN);
        frames.putInt(
                at + DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET,
                termOffset,
                ByteOrder.LITTLE_ENDIAN);
        frames.putInt(
                at + DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET,
                publication.sessionId(),
                ByteOrder.LITTLE_ENDIAN);
        frames.putInt(
                at + DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET,
                publication.streamId(),
                ByteOrder.LITTLE_ENDIAN);
        frames.putInt(
                at + DataHeaderFlyweight.TERM_ID_FIELD_OFFSET,
                publication.termId(),
                ByteOrder.LITTLE_ENDIAN);
        frames.putLong(
                at + DataHeaderFlyweight.RESERVED_VALUE_OFFSET, ordinal, ByteOrder.LITTLE_ENDIAN);
    }
}
