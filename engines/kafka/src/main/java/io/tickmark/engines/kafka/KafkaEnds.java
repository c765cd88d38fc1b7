package io.tickmark.engines.kafka;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import java.util.function.Supplier;
import org.agrona.CloseHelper;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;

/**
 * Opens the ends of plain channels. Replies go by a topic of their own, which all connecting sides
 * share: their messages say whose they are.
 */
final class KafkaEnds {
    private static final AutoCloseable NOTHING = () -> {};

    private KafkaEnds() {}

    static Publication publication(final ChannelUri uri, final Topic topic) {
        final Opened opened = Opened.binding(uri);
        return opened.guarded(() -> {
            final String name = opened.channel().topic(topic);
            ensure(opened.channel(), name);
            return new KafkaPublication(opened.channel(), name, opened.broker());
        });
    }

    static Subscription subscription(final ChannelUri uri, final Topic topic) {
        final Opened opened = Opened.connecting(uri);
        return opened.guarded(
                () -> atEnd(opened.channel(), opened.channel().topic(topic), opened.broker()));
    }

    static Exchange exchange(final ChannelUri uri, final Topic topic, final ExchangeSide side) {
        final boolean binds = side == ExchangeSide.BIND;
        final Opened opened = binds ? Opened.binding(uri) : Opened.connecting(uri);
        return opened.guarded(() -> {
            final KafkaChannel channel = opened.channel();
            final String forward = channel.topic(topic);
            final String reply = channel.replyTopic(topic);
            ensure(channel, binds ? forward : reply);
            final KafkaSubscription hears =
                    atEnd(channel, binds ? reply : forward, opened.broker());
            try {
                return new KafkaExchange(
                        channel.uri(),
                        new KafkaPublication(channel, binds ? forward : reply, NOTHING),
                        hears);
            } catch (final RuntimeException e) {
                hears.close();
                throw e;
            }
        });
    }

    private static void ensure(final KafkaChannel channel, final String topic) {
        try (Topics topics = new Topics(channel)) {
            topics.ensure(topic);
        }
    }

    /** What is sent from now on comes, what was sent before does not. */
    private static KafkaSubscription atEnd(
            final KafkaChannel channel, final String topic, final AutoCloseable owned) {
        try (Topics topics = new Topics(channel)) {
            topics.ensure(topic);
            return new KafkaSubscription(
                    channel, topic, topics.offset(topic, OffsetSpec.latest()), owned);
        }
    }

    /**
     * The channel with its port, and the brokers where they are ours.
     *
     * @param channel that is reached
     * @param broker to be closed at the end
     */
    record Opened(KafkaChannel channel, AutoCloseable broker) {
        static Opened binding(final ChannelUri uri) {
            final KafkaChannel channel = KafkaChannel.of(uri);
            if (channel.starts()) {
                final OwnBroker own = OwnBroker.at(channel);
                return new Opened(own.resolved(channel), own);
            }
            Clients.requireAnswer(channel);
            return new Opened(channel, NOTHING);
        }

        static Opened connecting(final ChannelUri uri) {
            final KafkaChannel channel = KafkaChannel.of(uri);
            if (channel.address().port() == 0) {
                throw KafkaChannel.wrong(
                        uri,
                        "the side that connects needs the broker's port; write kafka://host:port");
            }
            Clients.requireAnswer(channel);
            return new Opened(channel, NOTHING);
        }

        <T> T guarded(final Supplier<T> opening) {
            try {
                return opening.get();
            } catch (final KafkaException e) {
                CloseHelper.quietClose(broker);
                throw Clients.refused(channel, e);
            } catch (final RuntimeException e) {
                CloseHelper.quietClose(broker);
                throw e;
            }
        }
    }
}
