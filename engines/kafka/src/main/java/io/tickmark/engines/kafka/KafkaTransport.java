package io.tickmark.engines.kafka;

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
import java.time.Duration;

/**
 * Kafka: {@code kafka://HOST:PORT}, or {@code kafka:} for brokers that the binding side starts. See
 * {@link KafkaParameters} for what a channel may carry.
 */
public final class KafkaTransport implements DurableTransport {
    /** Connects to nothing yet. */
    public KafkaTransport() {}

    @Override
    public String scheme() {
        return "kafka";
    }

    @Override
    public String summary() {
        return "Apache Kafka: kafka://HOST:PORT, or kafka: for brokers started here (KRaft); also as a store, messages kept or"
                + " deleted once acknowledged.";
    }

    @Override
    public Class<? extends Record> parameters() {
        return KafkaParameters.class;
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        return KafkaChannel.of(channel).traits();
    }

    @Override
    public boolean separatesTopics() {
        return true;
    }

    @Override
    public Publication publication(final ChannelUri channel, final Topic topic) {
        return KafkaEnds.publication(channel, topic);
    }

    @Override
    public Subscription subscription(final ChannelUri channel, final Topic topic) {
        return KafkaEnds.subscription(channel, topic);
    }

    @Override
    public Exchange exchange(
            final ChannelUri channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie) {
        return KafkaEnds.exchange(channel, topic, side);
    }

    @Override
    public Guarantees guarantees(final ChannelUri channel) {
        return KafkaFacts.guarantees(KafkaChannel.of(channel));
    }

    @Override
    public Duration patience(final ChannelUri channel) {
        return Broker.START_PATIENCE;
    }

    @Override
    public DurablePublication durablePublication(final ChannelUri channel, final Topic topic) {
        return KafkaDurablePublication.open(KafkaChannel.of(channel), topic);
    }

    @Override
    public DurableSubscription durableSubscription(
            final ChannelUri channel, final Topic topic, final long fromOrdinal) {
        return KafkaDurableSubscription.open(KafkaChannel.of(channel), topic, fromOrdinal);
    }

    @Override
    public StoreServer store(final ChannelUri channel, final Path directory) {
        final KafkaChannel checked = KafkaChannel.of(channel);
        return checked.starts() ? new KafkaStore(checked, directory) : new GivenStore(checked);
    }

    @Override
    public ExchangeSide sideTowardsForeignEcho() {
        return ExchangeSide.BIND;
    }
}
