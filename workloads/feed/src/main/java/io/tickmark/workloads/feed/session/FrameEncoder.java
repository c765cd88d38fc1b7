package io.tickmark.workloads.feed.session;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Writes frames of messages one after the other; one thread, allocates nothing but for notes. */
public interface FrameEncoder {
    /** Room that one message, or one note, with all around it needs at most. */
    int ROOM = 16_384;

    /**
     * Begins a frame.
     *
     * @param out to write to
     * @param position where the frame begins
     * @param head its figures
     */
    void begin(MutableDirectBuffer out, int position, FrameHead head);

    /**
     * Whether the frame takes one message more.
     *
     * @return false where it has its length
     */
    boolean hasRoom();

    /**
     * Adds a message.
     *
     * @param buffer that holds it
     * @param offset of the message
     */
    void add(DirectBuffer buffer, int offset);

    /**
     * Ends the frame.
     *
     * @return where it ends
     */
    int end();

    /**
     * Writes a note: something about the session, not a message.
     *
     * @param out to write to
     * @param position where the frame begins
     * @param json an object
     * @return where it ends
     */
    int note(MutableDirectBuffer out, int position, String json);
}
