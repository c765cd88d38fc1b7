package io.tickmark.transport.store;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import java.nio.file.Path;

/**
 * A transport whose messages can be stored. Ordinals count the messages of one channel and topic,
 * from 0.
 */
public interface DurableTransport extends Transport {
    /**
     * Opens the sending end of a stored stream.
     *
     * @param channel one of {@link StoreServer#endpoints()}, or of a store that runs elsewhere
     * @param topic within the channel
     * @return the publication
     */
    DurablePublication durablePublication(ChannelUri channel, Topic topic);

    /**
     * Opens the receiving end of a stored stream.
     *
     * @param channel one of {@link StoreServer#endpoints()}, or of a store that runs elsewhere
     * @param topic within the channel
     * @param fromOrdinal first message wanted
     * @return the subscription
     */
    DurableSubscription durableSubscription(ChannelUri channel, Topic topic, long fromOrdinal);

    /**
     * Makes a store, not started yet.
     *
     * @param channel with the store's parameters
     * @param directory for its data, owned by the store
     * @return the store
     */
    StoreServer store(ChannelUri channel, Path directory);
}
