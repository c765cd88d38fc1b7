package io.tickmark.engines.rabbitmq;

import com.rabbitmq.stream.ConfirmationStatus;
import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Producer;
import com.rabbitmq.stream.Resource;
import com.rabbitmq.stream.StreamException;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BoundedClose;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerPlainPublication;
import io.tickmark.transport.broker.BrokerPublication;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.broker.BrokerTransport;
import io.tickmark.transport.broker.LastingConnection;
import java.util.Map;

/** A stream for each topic, of which subscribers read what comes after they have subscribed. */
final class StreamLink implements BrokerTransport.Link {
    private final BrokerChannel<StreamParameters> channel;
    private final LastingConnection<StreamClient> client;

    StreamLink(final BrokerChannel<StreamParameters> channel) {
        this.channel = channel;
        client = StreamClient.lasting(channel);
    }

    @Override
    public boolean isServed() {
        return client.isServed();
    }

    @Override
    public Map<String, Object> facts() {
        return StreamClient.facts(channel, client);
    }

    @Override
    public BrokerPublication publication(final String name) {
        return new Sender(name);
    }

    @Override
    public BrokerSubscription subscription(final String name) {
        return new Receiver(name, new StreamReader(OffsetSpecification.next()));
    }

    @Override
    public void close() {
        client.close();
    }

    private final class Sender extends BrokerPlainPublication {
        private final LastingConnection.Opened<StreamClient, Producer> producer;

        Sender(final String name) {
            super(
                    channel,
                    channel.parameters().broker().maxPayloadBytes(),
                    channel.parameters().limits().flight(),
                    new EngineErrors(
                            "A message that the client had accepted was not confirmed: %s.",
                            "%d messages that the client had accepted were not confirmed, the first: %s."));
            producer =
                    client.open((by, broken) -> produce(by, name, StreamClient.whenBroken(broken)));
        }

        private static Producer produce(
                final StreamClient by, final String name, final Resource.StateListener listener) {
            by.declare(name, true);
            try {
                return StreamClient.patiently(by.producer(name).listeners(listener)::build);
            } catch (final StreamException e) {
                throw by.refused("the stream '%s' accepts no producer".formatted(name), e);
            }
        }

        @Override
        protected long send(final byte[] message) {
            try {
                final Producer by = producer.get();
                by.send(by.messageBuilder().addData(message).build(), this::onConfirmation);
            } catch (final StreamException | IllegalArgumentException e) {
                failed(EngineErrors.said(e)); // longer than a frame of the server, or ended
                return CLOSED;
            }
            return 0;
        }

        /** On the client's threads, of which one at a time confirms. */
        private synchronized void onConfirmation(final ConfirmationStatus status) {
            answered();
            if (!status.isConfirmed()) {
                failed("code %d of the server or its client".formatted(status.getCode()));
            }
        }

        @Override
        protected void end() {
            client.forget(producer);
            BoundedClose.of(producer.get());
        }
    }

    private final class Receiver extends BrokerSubscription {
        private final StreamReader reader;
        private final LastingConnection.Opened<StreamClient, Consumer> consumer;

        /** Messages published from now on are received: the server has answered. */
        Receiver(final String name, final StreamReader reader) {
            super(channel, reader.inbox());
            this.reader = reader;
            consumer =
                    client.open((by, broken) -> {
                        by.declare(name, true);
                        return reader.open(by, name, StreamClient.whenBroken(broken));
                    });
        }

        @Override
        protected byte[] next() {
            final StreamReader.StreamEntry next = reader.next();
            return next == null ? null : next.body();
        }

        @Override
        protected void release() {
            client.forget(consumer);
            BoundedClose.of(consumer.get());
        }
    }
}
