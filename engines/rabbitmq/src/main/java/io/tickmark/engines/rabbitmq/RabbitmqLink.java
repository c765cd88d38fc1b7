package io.tickmark.engines.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerPublication;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.broker.BrokerTransport;
import io.tickmark.transport.broker.Flight;
import io.tickmark.transport.broker.Inbox;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.agrona.DirectBuffer;

/**
 * A transient exchange with a separate queue for each subscriber: exclusive, deleted with its
 * connection. A topic is a routing key. One connection for publishing and one for each
 * subscription, as a server that is short of memory stops reading from publishing ones.
 */
final class RabbitmqLink implements BrokerTransport.Link {
    private final BrokerChannel<RabbitmqParameters> channel;
    private final String exchange;
    private final Connection connection;

    RabbitmqLink(final BrokerChannel<RabbitmqParameters> channel) {
        this.channel = channel;
        exchange = channel.parameters().broker().prefix();
        connection = RabbitmqConnections.connect(channel, true);
    }

    @Override
    public BrokerPublication publication(final String name) {
        return new Sender(name);
    }

    @Override
    public BrokerSubscription subscription(final String name) {
        return new Receiver(
                name,
                RabbitmqConnections.connect(channel, true),
                new Inbox<>(message -> message.body().length, Long.MAX_VALUE));
    }

    @Override
    public void close() {
        RabbitmqConnections.end(connection);
    }

    /** Declares the exchange, which exists as long as the server runs. */
    private Channel opened(final Connection by) throws IOException {
        final Channel opened = by.createChannel();
        opened.exchangeDeclare(exchange, BuiltinExchangeType.DIRECT, false, false, null);
        return opened;
    }

    private RuntimeException refused(final IOException e) {
        return RabbitmqConnections.refused(
                channel,
                "the server refuses the exchange '%s' or a queue; delete it there, or give ?prefix="
                        .formatted(exchange),
                e);
    }

    private final class Sender extends BrokerPublication {
        private final EngineErrors failures =
                new EngineErrors(
                        "A message that the client had accepted was not published: %s.",
                        "%d messages that the client had accepted were not published, the first: %s.");
        private final Flight flight = channel.parameters().limits().flight();
        private final Channel sending;
        private final PublishThread publishThread;

        Sender(final String name) {
            super(channel, channel.parameters().broker().maxPayloadBytes());
            try {
                sending = opened(connection);
            } catch (final IOException e) {
                throw refused(e);
            }
            sending.addShutdownListener(cause -> {
                if (!cause.isInitiatedByApplication() && !cause.isHardError()) {
                    failures.add(RabbitmqConnections.said(cause));
                }
            });
            publishThread =
                    new PublishThread(
                            channel.parameters().limits().maxFlight(),
                            body -> {
                                try {
                                    sending.basicPublish(exchange, name, null, body);
                                } finally {
                                    flight.answer(); // written to the socket; nothing is
                                    // confirmed here
                                }
                            },
                            e -> failures.add(RabbitmqConnections.said(e)));
        }

        @Override
        protected long send(final DirectBuffer buffer, final int offset, final int length) {
            if (!sending.isOpen()) {
                return NOT_CONNECTED;
            }
            if (!flight.hasRoom(length)) {
                return BACK_PRESSURED;
            }
            final byte[] body = new byte[length];
            buffer.getBytes(offset, body);
            flight.add(length);
            publishThread.add(body);
            return 0;
        }

        @Override
        public Optional<String> engineErrors() {
            return failures.sentence();
        }

        @Override
        public Map<String, Object> facts() {
            final Map<String, Object> facts = RabbitmqConnections.facts(channel, connection);
            facts.put("sendFailures", failures.count());
            return facts;
        }

        @Override
        protected void release() {
            publishThread.close();
        }
    }

    /** A message, and the tag that acknowledges it. */
    private record Arrived(long tag, byte[] body) {}

    private final class Receiver extends BrokerSubscription {
        private final Connection own;
        private final Channel receiving;
        private final int acknowledgeEvery = channel.parameters().prefetch() / 4;
        private final Inbox<Arrived> arrived;
        private final EngineErrors refused =
                new EngineErrors(
                        "An acknowledgement of received messages was not sent: %s.",
                        "%d acknowledgements of received messages were not sent, the first: %s.");
        private int taken;

        /** Messages published from now on are received: the server has answered. */
        Receiver(final String name, final Connection own, final Inbox<Arrived> arrived) {
            super(channel, arrived);
            this.own = own;
            this.arrived = arrived;
            try {
                receiving = opened(own);
                receiving.basicQos(channel.parameters().prefetch());
                final String queue = receiving.queueDeclare().getQueue();
                receiving.queueBind(queue, exchange, name);
                receiving.basicConsume(
                        queue,
                        false,
                        (tag, delivery) ->
                                arrived.add(
                                        new Arrived(
                                                delivery.getEnvelope().getDeliveryTag(),
                                                delivery.getBody())),
                        tag -> {});
            } catch (final IOException e) {
                RabbitmqConnections.end(own);
                throw refused(e);
            }
        }

        @Override
        protected byte[] next() {
            final Arrived next = arrived.poll();
            if (next == null) {
                return null;
            }
            if (++taken >= acknowledgeEvery) {
                taken = 0;
                acknowledge(next.tag());
            }
            return next.body();
        }

        /** All up to this one; the client ignores tags from before a broken connection. */
        private void acknowledge(final long tag) {
            try {
                receiving.basicAck(tag, true);
            } catch (final IOException | AlreadyClosedException e) {
                refused.add(RabbitmqConnections.said(e));
            }
        }

        @Override
        protected boolean isServed() {
            return receiving.isOpen();
        }

        @Override
        public Optional<String> engineErrors() {
            return refused.sentence();
        }

        @Override
        public Map<String, Object> facts() {
            final Map<String, Object> facts = RabbitmqConnections.facts(channel, own);
            facts.put("acknowledgementsRefused", refused.count());
            return facts;
        }

        @Override
        protected void release() {
            RabbitmqConnections.end(own);
        }
    }
}
