package io.tickmark.engines.nats;

import io.nats.client.Connection;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import java.util.function.Supplier;
import org.agrona.CloseHelper;

/**
 * Opens the ends of plain channels. Replies go by a subject of their own, which all connecting
 * sides share: their messages say whose they are.
 */
final class NatsEnds {
    private static final AutoCloseable NOTHING = () -> {};

    private NatsEnds() {}

    static Publication publication(final ChannelUri uri, final Topic topic) {
        final Opened opened = Opened.binding(uri);
        return opened.guarded(() ->
                new NatsPublication(
                        opened.channel(),
                        opened.connection(),
                        opened.channel().subject(topic),
                        opened));
    }

    static Subscription subscription(final ChannelUri uri, final Topic topic) {
        final Opened opened = Opened.connecting(uri);
        return opened.guarded(() ->
                new NatsSubscription(
                        opened.channel(),
                        opened.connection(),
                        opened.channel().subject(topic),
                        opened));
    }

    static Exchange exchange(final ChannelUri uri, final Topic topic, final ExchangeSide side) {
        final boolean binds = side == ExchangeSide.BIND;
        final Opened opened = binds ? Opened.binding(uri) : Opened.connecting(uri);
        return opened.guarded(() -> {
            final NatsChannel channel = opened.channel();
            final String forward = channel.subject(topic);
            final String reply = channel.replySubject(topic);
            final NatsSubscription hears =
                    new NatsSubscription(
                            channel, opened.connection(), binds ? reply : forward, opened);
            final NatsPublication sends =
                    new NatsPublication(
                            channel, opened.connection(), binds ? forward : reply, NOTHING);
            return new NatsExchange(channel.uri(), sends, hears);
        });
    }

    /**
     * A connection, and what stands behind it.
     *
     * @param channel with the server's port
     * @param connection to it
     * @param server where it is ours, else nothing
     */
    record Opened(NatsChannel channel, Connection connection, AutoCloseable server)
            implements AutoCloseable {
        static Opened binding(final ChannelUri uri) {
            final NatsChannel channel = NatsChannel.of(uri);
            if (!channel.starts()) {
                return new Opened(channel, Connections.open(channel), NOTHING);
            }
            final OwnServer server = OwnServer.at(channel);
            try {
                final NatsChannel resolved = server.resolved(channel);
                return new Opened(resolved, Connections.open(resolved), server);
            } catch (final RuntimeException e) {
                server.close();
                throw e;
            }
        }

        static Opened connecting(final ChannelUri uri) {
            final NatsChannel channel = NatsChannel.of(uri);
            if (channel.address().port() == 0) {
                throw NatsChannel.wrong(
                        uri,
                        "the side that connects needs the server's port; write nats://host:port");
            }
            return new Opened(channel, Connections.open(channel), NOTHING);
        }

        <T> T guarded(final Supplier<T> opening) {
            try {
                return opening.get();
            } catch (final RuntimeException e) {
                close();
                throw e;
            }
        }

        @Override
        public void close() {
            Connections.close(connection);
            CloseHelper.quietClose(server);
        }
    }
}
