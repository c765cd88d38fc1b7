package io.tickmark.engines.artemis;

import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerPlainPublication;
import io.tickmark.transport.broker.BrokerPublication;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.broker.BrokerTransport;
import io.tickmark.transport.broker.Inbox;
import io.tickmark.transport.broker.LastingConnection;
import io.tickmark.transport.broker.Unanswered;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.SendAcknowledgementHandler;

/**
 * Messages that are not durable, to a multicast address with a separate queue for each subscriber,
 * which is deleted with it. One connection, with a session for each end; where it breaks it is made
 * again with all of them, as often as it takes.
 */
final class ArtemisLink implements BrokerTransport.Link {
    private final BrokerChannel<ArtemisParameters> channel;
    private final LastingConnection<ArtemisClient> client;

    ArtemisLink(final BrokerChannel<ArtemisParameters> channel) {
        this.channel = channel;
        client = ArtemisClient.lasting(channel);
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
        return client.get().isOpen();
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = client.get().facts();
        facts.put("reconnects", client.reconnects());
        return facts;
    }

    @Override
    public boolean isCount(final String fact) {
        return fact.equals("reconnects");
    }

    @Override
    public Optional<String> errors() {
        return client.errors();
    }

    private final class Sender extends BrokerPlainPublication {
        private final LastingConnection.Opened<ArtemisClient, Producing> producing;
        private volatile Answers newest = new Answers();

        Sender(final String name) {
            super(
                    channel,
                    channel.parameters().broker().maxPayloadBytes(),
                    channel.parameters().limits().flight(),
                    new EngineErrors(
                            "A message that the client had accepted was not acknowledged: %s.",
                            "%d messages that the client had accepted were not acknowledged, the first: %s."));
            producing = client.open((by, broken) -> produce(by, name));
        }

        private Producing produce(final ArtemisClient by, final String name) {
            newest.end();
            newest = new Answers();
            final ClientSession session = by.session(true);
            try {
                return new Producing(
                        session,
                        session.createProducer(ArtemisQueue.address(session, name)),
                        newest);
            } catch (final ActiveMQException e) {
                throw by.refused(e);
            }
        }

        /** A producer and its messages. */
        private record Producing(ClientSession session, ClientProducer producer, Answers answers) {}

        /**
         * The answers to a producer's messages, in the order of sending, on the client's thread.
         */
        private final class Answers implements SendAcknowledgementHandler {
            private final Unanswered unanswered = new Unanswered();

            /** Once there is another connection: nobody knows what became of them. */
            void end() {
                for (int left = unanswered.end(); left > 0; left--) {
                    failed("the connection broke before");
                    answer();
                }
            }

            @Override
            public void sendAcknowledged(final Message message) {
                if (unanswered.takeOff()) {
                    answer();
                }
            }

            /** The library also calls this for what was under way when the connection broke. */
            @Override
            public void sendFailed(final Message message, final Exception e) {
                if (!ArtemisClient.isBroken(e) && unanswered.takeOff()) {
                    failed(ArtemisClient.said(e));
                    answer();
                }
            }
        }

        /** One thread at a time. */
        private synchronized void answer() {
            answered();
        }

        @Override
        protected long send(final byte[] payload) {
            final Producing by = producing.get();
            final ClientMessage message = by.session().createMessage(Message.BYTES_TYPE, false);
            message.setRoutingType(RoutingType.MULTICAST);
            message.getBodyBuffer().writeBytes(payload);
            if (!by.answers().unanswered.add()) {
                return NOT_CONNECTED;
            }
            try {
                by.producer().send(message, by.answers());
                return 0;
            } catch (final ActiveMQException e) {
                // it ended between the check and the call
                return by.answers().unanswered.takeOff() ? NOT_CONNECTED : 0;
            }
        }

        @Override
        protected void end() {
            client.forget(producing);
        }
    }

    private final class Receiver extends BrokerSubscription {
        private final Inbox<byte[]> arrived;
        private final LastingConnection.Opened<ArtemisClient, Consuming> consuming;
        private final EngineErrors incomplete =
                new EngineErrors(
                        "A message arrived incomplete and was left out: %s.",
                        "%d messages arrived incomplete and were left out, the first: %s.");
        private volatile boolean isReleased;

        /** Messages published from now on are received: the server has answered. */
        Receiver(final String name, final Inbox<byte[]> arrived) {
            super(channel, arrived);
            this.arrived = arrived;
            consuming = client.open((by, broken) -> new Consuming(consume(by, name), broken));
        }

        /** A consumer, and what makes its connection again. */
        private record Consuming(ClientConsumer consumer, Runnable broken) {}

        /** The queue of an earlier connection is gone. */
        private ClientConsumer consume(final ArtemisClient by, final String name) {
            final ClientSession session = by.session(true);
            final String queue = name + "." + UUID.randomUUID();
            try {
                ArtemisClient.createTemporary(session, queue, name);
                return session.createConsumer(queue)
                        .setMessageHandler(message -> onMessage(by, message));
            } catch (final ActiveMQException e) {
                throw by.refused(e);
            }
        }

        /** On the client's thread, whose end a connection that broke waits for. */
        private void onMessage(final ArtemisClient by, final ClientMessage message) {
            try {
                arrived.addOrWait(ArtemisClient.body(message), () -> isReleased || !by.isOpen());
            } catch (final ActiveMQException e) {
                incomplete.add(ArtemisClient.said(e));
            }
        }

        /** A server may end a consumer alone, as where its queue is deleted. */
        @Override
        protected byte[] next() {
            final byte[] message = arrived.poll();
            if (message == null) {
                final Consuming newest = consuming.get();
                if (newest.consumer().isClosed()) {
                    newest.broken().run();
                }
            }
            return message;
        }

        @Override
        public Optional<String> engineErrors() {
            return EngineErrors.together(incomplete.sentence(), super.engineErrors());
        }

        @Override
        protected void release() {
            isReleased = true;
            client.forget(consuming);
        }
    }
}
