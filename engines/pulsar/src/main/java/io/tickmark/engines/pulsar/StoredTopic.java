package io.tickmark.engines.pulsar;

import io.tickmark.kernel.settings.Plural;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerStoreTransport;
import io.tickmark.transport.broker.Flight;
import io.tickmark.transport.broker.Patience;
import io.tickmark.transport.broker.StoredMessage;
import io.tickmark.transport.store.Deletion;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.ConsumerBuilder;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.MessageIdAdv;
import org.apache.pulsar.client.api.MessageListener;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.Reader;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionMode;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.client.impl.MessageIdImpl;
import org.apache.pulsar.common.api.proto.CommandGetTopicsOfNamespace;
import org.apache.pulsar.common.naming.NamespaceName;

/**
 * The persistent topic behind a stored one. The sequence id of a message is its ordinal; a message
 * carries a CRC32C (Pulsar's binary protocol, "Payload commands"), which the client checks, and the
 * entries of BookKeeper have another. The topic keeps its messages because a durable subscription
 * has not acknowledged them: that of its one subscriber, or one that nobody uses. Any thread.
 */
final class StoredTopic {
    private static final String SUFFIX = ".stored";
    private static final String SUBSCRIBER = "tickmark";
    private static final String HOLDER = "tickmark-kept";

    /** Longer than a server of ours pauses between two attempts to read an entry. */
    private static final int SILENCE_SECONDS = 10;

    private static final Duration LOOK = Duration.ofMillis(20);

    private final BrokerChannel<PulsarParameters> channel;
    private final String name;

    StoredTopic(final BrokerChannel<PulsarParameters> channel, final Topic topic) {
        this(channel, nameBeginning(channel) + topic.name() + SUFFIX);
    }

    private StoredTopic(final BrokerChannel<PulsarParameters> channel, final String name) {
        this.channel = channel;
        this.name = name;
    }

    private static String nameBeginning(final BrokerChannel<PulsarParameters> channel) {
        return "persistent://%s/%s."
                .formatted(
                        channel.parameters().namespace(), channel.parameters().broker().prefix());
    }

    String name() {
        return name;
    }

    private boolean isKept() {
        return channel.parameters().deletion() == Deletion.KEPT;
    }

    /** A message as the topic has it. */
    static StoredMessage<MessageId> stored(final Message<byte[]> message) {
        final byte[] payload = message.getData();
        return new StoredMessage<>(
                message.getSequenceId(), true, payload, payload.length, message.getMessageId());
    }

    private ConsumerBuilder<byte[]> durable(
            final PulsarConnection connection, final String subscription)
            throws PulsarClientException {
        return connection
                .consumer(name, SubscriptionInitialPosition.Earliest)
                .subscriptionName(subscription)
                .subscriptionMode(SubscriptionMode.Durable)
                .subscriptionType(connection.type());
    }

    /** Creates the topic and the subscription that keeps its messages, where they do not exist. */
    void declare(final PulsarConnection connection) throws PulsarClientException {
        try {
            durable(connection, isKept() ? HOLDER : SUBSCRIBER)
                    .startPaused(true)
                    .subscribe()
                    .close();
        } catch (final PulsarClientException.ConsumerBusyException e) {
            return; // it exists, and has its subscriber
        }
    }

    /** The topic's subscriber; where messages are kept it reads beside their subscription. */
    Consumer<byte[]> subscriber(
            final PulsarConnection connection, final MessageListener<byte[]> listener)
            throws PulsarClientException {
        return (isKept()
                        ? connection.consumer(name, SubscriptionInitialPosition.Earliest)
                        : durable(connection, SUBSCRIBER))
                .messageListener(listener)
                .subscribe();
    }

    /**
     * From a message on. Not by seeking: the client closes the connection, which others share,
     * where a reader is closed that has sought a moment before.
     */
    private Reader<byte[]> reader(final PulsarConnection connection, final MessageId from)
            throws PulsarClientException {
        return connection
                .client()
                .newReader()
                .topic(name)
                .startMessageId(from)
                .startMessageIdInclusive()
                .receiverQueueSize(channel.parameters().receiverQueue())
                .create();
    }

    /** Where it ends; empty where there was no message yet. */
    private Optional<MessageIdAdv> end(final PulsarConnection connection)
            throws PulsarClientException {
        try (Reader<byte[]> reader = reader(connection, MessageId.latest)) {
            return Optional.of((MessageIdAdv) reader.getLastMessageIds().getFirst())
                    .filter(id -> id.getEntryId() >= 0);
        } catch (final IOException e) {
            throw PulsarClientException.unwrap(e);
        }
    }

    /** The ordinal of the last message; -1 where there was none yet. */
    long last(final PulsarConnection connection) throws PulsarClientException {
        final Optional<MessageIdAdv> end = end(connection);
        if (end.isEmpty()) {
            return -1;
        }
        try (Reader<byte[]> reader = reader(connection, end.get())) {
            final Message<byte[]> last = reader.readNext(SILENCE_SECONDS, TimeUnit.SECONDS);
            if (last == null) {
                throw silent("its last message");
            }
            return last.getSequenceId();
        } catch (final IOException e) {
            throw PulsarClientException.unwrap(e);
        }
    }

    private RuntimeException silent(final String what) {
        return channel.failed(
                "the server has not sent %s of '%s' for %d s; see its log"
                        .formatted(what, name, SILENCE_SECONDS),
                null);
    }

    /**
     * Passes on all that is stored, each message once.
     *
     * @throws io.tickmark.kernel.settings.UserError where a subscriber has some of it, or the
     *     server does not pass on all of it
     */
    void readAll(
            final PulsarConnection connection,
            final java.util.function.Consumer<StoredMessage<?>> visitor)
            throws PulsarClientException {
        declare(connection);
        final Optional<MessageIdAdv> end = end(connection);
        if (end.isEmpty()) {
            return;
        }
        if (isKept()) {
            read(connection, MessageId.earliest, end.get(), visitor);
            return;
        }
        try (Consumer<byte[]> holder = holder(connection)) {
            final Message<byte[]> first = holder.receive(SILENCE_SECONDS, TimeUnit.SECONDS);
            if (first == null) {
                throw silent("its first message");
            }
            read(connection, first.getMessageId(), end.get(), visitor);
        }
    }

    /** The subscriber's place, which nobody else may have while it is read from there. */
    private Consumer<byte[]> holder(final PulsarConnection connection)
            throws PulsarClientException {
        try {
            return new Patience(Duration.ofNanos(Flight.PATIENCE_NS), LOOK)
                    .ask(
                            durable(connection, SUBSCRIBER)
                                            .subscriptionType(SubscriptionType.Exclusive)
                                    ::subscribe,
                            PulsarClientException.ConsumerBusyException.class::isInstance);
        } catch (final PulsarClientException.ConsumerBusyException e) {
            throw channel.failed(
                    "the topic '%s' has a subscriber, so not all of it can be read; end that one, or give ?prefix="
                            .formatted(name),
                    e);
        }
    }

    /**
     * The server reads a damaged entry again and again, and one that is slow sends nothing either:
     * such an entry is stepped over, so that what is behind it is found.
     *
     * @throws io.tickmark.kernel.settings.UserError where it did not send all: whether it has those
     *     is not known
     */
    private void read(
            final PulsarConnection connection,
            final MessageId first,
            final MessageIdAdv end,
            final java.util.function.Consumer<StoredMessage<?>> visitor)
            throws PulsarClientException {
        final List<MessageIdAdv> unsent = new ArrayList<>();
        Optional<MessageIdAdv> reached = readOn(connection, first, end, visitor);
        while (reached.isPresent() && reached.get().compareTo(end) < 0) {
            final MessageIdAdv next = entryBehind(reached.get());
            unsent.add(next);
            reached =
                    next.compareTo(end) < 0
                            ? readOn(connection, entryBehind(next), end, visitor)
                            : Optional.of(end);
        }
        if (reached.isEmpty()) {
            throw silent("all messages");
        }
        if (!unsent.isEmpty()) {
            throw channel.failed(
                    ("the server has not sent %s of '%s' within %d s (the first: ledger %d, entry %d), because of damage"
                                    + " or because it was too slow; see its log")
                            .formatted(
                                    Plural.of(unsent.size(), "entry", "entries"),
                                    name,
                                    SILENCE_SECONDS,
                                    unsent.getFirst().getLedgerId(),
                                    unsent.getFirst().getEntryId()),
                    null);
        }
    }

    private static MessageIdAdv entryBehind(final MessageIdAdv id) {
        return new MessageIdImpl(id.getLedgerId(), id.getEntryId() + 1, -1);
    }

    /** Until the end or until the server is silent; the last that came, empty where none did. */
    private Optional<MessageIdAdv> readOn(
            final PulsarConnection connection,
            final MessageId from,
            final MessageIdAdv end,
            final java.util.function.Consumer<StoredMessage<?>> visitor)
            throws PulsarClientException {
        try (Reader<byte[]> reader = reader(connection, from)) {
            MessageIdAdv at = null;
            while (at == null || at.compareTo(end) < 0) {
                final Message<byte[]> next = reader.readNext(SILENCE_SECONDS, TimeUnit.SECONDS);
                if (next == null && !reader.isConnected()) {
                    throw silent("all messages");
                }
                if (next == null) {
                    break;
                }
                at = (MessageIdAdv) next.getMessageId();
                visitor.accept(stored(next));
            }
            return Optional.ofNullable(at);
        } catch (final IOException e) {
            throw PulsarClientException.unwrap(e);
        }
    }

    /** All stored topics of a channel. */
    record All(BrokerChannel<PulsarParameters> channel)
            implements BrokerStoreTransport.StoredQueues {
        /** What a server is asked. */
        private interface Question {
            void put(PulsarConnection connection) throws PulsarClientException;
        }

        private void ask(final Question question) {
            try (PulsarConnection connection = new PulsarConnection(channel)) {
                try {
                    question.put(connection);
                } catch (final PulsarClientException e) {
                    throw connection.refused(e);
                }
            }
        }

        @Override
        public void awaitReady(final Runnable requireMajority) {
            ask(connection ->
                    PulsarConnection.await(
                            connection
                                    .client()
                                    .getPartitionsForTopic(
                                            new StoredTopic(channel, Topic.DEFAULT).name(), true)));
        }

        @Override
        public void readAll(
                final Topic topic, final java.util.function.Consumer<StoredMessage<?>> visitor) {
            ask(connection -> new StoredTopic(channel, topic).readAll(connection, visitor));
        }

        /**
         * Ends the subscriptions that keep messages: only a server's administrator may delete
         * topics, but a server deletes those that nobody needs (brokerDeleteInactiveTopicsEnabled).
         */
        @Override
        public void deleteAll() {
            ask(connection -> {
                for (final String topic :
                        PulsarConnection.await(
                                        connection
                                                .client()
                                                .getLookup()
                                                .getTopicsUnderNamespace(
                                                        NamespaceName.get(
                                                                channel.parameters().namespace()),
                                                        CommandGetTopicsOfNamespace.Mode.PERSISTENT,
                                                        null,
                                                        null))
                                .getTopics()) {
                    if (topic.startsWith(nameBeginning(channel)) && topic.endsWith(SUFFIX)) {
                        unsubscribe(connection, new StoredTopic(channel, topic));
                    }
                }
            });
        }

        private static void unsubscribe(final PulsarConnection connection, final StoredTopic topic)
                throws PulsarClientException {
            try (Consumer<byte[]> last =
                    topic.durable(connection, topic.isKept() ? HOLDER : SUBSCRIBER).subscribe()) {
                last.unsubscribe();
            }
        }
    }
}
