package io.tickmark.workloads.messaging.session;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import java.util.List;
import java.util.Map;

/**
 * The way of a stream from its publisher: straight to subscribers, or through a store. One thread.
 */
public interface PublishingEnd extends AutoCloseable {
    /**
     * What is sent through.
     *
     * @return one for each topic, or one for all
     */
    List<Publication> publications();

    /**
     * The channel, ports filled in.
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
     * Waits until the other side is there.
     *
     * @throws io.tickmark.kernel.settings.UserError if it does not come in time
     */
    void countIn();

    /**
     * Tells that a step is over, and waits for the word of the other side.
     *
     * @param step that ended
     * @param sentBySource messages sent in it by topic id; index 0 is not used
     * @param last whether the test ends with it
     * @return what was missing; empty where all is well
     */
    List<String> end(int step, long[] sentBySource, boolean last);

    /**
     * Gives the other side up, once no message was taken for {@link #stallNs()}.
     *
     * @return what that means, as the end of a sentence
     */
    String giveUp();

    /**
     * Told when the engine has closed a publication, which ends the run.
     *
     * @throws io.tickmark.kernel.settings.UserError where nothing is left to be judged
     */
    void closed();

    /**
     * Keeps the engine going for a while.
     *
     * @param lingerNs how long
     */
    void linger(long lingerNs);

    /**
     * After how long without a message taken the other side is given up.
     *
     * @return ns
     */
    long stallNs();

    /**
     * What this way counts beside the sending loop, since the last call.
     *
     * @return counts by name
     */
    Map<String, Long> takeCounts();

    /**
     * What is to be known of the way beside the figures.
     *
     * @return metrics by name
     */
    Map<String, Object> facts();

    /**
     * What the user has to know of the way.
     *
     * @return sentences, none where all is as asked for
     */
    default List<String> notes() {
        return List.of();
    }

    @Override
    void close();
}
