package io.tickmark.workloads.messaging.session;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Subscription;
import java.util.List;
import java.util.Map;

/**
 * The way of a stream to its receiver: straight from the publisher, or from a store. One thread.
 */
public interface ReceivingEnd extends AutoCloseable {
    /**
     * What is polled.
     *
     * @return one for each topic, or one for all
     */
    List<Subscription> subscriptions();

    /**
     * Drives what belongs to a subscription beside polling it.
     *
     * @param index of the subscription
     * @return amount of work, 0 for none
     */
    int doWork(int index);

    /**
     * What is agreed upon with the publisher.
     *
     * @return the agreement, which control messages are to be handed to
     */
    Agreement agreement();

    /**
     * Waits until the publisher is known.
     *
     * @param handler the role's own, which hands control messages to the agreement
     * @throws io.tickmark.kernel.settings.UserError if no publisher shows itself in time
     */
    void introduce(MessageHandler handler);

    /**
     * Whether the publisher has said beside the way that it sends no more and not even an end,
     * because what lies between is lost: what it reports is the result, and no silence of its.
     *
     * @return false where it cannot say so
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
