package io.tickmark.workloads.fix.session;

/**
 * Where a session keeps its sequence numbers, and the messages that may be requested again. One
 * session, one thread at a time.
 */
public interface MessageStore extends AutoCloseable {
    /**
     * Number of the next message to send.
     *
     * @return from 1
     */
    long nextOutgoing();

    /**
     * Keeps the number of the next message to send.
     *
     * @param number from 1
     */
    void nextOutgoing(long number);

    /**
     * Number of the next message expected.
     *
     * @return from 1
     */
    long nextIncoming();

    /**
     * Keeps the number of the next message expected.
     *
     * @param number from 1
     */
    void nextIncoming(long number);

    /**
     * When the numbers began at 1.
     *
     * @return ms since 1970
     */
    long beganMs();

    /**
     * Keeps an application message that is being sent.
     *
     * @param number its sequence number
     * @param bytes it is in
     * @param offset of its first byte
     * @param length of the whole message
     * @return false where it is longer than what this store keeps: it is not there
     */
    boolean append(long number, byte[] bytes, int offset, int length);

    /**
     * Reads a message back.
     *
     * @param number its sequence number
     * @param into where it is put
     * @return its length; 0 where it is not there (administrative, or too old), or does not fit
     */
    int read(long number, byte[] into);

    /**
     * A limit, so that not all numbers ever used have to be searched.
     *
     * @return no message with a smaller number is kept
     */
    long oldestKept();

    /**
     * Resets: both numbers are 1, no messages.
     *
     * @param nowMs ms since 1970
     */
    void reset(long nowMs);

    /** Discards all messages; the numbers are kept, so a request gets a gap fill. */
    void forget();

    /**
     * Its use of this process's memory.
     *
     * @return bytes, about
     */
    long memoryBytes();

    /**
     * Whether messages are to be kept here for a disconnected counterparty.
     *
     * @return as set last; a store in files keeps it across a restart
     */
    boolean isKeptFor();

    /**
     * Sets whether messages have to be kept here for a disconnected counterparty.
     *
     * @param isKept whether it is one that messages go to
     */
    void keptFor(boolean isKept);

    /**
     * Messages kept here in place of being sent.
     *
     * @return the numbers of those that have not been sent since, without those of an earlier
     *     process
     */
    UnsentRanges notFetched();

    /** Releases its resources; numbers and messages remain as far as the store keeps them. */
    @Override
    void close();
}
