package io.tickmark.transport.shm;

import io.tickmark.transport.MessageHandler;

/** Reads the records of one ring. One thread; allocates nothing. */
sealed interface RecordReader permits RingReader, LossyReader {
    /** Hands over what is there, up to the limit; may leave some for the next call. */
    int read(MessageHandler handler, int limit);

    /** Position of the next record. */
    long position();

    /** Whether nothing is there to be read. */
    boolean isDrained();

    /** Whether something was found that cannot be a record. */
    boolean isDamaged();

    /** Ends reading, also from within a handler. */
    void stop();

    /** Messages missed. */
    long lost();
}
