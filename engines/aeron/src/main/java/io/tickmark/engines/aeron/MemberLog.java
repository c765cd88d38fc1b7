package io.tickmark.engines.aeron;

import org.agrona.DirectBuffer;

/** The stored messages of one topic in the files of one member, in their order. Single-threaded. */
public interface MemberLog {
    /**
     * Advances to the next message.
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
     * The buffer with the message.
     *
     * @return valid until the next {@link #advance}
     */
    DirectBuffer buffer();

    /**
     * Where the message begins.
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
     * Length of an incomplete message at the end.
     *
     * @return bytes
     */
    long tornBytes();
}
