package io.tickmark.transport.shm;

import io.tickmark.transport.MessageHandler;

/** Reads the records of one ring. Single-threaded; allocates nothing. */
sealed interface RecordReader permits RingReader, LossyReader {
    /**
     * Passes available records to the handler, up to the limit; may leave some for the next call.
     */
    int read(MessageHandler handler, int limit);

    /** Position of the next record. */
    long position();

    /** Whether there is nothing to read. */
    boolean isDrained();

    /** Whether an invalid record was found. */
    boolean isDamaged();

    /** Stops reading, also from within a handler. */
    void stop();

    /** Messages missed. */
    long lost();
}
