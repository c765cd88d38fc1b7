package io.tickmark.engines.nats;

import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.ErrorListener;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.time.Duration;

/** Opens connections to the servers of a channel. They come back when a server does. */
final class Connections {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration AGAIN = Duration.ofMillis(100);

    private Connections() {}

    static Connection open(final NatsChannel channel) {
        return open(channel, (connection, event) -> {});
    }

    /** Tells a listener when the connection breaks and comes back, on a thread of the client's. */
    static Connection open(final NatsChannel channel, final ConnectionListener listener) {
        final Options options =
                new Options.Builder()
                        .servers(channel.urls())
                        .connectionName("tickmark")
                        .connectionTimeout(TIMEOUT)
                        .noRandomize()
                        .ignoreDiscoveredServers()
                        .maxReconnects(-1)
                        .reconnectDelayHandler(rounds -> AGAIN)
                        .reconnectBufferSize(0)
                        // Limits are ours, in bytes; the queue itself takes what fits into them.
                        .maxMessagesInOutgoingQueue(0)
                        .subjectValidationType(Options.SubjectValidationType.None)
                        .connectionListener(listener)
                        .errorListener(new ErrorListener() {})
                        .build();
        try {
            final Connection connection = Nats.connect(options);
            checkPayload(channel, connection);
            return connection;
        } catch (final IOException e) {
            throw channel.failed(
                    "no NATS server answers there (%s); start one, or let it be started with ?start"
                            .formatted(sentencePart(e)),
                    e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw channel.failed("connecting was interrupted", e);
        }
    }

    private static void checkPayload(final NatsChannel channel, final Connection connection) {
        final long most = connection.getMaxPayload();
        if (channel.client().maxPayloadBytes() > most) {
            close(connection);
            throw NatsChannel.wrong(
                    channel.uri(),
                    "the server takes messages of at most %d bytes; give ?maxPayloadBytes=%d or less"
                            .formatted(most, most));
        }
    }

    static String sentencePart(final Throwable e) {
        final String said = String.valueOf(e.getMessage()).strip();
        return said.endsWith(".") ? said.substring(0, said.length() - 1) : said;
    }

    static boolean isConnected(final Connection connection) {
        return connection.getStatus() == Connection.Status.CONNECTED;
    }

    /** Waits until the server has read all that was sent; the server may be gone. */
    static void flush(final Connection connection, final Duration timeout) {
        try {
            if (isConnected(connection)) {
                connection.flush(timeout);
            }
        } catch (final java.util.concurrent.TimeoutException | IllegalStateException e) {
            // It is not there any more: nothing to wait for.
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void close(final Connection connection) {
        try {
            connection.close();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** As a sentence about a store's request that failed. */
    static UserError refused(final NatsChannel channel, final String what, final Exception e) {
        return channel.failed(what + ": " + sentencePart(e), e);
    }
}
