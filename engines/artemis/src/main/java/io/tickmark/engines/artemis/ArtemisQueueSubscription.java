package io.tickmark.engines.artemis;

import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.Inbox;
import io.tickmark.transport.broker.QueueSubscription;
import io.tickmark.transport.broker.StoredMessage;
import io.tickmark.transport.store.Deletion;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.SystemNanoClock;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQQueueMaxConsumerLimitReached;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;

/**
 * Reads the queue of a stored topic. Where acknowledged messages are deleted, it consumes them.
 * Where they are kept, it browses, on a thread of its own: a consumer of a non-destructive queue
 * gets nothing that the server has paged to its disk, and what reaches it while it is sent (direct
 * delivery) the server shows to nobody else before it is restarted.
 */
final class ArtemisQueueSubscription extends QueueSubscription<ClientMessage> {
    /** At the end of the queue; the server does not tell a browser that there is more. */
    private static final long LOOK_NS = 200_000;

    /** A message that is not there after this is lost. */
    private static final long MISSING_PATIENCE_NS = 5_000_000_000L;

    private final BrokerChannel<ArtemisParameters> channel;
    private final boolean deletes;
    private final ArtemisClient client;

    /** The only one where it consumes, the first one where it browses. */
    private final ClientConsumer consumer;

    private volatile boolean isEnded;
    private volatile boolean hasStopped;

    ArtemisQueueSubscription(
            final BrokerChannel<ArtemisParameters> channel,
            final ArtemisQueue queue,
            final long fromOrdinal) {
        super(
                channel,
                new Inbox<>(
                        StoredMessage::payloadBytes, channel.parameters().receivePendingBytes()),
                channel.parameters().deletion() == Deletion.ACKNOWLEDGED,
                0,
                fromOrdinal);
        this.channel = channel;
        deletes = channel.parameters().deletion() == Deletion.ACKNOWLEDGED;
        client = new ArtemisClient(channel);
        try {
            final ClientSession session = client.session(!deletes);
            queue.declare(session);
            final SimpleString name = SimpleString.of(queue.name());
            if (deletes) {
                consumer = session.createConsumer(name);
                consumer.setMessageHandler(message -> onMessage(session, message));
            } else {
                consumer = session.createConsumer(name, ArtemisQueue.from(fromOrdinal), true);
                Thread.ofPlatform()
                        .daemon()
                        .name("artemis-browse")
                        .start(() -> browse(session, name, consumer, fromOrdinal));
            }
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

    /**
     * A browser gets some messages twice, or later than those behind them, that the server pages
     * meanwhile: it is opened again at the first that is missing, until that is there or has had
     * its time. Once it has stopped for whatever reason, a new subscription has to go on.
     */
    void browse(
            final ClientSession session,
            final SimpleString name,
            final ClientConsumer first,
            final long fromOrdinal) {
        ClientConsumer browser = first;
        long expected = fromOrdinal;
        long missingSinceNs = 0;
        try {
            while (!isEnded && client.isOpen()) {
                final ClientMessage next = browser.receiveImmediate();
                if (next == null) {
                    LockSupport.parkNanos(LOOK_NS);
                } else if (!ArtemisQueue.isMark(next)) {
                    final long ordinal = ArtemisQueue.ordinal(next);
                    if (ordinal > expected && isAwaited(missingSinceNs)) {
                        missingSinceNs =
                                missingSinceNs == 0
                                        ? SystemNanoClock.INSTANCE.nanoTime()
                                        : missingSinceNs;
                        browser.close();
                        LockSupport.parkNanos(LOOK_NS);
                        browser = session.createConsumer(name, ArtemisQueue.from(expected), true);
                    } else if (ordinal >= expected || ordinal < 0) {
                        missingSinceNs = 0;
                        expected = Math.max(expected, ordinal + 1);
                        pass(next);
                    }
                }
            }
        } catch (final ActiveMQException | RuntimeException e) {
            if (!isEnded && !ArtemisClient.isBroken(e)) {
                found("it delivers no more messages (%s)".formatted(ArtemisClient.said(e)));
            }
        } finally {
            hasStopped = true;
        }
    }

    private static boolean isAwaited(final long sinceNs) {
        return sinceNs == 0 || SystemNanoClock.INSTANCE.nanoTime() - sinceNs < MISSING_PATIENCE_NS;
    }

    /** On the client's thread. */
    private void onMessage(final ClientSession session, final ClientMessage delivered) {
        if (ArtemisQueue.isMark(delivered)) {
            ArtemisQueue.answer(session, delivered, newest());
        } else {
            pass(delivered);
        }
    }

    private void pass(final ClientMessage delivered) {
        try {
            received(ArtemisQueue.stored(delivered));
        } catch (final ActiveMQException e) {
            found(
                    "a message that arrived incomplete (%s); it stays in the queue"
                            .formatted(ArtemisClient.said(e)));
        }
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

    /** A server may end a consumer alone, as where its queue is deleted. */
    @Override
    protected boolean isServed() {
        return client.isOpen() && !hasStopped && !(deletes && consumer.isClosed());
    }

    @Override
    protected Map<String, Object> engineFacts() {
        return client.facts();
    }

    @Override
    protected void end() {
        isEnded = true;
        client.close();
    }
}
