package io.tickmark.engines.artemis;

import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.Inbox;
import io.tickmark.transport.broker.QueueSubscription;
import io.tickmark.transport.broker.StoredMessage;
import io.tickmark.transport.store.Deletion;
import java.util.Map;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQQueueMaxConsumerLimitReached;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;

/** Consumes the queue of a stored topic. */
final class ArtemisQueueSubscription extends QueueSubscription<ClientMessage> {
    private final BrokerChannel<ArtemisParameters> channel;
    private final ArtemisClient client;
    private long wanted;

    ArtemisQueueSubscription(
            final BrokerChannel<ArtemisParameters> channel,
            final ArtemisQueue queue,
            final long fromOrdinal) {
        super(
                channel,
                new Inbox<>(
                        StoredMessage::payloadBytes, channel.parameters().receivePendingBytes()),
                channel.parameters().deletion() == Deletion.ACKNOWLEDGED,
                0);
        this.channel = channel;
        wanted = fromOrdinal;
        final boolean deletes = channel.parameters().deletion() == Deletion.ACKNOWLEDGED;
        client = new ArtemisClient(channel);
        try {
            final ClientSession session = client.session(!deletes);
            queue.declare(session);
            session.createConsumer(
                            SimpleString.of(queue.name()),
                            deletes ? null : ArtemisQueue.from(fromOrdinal),
                            false)
                    .setMessageHandler(message -> onMessage(session, message));
        } catch (final ActiveMQQueueMaxConsumerLimitReached e) {
            client.close();
            throw channel.failed(
                    "the queue '%s' has another subscriber, and a topic has one; end that one, or give ?prefix="
                            .formatted(queue.name()),
                    e);
        } catch (final ActiveMQException e) {
            client.close();
            throw client.refused(e);
        } catch (final RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /** On the client's thread. */
    private void onMessage(final ClientSession session, final ClientMessage delivered) {
        if (ArtemisQueue.isMark(delivered)) {
            ArtemisQueue.answer(session, delivered, newest());
            return;
        }
        try {
            received(ArtemisQueue.stored(delivered));
        } catch (final ActiveMQException e) {
            found(
                    "a message that arrived incomplete (%s); it stays in the queue"
                            .formatted(ArtemisClient.said(e)));
        }
    }

    @Override
    protected boolean isNext(final StoredMessage<ClientMessage> message) {
        if (!message.isWhole()) {
            foundDamaged();
            return false;
        }
        if (message.ordinal() < wanted) {
            if (ordinal() >= 0) {
                foundLate(message);
            }
            return false;
        }
        wanted = message.ordinal() + 1;
        return true;
    }

    @Override
    protected String acknowledgeUpTo(final ClientMessage message) {
        try {
            message.acknowledge(); // the client gathers them, and notices later that it cannot send
            return client.isOpen() ? "" : "the connection is broken";
        } catch (final ActiveMQException e) {
            return ArtemisClient.said(e);
        }
    }

    @Override
    protected boolean isServed() {
        return client.isOpen();
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = client.facts();
        facts.putAll(ArtemisTransport.promises(channel));
        if (channel.parameters().deletion() == Deletion.ACKNOWLEDGED) {
            facts.put("acknowledgementsRefused", acknowledgementsRefused());
        }
        return facts;
    }

    @Override
    protected void end() {
        client.close();
    }
}
