package io.tickmark.engines.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerDurablePublication;
import io.tickmark.transport.broker.SendThread;
import io.tickmark.transport.broker.StoredMessage;
import java.io.IOException;
import java.util.Map;
import org.agrona.DirectBuffer;

/**
 * Publishes persistent messages to a durable queue, with the default exchange and with confirms
 * ("Publisher Confirms" in the documentation of RabbitMQ): a message is stable when the server has
 * confirmed it and all before it. Confirms may arrive out of order, on the client's thread.
 */
final class RabbitmqQueuePublication extends BrokerDurablePublication {
    private static final BasicProperties PERSISTENT =
            new BasicProperties.Builder().deliveryMode(2).build();

    private static final long SEND_PATIENCE_NS = 2_000_000_000;
    private static final int MB = 1_000_000;

    private final BrokerChannel<RabbitmqParameters> channel;
    private final String queue;
    private final Connection connection;
    private final Channel sending;
    private final SendThread sendThread = SendThread.named("rabbitmq-publish");
    private final SendThread.Sender sender;

    /** Ordinal of the message that is published first here, as number 1 of the channel. */
    private final long first;

    private final ServerAlarms alarms = new ServerAlarms();

    private RabbitmqQueuePublication(
            final BrokerChannel<RabbitmqParameters> channel,
            final String queue,
            final Connection connection,
            final Channel sending,
            final long first) {
        super(
                channel,
                channel.parameters().broker().maxPayloadBytes(),
                channel.parameters().limits().flight(),
                first);
        this.channel = channel;
        this.queue = queue;
        this.connection = connection;
        this.sending = sending;
        this.first = first;
        sending.addConfirmListener(this::onConfirmed, this::onRefused);
        sending.addReturnListener(returned -> fail(deleted(), true));
        sending.addShutdownListener(this::onClosed);
        connection.addBlockedListener(alarms);
        sender = body -> sending.basicPublish("", queue, true, PERSISTENT, body);
        sendThread.join(sender, this::onUnsent);
    }

    static RabbitmqQueuePublication open(
            final BrokerChannel<RabbitmqParameters> channel, final RabbitmqQueue stored) {
        final Connection connection = RabbitmqConnections.connect(channel);
        try {
            stored.declare(connection);
            final long first = stored.last(connection) + 1;
            final Channel sending = connection.createChannel();
            sending.confirmSelect();
            return new RabbitmqQueuePublication(channel, stored.name(), connection, sending, first);
        } catch (final IOException | AlreadyClosedException e) {
            RabbitmqConnections.end(connection);
            throw RabbitmqConnections.refused(channel, "the server confirms nothing", e);
        } catch (final UserError e) {
            RabbitmqConnections.end(connection);
            throw e;
        }
    }

    private String deleted() {
        return "the queue '%s' was deleted while it was written to".formatted(queue);
    }

    @Override
    protected boolean isServed() {
        return connection.isOpen();
    }

    @Override
    protected boolean store(
            final DirectBuffer buffer, final int offset, final int length, final long ordinal) {
        sendThread.add(sender, StoredMessage.withTrailer(buffer, offset, length, ordinal));
        return true;
    }

    /** Of a channel that has been closed its listener reports the reason. */
    private void onUnsent(final Throwable error) {
        if (!(error instanceof IOException || error instanceof AlreadyClosedException)) {
            fail("the client did not send a message: " + RabbitmqConnections.said(error), false);
        }
    }

    private void onConfirmed(final long number, final boolean isMultiple) {
        if (hasFailed()) {
            return;
        }
        final long last = first + number - 1;
        for (long each = isMultiple ? stablePosition() + 1 : last; each <= last; each++) {
            storedByItself(each);
        }
    }

    private void onRefused(final long number, final boolean isMultiple) {
        fail(
                "the server accepted message %d and did not store it".formatted(first + number - 1),
                false);
    }

    /**
     * Only for refusals of the server: a message that it does not accept will not be accepted in
     * another attempt.
     */
    private void onClosed(final ShutdownSignalException cause) {
        if (cause.isHardError() || cause.isInitiatedByApplication()) {
            return;
        }
        fail(
                RabbitmqConnections.code(cause) == AMQP.PRECONDITION_FAILED
                        ? ("the server accepts no message of this length (%s); give a smaller ?maxPayloadBytes= and smaller "
                                        + "messages, or raise max_message_size in its rabbitmq.conf")
                                .formatted(RabbitmqConnections.said(cause))
                        : "the server accepts no more messages: " + RabbitmqConnections.said(cause),
                true);
    }

    @Override
    public String trouble() {
        final String said = super.trouble();
        final String disk =
                ": its disk has less than %d MB free; make room there, or name another --store-directory"
                        .formatted(RabbitmqServer.LEAST_FREE_BYTES / MB);
        final boolean isOurDisk = channel.startsServers() && alarms.reason().contains("disk");
        return said.isEmpty() && alarms.isOn()
                ? "the server accepts nothing (%s)%s"
                        .formatted(alarms.reason(), isOurDisk ? disk : "")
                : said;
    }

    @Override
    protected Map<String, Object> engineFacts() {
        final Map<String, Object> facts = RabbitmqConnections.facts(channel, connection);
        facts.put(ServerAlarms.COUNT, alarms.count());
        return facts;
    }

    @Override
    public boolean isCount(final String fact) {
        return fact.equals(ServerAlarms.COUNT) || super.isCount(fact);
    }

    @Override
    protected void finish() {
        sendThread.drain(SEND_PATIENCE_NS);
        sendThread.leave(sender, 0);
        sendThread.stop();
    }

    /** After a failure confirms are not counted any more. */
    @Override
    protected boolean mayBeAnswered() {
        return !hasFailed() && isServed();
    }

    @Override
    protected void end() {
        RabbitmqConnections.end(connection);
    }
}
