package io.tickmark.engines.nats;

import io.nats.client.Connection;
import io.nats.client.IterableConsumer;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamStatusCheckedException;
import io.nats.client.Message;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.StreamInfo;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.Deletion;
import java.io.IOException;
import java.time.Duration;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads what a stream holds: by a consumer, and where that finds no more by single requests, which
 * a work queue with a consumer needs and which step over what the server cannot read.
 */
final class ReadBack {
    private static final Duration SILENCE = Duration.ofSeconds(2);
    private static final int NO_MESSAGE = 10_037;

    /** "Service unavailable": the cluster has no leader, or JetStream has switched itself off. */
    private static final int UNAVAILABLE = 503;

    private final NatsChannel channel;
    private final Connection connection;
    private final JetStreamManagement management;
    private final StreamInfo stream;
    private final Topic topic;
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private MessageHandler handler = (message, offset, length) -> {};
    private long next;
    private long count;

    private ReadBack(
            final NatsChannel channel,
            final Connection connection,
            final JetStreamManagement management,
            final StreamInfo stream,
            final Topic topic) {
        this.channel = channel;
        this.connection = connection;
        this.management = management;
        this.stream = stream;
        this.topic = topic;
    }

    /** Opens a connection for it; how many messages were handed over. */
    static long read(
            final NatsChannel channel,
            final Topic topic,
            final long fromOrdinal,
            final MessageHandler handler) {
        final Connection connection = Connections.open(channel);
        try {
            final StreamInfo stream = Streams.ensure(channel, connection, topic);
            final JetStreamManagement management = connection.jetStreamManagement(Streams.OPTIONS);
            return new ReadBack(channel, connection, management, stream, topic)
                    .read(fromOrdinal, handler);
        } catch (final IOException | JetStreamApiException | IllegalStateException e) {
            throw Connections.refused(channel, "topic " + topic.name() + " cannot be read back", e);
        } finally {
            Connections.close(connection);
        }
    }

    private long read(final long fromOrdinal, final MessageHandler to)
            throws IOException, JetStreamApiException {
        handler = to;
        next = Math.max(fromOrdinal + 1, stream.getStreamState().getFirstSequence());
        if (stream.getStreamState().getMsgCount() > 0) {
            if (channel.parameters().deletion() == Deletion.KEPT) {
                readByConsumer();
            }
            readSingly();
        }
        return count;
    }

    private long last() {
        return stream.getStreamState().getLastSequence();
    }

    private void readByConsumer() throws IOException, JetStreamApiException {
        if (next > last()) {
            return;
        }
        final IterableConsumer consumer =
                connection
                        .jetStream(Streams.OPTIONS)
                        .getStreamContext(channel.stream(topic))
                        .createOrderedConsumer(JetStreamSubscription.from(next))
                        .iterate(JetStreamSubscription.asking(channel));
        try {
            Message message = consumer.nextMessage(SILENCE);
            while (message != null) {
                hand(message.metaData().streamSequence(), message.getData());
                message = next <= last() ? consumer.nextMessage(SILENCE) : null;
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (final JetStreamStatusCheckedException | IllegalStateException e) {
            // What it did not bring is asked for singly.
        } finally {
            CloseHelper.quietClose(consumer);
        }
    }

    private void readSingly() throws IOException, JetStreamApiException {
        while (next <= last()) {
            try {
                final MessageInfo found =
                        management.getNextMessage(
                                channel.stream(topic), next, channel.storedSubject(topic));
                hand(found.getSeq(), found.getData() == null ? new byte[0] : found.getData());
            } catch (final JetStreamApiException e) {
                if (e.getApiErrorCode() == NO_MESSAGE && e.getErrorCode() == 404) {
                    return;
                }
                if (e.getErrorCode() == UNAVAILABLE) {
                    throw e; // nothing is known of this message, nor of those behind it
                }
                next++; // it is damaged, and missing for whoever counts
            }
        }
    }

    private void hand(final long sequence, final byte[] data) {
        next = sequence + 1;
        count++;
        buffer.wrap(data);
        handler.onMessage(buffer, 0, data.length);
    }
}
