package io.tickmark.engines.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.Inbox;
import io.tickmark.transport.broker.QueueSubscription;
import io.tickmark.transport.broker.StoredMessage;
import io.tickmark.transport.store.Deletion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.SystemNanoClock;

/** Consumes the queue of a stored topic exclusively. A receipt is a delivery tag. */
final class RabbitmqQueueSubscription extends QueueSubscription<Long> {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final long LOOK_NS = 20_000_000;

    /** So many times within the prefetch. */
    private static final int ACKNOWLEDGEMENTS = 4;

    private final BrokerChannel<RabbitmqParameters> channel;
    private final long from;
    private final boolean isEmptied;
    private final int mostUnacknowledged;
    private final Connection connection;
    private final Channel receiving;
    private volatile boolean isDisturbed;
    private long delivered;

    /** The next expected ordinal; -1 where the first message shows where the queue begins. */
    private long next;

    RabbitmqQueueSubscription(
            final BrokerChannel<RabbitmqParameters> channel,
            final RabbitmqQueue stored,
            final long from) {
        super(
                channel,
                new Inbox<>(message -> message.bytes().length, Long.MAX_VALUE),
                channel.parameters().deletion() == Deletion.ACKNOWLEDGED,
                channel.parameters().prefetch() / ACKNOWLEDGEMENTS,
                from);
        this.channel = channel;
        this.from = from;
        next = from > 0 ? from : -1;
        isEmptied = channel.parameters().deletion() == Deletion.ACKNOWLEDGED;
        mostUnacknowledged =
                isEmptied
                        ? channel.parameters().prefetch()
                        : channel.parameters().queue() == RabbitmqParameters.QueueType.QUORUM
                                ? RabbitmqQueue.MOST_UNACKNOWLEDGED
                                : Integer.MAX_VALUE;
        connection = RabbitmqConnections.connect(channel);
        try {
            stored.declare(connection);
            receiving = consuming(stored);
            RabbitmqConnections.whenClosedByServer(receiving, this::found);
        } catch (final IOException | AlreadyClosedException e) {
            RabbitmqConnections.end(connection);
            throw RabbitmqConnections.refused(
                    channel, "the queue '%s' cannot be read".formatted(stored.name()), e);
        } catch (final UserError e) {
            RabbitmqConnections.end(connection);
            throw e;
        }
    }

    /** A client that looks for the queue's end consumes it for a moment. */
    private Channel consuming(final RabbitmqQueue stored) throws IOException {
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        while (true) {
            final Channel opened =
                    stored.consuming(
                            connection,
                            isEmptied ? mostUnacknowledged : 0,
                            by -> (tag, delivery) -> onArrived(by, delivery));
            if (opened != null) {
                return opened;
            }
            if (SystemNanoClock.INSTANCE.nanoTime() - startNs > PATIENCE.toNanos()) {
                throw channel.failed(
                        "the queue '%s' has another subscriber, and a topic has one; end that one, or give ?prefix="
                                .formatted(stored.name()),
                        null);
            }
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    /** On the client's thread. */
    private void onArrived(final Channel by, final Delivery delivery) throws IOException {
        final long tag = delivery.getEnvelope().getDeliveryTag();
        if (RabbitmqQueue.MARK.equals(delivery.getProperties().getType())) {
            try {
                answer(delivery.getProperties().getReplyTo());
            } catch (final UserError | IOException | AlreadyClosedException e) {
                found(
                        "another client could not be told where the queue ends (%s)"
                                .formatted(RabbitmqConnections.said(e)));
            }
            by.basicAck(tag, false);
            return;
        }
        received(StoredMessage.ofTrailer(delivery.getBody(), tag));
    }

    /** By a connection of its own, as consuming ones must not be held up by those that publish. */
    private void answer(final String queue) throws IOException {
        final Connection answering = RabbitmqConnections.connect(channel);
        try {
            answering
                    .createChannel()
                    .basicPublish(
                            "",
                            queue,
                            null,
                            Long.toString(newest()).getBytes(StandardCharsets.US_ASCII));
        } finally {
            RabbitmqConnections.end(answering);
        }
    }

    /**
     * A message that is not the next one stays in the queue: another client had those in between
     * for a moment, and they are delivered after reopening.
     */
    @Override
    protected boolean isNext(final StoredMessage<Long> message) {
        if (isDisturbed) {
            return false;
        }
        if (!isEmptied && ++delivered == mostUnacknowledged) {
            found(
                    ("a quorum queue gives no more than %d messages to a subscriber that acknowledges none, as with"
                                    + " deletion=kept; use deletion=acknowledged")
                            .formatted(mostUnacknowledged));
        }
        if (!message.isWhole()) {
            foundDamaged();
            next += next >= 0 ? 1 : 0;
            return false;
        }
        if (next >= 0 && message.ordinal() > next) {
            isDisturbed = true;
            return false;
        }
        if (message.ordinal() < Math.max(next, from)) {
            if (message.ordinal() >= from) {
                foundLate(message);
            }
            return false;
        }
        next = message.ordinal() + 1;
        return true;
    }

    @Override
    protected String acknowledgeUpTo(final Long tag) {
        try {
            receiving.basicAck(tag, true);
            return "";
        } catch (final IOException | AlreadyClosedException e) {
            return RabbitmqConnections.said(e);
        }
    }

    @Override
    protected boolean isServed() {
        return !isDisturbed && receiving.isOpen();
    }

    @Override
    protected Map<String, Object> engineFacts() {
        return RabbitmqConnections.facts(channel, connection);
    }

    @Override
    protected void end() {
        RabbitmqConnections.end(connection);
    }
}
