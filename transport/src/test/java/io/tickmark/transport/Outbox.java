package io.tickmark.transport;

import io.tickmark.kernel.stamp.Stamp;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes numbered messages whose every byte can be checked. Single-threaded; allocates nothing. */
final class Outbox {
    private final UnsafeBuffer buffer;
    private final int source;

    /** For messages of one source. */
    Outbox(final int source, final int maxLength) {
        this.buffer = new UnsafeBuffer(java.nio.ByteBuffer.allocateDirect(maxLength));
        this.source = source;
    }

    /** Offers a message. */
    long offer(final Publication publication, final int sequence, final int length) {
        fill(buffer, sequence, length, source);
        return publication.offer(buffer, 0, length);
    }

    /** Offers a hello; whether it is taken does not matter, it is repeated. */
    long offerHello(final Publication publication, final int flags) {
        Stamp.write(buffer, 0, 0, 0, flags, 0, source);
        return publication.offer(buffer, 0, Stamp.SHORT_LENGTH);
    }

    static void fill(
            final MutableDirectBuffer room,
            final int sequence,
            final int length,
            final int source) {
        Stamp.write(room, 0, sequence, sequence, 0, 0, source);
        for (int i = Stamp.SHORT_LENGTH; i < length; i++) {
            room.putByte(i, (byte) (sequence + i));
        }
    }

    static boolean isIntact(final DirectBuffer message, final int offset, final int length) {
        final int sequence = Stamp.sequence(message, offset);
        boolean intact = Stamp.intendedNs(message, offset) == sequence;
        for (int i = Stamp.SHORT_LENGTH; i < length; i++) {
            intact &= message.getByte(offset + i) == (byte) (sequence + i);
        }
        return intact;
    }
}
