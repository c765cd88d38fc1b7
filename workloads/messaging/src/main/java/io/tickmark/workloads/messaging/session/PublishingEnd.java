package io.tickmark.workloads.messaging.session;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import java.util.List;
import java.util.Map;

/**
 * The publisher's end of a stream: directly to subscribers, or through a store. Single-threaded.
 */
public interface PublishingEnd extends AutoCloseable {
    /**
     * The publications.
     *
     * @return one for each topic, or one for all
     */
    List<Publication> publications();

    /**
     * The channel, with its ports.
     *
     * @return as subscribers need it
     */
    ChannelUri channel();

    /**
     * Identity of the trial, for the stamps.
     *
     * @return never 0
     */
    int trialId();

    /**
     * Waits until the other side is connected.
     *
     * @throws io.tickmark.kernel.settings.UserError if it does not connect in time
     */
    void countIn();

    /**
     * Announces the end of a step, and waits for the acknowledgement of the other side.
     *
     * @param step that ended
     * @param sentBySource messages sent in it by topic id; index 0 is not used
     * @param last whether the test ends with it
     * @return what was missing; empty where nothing was
     */
    List<String> end(int step, long[] sentBySource, boolean last);

    /**
     * Gives the other side up, once no message was accepted for {@link #stallNs()}.
     *
     * @param refusal code with which a {@link Publication} refused the last message
     * @return what that means, as the end of a sentence, after which others may follow
     */
    String giveUp(long refusal);

    /**
     * Called when a message was refused for good, which ends the run.
     *
     * @param refusal {@link Publication#CLOSED} or {@link Publication#TOO_LONG}
     * @throws io.tickmark.kernel.settings.UserError where there is no result to judge
     */
    void ended(long refusal);

    /**
     * Keeps the engine going for a while.
     *
     * @param lingerNs how long
     */
    void linger(long lingerNs);

    /**
     * Time without an accepted message after which the other side is given up.
     *
     * @return ns
     */
    long stallNs();

    /**
     * Counts of this end, in addition to those of the sending loop, since the last call.
     *
     * @return counts by name
     */
    Map<String, Long> takeCounts();

    /**
     * Facts about this end, in addition to the figures.
     *
     * @return metrics by name
     */
    Map<String, Object> facts();

    /**
     * Messages for the user about this end.
     *
     * @return sentences, none where everything is as requested
     */
    default List<String> notes() {
        return List.of();
    }

    @Override
    void close();
}
