package io.tickmark.engines.artemis;

import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerPublication;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.broker.BrokerTransport;
import io.tickmark.transport.broker.Flight;
import io.tickmark.transport.broker.Inbox;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.SendAcknowledgementHandler;

/**
 * Messages that are not durable, to a multicast address with a separate queue for each subscriber,
 * which is deleted with it. One connection, with a session for each end.
 */
final class ArtemisLink implements BrokerTransport.Link {
    private final BrokerChannel<ArtemisParameters> channel;
    private final ArtemisClient client;

    ArtemisLink(final BrokerChannel<ArtemisParameters> channel) {
        this.channel = channel;
        client = new ArtemisClient(channel);
    }

    @Override
    public BrokerPublication publication(final String name) {
        return new Sender(name);
    }

    @Override
    public BrokerSubscription subscription(final String name) {
        return new Receiver(
                name,
                new Inbox<>(payload -> payload.length, channel.parameters().receivePendingBytes()));
    }

    @Override
    public void close() {
        client.close();
    }

    private Optional<String> errors(final Stream<String> others) {
        return Stream.concat(others, Stream.of(client.trouble()))
                .filter(sentence -> !sentence.isEmpty())
                .reduce((one, other) -> one + " " + other);
    }

    private final class Sender extends BrokerPublication {
        private final Flight flight = channel.parameters().limits().flight();
        private final EngineErrors failures =
                new EngineErrors(
                        "A message that the client had accepted was not published: %s.",
                        "%d messages that the client had accepted were not published, the first: %s.");
        private final Answers answers = new Answers();
        private final ClientSession session;
        private final ClientProducer producer;

        Sender(final String name) {
            super(channel, channel.parameters().broker().maxPayloadBytes());
            session = client.session(true);
            try {
                producer = session.createProducer(ArtemisQueue.address(session, name));
            } catch (final ActiveMQException e) {
                throw client.refused(e);
            }
        }

        @Override
        protected long send(final DirectBuffer buffer, final int offset, final int length) {
            if (!client.isOpen()) {
                return NOT_CONNECTED;
            }
            if (!flight.hasRoom(length)) {
                return BACK_PRESSURED;
            }
            final byte[] copy = new byte[length];
            buffer.getBytes(offset, copy);
            final ClientMessage message = session.createMessage(Message.BYTES_TYPE, false);
            message.setRoutingType(RoutingType.MULTICAST);
            message.getBodyBuffer().writeBytes(copy);
            flight.add(length);
            try {
                producer.send(message, answers);
                return 0;
            } catch (final ActiveMQException e) {
                flight.takeBack();
                return NOT_CONNECTED; // it ended between the check and the call
            }
        }

        /** On the client's thread, in the order of sending. */
        private final class Answers implements SendAcknowledgementHandler {
            @Override
            public void sendAcknowledged(final Message message) {
                flight.answer();
            }

            @Override
            public void sendFailed(final Message message, final Exception e) {
                if (!ArtemisClient.isBroken(e)) {
                    failures.add(ArtemisClient.said(e));
                }
                flight.answer();
            }
        }

        @Override
        public Optional<String> engineErrors() {
            return errors(failures.sentence().stream());
        }

        @Override
        public Map<String, Object> facts() {
            final Map<String, Object> facts = client.facts();
            facts.put("sendFailures", failures.count());
            return facts;
        }

        @Override
        protected void release() {
            flight.await(client::isOpen);
        }
    }

    private final class Receiver extends BrokerSubscription {
        private final Inbox<byte[]> arrived;
        private final EngineErrors incomplete =
                new EngineErrors(
                        "A message arrived incomplete and was left out: %s.",
                        "%d messages arrived incomplete and were left out, the first: %s.");
        private volatile boolean isReleased;

        /** Messages published from now on are received: the server has answered. */
        Receiver(final String name, final Inbox<byte[]> arrived) {
            super(channel, arrived);
            this.arrived = arrived;
            final ClientSession session = client.session(true);
            final String queue = name + "." + UUID.randomUUID();
            try {
                ArtemisClient.createTemporary(session, queue, name);
                session.createConsumer(queue).setMessageHandler(this::onMessage);
            } catch (final ActiveMQException e) {
                throw client.refused(e);
            }
        }

        /** On the client's thread. */
        private void onMessage(final ClientMessage message) {
            try {
                arrived.addOrWait(ArtemisClient.body(message), () -> isReleased);
            } catch (final ActiveMQException e) {
                incomplete.add(ArtemisClient.said(e));
            }
        }

        @Override
        protected byte[] next() {
            return arrived.poll();
        }

        @Override
        protected boolean isServed() {
            return client.isOpen();
        }

        @Override
        public Optional<String> engineErrors() {
            return errors(incomplete.sentence().stream());
        }

        @Override
        public Map<String, Object> facts() {
            return client.facts();
        }

        @Override
        protected void release() {
            isReleased = true;
        }
    }
}
