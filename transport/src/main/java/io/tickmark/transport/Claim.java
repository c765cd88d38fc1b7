package io.tickmark.transport;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Room for one message in an engine's own memory; reused for every claim. Single-threaded. */
public final class Claim {
    /** What an engine does when a claim ends. */
    public interface Completion {
        /** Sends the claimed message. */
        void commit();

        /** Gives the room back unsent. */
        void abort();
    }

    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private Completion completion;

    /** A claim that points at nothing yet. */
    public Claim() {}

    /**
     * Points the claim at its room; called by engines.
     *
     * @param room that holds it
     * @param offset of the message in {@code room}
     * @param length of the message
     * @param whenDone what commit and abort do
     */
    public void wrap(
            final MutableDirectBuffer room,
            final int offset,
            final int length,
            final Completion whenDone) {
        buffer.wrap(room, offset, length);
        completion = whenDone;
    }

    /**
     * The room; the message starts at 0 and fills it.
     *
     * @return the buffer, valid until commit or abort
     */
    public MutableDirectBuffer buffer() {
        return buffer;
    }

    /** Sends the message. */
    public void commit() {
        completion.commit();
    }

    /** Gives the room back unsent. */
    public void abort() {
        completion.abort();
    }
}
