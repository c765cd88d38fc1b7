package io.tickmark.engines.rabbitmq;

import com.rabbitmq.stream.OffsetSpecification;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.broker.LastingConnection;
import io.tickmark.transport.broker.StoredIntake;
import io.tickmark.transport.broker.StoredMessage;
import io.tickmark.transport.store.DurableSubscription;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a stream from an offset on. A message's offset is at least its ordinal, as a server also
 * counts its own entries, so what comes before the first one wanted is skipped. After a broken
 * connection the client reads on, and what it delivers twice is skipped as well.
 */
final class StreamSubscription extends BrokerSubscription implements DurableSubscription {
    private final BrokerChannel<StreamParameters> channel;
    private final LastingConnection<StreamClient> client;
    private final StreamReader reader;
    private final StoredIntake intake;
    private long lastOffset = -1;

    private StreamSubscription(
            final BrokerChannel<StreamParameters> channel,
            final LastingConnection<StreamClient> client,
            final StreamReader reader,
            final long fromOrdinal) {
        super(channel, reader.inbox());
        this.channel = channel;
        this.client = client;
        this.reader = reader;
        intake = new StoredIntake("stream", fromOrdinal);
    }

    static StreamSubscription open(
            final BrokerChannel<StreamParameters> channel,
            final String stream,
            final long fromOrdinal) {
        final LastingConnection<StreamClient> client = StreamClient.lasting(channel);
        final StreamReader reader = new StreamReader(OffsetSpecification.offset(fromOrdinal));
        try {
            client.open((by, broken) -> {
                StreamStore.declare(by, channel, stream);
                return reader.open(by, stream, broken);
            });
            return new StreamSubscription(channel, client, reader, fromOrdinal);
        } catch (final RuntimeException e) {
            client.close();
            throw e;
        }
    }

    @Override
    protected byte[] next() {
        for (StreamReader.StreamEntry each = reader.next(); each != null; each = reader.next()) {
            if (each.offset() > lastOffset) {
                lastOffset = each.offset();
                final StoredMessage<Long> message = StoredMessage.ofTrailer(each.body(), 0L);
                if (isWanted(message)) {
                    intake.passOn(message);
                    return message.bytes();
                }
            }
        }
        return null;
    }

    private boolean isWanted(final StoredMessage<Long> message) {
        if (!message.isWhole()) {
            intake.foundDamaged("a message at offset " + lastOffset);
            return false;
        }
        return intake.isNext(message);
    }

    @Override
    protected int payloadBytes(final byte[] message) {
        return message.length - StoredMessage.TRAILER_BYTES;
    }

    @Override
    public long ordinal() {
        return intake.ordinal();
    }

    /** A stream keeps what was acknowledged. */
    @Override
    public void acknowledge(final long upTo) {}

    @Override
    protected boolean isServed() {
        return client.isServed();
    }

    @Override
    public Optional<String> engineErrors() {
        return intake.sentence();
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = super.facts();
        facts.putAll(StreamClient.facts(channel));
        return facts;
    }

    @Override
    protected void release() {
        client.close();
    }
}
