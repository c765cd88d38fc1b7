package io.tickmark.workloads.feed.conflate;

import org.agrona.DirectBuffer;

/**
 * The messages of one session that wait to be sent. Single-threaded; nothing here may block or, in
 * the steady state, allocate. Times are ns of one monotonic clock.
 */
public interface OutboundQueue {
    /** Takes messages that may go. */
    interface Receiver {
        /**
         * Receives a message.
         *
         * @param buffer that holds it, valid during the call only
         * @param offset of the message
         * @return false if there is no room now: the message stays in the queue
         */
        boolean take(DirectBuffer buffer, int offset);
    }

    /** Which messages an empty queue would pass on while its client is ready. */
    enum Sharing {
        /** That depends on more than the messages: the queue decides. */
        NONE,
        /** All of them. */
        ALL,
        /** The last of each symbol. */
        LATEST
    }

    /**
     * Whether sessions with equal settings, whose clients keep up, may be sent the same bytes
     * without using each one's queue. Once a client does not keep up, messages are offered to its
     * queue, beginning with those not sent yet.
     *
     * @return none, unless the queue says otherwise
     */
    default Sharing sharing() {
        return Sharing.NONE;
    }

    /**
     * A message of one of the session's symbols arrived. A policy that discards does it here or
     * later, and counts it.
     *
     * @param symbol of the message
     * @param buffer that holds it, valid during the call only
     * @param offset of the message
     * @param nowNs current time
     * @param isOpen whether the client would take a message at once
     * @return false if the message would have to be kept and there is no room: the session ends
     */
    boolean offer(int symbol, DirectBuffer buffer, int offset, long nowNs, boolean isOpen);

    /**
     * Passes on messages that may be sent now, in order, until none may or the receiver accepts no
     * more.
     *
     * @param nowNs current time
     * @param receiver of the messages
     */
    void drain(long nowNs, Receiver receiver);

    /**
     * When the next waiting message may go.
     *
     * @return ns, in the past where one may go already; {@link Long#MAX_VALUE} where none waits
     */
    long dueNs();

    /**
     * Messages that were replaced by a later one of their symbol.
     *
     * @return count so far
     */
    long merged();

    /**
     * Messages that were thrown away without a later one.
     *
     * @return count so far
     */
    long dropped();

    /**
     * Messages that wait.
     *
     * @return count now
     */
    long waiting();
}
