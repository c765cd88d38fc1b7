package io.tickmark.transport.store;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A transport whose messages can be stored. Ordinals count the messages of one channel and topic,
 * from 0. Its parameters hold {@code deletion}, a {@link Deletion}.
 */
public interface DurableTransport extends Transport {
    /**
     * What is promised with this channel. Opens nothing.
     *
     * @param channel with the store's parameters
     * @return the same for the channel of a store and for its endpoint
     * @throws io.tickmark.kernel.settings.UserError if a parameter is wrong
     */
    Guarantees guarantees(ChannelUri channel);

    /**
     * How long a store may take until it takes messages: to start, to recover, to elect a leader.
     * Who uses it waits so much longer for it. Opens nothing.
     *
     * @param channel with the store's parameters
     * @return generous: the machine may be loaded
     */
    default Duration patience(final ChannelUri channel) {
        return Duration.ofSeconds(30);
    }

    /**
     * Opens the sending end of a stored stream. Its first stable position is the last ordinal in
     * the store, so that who lost a store knows on opening anew what to send again.
     *
     * @param channel {@link StoreServer#endpoint()}, or that of a store that runs elsewhere
     * @param topic within the channel
     * @return the publication
     * @throws io.tickmark.kernel.settings.UserError if the store cannot be reached; it may be tried
     *     again
     */
    DurablePublication durablePublication(ChannelUri channel, Topic topic);

    /**
     * Opens the receiving end of a stored stream.
     *
     * @param channel {@link StoreServer#endpoint()}, or that of a store that runs elsewhere
     * @param topic within the channel
     * @param fromOrdinal first message wanted
     * @return the subscription
     * @throws io.tickmark.kernel.settings.UserError if the store cannot be reached; it may be tried
     *     again
     */
    DurableSubscription durableSubscription(ChannelUri channel, Topic topic, long fromOrdinal);

    /**
     * Makes a store, not started yet.
     *
     * @param channel with the store's parameters
     * @param directory for its data, which exists and is the store's alone
     * @return the store
     * @throws io.tickmark.kernel.settings.UserError if a parameter is wrong
     */
    StoreServer store(ChannelUri channel, Path directory);
}
