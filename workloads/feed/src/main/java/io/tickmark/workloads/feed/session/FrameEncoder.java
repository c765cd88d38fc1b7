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
     * Whether the frame has room for one more message.
     *
     * @return false where it is full
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
     * Bytes of messages that the frame still has room for.
     *
     * @return as they are encoded
     */
    int roomBytes();

    /**
     * Most bytes of one message as it is encoded.
     *
     * @return bound
     */
    int encodedBytes();

    /**
     * Writes a message as it appears in a frame after another, for frames of many sessions.
     *
     * @param to to write to
     * @param at where it begins
     * @param buffer that holds the message
     * @param offset of the message
     * @return where it ends
     */
    int encode(MutableDirectBuffer to, int at, DirectBuffer buffer, int offset);

    /**
     * Adds messages that were encoded.
     *
     * @param from that holds them, one after the other
     * @param at where the first begins
     * @param bytes of all
     * @param messages how many they are
     */
    void addEncoded(DirectBuffer from, int at, int bytes, int messages);

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
