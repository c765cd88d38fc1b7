package io.tickmark.engines.nats;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.StoreServer;
import java.io.IOException;
import java.util.UUID;

/**
 * Streams at servers that somebody else runs: under a subject of their own, and deleted at the end.
 * Their disks cannot be looked at from here, and they are not killed.
 */
final class GivenStore implements StoreServer {
    private final NatsChannel channel;
    private boolean started;

    GivenStore(final NatsChannel channel) {
        this.channel = channel.apart("tickmark-" + UUID.randomUUID().toString().substring(0, 8));
    }

    @Override
    public void start() {
        final Connection connection = Connections.open(channel);
        try {
            connection.jetStreamManagement(Streams.OPTIONS).getAccountStatistics();
            started = true;
        } catch (final IOException | JetStreamApiException | IllegalStateException e) {
            throw Connections.refused(channel, "the server has no JetStream", e);
        } finally {
            Connections.close(connection);
        }
    }

    @Override
    public ChannelUri endpoint() {
        return channel.uri();
    }

    @Override
    public int members() {
        return channel.parameters().replicas();
    }

    @Override
    public void kill(final int member) {
        throw notOurs("killed");
    }

    @Override
    public void restart(final int member) {
        throw notOurs("restarted");
    }

    private UserError notOurs(final String what) {
        return UserError.usage(
                "--channel %s: the server was not started here, so it cannot be %s; write jetstream: for one of our own."
                        .formatted(channel.uri(), what));
    }

    @Override
    public Verification verify(final Topic topic) {
        final Connection connection = Connections.open(channel);
        try {
            return new Verification(
                    Streams.ensure(channel, connection, topic).getStreamState().getMsgCount(),
                    0,
                    0);
        } finally {
            Connections.close(connection);
        }
    }

    @Override
    public long readBack(final Topic topic, final long fromOrdinal, final MessageHandler handler) {
        return ReadBack.read(channel, topic, fromOrdinal, handler);
    }

    /** Deletes its streams, and no other. */
    @Override
    public void close() {
        if (!started) {
            return;
        }
        started = false;
        final Connection connection = Connections.open(channel);
        try {
            final JetStreamManagement management = connection.jetStreamManagement(Streams.OPTIONS);
            for (final String stream : management.getStreamNames()) {
                if (stream.startsWith(channel.streamPrefix())) {
                    management.deleteStream(stream);
                }
            }
        } catch (final IOException | JetStreamApiException | IllegalStateException e) {
            throw Connections.refused(channel, "its streams cannot be deleted", e);
        } finally {
            Connections.close(connection);
        }
    }
}
