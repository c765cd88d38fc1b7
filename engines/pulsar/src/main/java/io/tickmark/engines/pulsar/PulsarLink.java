package io.tickmark.engines.pulsar;

import io.tickmark.kernel.result.CountSentence;
import io.tickmark.transport.Break;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerPlainPublication;
import io.tickmark.transport.broker.BrokerPublication;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.broker.BrokerTransport;
import io.tickmark.transport.broker.Inbox;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.agrona.concurrent.SystemEpochClock;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;

/** Plain streams: a topic with a subscription for each subscriber, which ends with it. */
final class PulsarLink implements BrokerTransport.Link {
    private final BrokerChannel<PulsarParameters> channel;
    private final PulsarConnection connection;

    PulsarLink(final BrokerChannel<PulsarParameters> channel) {
        this.channel = channel;
        connection = new PulsarConnection(channel);
    }

    @Override
    public BrokerPublication publication(final String name) {
        try {
            return new Sender(connection.producer(name).create());
        } catch (final PulsarClientException e) {
            throw connection.refused(e);
        }
    }

    @Override
    public BrokerSubscription subscription(final String name) {
        return new Receiver(name, Inbox.ofPayloads(channel.parameters().receivePendingBytes()));
    }

    @Override
    public void close() {
        connection.close();
    }

    /** How often the client had to connect again, as far as it was looked at. One thread. */
    private final class Reconnects {
        private final LongSupplier lastBreakMs;
        private long seenMs;
        private long count;

        Reconnects(final LongSupplier lastBreakMs) {
            this.lastBreakMs = lastBreakMs;
            seenMs = lastBreakMs.getAsLong();
        }

        void look() {
            final long breakMs = lastBreakMs.getAsLong();
            if (breakMs != seenMs) {
                seenMs = breakMs;
                count++;
            }
        }

        boolean isConnected(final boolean isConnected) {
            look();
            return isConnected;
        }

        Map<String, Object> facts() {
            look();
            final Map<String, Object> facts = connection.facts();
            facts.put("persistent", channel.parameters().persistent());
            facts.put("reconnects", count);
            return facts;
        }

        /** Breaks that were mended are reported also where the connection has ended since. */
        Optional<String> trouble(final BooleanSupplier connected) {
            look();
            final long mended = connected.getAsBoolean() ? count : count - 1;
            if (mended > 0) {
                return Optional.of(
                        CountSentence.of(
                                "The connection to the server broke {once|%d times} and was made again: messages of"
                                        + " that time may be missing.",
                                mended));
            }
            if (count == 0) {
                return Optional.empty();
            }
            final long agoMs = SystemEpochClock.INSTANCE.time() - seenMs;
            return Break.ago(
                            "The connection to the server broke and is not back; see whether it runs.",
                            TimeUnit.MILLISECONDS.toNanos(agoMs))
                    .lasting();
        }
    }

    private final class Sender extends BrokerPlainPublication {
        private final Producer<byte[]> producer;

        /** Made once: each message would make another. */
        private final BiConsumer<MessageId, Throwable> onAnswer = this::onAnswer;

        private final Reconnects reconnects;

        Sender(final Producer<byte[]> producer) {
            super(
                    channel,
                    channel.parameters().broker().maxPayloadBytes(),
                    channel.parameters().limits().flight());
            this.producer = producer;
            reconnects = new Reconnects(producer::getLastDisconnectedTimestamp);
        }

        @Override
        protected boolean isServed() {
            return reconnects.isConnected(producer.isConnected());
        }

        @Override
        protected long send(final byte[] message) {
            final CompletableFuture<MessageId> sending = producer.sendAsync(message);
            if (sending.isCompletedExceptionally()) {
                return codeOf(sending.exceptionNow());
            }
            sending.whenComplete(onAnswer);
            return 0;
        }

        /** The client did not take it. */
        private long codeOf(final Throwable refusal) {
            if (refusal instanceof PulsarClientException.InvalidMessageException) {
                notTaken("A message was refused: %s.".formatted(PulsarConnection.tooLong(refusal)));
                return TOO_LONG;
            }
            notTaken(
                    "A message was refused: %s; see the server's log."
                            .formatted(PulsarConnection.said(refusal)));
            return NOT_CONNECTED;
        }

        /** In the order of sending, on the client's thread, or where it was quicker on ours. */
        private void onAnswer(final MessageId id, final Throwable failure) {
            if (failure != null) {
                failed(PulsarConnection.said(failure));
            }
            answered();
        }

        @Override
        protected Optional<String> otherErrors() {
            return reconnects.trouble(producer::isConnected);
        }

        @Override
        protected Map<String, Object> engineFacts() {
            return reconnects.facts();
        }

        @Override
        public boolean isCount(final String fact) {
            return fact.equals("reconnects") || super.isCount(fact);
        }

        @Override
        protected void end() {
            producer.closeAsync();
        }
    }

    private final class Receiver extends BrokerSubscription {
        private final Inbox<byte[]> arrived;
        private final Consumer<byte[]> consumer;
        private final Reconnects reconnects;
        private final EngineErrors refused = EngineErrors.ofAcknowledgements();
        private volatile boolean isReleased;

        /** Messages published from now on are received: the server has answered. */
        Receiver(final String name, final Inbox<byte[]> arrived) {
            super(channel, arrived);
            this.arrived = arrived;
            try {
                consumer =
                        connection
                                .consumer(name, SubscriptionInitialPosition.Latest)
                                .subscriptionType(connection.type())
                                .messageListener(this::onMessage)
                                .subscribe();
            } catch (final PulsarClientException e) {
                throw connection.refused(e);
            }
            reconnects = new Reconnects(consumer::getLastDisconnectedTimestamp);
        }

        /** On the client's thread. */
        private void onMessage(final Consumer<byte[]> its, final Message<byte[]> message) {
            arrived.addOrWait(message.getData(), () -> isReleased);
            its.acknowledgeAsync(message)
                    .exceptionally(failure -> {
                        if (!isReleased) {
                            refused.add(PulsarConnection.said(failure));
                        }
                        return null;
                    });
        }

        @Override
        protected byte[] next() {
            final byte[] next = arrived.poll();
            if (next == null) {
                reconnects.look(); // each break is seen, also if nobody asks in between
            }
            return next;
        }

        @Override
        protected boolean isServed() {
            return reconnects.isConnected(consumer.isConnected());
        }

        @Override
        public Optional<String> engineErrors() {
            return EngineErrors.together(
                    refused.sentence(), reconnects.trouble(consumer::isConnected));
        }

        @Override
        public Map<String, Object> facts() {
            final Map<String, Object> facts = super.facts();
            facts.putAll(reconnects.facts());
            return facts;
        }

        @Override
        public boolean isCount(final String fact) {
            return fact.equals("reconnects");
        }

        @Override
        protected void release() {
            isReleased = true;
            consumer.closeAsync();
        }
    }
}
