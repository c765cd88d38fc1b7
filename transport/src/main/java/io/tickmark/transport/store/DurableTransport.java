package io.tickmark.transport.store;

import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * A transport whose messages can be stored. Ordinals count the messages of one channel and topic,
 * from 0. Its parameters include {@code deletion}, a {@link Deletion}.
 */
public interface DurableTransport extends Transport {
    /**
     * The guarantees of this channel. Opens nothing.
     *
     * @param channel with the store's parameters
     * @return the same for the channel of a store and for its endpoint
     * @throws io.tickmark.kernel.settings.UserError if a parameter is wrong
     */
    Guarantees guarantees(ChannelUri channel);

    /**
     * Whether a test without a store can use its channels: messages are then sent in the engine's
     * usual way.
     *
     * @return true by default; false where every message goes through the store
     */
    default boolean carriesPlainMessages() {
        return true;
    }

    /**
     * Parameters that a use of the channel ignores, so that they are refused there. Opens nothing.
     *
     * @param channel with its parameters
     * @param isStored whether its messages go through a store
     * @return names; by default {@code deletion} of plain messages
     */
    default Set<String> ignored(final ChannelUri channel, final boolean isStored) {
        return isStored ? Set.of() : Set.of("deletion");
    }

    /**
     * A channel whose messages are kept by several members each.
     *
     * @param channel with the store's parameters
     * @param members how many, more than one
     * @return the channel, not checked; empty where the engine has no such parameter
     */
    default Optional<ChannelUri> withMembers(final ChannelUri channel, final int members) {
        return SettingDescriptor.of(parameters()).stream()
                        .anyMatch(parameter -> parameter.key().equals("members"))
                ? Optional.of(channel.with("members", Integer.toString(members)))
                : Optional.empty();
    }

    /**
     * Threads that the engine keeps busy for the publication of a stored stream, as {@link
     * Transport#busyThreads} says it of other ends. Opens nothing.
     *
     * @param channel of this scheme
     * @return by default as many as for an end that only subscribes, as neither starts servers
     */
    default int busyPublisherThreads(final ChannelUri channel) {
        return busyThreads(channel, ExchangeSide.CONNECT);
    }

    /**
     * How long a store may take until it accepts messages: to start, to recover, to elect a leader.
     * Its users wait that much longer for it. Opens nothing.
     *
     * @param channel with the store's parameters
     * @return generous: the machine may be loaded
     */
    default Duration patience(final ChannelUri channel) {
        return Duration.ofSeconds(30);
    }

    /**
     * Opens the sending end of a stored stream. Its first stable position is the last ordinal in
     * the store, so that a sender that lost a store knows after reopening what to send again.
     *
     * @param channel {@link StoreServer#endpoint()}, or that of a store that runs elsewhere
     * @param topic within the channel
     * @return the publication
     * @throws io.tickmark.kernel.settings.UserError if the store cannot be reached; opening may be
     *     retried
     */
    DurablePublication durablePublication(ChannelUri channel, Topic topic);

    /**
     * Opens the receiving end of a stored stream.
     *
     * @param channel {@link StoreServer#endpoint()}, or that of a store that runs elsewhere
     * @param topic within the channel
     * @param fromOrdinal first message to deliver
     * @return the subscription
     * @throws io.tickmark.kernel.settings.UserError if the store cannot be reached; opening may be
     *     retried
     */
    DurableSubscription durableSubscription(ChannelUri channel, Topic topic, long fromOrdinal);

    /**
     * Creates a store that is not started yet.
     *
     * @param channel with the store's parameters
     * @param directory for its data, which exists and is used only by the store
     * @return the store
     * @throws io.tickmark.kernel.settings.UserError if a parameter is wrong
     */
    StoreServer store(ChannelUri channel, Path directory);
}
