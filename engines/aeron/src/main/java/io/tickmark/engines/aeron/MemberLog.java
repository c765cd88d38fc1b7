package io.tickmark.engines.aeron;

import org.agrona.DirectBuffer;

/** The stored messages of one topic in the files of one member, in their order. One thread. */
public interface MemberLog {
    /**
     * Goes on to the next message.
     *
     * @return false at the end, or where what follows cannot be read
     */
    boolean advance();

    /**
     * The message's number.
     *
     * @return from 0
     */
    long ordinal();

    /**
     * What holds the message.
     *
     * @return valid until the next {@link #advance}
     */
    DirectBuffer buffer();

    /**
     * Where it begins.
     *
     * @return offset in the buffer
     */
    int messageOffset();

    /**
     * How long it is.
     *
     * @return bytes
     */
    int messageLength();

    /**
     * Messages whose checksums are wrong.
     *
     * @return their number so far
     */
    long corrupted();

    /**
     * What an end in mid-message left.
     *
     * @return bytes
     */
    long tornBytes();
}
