package io.tickmark.engines.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerPlainPublication;
import io.tickmark.transport.broker.BrokerPublication;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.broker.BrokerTransport;
import io.tickmark.transport.broker.Inbox;
import io.tickmark.transport.broker.LastingConnection;
import io.tickmark.transport.broker.SendThread;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.agrona.concurrent.SystemNanoClock;

/**
 * A transient exchange with a separate queue for each subscriber: exclusive, deleted with its
 * connection. A topic is a routing key. One connection for publishing and one for each
 * subscription, as a server that is short of memory stops reading from publishing ones.
 */
final class RabbitmqLink implements BrokerTransport.Link {
    private static final long SEND_PATIENCE_NS = 2_000_000_000;

    /**
     * At low rates it takes long until a part of the prefetch has come, and a server ends a
     * subscription that leaves a message unanswered for long (consumer_timeout).
     */
    private static final long UNANSWERED_NS = 10_000_000_000L;

    private final BrokerChannel<RabbitmqParameters> channel;
    private final String exchange;
    private final LastingConnection<Connection> publishing;
    private final ServerAlarms alarms = new ServerAlarms();

    RabbitmqLink(final BrokerChannel<RabbitmqParameters> channel) {
        this.channel = channel;
        exchange = channel.parameters().broker().prefix();
        publishing = RabbitmqConnections.lasting(channel, alarms);
    }

    @Override
    public BrokerPublication publication(final String name) {
        return new Sender(name);
    }

    @Override
    public BrokerSubscription subscription(final String name) {
        return new Receiver(
                name,
                RabbitmqConnections.lasting(channel, new ServerAlarms()),
                new Inbox<>(message -> message.body().length, Long.MAX_VALUE));
    }

    @Override
    public void close() {
        publishing.close();
    }

    /** The exchange exists as long as the server runs. */
    private void declareExchange(final Channel by) throws IOException {
        by.exchangeDeclare(exchange, BuiltinExchangeType.DIRECT, false, false, null);
    }

    /** Also a connection that broke before anything was opened by it. */
    private RuntimeException refused(final Exception e) {
        return RabbitmqConnections.refused(
                channel,
                e instanceof AlreadyClosedException
                        ? "the connection to the server broke before the exchange '%s' was there; see the server's log"
                                .formatted(exchange)
                        : "the server refuses the exchange '%s' or a queue; delete it there, or give ?prefix="
                                .formatted(exchange),
                e);
    }

    private final class Sender extends BrokerPlainPublication {
        private final LastingConnection.Opened<Connection, Channel> sending;

        /** A server that is short of memory stops reading ("Flow Control" of RabbitMQ). */
        private final SendThread sendThread;

        private final SendThread.Sender sender;

        Sender(final String name) {
            super(
                    channel,
                    channel.parameters().broker().maxPayloadBytes(),
                    channel.parameters().limits().flight());
            try {
                sending =
                        publishing.open((by, broken) -> {
                            final Channel next = by.createChannel();
                            open(next);
                            return next;
                        });
            } catch (final IOException | AlreadyClosedException e) {
                throw refused(e);
            }
            sender = body -> publish(name, body);
            sendThread = SendThread.named("rabbitmq-publish");
            sendThread.join(sender, this::onUnsent);
        }

        /** It counts as answered once it is written to the socket: nothing is confirmed here. */
        private void publish(final String name, final byte[] body) throws IOException {
            sending.get().basicPublish(exchange, name, null, body);
            answered();
        }

        private void onUnsent(final Throwable error) {
            failed(RabbitmqConnections.said(error));
            answered();
        }

        private void open(final Channel by) throws IOException {
            declareExchange(by);
            RabbitmqConnections.whenClosedByServer(by, this::failed);
        }

        @Override
        protected boolean isServed() {
            return sending.get().isOpen();
        }

        @Override
        protected long send(final byte[] message) {
            sendThread.add(sender, message);
            return 0;
        }

        @Override
        protected Optional<String> otherErrors() {
            return EngineErrors.together(
                    publishing.errors(),
                    Optional.of(alarms.reason())
                            .filter(reason -> !reason.isEmpty())
                            .map(
                                    "The server accepts no messages now (%s); see its memory and disk."
                                            ::formatted));
        }

        @Override
        protected Map<String, Object> engineFacts() {
            final Map<String, Object> facts = RabbitmqConnections.facts(channel, publishing);
            facts.put(ServerAlarms.COUNT, alarms.count());
            return facts;
        }

        @Override
        public boolean isCount(final String fact) {
            return fact.equals("reconnects")
                    || fact.equals(ServerAlarms.COUNT)
                    || super.isCount(fact);
        }

        /** What the thread has written needs no answer. */
        @Override
        protected void release() {
            sendThread.drain(SEND_PATIENCE_NS);
            sendThread.leave(sender, 0);
            sendThread.stop();
            publishing.forget(sending);
        }
    }

    /** A message, and the channel and tag that acknowledge it. */
    private record Arrived(Channel by, long tag, byte[] body) {}

    private final class Receiver extends BrokerSubscription {
        private final LastingConnection<Connection> own;
        private final LastingConnection.Opened<Connection, Channel> receiving;
        private final int acknowledgeEvery = channel.parameters().prefetch() / 4;
        private final Inbox<Arrived> arrived;
        private final EngineErrors refused =
                new EngineErrors(
                        "An acknowledgement of received messages was not sent: %s.",
                        "%d acknowledgements of received messages were not sent, the first: %s.");
        private final EngineErrors closed =
                new EngineErrors(
                        "The server ended a subscription (%s), which was opened again: messages in between are missing.",
                        "The server ended a subscription %d times, first: %s; it was opened again each time, and messages in"
                                + " between are missing.");
        private int taken;
        private Arrived newest;
        private long acknowledgedNs = SystemNanoClock.INSTANCE.nanoTime();

        /** Messages published from now on are received: the server has answered. */
        Receiver(
                final String name,
                final LastingConnection<Connection> own,
                final Inbox<Arrived> arrived) {
            super(channel, arrived);
            this.own = own;
            this.arrived = arrived;
            try {
                receiving =
                        own.open((by, broken) -> {
                            final Channel next = by.createChannel();
                            consume(next, name, broken);
                            return next;
                        });
            } catch (final IOException | AlreadyClosedException e) {
                own.close();
                throw refused(e);
            }
        }

        private void consume(final Channel by, final String name, final Runnable broken)
                throws IOException {
            declareExchange(by);
            by.basicQos(channel.parameters().prefetch());
            final String queue = by.queueDeclare().getQueue();
            by.queueBind(queue, exchange, name);
            by.basicConsume(
                    queue,
                    false,
                    (tag, delivery) ->
                            arrived.add(
                                    new Arrived(
                                            by,
                                            delivery.getEnvelope().getDeliveryTag(),
                                            delivery.getBody())),
                    tag -> ended("it cancelled the consumer", broken));
            // last, as what is refused before was no subscription yet
            RabbitmqConnections.whenClosedByServer(by, reason -> ended(reason, broken));
        }

        private void ended(final String reason, final Runnable broken) {
            closed.add(reason);
            broken.run();
        }

        @Override
        protected byte[] next() {
            final Arrived next = arrived.poll();
            if (next == null) {
                if (taken > 0
                        && SystemNanoClock.INSTANCE.nanoTime() - acknowledgedNs > UNANSWERED_NS) {
                    acknowledge(newest);
                }
                return null;
            }
            newest = next;
            if (++taken >= acknowledgeEvery) {
                acknowledge(next);
            }
            return next.body();
        }

        /** All up to this one; the queue of an earlier connection is gone. */
        private void acknowledge(final Arrived last) {
            taken = 0;
            acknowledgedNs = SystemNanoClock.INSTANCE.nanoTime();
            if (last.by() != receiving.get()) {
                return;
            }
            try {
                last.by().basicAck(last.tag(), true);
            } catch (final IOException | AlreadyClosedException e) {
                refused.add(RabbitmqConnections.said(e));
            }
        }

        @Override
        protected boolean isServed() {
            return receiving.get().isOpen();
        }

        @Override
        public Optional<String> engineErrors() {
            return EngineErrors.together(refused.sentence(), closed.sentence(), own.ownErrors());
        }

        @Override
        public Map<String, Object> facts() {
            final Map<String, Object> facts = super.facts();
            facts.putAll(RabbitmqConnections.facts(channel, own));
            facts.put("acknowledgementsRefused", refused.count());
            facts.put("closedByServer", closed.count());
            return facts;
        }

        @Override
        public boolean isCount(final String fact) {
            return fact.equals("reconnects")
                    || fact.equals("acknowledgementsRefused")
                    || fact.equals("closedByServer");
        }

        @Override
        protected void release() {
            own.close();
        }
    }
}
