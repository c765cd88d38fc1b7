package io.tickmark.engines.artemis;

import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerPlainPublication;
import io.tickmark.transport.broker.BrokerPublication;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.broker.BrokerTransport;
import io.tickmark.transport.broker.Inbox;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
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
        return new Receiver(name, Inbox.ofPayloads(channel.parameters().receivePendingBytes()));
    }

    @Override
    public void close() {
        client.close();
    }

    @Override
    public boolean isServed() {
        return client.isOpen();
    }

    @Override
    public Map<String, Object> facts() {
        return client.facts();
    }

    @Override
    public Optional<String> errors() {
        return Optional.of(client.trouble()).filter(sentence -> !sentence.isEmpty());
    }

    private final class Sender extends BrokerPlainPublication {
        private final Answers answers = new Answers();
        private final ClientSession session;
        private final ClientProducer producer;

        Sender(final String name) {
            super(
                    channel,
                    channel.parameters().broker().maxPayloadBytes(),
                    channel.parameters().limits().flight());
            session = client.session(true);
            try {
                producer = session.createProducer(ArtemisQueue.address(session, name));
            } catch (final ActiveMQException e) {
                throw client.refused(e);
            }
        }

        @Override
        protected long send(final byte[] payload) {
            final ClientMessage message = session.createMessage(Message.BYTES_TYPE, false);
            message.setRoutingType(RoutingType.MULTICAST);
            message.getBodyBuffer().writeBytes(payload);
            try {
                producer.send(message, answers);
                return 0;
            } catch (final ActiveMQException e) {
                return NOT_CONNECTED; // it ended between the check and the call
            }
        }

        /** On the client's thread, in the order of sending. */
        private final class Answers implements SendAcknowledgementHandler {
            @Override
            public void sendAcknowledged(final Message message) {
                answered();
            }

            @Override
            public void sendFailed(final Message message, final Exception e) {
                if (!ArtemisClient.isBroken(e)) {
                    failed(ArtemisClient.said(e));
                }
                answered();
            }
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
        public Optional<String> engineErrors() {
            return EngineErrors.together(incomplete.sentence(), super.engineErrors());
        }

        @Override
        protected void release() {
            isReleased = true;
        }
    }
}
