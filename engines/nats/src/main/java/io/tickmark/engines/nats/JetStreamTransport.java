package io.tickmark.engines.nats;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.DurableTransport;
import io.tickmark.transport.store.Guarantees;
import io.tickmark.transport.store.StoreServer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The store of NATS: {@code jetstream:} for servers that are started, {@code jetstream://HOST:PORT}
 * for one that runs. See {@link JetStreamParameters} for what a channel may carry.
 */
public final class JetStreamTransport implements DurableTransport {
    /** Connects to nothing yet. */
    public JetStreamTransport() {}

    @Override
    public String scheme() {
        return "jetstream";
    }

    @Override
    public String summary() {
        return "JetStream, the store of NATS: jetstream:, or jetstream://HOST:PORT for a server that runs; file or memory, one"
                + " to five replicas.";
    }

    @Override
    public Class<? extends Record> parameters() {
        return JetStreamParameters.class;
    }

    @Override
    public Optional<String> missing() {
        return NatsServer.absence();
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        return NatsChannel.of(channel).storedTraits();
    }

    @Override
    public boolean separatesTopics() {
        return true;
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
        throw UserError.usage(
                "--channel "
                        + channel
                        + ": a store has no way back; measure round trips over nats: instead.");
    }

    @Override
    public Guarantees guarantees(final ChannelUri channel) {
        return StoredFacts.guarantees(NatsChannel.of(channel));
    }

    @Override
    public DurablePublication durablePublication(final ChannelUri channel, final Topic topic) {
        return JetStreamPublication.open(NatsChannel.of(channel), topic);
    }

    @Override
    public DurableSubscription durableSubscription(
            final ChannelUri channel, final Topic topic, final long fromOrdinal) {
        return JetStreamSubscription.open(NatsChannel.of(channel), topic, fromOrdinal);
    }

    @Override
    public StoreServer store(final ChannelUri channel, final Path directory) {
        final NatsChannel checked = NatsChannel.of(channel);
        return checked.starts() ? new JetStreamStore(checked, directory) : new GivenStore(checked);
    }
}
