package io.tickmark.engines.zeromq;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/**
 * Identifies a subscriber of ours to the publisher: the name of a topic to which only this
 * subscriber subscribes, in addition to everything. It lets the publisher count subscribers, as a
 * publishing socket reports an unsubscription only when a topic has no subscriber left, and match
 * answers, whose connection carries it as the first frame.
 */
record Ticket(ByteBuffer bytes) {
    private static final byte[] START = "tickmark subscriber ".getBytes(StandardCharsets.US_ASCII);
    private static final int LENGTH = START.length + 2 * Long.BYTES;

    /** A new one, different from all others. */
    static Ticket unique() {
        final UUID id = UUID.randomUUID();
        return new Ticket(
                ByteBuffer.allocate(LENGTH)
                        .put(START)
                        .putLong(id.getMostSignificantBits())
                        .putLong(id.getLeastSignificantBits())
                        .flip());
    }

    /** Whether a frame consists of one from this position to its end. */
    static boolean isIn(final byte[] frame, final int from) {
        return frame.length - from == LENGTH
                && Arrays.equals(frame, from, from + START.length, START, 0, START.length);
    }

    /** The one in a frame from this position on. */
    static Ticket in(final byte[] frame, final int from) {
        return new Ticket(ByteBuffer.wrap(frame, from, LENGTH).slice());
    }

    /** The frame that carries it. */
    byte[] frame() {
        final byte[] frame = new byte[LENGTH];
        bytes.get(0, frame);
        return frame;
    }
}
