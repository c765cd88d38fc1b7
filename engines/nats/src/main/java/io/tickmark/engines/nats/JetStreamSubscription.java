package io.tickmark.engines.nats;

import io.nats.client.BaseConsumerContext;
import io.nats.client.Connection;
import io.nats.client.ConsumeOptions;
import io.nats.client.IterableConsumer;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamStatusCheckedException;
import io.nats.client.Message;
import io.nats.client.StreamContext;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.OrderedConsumerConfiguration;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.DurableSubscription;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads a stream: an ordered consumer where all is kept, a durable one with an acknowledgement for
 * each message where it is a work queue.
 */
final class JetStreamSubscription implements DurableSubscription {
    /** The one consumer that a work queue may have for a subject. */
    private static final String WORKER = "tickmark";

    private static final long EXPIRY_MS = 2000;
    private static final Duration FETCH = Duration.ofSeconds(5);
    private static final long LONGEST_WAIT_NS = 100_000_000;

    private final NatsChannel channel;
    private final Connection connection;
    private final IterableConsumer consumer;
    private final boolean workQueue;
    private final long fromOrdinal;
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);

    /** Fetched but not handed over. */
    private final Deque<Message> ahead = new ArrayDeque<>();

    /** Handed over but not acknowledged. */
    private final Deque<Message> open = new ArrayDeque<>();

    private long ordinal = -1;
    private long fetched = -1;
    private long acknowledged;
    private long refusedAcknowledgements;
    private Message lastAcknowledged;
    private boolean closed;

    private JetStreamSubscription(
            final NatsChannel channel,
            final Connection connection,
            final IterableConsumer consumer,
            final long fromOrdinal) {
        this.channel = channel;
        this.connection = connection;
        this.consumer = consumer;
        this.fromOrdinal = fromOrdinal;
        workQueue = channel.parameters().deletion() == Deletion.ACKNOWLEDGED;
        // Who opens behind a message has dealt with it; its acknowledgement may have been lost.
        acknowledged = fromOrdinal - 1;
    }

    static JetStreamSubscription open(
            final NatsChannel channel, final Topic topic, final long fromOrdinal) {
        final Connection connection = Connections.open(channel);
        try {
            Streams.ensure(channel, connection, topic);
            final StreamContext stream =
                    connection.jetStream(Streams.OPTIONS).getStreamContext(channel.stream(topic));
            final BaseConsumerContext reader =
                    channel.parameters().deletion() == Deletion.ACKNOWLEDGED
                            ? worker(stream, channel)
                            : stream.createOrderedConsumer(from(fromOrdinal + 1));
            return new JetStreamSubscription(
                    channel, connection, reader.iterate(asking(channel)), fromOrdinal);
        } catch (final IOException | JetStreamApiException | IllegalStateException e) {
            Connections.close(connection); // the last where the connection broke meanwhile
            throw Connections.refused(channel, "the stream cannot be read", e);
        } catch (final RuntimeException e) {
            Connections.close(connection);
            throw e;
        }
    }

    /**
     * A new one, so that what an earlier subscription was given and did not acknowledge comes again
     * at once and not when its time is up.
     */
    private static BaseConsumerContext worker(final StreamContext stream, final NatsChannel channel)
            throws IOException, JetStreamApiException {
        try {
            stream.deleteConsumer(WORKER);
        } catch (final JetStreamApiException e) {
            if (e.getErrorCode() != Streams.NOT_FOUND) {
                throw e;
            }
        }
        return stream.createOrUpdateConsumer(
                ConsumerConfiguration.builder()
                        .durable(WORKER)
                        .deliverPolicy(DeliverPolicy.All)
                        .ackPolicy(AckPolicy.Explicit)
                        .maxAckPending(-1)
                        .ackWait(channel.parameters().ackTimeout().multipliedBy(6))
                        .build());
    }

    /** What an ordered consumer needs to start at a sequence. */
    static OrderedConsumerConfiguration from(final long sequence) {
        return new OrderedConsumerConfiguration()
                .deliverPolicy(DeliverPolicy.ByStartSequence)
                .startSequence(sequence);
    }

    static ConsumeOptions asking(final NatsChannel channel) {
        return ConsumeOptions.builder()
                .batchSize(channel.parameters().pull())
                .thresholdPercent(50)
                .expiresIn(EXPIRY_MS)
                .build();
    }

    @Override
    public int poll(final MessageHandler handler, final int limit) {
        int handed = 0;
        while (handed < limit && !closed) {
            final Message message = ahead.isEmpty() ? next(null) : ahead.poll();
            if (message == null) {
                break;
            }
            ordinal = ordinalOf(message);
            if (workQueue) {
                open.add(message);
            }
            handed++;
            buffer.wrap(message.getData());
            handler.onMessage(buffer, 0, buffer.capacity());
        }
        return handed;
    }

    private static long ordinalOf(final Message message) {
        return message.metaData().streamSequence() - 1;
    }

    /** The next message that was not fetched before; null where there is none yet. */
    private Message next(final Duration timeout) {
        try {
            Message message = consumer.nextMessage(timeout);
            while (message != null && isKnown(message)) {
                message = consumer.nextMessage(timeout);
            }
            return message;
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (final JetStreamStatusCheckedException e) {
            return null; // the consumer asks again by itself
        } catch (final IllegalStateException e) {
            return null; // the connection broke, which isConnected tells
        }
    }

    /**
     * The client throws where it cannot send, for want of a connection: the message stays open and
     * is acknowledged with the next ones, or comes again to whoever opens anew.
     */
    private boolean isAcknowledged(final Message message) {
        if (!Connections.isConnected(connection)) {
            refusedAcknowledgements++;
            return false;
        }
        try {
            message.ack();
            return true;
        } catch (final IllegalStateException e) {
            refusedAcknowledgements++;
            return false;
        }
    }

    /** Sent again because its acknowledgement was lost, or before the first one wanted. */
    private boolean isKnown(final Message message) {
        final long number = ordinalOf(message);
        if (workQueue && number <= acknowledged) {
            isAcknowledged(message); // else it comes once more
        }
        final boolean known = number <= fetched || number < fromOrdinal;
        fetched = Math.max(fetched, number);
        return known;
    }

    @Override
    public long ordinal() {
        return ordinal;
    }

    @Override
    public void acknowledge(final long upTo) {
        if (closed || !workQueue) {
            return;
        }
        while (fetched < upTo) {
            final Message message = next(FETCH);
            if (message == null) {
                break; // there are no more
            }
            ahead.add(message);
        }
        acknowledge(open, upTo);
        acknowledge(ahead, upTo);
        acknowledged = Math.max(acknowledged, upTo);
    }

    private void acknowledge(final Deque<Message> messages, final long upTo) {
        Message first = messages.peek();
        while (first != null && ordinalOf(first) <= upTo && isAcknowledged(first)) {
            lastAcknowledged = messages.poll();
            first = messages.peek();
        }
    }

    @Override
    public void await(final long timeoutNs) {
        final long longestNs = Math.min(timeoutNs, LONGEST_WAIT_NS);
        if (closed || Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(longestNs);
        } else if (ahead.isEmpty() && longestNs > 0) {
            final Message message = next(Duration.ofNanos(longestNs));
            if (message != null) {
                ahead.add(message);
            }
        }
    }

    @Override
    public boolean isConnected() {
        return !closed && Connections.isConnected(connection);
    }

    @Override
    public ChannelUri channel() {
        return channel.uri();
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = StoredFacts.of(channel, connection);
        if (workQueue) {
            facts.put("acknowledgementsRefused", refusedAcknowledgements);
        }
        return facts;
    }

    /** Waits until the server has dealt with the acknowledgements. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (lastAcknowledged != null && isServed()) {
                consumer.getConsumerInfo();
            }
            consumer.close();
        } catch (final Exception e) {
            // The server is gone, or the consumer: the connection's end ends all.
        }
        Connections.close(connection);
    }

    private boolean isServed() {
        Connections.flush(connection, FETCH);
        return Connections.isConnected(connection);
    }
}
