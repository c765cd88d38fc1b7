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
import io.tickmark.transport.broker.BoundedClose;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.Flight;
import io.tickmark.transport.broker.PullSubscription;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.DurableSubscription;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.CloseHelper;

/**
 * Reads a stream: an ordered consumer where all messages are kept, a durable one with an
 * acknowledgement for each message where it is a work queue.
 */
final class JetStreamSubscription extends PullSubscription<Message> implements DurableSubscription {
    /** The only consumer that a work queue may have for a subject. */
    private static final String WORKER = "tickmark";

    private static final long EXPIRY_MS = 2000;
    private static final String NOT_ANSWERED =
            "the server had not answered in time whether it has the last one";

    private final NatsLink link;
    private final IterableConsumer consumer;
    private final boolean workQueue;
    private final long fromOrdinal;

    /** Delivered but not acknowledged. */
    private final Deque<Message> open = new ArrayDeque<>();

    private final EngineErrors refused = EngineErrors.ofAcknowledgements();
    private long ordinal = -1;
    private long acknowledged = -1;
    private boolean isSettled = true;

    private JetStreamSubscription(
            final BrokerChannel<JetStreamParameters> channel,
            final NatsLink link,
            final IterableConsumer consumer,
            final long fromOrdinal) {
        super(channel);
        this.link = link;
        by(link);
        this.consumer = consumer;
        this.fromOrdinal = fromOrdinal;
        workQueue = channel.parameters().deletion() == Deletion.ACKNOWLEDGED;
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
                            final StreamContext stream = link.stream(Streams.name(channel, topic));
                            final BaseConsumerContext reader =
                                    channel.parameters().deletion() == Deletion.ACKNOWLEDGED
                                            ? worker(stream, channel)
                                            : ordered(stream, fromOrdinal + 1);
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
        if (stream.getConsumerNames().contains(WORKER)) {
            stream.deleteConsumer(WORKER);
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

    static BaseConsumerContext ordered(final StreamContext stream, final long fromSequence)
            throws IOException, JetStreamApiException {
        return stream.createOrderedConsumer(
                new OrderedConsumerConfiguration()
                        .deliverPolicy(DeliverPolicy.ByStartSequence)
                        .startSequence(fromSequence));
    }

    static ConsumeOptions asking(final BrokerChannel<JetStreamParameters> channel) {
        return ConsumeOptions.builder()
                .batchSize(channel.parameters().pull())
                .thresholdPercent(50)
                .expiresIn(EXPIRY_MS)
                .build();
    }

    /** The next message of a consumer; null where none arrives in time, 0 for at once. */
    static Message next(final IterableConsumer consumer, final long timeoutNs) {
        try {
            return consumer.nextMessage(NatsLink.waiting(timeoutNs));
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (final JetStreamStatusCheckedException | IllegalStateException e) {
            // The consumer repeats the request by itself, and isConnected reports a broken
            // connection.
            return null;
        }
    }

    @Override
    protected Message fetch(final long timeoutNs) {
        return next(consumer, timeoutNs);
    }

    @Override
    protected byte[] payload(final Message message) {
        final long number = ordinalOf(message);
        if (workQueue && isProcessed(number)) {
            isAcknowledged(message); // otherwise it is redelivered
        }
        if (number <= ordinal || isProcessed(number)) {
            return null;
        }
        ordinal = number;
        if (workQueue) {
            open.add(message);
        }
        return message.getData();
    }

    private static long ordinalOf(final Message message) {
        return message.metaData().streamSequence() - 1;
    }

    /**
     * A subscriber that opens after a message has processed it; its acknowledgement may have been
     * lost.
     */
    private boolean isProcessed(final long number) {
        return number < fromOrdinal || number <= acknowledged;
    }

    /**
     * The client throws where it cannot send for lack of a connection: the message stays
     * unacknowledged and is acknowledged with the next ones, or is redelivered after reopening.
     */
    private boolean isAcknowledged(final Message message) {
        if (!link.isServed()) {
            refused.add("the connection is broken");
            return false;
        }
        try {
            message.ack();
            isSettled = false;
            return true;
        } catch (final IllegalStateException e) {
            refused.add(e);
            return false;
        }
    }

    @Override
    public long ordinal() {
        return ordinal;
    }

    /** Messages that were not delivered yet are acknowledged when they arrive. */
    @Override
    public void acknowledge(final long upTo) {
        if (!workQueue) {
            return;
        }
        acknowledged = Math.max(acknowledged, upTo);
        Message first = open.peek();
        while (first != null && ordinalOf(first) <= upTo && isAcknowledged(first)) {
            open.remove();
            first = open.peek();
        }
    }

    @Override
    public Optional<String> engineErrors() {
        return EngineErrors.together(refused.sentence(), super.engineErrors());
    }

    @Override
    public boolean isCount(final String fact) {
        return fact.equals("acknowledgementsRefused") || super.isCount(fact);
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = super.facts();
        if (workQueue) {
            facts.put("acknowledgementsRefused", refused.count());
        }
        return facts;
    }

    /**
     * What the server answers after an acknowledgement it answers when it has processed that. What
     * was acknowledged before it arrived is waited for. An interrupted thread learns nothing.
     */
    @Override
    public void settleAcknowledgements() {
        long seen = ordinal;
        while (seen < acknowledged && link.isServed()) {
            final Message message = awaited();
            if (message == null) {
                break; // there are no more
            }
            seen = ordinalOf(message);
            payload(message);
        }
        if (isSettled) {
            return;
        }
        final boolean isRead = link.flushToClose();
        if (Thread.currentThread().isInterrupted()) {
            return;
        }
        isSettled = true;
        if (!link.isServed()) {
            refused.add("the connection broke before the server had processed the last one");
        } else if (!isRead) {
            refused.add(NOT_ANSWERED);
        } else {
            askForProcessed();
        }
    }

    /** The next message; null where none arrives, for which all ends share their patience. */
    private Message awaited() {
        final Message[] arrived = {null};
        BoundedClose.await(
                Flight.PATIENCE_NS,
                () -> {
                    if (arrived[0] == null) {
                        arrived[0] = take(0);
                    }
                    return arrived[0] != null || !link.isServed();
                });
        return arrived[0];
    }

    /** A server whose disk is full answers what it has read, and nothing about its streams. */
    private void askForProcessed() {
        final AtomicReference<Exception> refusal = new AtomicReference<>();
        final AtomicBoolean isAnswered = new AtomicBoolean();
        BoundedClose.of(() -> {
            try {
                consumer.getConsumerInfo();
            } catch (final IOException | JetStreamApiException | IllegalStateException e) {
                refusal.set(e);
            }
            isAnswered.set(true);
        });
        if (!isAnswered.get()) {
            refused.add(NOT_ANSWERED);
        } else if (refusal.get() != null) {
            refused.add(refusal.get());
        }
    }

    @Override
    protected void release() {
        settleAcknowledgements();
        CloseHelper.quietClose(consumer); // the connection's end ends it
        link.close();
    }
}
