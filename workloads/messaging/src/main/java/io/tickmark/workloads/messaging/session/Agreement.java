package io.tickmark.workloads.messaging.session;

import org.agrona.DirectBuffer;

/** What a receiver and the publisher agree upon beside the data. One thread. */
public interface Agreement {
    /**
     * Takes a message that is no data.
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
     * @return the highest number in a stamp; before, how many were asked for
     */
    int topics();

    /**
     * Whether a topic of the publisher's was asked for.
     *
     * @param source its number, 1 to {@link #topics()}
     * @return false for one to be passed over
     */
    boolean isWanted(int source);

    /**
     * Identity of the trial, once agreed.
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
