package io.tickmark.engines.nats;

import io.nats.client.BaseConsumerContext;
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
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.DurableSubscription;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import org.agrona.CloseHelper;

/**
 * Reads a stream: an ordered consumer where all messages are kept, a durable one with an
 * acknowledgement for each message where it is a work queue.
 */
final class JetStreamSubscription extends BrokerSubscription implements DurableSubscription {
    /** The only consumer that a work queue may have for a subject. */
    private static final String WORKER = "tickmark";

    private static final long EXPIRY_MS = 2000;
    private static final Duration FETCH = Duration.ofSeconds(5);

    private final BrokerChannel<JetStreamParameters> channel;
    private final NatsLink link;
    private final IterableConsumer consumer;
    private final boolean workQueue;
    private final long fromOrdinal;

    /** Fetched but not delivered. */
    private final Deque<Message> ahead = new ArrayDeque<>();

    /** Delivered but not acknowledged. */
    private final Deque<Message> open = new ArrayDeque<>();

    private long ordinal = -1;
    private long fetched = -1;
    private long acknowledged;
    private final EngineErrors refused = EngineErrors.ofAcknowledgements();
    private Message lastAcknowledged;

    private JetStreamSubscription(
            final BrokerChannel<JetStreamParameters> channel,
            final NatsLink link,
            final IterableConsumer consumer,
            final long fromOrdinal) {
        super(channel);
        this.channel = channel;
        this.link = link;
        this.consumer = consumer;
        this.fromOrdinal = fromOrdinal;
        workQueue = channel.parameters().deletion() == Deletion.ACKNOWLEDGED;
        // A subscriber that opens after a message has processed it; its acknowledgement may have
        // been lost.
        acknowledged = fromOrdinal - 1;
    }

    static JetStreamSubscription open(
            final BrokerChannel<JetStreamParameters> channel,
            final Topic topic,
            final long fromOrdinal) {
        return new NatsLink(channel)
                .open(
                        "the stream cannot be read",
                        link -> {
                            Streams.ensure(channel, link, topic);
                            final StreamContext stream = Streams.context(channel, link, topic);
                            final BaseConsumerContext reader =
                                    channel.parameters().deletion() == Deletion.ACKNOWLEDGED
                                            ? worker(stream, channel)
                                            : stream.createOrderedConsumer(from(fromOrdinal + 1));
                            return new JetStreamSubscription(
                                    channel, link, reader.iterate(asking(channel)), fromOrdinal);
                        });
    }

    /**
     * A new consumer, so that messages delivered to an earlier subscription but not acknowledged
     * are redelivered at once and not after their time-out.
     */
    private static BaseConsumerContext worker(
            final StreamContext stream, final BrokerChannel<JetStreamParameters> channel)
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

    static ConsumeOptions asking(final BrokerChannel<JetStreamParameters> channel) {
        return ConsumeOptions.builder()
                .batchSize(channel.parameters().pull())
                .thresholdPercent(50)
                .expiresIn(EXPIRY_MS)
                .build();
    }

    @Override
    protected byte[] next() {
        final Message message = ahead.isEmpty() ? fetch(null) : ahead.poll();
        if (message == null) {
            return null;
        }
        ordinal = ordinalOf(message);
        if (workQueue) {
            open.add(message);
        }
        return message.getData();
    }

    private static long ordinalOf(final Message message) {
        return message.metaData().streamSequence() - 1;
    }

    /** The next message that was not fetched before; null where there is none yet. */
    private Message fetch(final Duration timeout) {
        try {
            Message message = consumer.nextMessage(timeout);
            while (message != null && isKnown(message)) {
                message = consumer.nextMessage(timeout);
            }
            return message;
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (final JetStreamStatusCheckedException | IllegalStateException e) {
            // The consumer repeats the request by itself, and isConnected reports a broken
            // connection.
            return null;
        }
    }

    /**
     * The client throws where it cannot send for lack of a connection: the message stays
     * unacknowledged and is acknowledged with the next ones, or is redelivered after reopening.
     */
    private boolean isAcknowledged(final Message message) {
        if (!link.isConnected()) {
            refused.add("the connection is broken");
            return false;
        }
        try {
            message.ack();
            return true;
        } catch (final IllegalStateException e) {
            refused.add(e);
            return false;
        }
    }

    /** Sent again because its acknowledgement was lost, or before the first requested one. */
    private boolean isKnown(final Message message) {
        final long number = ordinalOf(message);
        if (workQueue && number <= acknowledged) {
            isAcknowledged(message); // otherwise it is redelivered
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
        if (!workQueue) {
            return;
        }
        while (fetched < upTo) {
            final Message message = fetch(FETCH);
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
    public boolean wakesOnArrival() {
        return true;
    }

    @Override
    protected void waitForNext(final long timeoutNs) {
        if (ahead.isEmpty()) {
            final Message message = fetch(Duration.ofNanos(timeoutNs));
            if (message != null) {
                ahead.add(message);
            }
        }
    }

    @Override
    protected boolean isServed() {
        return link.isConnected();
    }

    @Override
    public Optional<String> engineErrors() {
        return EngineErrors.together(refused.sentence(), link.errors());
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = JetStreamTransport.facts(channel, link);
        if (workQueue) {
            facts.put("acknowledgementsRefused", refused.count());
        }
        return facts;
    }

    /** What the server answers after an acknowledgement it answers when it has processed that. */
    @Override
    public void settleAcknowledgements() {
        if (lastAcknowledged == null) {
            return;
        }
        link.flush(FETCH);
        try {
            if (link.isConnected()) {
                consumer.getConsumerInfo();
            } else {
                refused.add("the connection broke before the server had processed the last one");
            }
        } catch (final IOException | JetStreamApiException | IllegalStateException e) {
            refused.add(e);
        }
        lastAcknowledged = null;
    }

    @Override
    protected void release() {
        settleAcknowledgements();
        CloseHelper.quietClose(consumer); // the connection's end ends it
        link.close();
    }
}
