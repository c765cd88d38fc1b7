package io.tickmark.engines.kafka;

import io.tickmark.transport.broker.BoundedClose;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerPublication;
import io.tickmark.transport.broker.StoredPositions;
import io.tickmark.transport.store.DurablePublication;
import java.time.Duration;
import java.util.Map;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Sends to a topic of one partition, whose offsets are the ordinals. Acknowledgements arrive in
 * order on the producer's own thread.
 */
final class KafkaDurablePublication extends BrokerPublication implements DurablePublication {
    private static final Duration CLOSING = Duration.ofSeconds(5);

    /** A dying broker refuses what it was sent; within this time its watch detects its end. */
    private static final long MOMENT_NS = 500_000_000;

    private static final NanoClock CLOCK = SystemNanoClock.INSTANCE;

    private final BrokerChannel<KafkaParameters> channel;
    private final String topic;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Watch watch;
    private final StoredPositions positions;
    private volatile long refusedNs;

    /** The broker refused a message for good, and nothing kept it from storing later ones. */
    private volatile boolean mayHaveMovedUp;

    private KafkaDurablePublication(
            final BrokerChannel<KafkaParameters> channel,
            final String topic,
            final long stored,
            final Watch.Copies copies) {
        super(channel, channel.parameters().broker().maxPayloadBytes());
        this.channel = channel;
        this.topic = topic;
        positions = new StoredPositions(stored);
        producer = Clients.producer(channel, topic);
        final KafkaParameters parameters = channel.parameters();
        watch =
                new Watch(
                        copies,
                        parameters.acks() == KafkaParameters.Acks.ALL ? parameters.quorum() : 1,
                        () -> Topics.running(channel, topic));
    }

    /** Creates the topic where it does not exist. */
    static KafkaDurablePublication open(
            final BrokerChannel<KafkaParameters> channel, final String topic) {
        return Topics.ask(
                channel,
                topic,
                topics ->
                        new KafkaDurablePublication(
                                channel,
                                topic,
                                topics.offset(topic, OffsetSpec.latest()),
                                topics.copies(topic)));
    }

    @Override
    protected long send(final DirectBuffer buffer, final int offset, final int length) {
        if (positions.hasEnded()) {
            return CLOSED;
        }
        if (isLost()) {
            return NOT_CONNECTED;
        }
        if (positions.hasFailed()) {
            return BACK_PRESSURED; // its meaning shows in a moment
        }
        final byte[] copy = copy(buffer, offset, length);
        final long ordinal = positions.next();
        final Thread sender = Thread.currentThread();
        try {
            if (!KafkaLink.isTaken(
                    producer.send(
                            new ProducerRecord<>(topic, 0, null, copy),
                            (metadata, error) -> onAnswer(ordinal, sender, metadata, error)))) {
                return BACK_PRESSURED;
            }
        } catch (final KafkaException | IllegalStateException e) {
            refuse("the producer has ended: " + e.getMessage());
            return BACK_PRESSURED;
        }
        positions.advance();
        return 0;
    }

    @Override
    protected long taken() {
        return positions.next() - 1;
    }

    /** The first reason is the true one: messages sent after that one fail as a consequence. */
    private void refuse(final String reason) {
        if (!positions.hasFailed()) {
            refusedNs = CLOCK.nanoTime();
            positions.fail(reason, false);
        }
    }

    /** On the producer's own thread, or within the call by which a message was to be sent. */
    private void onAnswer(
            final long ordinal,
            final Thread sender,
            final RecordMetadata metadata,
            final Exception error) {
        if (error != null) {
            // Reported within the call it is not a failure: the message was not accepted.
            if (Thread.currentThread() != sender && !positions.hasFailed()) {
                mayHaveMovedUp =
                        !channel.parameters().isIdempotent()
                                && !(error instanceof RetriableException);
                refuse("message %d was refused: %s".formatted(ordinal, error.getMessage()));
                // it would store those that were sent after this one, in the place of others
                producer.close(Duration.ZERO);
            }
        } else if (!metadata.hasOffset() || positions.isInPlace(ordinal, metadata.offset())) {
            positions.stableUpTo(ordinal);
        }
    }

    @Override
    public long nextOrdinal() {
        return positions.next();
    }

    @Override
    public long stablePosition() {
        return positions.stable();
    }

    /** A refused message is resent by a new producer, with all messages after it. */
    @Override
    public boolean isLost() {
        return !positions.hasEnded()
                && (watch.isLost()
                        || positions.hasFailed() && CLOCK.nanoTime() - refusedNs > MOMENT_NS);
    }

    /**
     * A single broker that has ended has stored its messages up to some position, and nothing after
     * it, unless it had refused one before; of several brokers another one may have continued.
     */
    @Override
    public String failure() {
        final boolean hasPlaces = watch.isLost() && watch.copies() == 1 && !mayHaveMovedUp;
        return positions.hasEnded() || isLost() && !hasPlaces ? positions.failure() : "";
    }

    @Override
    public String trouble() {
        final String said = positions.failure();
        return said.isEmpty() && watch.isLost() ? "the broker has ended" : said;
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = super.facts();
        if (!trouble().isEmpty()) {
            facts.put("failure", trouble());
        }
        return facts;
    }

    /** Waits a little for acknowledgements in transit. */
    @Override
    protected void release() {
        if (!watch.isLost()) {
            BoundedClose.of(() -> producer.close(CLOSING));
        }
        // what was not acknowledged until now is not sent any more
        CloseHelper.quietClose(() -> producer.close(Duration.ZERO));
        watch.close();
    }
}
