package io.tickmark.engines.zeromq;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/**
 * What a subscriber of ours shows the publisher: the name of a topic that it alone subscribes to,
 * beside everything. By it the publisher counts it, for a socket that publishes tells that somebody
 * has gone only where nobody else has its topic; and by it the publisher knows whose answers come
 * by another connection, where it is the first frame.
 */
record Ticket(ByteBuffer bytes) {
    private static final byte[] START = "tickmark subscriber ".getBytes(StandardCharsets.US_ASCII);
    private static final int LENGTH = START.length + 2 * Long.BYTES;

    /** One that nobody else has. */
    static Ticket unique() {
        final UUID id = UUID.randomUUID();
        return new Ticket(
                ByteBuffer.allocate(LENGTH)
                        .put(START)
                        .putLong(id.getMostSignificantBits())
                        .putLong(id.getLeastSignificantBits())
                        .flip());
    }

    /** Whether one begins in a frame at this place, and ends with it. */
    static boolean isIn(final byte[] frame, final int from) {
        return frame.length - from == LENGTH
                && Arrays.equals(frame, from, from + START.length, START, 0, START.length);
    }

    /** The one that begins in a frame at this place. */
    static Ticket in(final byte[] frame, final int from) {
        return new Ticket(ByteBuffer.wrap(frame, from, LENGTH).slice());
    }

    /** A frame of it. */
    byte[] frame() {
        final byte[] frame = new byte[LENGTH];
        bytes.get(0, frame);
        return frame;
    }
}
