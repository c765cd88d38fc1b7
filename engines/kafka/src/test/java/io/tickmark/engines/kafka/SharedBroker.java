package io.tickmark.engines.kafka;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.MessageHandler;
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

/**
 * Kafka with one store for all tests of a class, because a broker takes seconds to start: tests
 * have their own topics. A store that a test closes and restarts is closed and restarted; one that
 * it only closes is kept for the next.
 */
final class SharedBroker implements DurableTransport, AutoCloseable {
    private final KafkaTransport kafka = new KafkaTransport();
    private final StoreServer shared;

    SharedBroker(final ChannelUri channel, final Path directory) {
        shared = kafka.store(channel, directory);
        shared.start();
    }

    @Override
    public StoreServer store(final ChannelUri channel, final Path directory) {
        return new View(channel);
    }

    /** The shared store as one test sees it. */
    private final class View implements StoreServer {
        private final ChannelUri channel;
        private boolean closed;

        private View(final ChannelUri channel) {
            this.channel = channel;
        }

        @Override
        public void start() {
            if (closed) {
                closed = false;
                shared.close();
                shared.start();
            }
        }

        @Override
        public ChannelUri endpoint() {
            return channel.withAuthority(shared.endpoint().authority()).with("start", "true");
        }

        @Override
        public int members() {
            return shared.members();
        }

        @Override
        public void kill(final int member) {
            shared.kill(member);
        }

        @Override
        public void restart(final int member) {
            shared.restart(member);
        }

        @Override
        public Verification verify(final Topic topic) {
            return kafka.seen(shared, channel).verify(topic);
        }

        @Override
        public long readBack(
                final Topic topic, final long fromOrdinal, final MessageHandler handler) {
            return kafka.seen(shared, channel).readBack(topic, fromOrdinal, handler);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Override
    public void close() {
        shared.close();
    }

    @Override
    public String scheme() {
        return kafka.scheme();
    }

    @Override
    public String summary() {
        return kafka.summary();
    }

    @Override
    public Class<? extends Record> parameters() {
        return kafka.parameters();
    }

    @Override
    public TransportTraits traits(final ChannelUri channel) {
        return kafka.traits(channel);
    }

    @Override
    public Guarantees guarantees(final ChannelUri channel) {
        return kafka.guarantees(channel);
    }

    @Override
    public Publication publication(final ChannelUri channel, final Topic topic) {
        return kafka.publication(channel, topic);
    }

    @Override
    public Subscription subscription(final ChannelUri channel, final Topic topic) {
        return kafka.subscription(channel, topic);
    }

    @Override
    public Exchange exchange(
            final ChannelUri channel,
            final Topic topic,
            final ExchangeSide side,
            final int cookie) {
        return kafka.exchange(channel, topic, side, cookie);
    }

    @Override
    public DurablePublication durablePublication(final ChannelUri channel, final Topic topic) {
        return kafka.durablePublication(channel, topic);
    }

    @Override
    public DurableSubscription durableSubscription(
            final ChannelUri channel, final Topic topic, final long fromOrdinal) {
        return kafka.durableSubscription(channel, topic, fromOrdinal);
    }
}
