package io.tickmark.engines.artemis;

import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.broker.Flight;
import io.tickmark.transport.broker.Inbox;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.DurableSubscription;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQQueueMaxConsumerLimitReached;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;

/**
 * Consumes the queue of a stored topic. Where acknowledged messages are deleted, the newest
 * received message is never acknowledged, so that the queue always shows where its topic ends.
 */
final class QueueSubscription extends BrokerSubscription implements DurableSubscription {
    private static final long NEXT_PATIENCE_NS = 50_000_000;

    private final BrokerChannel<ArtemisParameters> channel;
    private final boolean deletes;
    private final Client client;
    private final Inbox<StoredMessage> arrived;
    private final ArrayDeque<StoredMessage> unacknowledged = new ArrayDeque<>();
    private final EngineErrors troubles =
            new EngineErrors(
                    "The queue's subscriber found: %s.",
                    "The queue's subscriber found %d problems, the first: %s.");
    private volatile long newest = -1;
    private volatile boolean isReleased;
    private long wanted;
    private long ordinal = -1;
    private long acknowledged = -1;

    QueueSubscription(
            final BrokerChannel<ArtemisParameters> channel,
            final StoredQueue queue,
            final long fromOrdinal) {
        this(
                channel,
                queue,
                fromOrdinal,
                new Inbox<>(
                        message -> message.payload().length,
                        channel.parameters().receivePendingBytes()));
    }

    private QueueSubscription(
            final BrokerChannel<ArtemisParameters> channel,
            final StoredQueue queue,
            final long fromOrdinal,
            final Inbox<StoredMessage> arrived) {
        super(channel, arrived);
        this.channel = channel;
        this.arrived = arrived;
        wanted = fromOrdinal;
        deletes = channel.parameters().deletion() == Deletion.ACKNOWLEDGED;
        client = new Client(channel);
        try {
            final ClientSession session = client.session(!deletes);
            queue.declare(session);
            session.createConsumer(
                            SimpleString.of(queue.name()),
                            deletes ? null : StoredMessage.from(fromOrdinal),
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
        if (StoredQueue.isMark(delivered)) {
            StoredQueue.answer(session, delivered, newest);
            return;
        }
        final StoredMessage message = StoredMessage.of(delivered);
        arrived.addOrWait(message, () -> isReleased);
        newest = Math.max(newest, message.ordinal());
    }

    @Override
    protected byte[] next() {
        StoredMessage message = take();
        while (message != null && !isWanted(message)) {
            message = take();
        }
        if (message == null) {
            return null;
        }
        ordinal = message.ordinal();
        wanted = ordinal + 1;
        return message.payload();
    }

    private StoredMessage take() {
        final StoredMessage message = arrived.poll();
        if (message != null && deletes) {
            unacknowledged.add(message);
        }
        return message;
    }

    private boolean isWanted(final StoredMessage message) {
        if (!message.isWhole()) {
            troubles.add("a message whose checksum is wrong; it is left out");
        } else if (message.ordinal() < wanted && ordinal >= 0) {
            troubles.add(
                    "message %d behind message %d; it is left out, as another program writes to the queue"
                            .formatted(message.ordinal(), ordinal));
        }
        return message.isWhole() && message.ordinal() >= wanted;
    }

    @Override
    public long ordinal() {
        return ordinal;
    }

    @Override
    public void acknowledge(final long upTo) {
        acknowledged = Math.max(acknowledged, upTo);
        deleteAcknowledged();
    }

    /** All except the newest, with one acknowledgement, which is for all up to that message. */
    private void deleteAcknowledged() {
        final long most = Math.min(acknowledged, newest - 1);
        StoredMessage last = null;
        while (!unacknowledged.isEmpty() && unacknowledged.peek().ordinal() <= most) {
            last = unacknowledged.remove();
        }
        if (last != null) {
            try {
                last.message().acknowledge();
            } catch (final ActiveMQException e) {
                return; // the server has ended: it will deliver the messages again
            }
        }
    }

    @Override
    protected boolean isServed() {
        return client.isOpen();
    }

    @Override
    public Optional<String> engineErrors() {
        return troubles.sentence();
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = client.facts();
        facts.putAll(ArtemisTransport.promises(channel));
        return facts;
    }

    /**
     * Waits until the acknowledged messages have arrived, so that they can be deleted, and briefly
     * for one behind them, which then marks the end of the topic instead of the last of them.
     */
    @Override
    protected void release() {
        if (deletes && acknowledged >= 0) {
            Flight.awaitUntil(Flight.PATIENCE_NS, () -> newest >= acknowledged || !client.isOpen());
            Flight.awaitUntil(NEXT_PATIENCE_NS, () -> newest > acknowledged || !client.isOpen());
            StoredMessage left = take();
            while (left != null) {
                left = take();
            }
            deleteAcknowledged();
        }
        isReleased = true;
        client.close();
    }
}
