package io.tickmark.engines.artemis;

import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerDurablePublication;
import io.tickmark.transport.store.Deletion;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.SendAcknowledgementHandler;

/**
 * Sends durable messages to a durable queue: the server acknowledges each, in the order of sending,
 * once its journal has it (Artemis, "Guarantees of sends and commits").
 */
final class ArtemisQueuePublication extends BrokerDurablePublication {
    private final BrokerChannel<ArtemisParameters> channel;
    private final ArtemisClient client;
    private final ClientSession session;
    private final ClientProducer producer;
    private final Answers answers = new Answers();

    private ArtemisQueuePublication(
            final BrokerChannel<ArtemisParameters> channel,
            final ArtemisClient client,
            final ClientSession session,
            final ClientProducer producer,
            final long stored) {
        super(
                channel,
                channel.parameters().broker().maxPayloadBytes(),
                channel.parameters().limits().flight(),
                stored);
        this.channel = channel;
        this.client = client;
        this.session = session;
        this.producer = producer;
    }

    static ArtemisQueuePublication open(
            final BrokerChannel<ArtemisParameters> channel, final ArtemisQueue queue) {
        final ArtemisClient client = new ArtemisClient(channel);
        try {
            final ClientSession session = client.session(false);
            queue.declare(session);
            final long stored = queue.last(session) + 1;
            return new ArtemisQueuePublication(
                    channel, client, session, session.createProducer(queue.name()), stored);
        } catch (final ActiveMQException e) {
            client.close();
            throw client.refused(e);
        } catch (final RuntimeException e) {
            client.close();
            throw e;
        }
    }

    @Override
    protected boolean isServed() {
        return client.isOpen();
    }

    @Override
    protected boolean store(
            final DirectBuffer buffer, final int offset, final int length, final long ordinal) {
        final byte[] copy = copy(buffer, offset, length);
        try {
            producer.send(ArtemisQueue.message(session, ordinal, copy), answers);
            return true;
        } catch (final ActiveMQException e) {
            return false;
        }
    }

    /**
     * On the client's thread, in the order of sending; once the connection broke in any order, on
     * another thread, which answers may still meet.
     */
    private final class Answers implements SendAcknowledgementHandler {
        @Override
        public synchronized void sendAcknowledged(final Message message) {
            answered(true);
        }

        /** The library also calls this for what was under way when the connection broke. */
        @Override
        public synchronized void sendFailed(final Message message, final Exception e) {
            if (!ArtemisClient.isBroken(e)) {
                final boolean isFull =
                        e instanceof final ActiveMQException known
                                && known.getType() == ActiveMQExceptionType.ADDRESS_FULL;
                fail(
                        "message %d was refused: %s%s"
                                .formatted(
                                        oldest(),
                                        ArtemisClient.said(e),
                                        isFull
                                                ? "; give the server more heap (?serverHeapMib), or delete by"
                                                        + " ?deletion=acknowledged"
                                                : ""),
                        isFull && channel.parameters().deletion() == Deletion.KEPT);
            }
            answered(false);
        }
    }

    @Override
    protected Map<String, Object> engineFacts() {
        return client.facts();
    }

    @Override
    protected void end() {
        client.close();
    }
}
