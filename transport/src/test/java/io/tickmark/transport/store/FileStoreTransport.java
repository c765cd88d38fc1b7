package io.tickmark.transport.store;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportTraits;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The smallest engine that keeps messages: proves that the durable SPI can be implemented. */
public final class FileStoreTransport implements DurableTransport {
    private static final Set<String> MISSED = ConcurrentHashMap.newKeySet();

    /** For the service loader of other modules' tests. */
    public FileStoreTransport() {}

    @Override
    public String scheme() {
        return "filestore";
    }

    @Override
    public String summary() {
        return "A log in files.";
    }

    @Override
    public Class<? extends Record> parameters() {
        return FileStoreParameters.class;
    }

    @Override
    public boolean separatesTopics() {
        return true;
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        return TransportTraits.upTo(LogSegment.MAX_MESSAGE_BYTES)
                .reliable(true)
                .ordered(true)
                .backPressured(true)
                .detectsDisconnect(true)
                .fansOut(true);
    }

    @Override
    public boolean carriesPlainMessages() {
        return false;
    }

    @Override
    public Guarantees guarantees(final ChannelUri channel) {
        return new Guarantees(
                Durability.D2,
                1,
                1,
                "written and synced",
                "in batches",
                "none",
                "none",
                channel.read(FileStoreParameters.class).deletion());
    }

    @Override
    public Publication publication(final ChannelUri channel, final Topic topic) {
        return durablePublication(channel, topic);
    }

    @Override
    public Subscription subscription(final ChannelUri channel, final Topic topic) {
        return durableSubscription(channel, topic, 0);
    }

    @Override
    public Exchange exchange(
            final ChannelUri channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie) {
        throw UserError.usage("--channel " + channel + ": a store cannot carry echoes.");
    }

    @Override
    public DurablePublication durablePublication(final ChannelUri channel, final Topic topic) {
        try {
            return new FilePublication(FileStore.running(channel), channel, topic);
        } catch (final UserError e) {
            MISSED.add(channel.authority());
            throw e;
        }
    }

    /** Whether a publication to a store was requested while it did not run. */
    public static boolean isMissed(final ChannelUri endpoint) {
        return MISSED.contains(endpoint.authority());
    }

    @Override
    public DurableSubscription durableSubscription(
            final ChannelUri channel, final Topic topic, final long fromOrdinal) {
        return new FileSubscription(FileStore.running(channel), channel, topic, fromOrdinal);
    }

    @Override
    public StoreServer store(final ChannelUri channel, final Path directory) {
        return new FileStore(
                channel,
                directory,
                Settings.read(
                        FileStoreParameters.class,
                        channel.parameters(),
                        key -> "--channel " + channel + ": " + key));
    }
}
