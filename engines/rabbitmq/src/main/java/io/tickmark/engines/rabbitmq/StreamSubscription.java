package io.tickmark.engines.rabbitmq;

import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.MessageHandler;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.StreamException;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.broker.Inbox;
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
    private final StreamClient client;
    private final Consumer consumer;
    private final Inbox<Arrived> arrived;
    private final EngineErrors troubles =
            new EngineErrors(
                    "The stream's subscriber found: %s.",
                    "The stream's subscriber found %d problems, the first: %s.");
    private volatile boolean isServed = true;
    private long next;
    private long lastOffset = -1;
    private long ordinal = -1;

    /** A message, and what tells the client that it was processed. */
    private record Arrived(MessageHandler.Context context, byte[] body) {}

    private StreamSubscription(
            final BrokerChannel<StreamParameters> channel,
            final StreamClient client,
            final String stream,
            final long fromOrdinal,
            final Inbox<Arrived> arrived) {
        super(channel, arrived);
        this.channel = channel;
        this.client = client;
        this.arrived = arrived;
        next = fromOrdinal;
        try {
            consumer =
                    StreamClient.patiently(
                            client.consumer(stream, OffsetSpecification.offset(fromOrdinal))
                                            .messageHandler((context, message) ->
                                                    arrived.add(
                                                            new Arrived(
                                                                    context,
                                                                    message.getBodyAsBinary())))
                                            .listeners(context ->
                                                    isServed = StreamClient.isOpen(context))
                                    ::build);
        } catch (final StreamException e) {
            throw client.refused("the stream '%s' accepts no consumer".formatted(stream), e);
        }
    }

    static StreamSubscription open(
            final BrokerChannel<StreamParameters> channel,
            final String stream,
            final long fromOrdinal) {
        final StreamClient client = new StreamClient(channel);
        try {
            StreamStore.declare(client, channel, stream);
            return new StreamSubscription(
                    channel,
                    client,
                    stream,
                    fromOrdinal,
                    new Inbox<>(message -> message.body().length, Long.MAX_VALUE));
        } catch (final RuntimeException e) {
            client.close();
            throw e;
        }
    }

    @Override
    protected byte[] next() {
        for (Arrived each = arrived.poll(); each != null; each = arrived.poll()) {
            each.context().processed();
            if (each.context().offset() > lastOffset) {
                lastOffset = each.context().offset();
                final StoredMessage<Long> message = StoredMessage.ofTrailer(each.body(), 0L);
                if (isWanted(message)) {
                    ordinal = message.ordinal();
                    next = ordinal + 1;
                    return message.bytes();
                }
            }
        }
        return null;
    }

    private boolean isWanted(final StoredMessage<Long> message) {
        if (!message.isWhole()) {
            troubles.add(
                    "a message at offset %d that no test has written, or whose checksum is wrong; it is left out"
                            .formatted(lastOffset));
            return false;
        }
        if (message.ordinal() <= ordinal) {
            troubles.add(
                    "message %d behind message %d; it is left out, as another program writes to the stream"
                            .formatted(message.ordinal(), ordinal));
            return false;
        }
        return message.ordinal() >= next;
    }

    @Override
    protected int payloadBytes(final byte[] message) {
        return message.length - StoredMessage.TRAILER_BYTES;
    }

    @Override
    public long ordinal() {
        return ordinal;
    }

    /** A stream keeps what was acknowledged. */
    @Override
    public void acknowledge(final long upTo) {}

    @Override
    protected boolean isServed() {
        return isServed;
    }

    @Override
    public Optional<String> engineErrors() {
        return troubles.sentence();
    }

    @Override
    public Map<String, Object> facts() {
        return StreamStore.facts(channel);
    }

    @Override
    protected void release() {
        consumer.close();
        client.close();
    }
}
