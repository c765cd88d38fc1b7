package io.tickmark.engines.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DeliverCallback;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.GetResponse;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.StoredMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.agrona.collections.MutableLong;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The durable queue of a stored topic. A queue can be read only from its head, so a client that has
 * to know its end publishes a mark and reads until the mark arrives; the messages read return to
 * their positions when the reader's channel is closed ("Consumer Acknowledgements" in the
 * documentation of RabbitMQ, "Automatic Requeueing"). While a subscriber consumes the queue, it
 * reports the end when it reaches the mark. As queues do not report positions of messages, and
 * classic ones keep no checksum, messages have the trailer of {@link StoredMessage}. Any thread.
 */
final class RabbitmqQueue {
    /** The type of a message that is a mark; its id identifies the sender. */
    static final String MARK = "tickmark.mark";

    /** The largest possible prefetch; quorum queues treat 0, which means no limit, as 2000. */
    static final int MOST_UNACKNOWLEDGED = 65_535;

    /** A server refuses with the same code what a user may not do, and what another client does. */
    private static final String MAY_NOT = "refused for user";

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A reader that has ended is known to the server after a moment, and another does not end. */
    private static final Duration READERS_PATIENCE = Duration.ofSeconds(5);

    private static final long LOOK_MS = 50;
    private static final long REGISTERED_NS = 2_000_000_000;
    private static final int DROPS_RETURNED = 4;
    private static final byte[] NO_BYTES = {};

    private final BrokerChannel<RabbitmqParameters> channel;
    private final String name;

    RabbitmqQueue(final BrokerChannel<RabbitmqParameters> channel, final Topic topic) {
        this.channel = channel;
        name = "%s.%s.stored".formatted(channel.parameters().broker().prefix(), topic.name());
    }

    String name() {
        return name;
    }

    /** The queue that lists the names of a store's queues, at a server that we did not start. */
    static String register(final BrokerChannel<RabbitmqParameters> channel) {
        return channel.parameters().broker().prefix() + ".stored";
    }

    /**
     * Creates the queue where it does not exist. A queue that was just created is not used for two
     * seconds: RabbitMQ 3.10 may write it, or the location of a quorum queue's log, to its disk
     * only then, and a server that is killed before has lost it with all messages that it
     * confirmed, or has it without its messages and without a leader for ever.
     *
     * @throws UserError where it exists with other settings
     */
    void declare(final Connection connection) {
        final RabbitmqParameters parameters = channel.parameters();
        final Map<String, Object> arguments = new HashMap<>();
        arguments.put("x-queue-type", parameters.queue().argument());
        if (isQuorum() && dropsReturned(connection)) {
            arguments.put("x-delivery-limit", -1);
        }
        final boolean isNew = !isThere(connection);
        final Channel declaring = channel(connection);
        try {
            declaring.queueDeclare(name, true, false, false, arguments);
            if (!channel.startsServers()) {
                declaring.queueDeclare(register(channel), true, false, false, null);
                register();
            }
            declaring.abort();
            if (isNew) {
                LockSupport.parkNanos(REGISTERED_NS);
            }
        } catch (final IOException | AlreadyClosedException e) {
            throw channel.failed(
                    RabbitmqConnections.code(e) == AMQP.PRECONDITION_FAILED
                            ? ("the queue '%s' exists with other settings (%s); ask for them with ?queue=, delete it, or give "
                                            + "?prefix=")
                                    .formatted(name, RabbitmqConnections.said(e))
                            : "the server refuses the queue '%s' (%s); see its log"
                                    .formatted(name, RabbitmqConnections.said(e)),
                    e);
        }
    }

    /**
     * By a connection of its own: a server that is short of memory or disk reads no more from it.
     */
    private void register() throws IOException {
        final Connection publishing = RabbitmqConnections.connect(channel);
        try {
            channel(publishing)
                    .basicPublish(
                            "", register(channel), null, name.getBytes(StandardCharsets.UTF_8));
        } finally {
            RabbitmqConnections.end(publishing);
        }
    }

    private boolean isThere(final Connection connection) {
        final Channel asking = channel(connection);
        try {
            asking.queueDeclarePassive(name);
            asking.abort();
            return true;
        } catch (final IOException | AlreadyClosedException e) {
            return RabbitmqConnections.code(e) != AMQP.NOT_FOUND;
        }
    }

    /**
     * Since 4.0 quorum queues drop messages that were requeued often; negative numbers disable
     * that.
     */
    private static boolean dropsReturned(final Connection connection) {
        final String version = String.valueOf(connection.getServerProperties().get("version"));
        return Integer.parseInt(version.replaceFirst("\\D.*", "")) >= DROPS_RETURNED;
    }

    private Channel channel(final Connection connection) {
        try {
            return connection.createChannel();
        } catch (final IOException | AlreadyClosedException e) {
            throw RabbitmqConnections.refused(channel, "the server opens no channel", e);
        }
    }

    /**
     * Reads all messages, from the first; they stay in the queue.
     *
     * @throws UserError where it cannot be read to its end: another client consumes it, or it has
     *     more messages than can be received without acknowledging
     */
    void read(final Consumer<? super StoredMessage<Long>> visitor) {
        final Connection connection = RabbitmqConnections.connect(channel);
        try {
            declare(connection);
            toTheEnd(connection, visitor, false);
        } finally {
            RabbitmqConnections.end(connection);
        }
    }

    /** The ordinal of the last message; -1 where there was none yet. */
    long last(final Connection connection) {
        final MutableLong last = new MutableLong(-1);
        final long reported =
                toTheEnd(
                        connection,
                        message -> last.set(Math.max(last.get(), message.ordinal())),
                        true);
        return Math.max(last.get(), reported);
    }

    /**
     * -1, or what a subscriber reported; with {@code asks} a subscriber that consumes the queue may
     * report it.
     */
    private long toTheEnd(
            final Connection connection,
            final Consumer<? super StoredMessage<Long>> visitor,
            final boolean asks) {
        final Duration patience = asks ? PATIENCE : READERS_PATIENCE;
        final long deadlineNs = SystemNanoClock.INSTANCE.nanoTime() + patience.toNanos();
        // a server that is short of memory or disk reads nothing more from one that publishes
        final ServerAlarms alarms = new ServerAlarms();
        final Connection publishing = RabbitmqConnections.connect(channel);
        publishing.addBlockedListener(alarms);
        try {
            final Channel marking = channel(publishing);
            final Channel asking = channel(connection);
            final String answers = asking.queueDeclare().getQueue();
            final BasicProperties mark =
                    new BasicProperties.Builder()
                            .type(MARK)
                            .messageId(UUID.randomUUID().toString())
                            .replyTo(answers)
                            .deliveryMode(2)
                            .build();
            boolean isAsked = false;
            while (true) {
                final BlockingQueue<Delivery> arrived = new LinkedBlockingQueue<>();
                final Channel reading =
                        consuming(connection, 0, by -> (tag, delivery) -> arrived.add(delivery));
                if (reading != null) {
                    try {
                        marking.basicPublish("", name, mark, NO_BYTES);
                        readTo(mark.getMessageId(), reading, arrived, visitor, alarms);
                        return -1;
                    } finally {
                        reading.abort();
                        if (isQuorum()) {
                            asking.queueDelete(lock()); // the connection may live on
                        }
                    }
                }
                if (asks && !isAsked) {
                    isAsked = true;
                    marking.basicPublish("", name, mark, NO_BYTES);
                }
                final GetResponse answer = asks ? asking.basicGet(answers, true) : null;
                if (answer != null) {
                    return Long.parseLong(new String(answer.getBody(), StandardCharsets.US_ASCII));
                }
                refuseWhileShort(alarms);
                if (SystemNanoClock.INSTANCE.nanoTime() - deadlineNs > 0) {
                    throw channel.failed(
                            "the queue '%s' has another reader; end that one, or give ?prefix="
                                    .formatted(name),
                            null);
                }
                Thread.sleep(LOOK_MS);
            }
        } catch (final IOException | AlreadyClosedException e) {
            throw RabbitmqConnections.refused(
                    channel, "the queue '%s' cannot be read to its end".formatted(name), e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw channel.failed("reading the queue '%s' was interrupted".formatted(name), e);
        } finally {
            RabbitmqConnections.end(publishing);
        }
    }

    private void refuseWhileShort(final ServerAlarms alarms) {
        if (alarms.isOn()) {
            throw channel.failed(
                    ("the server accepts no messages now (%s), and without one the end of the queue '%s' cannot be"
                                    + " found; see its memory and disk")
                            .formatted(alarms.reason(), name),
                    null);
        }
    }

    private boolean isQuorum() {
        return channel.parameters().queue() == RabbitmqParameters.QueueType.QUORUM;
    }

    /** The queue that a client has to itself while it consumes this one. */
    private String lock() {
        return name + ".lock";
    }

    /**
     * Locks the queue for the channel's connection, with which the lock ends, unless another client
     * consumes it: one that locks nothing is found by counting.
     *
     * @throws IOException with {@link AMQP#RESOURCE_LOCKED} where another client has locked it
     * @throws UserError where the user may not lock it, which is no sign of another client
     */
    private boolean isLocked(final Channel reading) throws IOException {
        try {
            reading.queueDeclare(lock(), false, true, false, null);
        } catch (final IOException e) {
            if (RabbitmqConnections.code(e) != AMQP.ACCESS_REFUSED) {
                throw e;
            }
            throw channel.failed(
                    "the user may not declare the queue '%s', which keeps other readers out (%s); grant that right"
                            .formatted(lock(), RabbitmqConnections.said(e)),
                    e);
        }
        if (reading.queueDeclarePassive(name).getConsumerCount() == 0) {
            return true;
        }
        reading.queueDelete(lock());
        return false;
    }

    /**
     * Consumes the queue exclusively. Quorum queues let several clients consume even if exclusive
     * use is requested, so they are locked first: of two that only counted the consumers, each
     * could be the second without knowing.
     *
     * @param prefetch most messages without acknowledgement; 0 for as many as possible
     * @param callback created for the channel; the channel is closed where the queue is deleted
     * @return a channel that consumes the queue; null where another client consumes it
     */
    Channel consuming(
            final Connection connection,
            final int prefetch,
            final Function<Channel, DeliverCallback> callback)
            throws IOException {
        final Channel reading = channel(connection);
        try {
            if (!isQuorum() || isLocked(reading)) {
                reading.basicQos(prefetch > 0 || !isQuorum() ? prefetch : MOST_UNACKNOWLEDGED);
                reading.basicConsume(
                        name,
                        false,
                        "",
                        false,
                        true,
                        null,
                        callback.apply(reading),
                        tag -> reading.abort());
                return reading;
            }
        } catch (final IOException e) {
            final int code = RabbitmqConnections.code(e);
            if (code != AMQP.ACCESS_REFUSED && code != AMQP.RESOURCE_LOCKED
                    || RabbitmqConnections.said(e).contains(MAY_NOT)) {
                throw e;
            }
        }
        reading.abort();
        return null;
    }

    private void readTo(
            final String mark,
            final Channel reading,
            final BlockingQueue<Delivery> arrived,
            final Consumer<? super StoredMessage<Long>> visitor,
            final ServerAlarms alarms)
            throws IOException, InterruptedException {
        while (true) {
            Delivery next = null;
            for (long waitedMs = 0;
                    next == null && waitedMs < PATIENCE.toMillis();
                    waitedMs += LOOK_MS) {
                next = arrived.poll(LOOK_MS, TimeUnit.MILLISECONDS);
                if (next == null) {
                    refuseWhileShort(alarms);
                }
            }
            if (next == null) {
                throw channel.failed(
                        "the queue '%s' delivers no more of its messages; it may hold more than the %d that a quorum queue gives"
                                        .formatted(name, MOST_UNACKNOWLEDGED)
                                + " a reader that acknowledges none, or its server is too busy",
                        null);
            }
            final long tag = next.getEnvelope().getDeliveryTag();
            if (!MARK.equals(next.getProperties().getType())) {
                visitor.accept(StoredMessage.ofTrailer(next.getBody(), tag));
            } else {
                reading.basicAck(tag, false);
                if (mark.equals(next.getProperties().getMessageId())) {
                    return;
                }
            }
        }
    }
}
