package io.tickmark.engines.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.broker.Flight;
import io.tickmark.transport.broker.Inbox;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.DurableSubscription;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Consumes the queue of a stored topic exclusively. The newest received message is never
 * acknowledged, so that the queue always shows where its topic ends.
 */
final class QueueSubscription extends BrokerSubscription implements DurableSubscription {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final long LOOK_NS = 20_000_000;
    private static final int ACKNOWLEDGED_TOGETHER = 4;

    private final BrokerChannel<RabbitmqParameters> channel;
    private final long from;
    private final boolean isEmptied;
    private final int mostUnacknowledged;
    private final Connection connection;
    private final Channel receiving;
    private final Channel answering;
    private final Inbox<StoredMessage> arrived;
    private final ArrayDeque<StoredMessage> unacknowledged = new ArrayDeque<>();
    private final EngineErrors troubles =
            new EngineErrors(
                    "The queue's subscriber found: %s.",
                    "The queue's subscriber found %d problems, the first: %s.");
    private volatile long newest = -1;
    private boolean isDisturbed;
    private long received;

    /** The next expected ordinal; -1 where the first message shows where the queue begins. */
    private long next;

    private long ordinal = -1;
    private long acknowledged = -1;

    QueueSubscription(
            final BrokerChannel<RabbitmqParameters> channel,
            final StoredQueue stored,
            final long from) {
        this(channel, stored, from, new Inbox<>(message -> message.body().length, Long.MAX_VALUE));
    }

    private QueueSubscription(
            final BrokerChannel<RabbitmqParameters> channel,
            final StoredQueue stored,
            final long from,
            final Inbox<StoredMessage> arrived) {
        super(channel, arrived);
        this.channel = channel;
        this.arrived = arrived;
        this.from = from;
        next = from > 0 ? from : -1;
        isEmptied = channel.parameters().deletion() == Deletion.ACKNOWLEDGED;
        mostUnacknowledged =
                isEmptied
                        ? channel.parameters().prefetch()
                        : channel.parameters().queue() == RabbitmqParameters.QueueType.QUORUM
                                ? StoredQueue.MOST_UNACKNOWLEDGED
                                : Integer.MAX_VALUE;
        connection = Connections.connect(channel, false);
        try {
            stored.declare(connection);
            answering = connection.createChannel();
            receiving = consuming(stored);
        } catch (final IOException | AlreadyClosedException e) {
            Connections.end(connection);
            throw Connections.refused(
                    channel, "the queue '%s' cannot be read".formatted(stored.name()), e);
        } catch (final UserError e) {
            Connections.end(connection);
            throw e;
        }
    }

    /** A client that looks for the queue's end consumes it for a moment. */
    private Channel consuming(final StoredQueue stored) throws IOException {
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
        if (StoredQueue.MARK.equals(delivery.getProperties().getType())) {
            answering.basicPublish(
                    "",
                    delivery.getProperties().getReplyTo(),
                    null,
                    Long.toString(newest).getBytes(StandardCharsets.US_ASCII));
            by.basicAck(tag, false);
            return;
        }
        final StoredMessage message = StoredMessage.of(tag, delivery.getBody());
        newest = Math.max(newest, message.ordinal());
        arrived.add(message);
    }

    @Override
    protected byte[] next() {
        StoredMessage message = isDisturbed ? null : take();
        while (message != null && !isNext(message)) {
            message = isDisturbed ? null : take();
        }
        if (message == null) {
            deleteAcknowledged();
            return null;
        }
        ordinal = message.ordinal();
        return message.body();
    }

    /** Behind it are its ordinal and checksum. */
    @Override
    protected int payloadBytes(final byte[] message) {
        return message.length - StoredMessage.TRAILER_BYTES;
    }

    private StoredMessage take() {
        final StoredMessage message = arrived.poll();
        if (message != null && isEmptied) {
            unacknowledged.add(message);
        } else if (message != null && ++received == mostUnacknowledged) {
            troubles.add(
                    ("a quorum queue gives no more than %d messages to a subscriber that acknowledges none, as with"
                                    + " deletion=kept; use deletion=acknowledged")
                            .formatted(mostUnacknowledged));
        }
        return message;
    }

    /**
     * A message that is not the next one stays in the queue: another client had those in between
     * for a moment, and they are delivered after reopening.
     */
    private boolean isNext(final StoredMessage message) {
        if (!message.isWhole()) {
            troubles.add("a message whose checksum is wrong; it is left out");
            next += next >= 0 ? 1 : 0;
            return false;
        }
        if (next >= 0 && message.ordinal() > next) {
            isDisturbed = true;
            return false;
        }
        if (message.ordinal() < Math.max(next, from)) {
            if (message.ordinal() >= from) {
                troubles.add(
                        "message %d behind message %d; it is left out, as another program writes to the queue"
                                .formatted(message.ordinal(), ordinal));
            }
            return false;
        }
        next = message.ordinal() + 1;
        return true;
    }

    @Override
    public long ordinal() {
        return ordinal;
    }

    @Override
    public void acknowledge(final long upTo) {
        acknowledged = Math.max(acknowledged, upTo);
        if (unacknowledged.size() > mostUnacknowledged / ACKNOWLEDGED_TOGETHER) {
            deleteAcknowledged();
        }
    }

    /** All except the newest, with one acknowledgement. */
    private void deleteAcknowledged() {
        final long last = Math.min(acknowledged, newest - 1);
        long tag = 0;
        while (!unacknowledged.isEmpty() && unacknowledged.peek().ordinal() <= last) {
            tag = unacknowledged.remove().tag();
        }
        if (tag > 0) {
            try {
                receiving.basicAck(tag, true);
            } catch (final IOException | AlreadyClosedException e) {
                return; // the server has ended: it will deliver the messages again
            }
        }
    }

    @Override
    protected boolean isServed() {
        return !isDisturbed && receiving.isOpen();
    }

    @Override
    public Optional<String> engineErrors() {
        return troubles.sentence();
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = Connections.facts(channel, connection);
        facts.putAll(RabbitmqTransport.promises(channel));
        return facts;
    }

    /** Waits until the acknowledged messages have arrived, so that they can be deleted. */
    @Override
    protected void release() {
        Flight.awaitUntil(
                Flight.PATIENCE_NS, () -> !isEmptied || newest >= acknowledged || !isServed());
        StoredMessage left = take();
        while (left != null) {
            left = take();
        }
        deleteAcknowledged(); // one at a time: of several, a quorum queue would hold some back
        Connections.end(connection);
    }
}
