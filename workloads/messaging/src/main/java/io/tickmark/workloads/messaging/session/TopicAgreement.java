package io.tickmark.workloads.messaging.session;

import org.agrona.DirectBuffer;

/** What a receiver and the publisher agree on besides the data. Single-threaded. */
public interface TopicAgreement {
    /**
     * Handles a message that is not data.
     *
     * @param buffer that holds the message
     * @param offset of the message
     * @param length of the message
     * @param flags of its stamp
     */
    void onControl(DirectBuffer buffer, int offset, int length, int flags);

    /**
     * Acknowledges an end.
     *
     * @param step that ended
     * @param source topic id that ended
     * @param lost messages of it that are missing here
     */
    void acknowledgeEnd(int step, int source, long lost);

    /**
     * How many topics the publisher has, once it is known.
     *
     * @return the highest number in a stamp; before that, the number of subscribed topics
     */
    int topics();

    /**
     * Whether a topic of the publisher is subscribed to.
     *
     * @param source its number, 1 to {@link #topics()}
     * @return false for one to be ignored
     */
    boolean isWanted(int source);

    /**
     * Identity of the trial, once agreed on.
     *
     * @return the publisher's; 0 while it is not known
     */
    int trialId();

    /**
     * Whether publisher and subscriber share a clock.
     *
     * @return true if both run on the same boot of the same machine
     */
    boolean isPublisherOnThisHost();
}
