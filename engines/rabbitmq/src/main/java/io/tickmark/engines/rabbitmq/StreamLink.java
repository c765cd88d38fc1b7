package io.tickmark.engines.rabbitmq;

import com.rabbitmq.stream.ConfirmationStatus;
import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.MessageHandler;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Producer;
import com.rabbitmq.stream.StreamException;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerPublication;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.broker.BrokerTransport;
import io.tickmark.transport.broker.Flight;
import io.tickmark.transport.broker.Inbox;
import java.util.Map;
import java.util.Optional;
import org.agrona.DirectBuffer;

/** A stream for each topic, of which subscribers read what comes after they have subscribed. */
final class StreamLink implements BrokerTransport.Link {
    private final BrokerChannel<StreamParameters> channel;
    private final StreamClient client;

    StreamLink(final BrokerChannel<StreamParameters> channel) {
        this.channel = channel;
        client = new StreamClient(channel);
    }

    @Override
    public BrokerPublication publication(final String name) {
        client.declare(name, true);
        return new Sender(name);
    }

    @Override
    public BrokerSubscription subscription(final String name) {
        client.declare(name, true);
        return new Receiver(name, new Inbox<>(message -> message.body().length, Long.MAX_VALUE));
    }

    @Override
    public void close() {
        client.close();
    }

    private final class Sender extends BrokerPublication {
        private final EngineErrors failures =
                new EngineErrors(
                        "A message that the client had accepted was not confirmed: %s.",
                        "%d messages that the client had accepted were not confirmed, the first: %s.");
        private final Flight flight = channel.parameters().limits().flight();
        private final Producer producer;
        private volatile boolean isServed = true;

        Sender(final String name) {
            super(channel, channel.parameters().broker().maxPayloadBytes());
            try {
                producer =
                        StreamClient.patiently(
                                client.producer(name)
                                                .listeners(context ->
                                                        isServed = StreamClient.isOpen(context))
                                        ::build);
            } catch (final StreamException e) {
                throw client.refused("the stream '%s' accepts no producer".formatted(name), e);
            }
        }

        @Override
        protected long send(final DirectBuffer buffer, final int offset, final int length) {
            if (!isServed) {
                return NOT_CONNECTED;
            }
            if (!flight.hasRoom(length)) {
                return BACK_PRESSURED;
            }
            final byte[] body = new byte[length];
            buffer.getBytes(offset, body);
            flight.add(length);
            try {
                producer.send(
                        producer.messageBuilder().addData(body).build(), this::onConfirmation);
            } catch (final StreamException | IllegalArgumentException e) {
                flight.takeBack();
                failures.add(StreamClient.said(e)); // longer than a frame of the server, or ended
                return CLOSED;
            }
            return 0;
        }

        /** On the client's threads, of which one at a time confirms. */
        private synchronized void onConfirmation(final ConfirmationStatus status) {
            flight.answer();
            if (!status.isConfirmed()) {
                failures.add("code %d of the server or its client".formatted(status.getCode()));
            }
        }

        @Override
        public Optional<String> engineErrors() {
            return failures.sentence();
        }

        @Override
        public Map<String, Object> facts() {
            final Map<String, Object> facts = StreamClient.facts(channel);
            facts.put("sendFailures", failures.count());
            return facts;
        }

        @Override
        protected void release() {
            flight.await(() -> isServed);
            producer.close();
        }
    }

    /** A message, and what tells the client that it was processed. */
    private record Arrived(MessageHandler.Context context, byte[] body) {}

    private final class Receiver extends BrokerSubscription {
        private final Inbox<Arrived> arrived;
        private final Consumer consumer;
        private volatile boolean isServed = true;

        /** Messages published from now on are received: the server has answered. */
        Receiver(final String name, final Inbox<Arrived> arrived) {
            super(channel, arrived);
            this.arrived = arrived;
            try {
                consumer =
                        StreamClient.patiently(
                                client.consumer(name, OffsetSpecification.next())
                                                .messageHandler((context, message) ->
                                                        arrived.add(
                                                                new Arrived(
                                                                        context,
                                                                        message.getBodyAsBinary())))
                                                .listeners(context ->
                                                        isServed = StreamClient.isOpen(context))
                                        ::build);
            } catch (final StreamException e) {
                throw client.refused("the stream '%s' accepts no consumer".formatted(name), e);
            }
        }

        @Override
        protected byte[] next() {
            final Arrived next = arrived.poll();
            if (next == null) {
                return null;
            }
            next.context().processed();
            return next.body();
        }

        @Override
        protected boolean isServed() {
            return isServed;
        }

        @Override
        public Map<String, Object> facts() {
            return StreamClient.facts(channel);
        }

        @Override
        protected void release() {
            consumer.close();
        }
    }
}
