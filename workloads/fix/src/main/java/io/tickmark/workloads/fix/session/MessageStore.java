package io.tickmark.workloads.fix.session;

/**
 * Where a session keeps its sequence numbers, and the messages it may be asked for again. One
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
     * A bound, so that nobody looks through all numbers there ever were.
     *
     * @return no message with a smaller number is kept
     */
    long oldestKept();

    /**
     * Begins anew: both numbers are 1, no messages.
     *
     * @param nowMs ms since 1970
     */
    void reset(long nowMs);

    /** Gives up all messages it keeps; the numbers stay, so who asks gets a gap fill. */
    void forget();

    /**
     * What it takes of the memory of this process.
     *
     * @return bytes, about
     */
    long memoryBytes();

    /**
     * Whether messages are to be kept here for a counterpart that is away.
     *
     * @return as said last; a store in files knows it over a restart
     */
    boolean isKeptFor();

    /**
     * Says whether messages are to be kept here for a counterpart that is away.
     *
     * @param isKept whether it is one that messages go to
     */
    void keptFor(boolean isKept);

    /** Releases what it holds; numbers and messages stay as far as the store keeps them. */
    @Override
    void close();
}
