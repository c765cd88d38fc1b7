package io.tickmark.engines.pulsar;

import io.tickmark.transport.broker.BoundedClose;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.Inbox;
import io.tickmark.transport.broker.QueueSubscription;
import io.tickmark.transport.broker.StoredMessage;
import io.tickmark.transport.store.Deletion;
import java.util.Map;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.PulsarClientException;

/** Reads the persistent topic behind a stored one, from its first message that is not deleted. */
final class PulsarStoreSubscription extends QueueSubscription<MessageId> {
    private final PulsarConnection connection;
    private final Consumer<byte[]> consumer;
    private boolean isBroken;

    private PulsarStoreSubscription(
            final BrokerChannel<PulsarParameters> channel,
            final PulsarConnection connection,
            final StoredTopic topic,
            final long fromOrdinal)
            throws PulsarClientException {
        super(
                channel,
                new Inbox<>(
                        StoredMessage::payloadBytes, channel.parameters().receivePendingBytes()),
                channel.parameters().deletion() == Deletion.ACKNOWLEDGED,
                0,
                fromOrdinal);
        this.connection = connection;
        topic.declare(connection);
        consumer =
                topic.subscriber(
                        connection, (its, message) -> received(StoredTopic.stored(message)));
    }

    static PulsarStoreSubscription open(
            final BrokerChannel<PulsarParameters> channel,
            final StoredTopic topic,
            final long fromOrdinal) {
        final PulsarConnection connection = new PulsarConnection(channel);
        try {
            return new PulsarStoreSubscription(channel, connection, topic, fromOrdinal);
        } catch (final PulsarClientException e) {
            connection.close();
            throw connection.refused(e);
        } catch (final RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    protected String acknowledgeUpTo(final MessageId last) {
        if (!isServed()) {
            return "the connection is broken";
        }
        consumer.acknowledgeCumulativeAsync(last)
                .exceptionally(failure -> {
                    acknowledgementRefused(PulsarConnection.said(failure));
                    return null;
                });
        return "";
    }

    /** The client would connect again and receive again what was not acknowledged: it is ended. */
    @Override
    protected boolean isServed() {
        if (!isBroken && consumer.getLastDisconnectedTimestamp() != 0) {
            isBroken = true;
            consumer.closeAsync();
        }
        return !isBroken;
    }

    @Override
    protected Map<String, Object> engineFacts() {
        return connection.facts();
    }

    @Override
    protected void end() {
        BoundedClose.of(consumer); // the server has answered: another may take its place
        connection.close();
    }
}
