package io.tickmark.engines.nats;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportTraits;
import java.util.Optional;

/**
 * NATS: {@code nats://HOST:PORT}, or {@code nats:} for a server that the binding side starts. See
 * {@link NatsParameters} for what a channel may carry.
 */
public final class NatsTransport implements Transport {
    static final String SCHEME = "nats";

    /** Connects to nothing yet. */
    public NatsTransport() {}

    @Override
    public String scheme() {
        return SCHEME;
    }

    @Override
    public String summary() {
        return "Core NATS: nats://HOST:PORT, or nats: for a server started here.";
    }

    @Override
    public Class<? extends Record> parameters() {
        return NatsParameters.class;
    }

    @Override
    public Optional<String> missing() {
        return NatsServer.absence();
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        return NatsChannel.of(channel).traits();
    }

    @Override
    public boolean separatesTopics() {
        return true;
    }

    @Override
    public Publication publication(final ChannelUri channel, final Topic topic) {
        return NatsEnds.publication(channel, topic);
    }

    @Override
    public Subscription subscription(final ChannelUri channel, final Topic topic) {
        return NatsEnds.subscription(channel, topic);
    }

    @Override
    public Exchange exchange(
            final ChannelUri channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie) {
        return NatsEnds.exchange(channel, topic, side);
    }

    @Override
    public ExchangeSide sideTowardsForeignEcho() {
        return ExchangeSide.BIND;
    }
}
