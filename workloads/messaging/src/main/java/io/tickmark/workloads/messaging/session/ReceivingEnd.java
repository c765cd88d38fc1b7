package io.tickmark.workloads.messaging.session;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Subscription;
import java.util.List;
import java.util.Map;

/**
 * The receiver's end of a stream: directly from the publisher, or from a store. Single-threaded.
 */
public interface ReceivingEnd extends AutoCloseable {
    /**
     * The subscriptions.
     *
     * @return one for each topic, or one for all
     */
    List<Subscription> subscriptions();

    /**
     * Does the work of a subscription other than polling.
     *
     * @param index of the subscription
     * @return amount of work, 0 for none
     */
    int doWork(int index);

    /**
     * The agreement with the publisher.
     *
     * @return the agreement, to which control messages have to be passed
     */
    TopicAgreement agreement();

    /**
     * Waits until the publisher is known.
     *
     * @param handler the role's own, which passes control messages to the agreement
     * @throws io.tickmark.kernel.settings.UserError if no publisher appears in time
     */
    void introduce(MessageHandler handler);

    /**
     * Whether the publisher has announced by another path that it sends nothing more, not even an
     * end, because the store in between is lost: its report is then the result, and its silence is
     * not a failure.
     *
     * @return false where there is no such path
     */
    default boolean isGivenUp() {
        return false;
    }

    /**
     * The channel.
     *
     * @return as opened
     */
    ChannelUri channel();

    /**
     * Waits until what this end has acknowledged is processed, so that the facts and notes hold
     * what was refused. Called once, after the last poll and before those are read.
     */
    default void settle() {}

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
