package io.tickmark.engines.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.store.DurablePublication;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Publishes persistent messages to a durable queue, by the default exchange and with confirms
 * ("Publisher Confirms" in the documentation of RabbitMQ): stable is what the server has confirmed,
 * and all before it. Confirms may come out of order, on the client's thread. A connection that
 * breaks is not opened again: what was under way would be sent twice.
 */
final class QueuePublication implements DurablePublication {
    private static final BasicProperties PERSISTENT =
            new BasicProperties.Builder().deliveryMode(2).build();
    private static final long CLOSE_PATIENCE_NS = 5_000_000_000L;
    private static final long PAUSE_NS = 100_000;

    private final BrokerChannel<RabbitmqParameters> channel;
    private final String queue;
    private final Connection connection;
    private final Channel sending;
    private final Outbox outbox;

    /** Ordinal of the message that is published first here, as number 1 of the channel. */
    private final long first;

    private final boolean[] confirmed;
    private long next;
    private volatile long stable;
    private volatile Failure failure = Failure.NONE;
    private volatile String blocked = "";
    private boolean lost;
    private boolean closed;

    QueuePublication(final BrokerChannel<RabbitmqParameters> channel, final StoredQueue stored) {
        this.channel = channel;
        queue = stored.name();
        confirmed =
                new boolean
                        [BitUtil.findNextPositivePowerOfTwo(channel.parameters().maxFlight() + 1)];
        connection = Clients.connect(channel, false);
        try {
            stored.declare(connection);
            first = stored.last(connection) + 1;
            sending = connection.createChannel();
            sending.confirmSelect();
        } catch (final IOException | AlreadyClosedException e) {
            Clients.end(connection);
            throw Clients.refused(channel, "the server confirms nothing", e);
        } catch (final UserError e) {
            Clients.end(connection);
            throw e;
        }
        next = first;
        stable = first - 1;
        sending.addConfirmListener(this::onConfirmed, this::onRefused);
        sending.addReturnListener(returned -> fail(deleted(), true));
        sending.addShutdownListener(this::onClosed);
        connection.addBlockedListener(reason -> blocked = reason, () -> blocked = "");
        outbox =
                new Outbox(
                        channel.parameters(),
                        body -> sending.basicPublish("", queue, true, PERSISTENT, body),
                        e -> {}); // the channel has been closed, which is told
    }

    /**
     * Why places no longer tell.
     *
     * @param text a sentence without its end
     * @param isFinal whether opening anew would not help
     */
    private record Failure(String text, boolean isFinal) {
        private static final Failure NONE = new Failure("", false);
    }

    private synchronized void fail(final String text, final boolean isFinal) {
        if (failure == Failure.NONE) {
            failure = new Failure(text, isFinal);
        }
    }

    private String deleted() {
        return "somebody deleted the queue '%s' while it was written to".formatted(queue);
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length) {
        if (closed || failure.isFinal()) {
            return CLOSED;
        }
        if (length > channel.parameters().maxPayloadBytes()) {
            return TOO_LONG;
        }
        if (isLost()) {
            return NOT_CONNECTED;
        }
        if (!outbox.flight().hasRoom(length)) {
            return BACK_PRESSURED;
        }
        outbox.add(StoredMessage.body(buffer, offset, length, next), length);
        return next++;
    }

    private void onConfirmed(final long number, final boolean isMultiple) {
        final long last = first + number - 1;
        for (long each = isMultiple ? stable + 1 : last; each <= last; each++) {
            confirmed[place(each)] = true;
        }
        if (failure != Failure.NONE) {
            return;
        }
        long up = stable;
        while (confirmed[place(up + 1)]) {
            confirmed[place(++up)] = false;
            outbox.flight().answer();
        }
        stable = up;
    }

    private int place(final long ordinal) {
        return (int) (ordinal - first) & confirmed.length - 1;
    }

    private void onRefused(final long number, final boolean isMultiple) {
        fail(
                "the server took message %d and did not store it".formatted(first + number - 1),
                false);
    }

    /** By the server alone: what it does not take at all, no other try will bring in. */
    private void onClosed(final ShutdownSignalException cause) {
        if (cause.isHardError() || cause.isInitiatedByApplication()) {
            return;
        }
        fail(
                Clients.code(cause) == AMQP.PRECONDITION_FAILED
                        ? ("the server takes no message of this length (%s); give a smaller ?maxPayloadBytes="
                                        + " and smaller messages, or raise max_message_size in its rabbitmq.conf")
                                .formatted(Clients.said(cause))
                        : "the server takes no more messages: " + Clients.said(cause),
                true);
    }

    @Override
    public long nextOrdinal() {
        return next;
    }

    @Override
    public long stablePosition() {
        return stable;
    }

    /** A message that was not stored is sent again by a new publication, with all behind it. */
    @Override
    public boolean isLost() {
        final Failure now = failure;
        lost |= now == Failure.NONE ? !connection.isOpen() : !now.isFinal();
        return lost;
    }

    @Override
    public String failure() {
        return failure.text();
    }

    @Override
    public String trouble() {
        if (failure != Failure.NONE) {
            return failure.text();
        }
        return lost
                ? "the server has ended"
                : blocked.isEmpty() ? "" : "the server takes nothing (" + blocked + ")";
    }

    @Override
    public int subscriberCount() {
        return UNKNOWN_COUNT;
    }

    @Override
    public ChannelUri channel() {
        return channel.uri();
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = Clients.facts(channel, connection);
        facts.putAll(RabbitmqTransport.promises(channel));
        if (!trouble().isEmpty()) {
            facts.put("failure", trouble());
        }
        return facts;
    }

    /** Waits a little for confirms that are on their way. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        outbox.close();
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        while (!outbox.flight().isEmpty()
                && failure == Failure.NONE
                && connection.isOpen()
                && SystemNanoClock.INSTANCE.nanoTime() - startNs < CLOSE_PATIENCE_NS
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(PAUSE_NS);
        }
        Clients.end(connection);
    }
}
