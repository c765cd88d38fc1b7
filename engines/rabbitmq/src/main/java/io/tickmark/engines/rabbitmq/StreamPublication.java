package io.tickmark.engines.rabbitmq;

import com.rabbitmq.stream.ConfirmationStatus;
import com.rabbitmq.stream.Constants;
import com.rabbitmq.stream.Producer;
import com.rabbitmq.stream.StreamException;
import io.tickmark.transport.broker.BoundedClose;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerDurablePublication;
import io.tickmark.transport.broker.StoredMessage;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.DirectBuffer;

/**
 * Publishes to a stream by a producer with a name, whose publishing ids are the ordinals plus one:
 * the server knows the last one, also after a crash, and stores none twice ("Message Deduplication"
 * in the documentation of RabbitMQ's stream client). Confirms arrive in order.
 */
final class StreamPublication extends BrokerDurablePublication {
    private static final String PRODUCER = "tickmark";

    private final BrokerChannel<StreamParameters> channel;
    private final StreamClient client;
    private final Producer producer;

    /** Once the connection has broken the publication is over. */
    private final AtomicBoolean isBroken;

    private StreamPublication(
            final BrokerChannel<StreamParameters> channel,
            final StreamClient client,
            final Producer producer,
            final AtomicBoolean isBroken) {
        super(
                channel,
                channel.parameters().broker().maxPayloadBytes(),
                channel.parameters().limits().flight(),
                producer.getLastPublishingId());
        this.channel = channel;
        this.client = client;
        this.producer = producer;
        this.isBroken = isBroken;
    }

    static StreamPublication open(
            final BrokerChannel<StreamParameters> channel, final String stream) {
        final StreamClient client = new StreamClient(channel);
        try {
            StreamStore.declare(client, channel, stream);
            final AtomicBoolean isBroken = new AtomicBoolean();
            final Producer producer = producer(client, stream, () -> isBroken.set(true));
            return new StreamPublication(channel, client, producer, isBroken);
        } catch (final RuntimeException e) {
            client.close();
            throw e;
        }
    }

    private static Producer producer(
            final StreamClient client, final String stream, final Runnable broken) {
        try {
            return StreamClient.patiently(
                    listener -> client.producer(stream).name(PRODUCER).listeners(listener).build(),
                    broken);
        } catch (final StreamException e) {
            throw client.refused("the stream '%s' accepts no producer".formatted(stream), e);
        }
    }

    /** How many messages a stream has had, once its leader answers. */
    static long count(final StreamClient client, final String stream) {
        try (Producer producer = producer(client, stream, () -> {})) {
            return StreamClient.patiently(producer::getLastPublishingId);
        } catch (final StreamException e) {
            throw client.refused(
                    "the messages of stream '%s' cannot be counted".formatted(stream), e);
        }
    }

    @Override
    protected boolean isServed() {
        return !isBroken.get();
    }

    @Override
    protected boolean store(
            final DirectBuffer buffer, final int offset, final int length, final long ordinal) {
        try {
            producer.send(
                    producer.messageBuilder()
                            .publishingId(ordinal + 1)
                            .addData(StoredMessage.withTrailer(buffer, offset, length, ordinal))
                            .build(),
                    this::onConfirmation);
            return true;
        } catch (final IllegalArgumentException e) {
            fail(StreamClient.tooLong(e), true);
            return true; // it is not lost, it has ended
        } catch (final StreamException e) {
            return false; // it broke a moment ago
        }
    }

    /**
     * What comes once the connection has broken says nothing: a new publication asks the server
     * what it has stored.
     */
    private void onConfirmation(final ConfirmationStatus status) {
        final long ordinal = status.getMessage().getPublishingId() - 1;
        final short code = status.getCode();
        if (code == Constants.CODE_PRODUCER_NOT_AVAILABLE
                || code == Constants.CODE_PRODUCER_CLOSED) {
            isBroken.set(true);
        }
        if (isBroken.get()) {
            return;
        }
        if (!status.isConfirmed()) {
            fail("message %d was not stored (code %d)".formatted(ordinal, code), false);
        } else if (ordinal != stablePosition() + 1) {
            fail(
                    "message %d was confirmed after message %d: another program writes to this stream"
                            .formatted(ordinal, stablePosition()),
                    true);
        } else {
            answered(true);
        }
    }

    @Override
    protected Map<String, Object> engineFacts() {
        return StreamClient.facts(channel);
    }

    /** After a failure confirms are not counted any more. */
    @Override
    protected boolean mayBeAnswered() {
        return !hasFailed() && isServed();
    }

    @Override
    protected void end() {
        BoundedClose.of(producer);
        client.close();
    }
}
