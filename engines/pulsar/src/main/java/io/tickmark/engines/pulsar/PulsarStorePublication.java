package io.tickmark.engines.pulsar;

import io.netty.util.Timeout;
import io.tickmark.transport.broker.BoundedClose;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerDurablePublication;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.agrona.DirectBuffer;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.ProducerAccessMode;
import org.apache.pulsar.client.api.PulsarClientException;

/**
 * Sends to the persistent topic behind a stored one, as its only producer. The server acknowledges
 * each message, in the order of sending, once BookKeeper has it.
 */
final class PulsarStorePublication extends BrokerDurablePublication {
    /** The client waits ten times as long before it connects again. */
    private static final long LOOK_MS = 10;

    private final PulsarConnection connection;
    private final Producer<byte[]> producer;

    /** Made once: each message would make another. */
    private final BiConsumer<MessageId, Throwable> onAnswer = this::onAnswer;

    private volatile boolean isBroken;
    private volatile boolean isReleased;

    private PulsarStorePublication(
            final BrokerChannel<PulsarParameters> channel,
            final PulsarConnection connection,
            final Producer<byte[]> producer,
            final long stored) {
        super(
                channel,
                channel.parameters().broker().maxPayloadBytes(),
                channel.parameters().limits().flight(),
                stored);
        this.connection = connection;
        this.producer = producer;
    }

    static PulsarStorePublication open(
            final BrokerChannel<PulsarParameters> channel, final StoredTopic topic) {
        final PulsarConnection connection = new PulsarConnection(channel);
        try {
            topic.declare(connection);
            // before the end is looked for, which then is nobody else's to move
            final Producer<byte[]> producer =
                    connection
                            .producer(topic.name())
                            .accessMode(ProducerAccessMode.Exclusive)
                            .create();
            final PulsarStorePublication opened =
                    new PulsarStorePublication(
                            channel, connection, producer, topic.last(connection) + 1);
            opened.watch();
            return opened;
        } catch (final PulsarClientException e) {
            connection.close();
            throw connection.refused(e);
        } catch (final RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /**
     * Looks whether the connection broke also while nobody else does: on the timer by which the
     * client would connect again, so before that. The next look is planned first, as the thread may
     * stand still in between.
     */
    private void watch() {
        if (isReleased) {
            return;
        }
        final Timeout next =
                connection
                        .client()
                        .timer()
                        .newTimeout(_ -> watch(), LOOK_MS, TimeUnit.MILLISECONDS);
        if (!isServed()) {
            next.cancel();
        }
    }

    /** Whether the connection is known to have broken; looks at nothing. */
    boolean isBroken() {
        return isBroken;
    }

    /** The client would connect again and send again what may be stored already: it is ended. */
    @Override
    protected boolean isServed() {
        if (!isBroken && producer.getLastDisconnectedTimestamp() != 0) {
            isBroken = true;
            producer.closeAsync();
        }
        return !isBroken;
    }

    @Override
    protected boolean store(
            final DirectBuffer buffer, final int offset, final int length, final long ordinal) {
        final byte[] copy = copy(buffer, offset, length);
        final CompletableFuture<MessageId> storing =
                producer.newMessage().sequenceId(ordinal).value(copy).sendAsync();
        if (storing.isCompletedExceptionally()
                && storing.exceptionNow()
                        instanceof PulsarClientException.InvalidMessageException) {
            fail(PulsarConnection.tooLong(storing.exceptionNow()), true);
            return true; // it is not lost, it has ended
        }
        storing.whenComplete(onAnswer);
        return true;
    }

    /**
     * In the order of sending, on the client's thread, or where it was quicker on ours; where the
     * connection breaks, on both. What was under way then may be stored or not.
     */
    private void onAnswer(final MessageId id, final Throwable failure) {
        if (failure != null && isServed()) {
            fail(
                    "message %d was refused: %s"
                            .formatted(oldest(), PulsarConnection.said(failure)),
                    false);
        }
        synchronized (onAnswer) { // asking whether it is served takes locks of the client
            answered(failure == null);
        }
    }

    /**
     * Nothing where it only broke: the server also closes producers that exceed a quota, which the
     * next opening is told.
     */
    @Override
    public String trouble() {
        return failure();
    }

    @Override
    protected Map<String, Object> engineFacts() {
        return connection.facts();
    }

    /** A message that was too long for the server never is, and after a failure nothing counts. */
    @Override
    protected boolean mayBeAnswered() {
        return !hasFailed() && isServed();
    }

    @Override
    protected void end() {
        isReleased = true;
        BoundedClose.of(producer); // the server has answered: another may take its place
        connection.close();
    }
}
