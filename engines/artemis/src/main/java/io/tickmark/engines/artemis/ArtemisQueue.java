package io.tickmark.engines.artemis;

import io.tickmark.kernel.settings.Plural;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.StoredMessage;
import io.tickmark.transport.store.Deletion;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.collections.MutableLong;
import org.agrona.concurrent.SystemNanoClock;
import org.apache.activemq.artemis.api.core.ActiveMQAddressExistsException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInvalidTransientQueueUseException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSession.QueueQuery;

/**
 * The durable queue of a stored topic, at an address of the same name. The body of a message is its
 * payload; its property {@code ordinal} (int64) is the message's ordinal, by which the server can
 * select, and {@code crc32c} (int32) its {@link StoredMessage#checksum}, as the journal keeps none.
 * Where messages are kept it is non-destructive and only browsed, so that nobody takes any; where
 * acknowledged ones are deleted it has one consumer. Any thread.
 */
final class ArtemisQueue {
    static final SimpleString ORDINAL = SimpleString.of("ordinal");
    private static final SimpleString CHECKSUM = SimpleString.of("crc32c");
    private static final SimpleString MARK = SimpleString.of("tickmarkMark");
    private static final int ANSWER_TIMEOUT_MS = 10_000;
    private static final long READERS_PATIENCE_NS = 5_000_000_000L;
    private static final long LOOK_NS = 20_000_000;

    private final BrokerChannel<ArtemisParameters> channel;
    private final String name;

    ArtemisQueue(final BrokerChannel<ArtemisParameters> channel, final Topic topic) {
        this.channel = channel;
        name = "%s.%s.stored".formatted(channel.parameters().broker().prefix(), topic.name());
    }

    String name() {
        return name;
    }

    private boolean isKept() {
        return channel.parameters().deletion() == Deletion.KEPT;
    }

    /**
     * A message as the queue has it.
     *
     * @throws ActiveMQException as {@link ArtemisClient#body}
     */
    static StoredMessage<ClientMessage> stored(final ClientMessage message)
            throws ActiveMQException {
        return StoredMessage.of(
                ArtemisClient.body(message),
                ordinal(message),
                message.getObjectProperty(CHECKSUM) instanceof final Integer checksum
                        ? checksum
                        : null,
                message);
    }

    /** Its place in its topic; -1 where it has none, because another program wrote it. */
    static long ordinal(final ClientMessage message) {
        return message.getObjectProperty(ORDINAL) instanceof final Long number ? number : -1;
    }

    static ClientMessage message(
            final ClientSession session, final long ordinal, final byte[] payload) {
        final ClientMessage message = session.createMessage(Message.BYTES_TYPE, true);
        message.setRoutingType(RoutingType.MULTICAST);
        message.putLongProperty(ORDINAL, ordinal);
        message.putIntProperty(CHECKSUM, StoredMessage.checksum(payload, payload.length, ordinal));
        message.getBodyBuffer().writeBytes(payload);
        return message;
    }

    /** Selects the messages from an ordinal on. */
    static SimpleString from(final long ordinal) {
        return SimpleString.of(ORDINAL + " >= " + ordinal);
    }

    /** Creates an address where it does not exist; the server deletes it when it is unused. */
    static SimpleString address(final ClientSession session, final String name)
            throws ActiveMQException {
        final SimpleString address = SimpleString.of(name);
        try {
            if (!session.addressQuery(address).isExists()) {
                session.createAddress(address, RoutingType.MULTICAST, true);
            }
        } catch (final ActiveMQAddressExistsException e) {
            return address; // another side was quicker
        }
        return address;
    }

    /**
     * Creates the queue where it does not exist.
     *
     * @throws UserError where it exists with other settings
     */
    void declare(final ClientSession session) throws ActiveMQException {
        try {
            session.createSharedQueue(
                    QueueConfiguration.of(name)
                            .setAddress(address(session, name))
                            .setRoutingType(RoutingType.MULTICAST)
                            .setDurable(true)
                            .setNonDestructive(isKept())
                            .setMaxConsumers(isKept() ? -1 : 1)
                            .setAutoDelete(false));
        } catch (final ActiveMQInvalidTransientQueueUseException e) { // or of a durable one
            throw channel.failed(
                    "the queue '%s' exists with other settings (%s); delete it, or give ?prefix="
                            .formatted(name, ArtemisClient.said(e)),
                    e);
        }
        final QueueQuery found = session.queueQuery(SimpleString.of(name));
        if (found.isNonDestructive() != isKept()) {
            throw channel.failed(
                    "the queue '%s' exists with another ?deletion; ask for that, delete the queue, or give ?prefix="
                            .formatted(name),
                    null);
        }
        require(
                !Boolean.FALSE.equals(found.isEnabled()),
                "is disabled, so that it gets no messages");
        require(found.isDurable(), "is not durable, so that a restart of the server empties it");
        require(
                found.getRingSize() == null || found.getRingSize() < 0,
                "keeps only so many messages (ring-size)");
        require(
                !found.isPurgeOnNoConsumers(),
                "is emptied when its last subscriber goes (purge-on-no-consumers)");
    }

    /** What the server acknowledged would be gone otherwise. */
    private void require(final boolean keepsMessages, final String otherwise) {
        if (!keepsMessages) {
            throw channel.failed(
                    "the queue '%s' %s; delete the queue, or give ?prefix="
                            .formatted(name, otherwise),
                    null);
        }
    }

    /**
     * Passes on all that is stored.
     *
     * @throws UserError where a subscriber has some of it, or the server does not pass on all of
     *     it, which could seem lost
     */
    void readAll(
            final ClientSession session,
            final Consumer<? super StoredMessage<ClientMessage>> visitor)
            throws ActiveMQException {
        declare(session);
        final long startNs = SystemNanoClock.INSTANCE.nanoTime();
        while (!isKept() && session.queueQuery(SimpleString.of(name)).getConsumerCount() > 0) {
            if (SystemNanoClock.INSTANCE.nanoTime() - startNs > READERS_PATIENCE_NS) {
                throw channel.failed(
                        "the queue '%s' has a subscriber, so not all of it can be read; end that one, or give ?prefix="
                                .formatted(name),
                        null);
            }
            LockSupport.parkNanos(LOOK_NS);
        }
        if (isKept()) {
            browseToTheEnd(session, visitor);
        } else {
            awaitReturned(session, startNs);
            browse(session, null, visitor);
        }
    }

    /**
     * Where a busy server has no further message ready, a browser seems to be at the end: as many
     * as it counts are waited for, as the others would seem lost.
     */
    private void browseToTheEnd(
            final ClientSession session,
            final Consumer<? super StoredMessage<ClientMessage>> visitor)
            throws ActiveMQException {
        final long count = count(session);
        long passedOn = 0;
        try (ClientConsumer browser = session.createConsumer(SimpleString.of(name), null, true)) {
            while (true) {
                final ClientMessage next =
                        passedOn < count
                                ? browser.receive(READERS_PATIENCE_NS / 1_000_000)
                                : browser.receiveImmediate();
                if (next == null) {
                    break;
                }
                passedOn++;
                if (!isMark(next)) {
                    visitor.accept(stored(next));
                }
            }
        }
        if (passedOn < count) {
            throw channel.failed(
                    "the server passes on %d of the %s of the queue '%s'; see its log, or try again when it is less busy"
                            .formatted(passedOn, Plural.of(count, "message"), name),
                    null);
        }
    }

    /**
     * Waits until the server has put back what a subscriber that is gone had received, which it
     * does a moment after it knows of its end.
     */
    private void awaitReturned(final ClientSession session, final long startNs)
            throws ActiveMQException {
        final MutableLong found = new MutableLong();
        while (true) {
            final long count = count(session);
            found.set(0);
            browseAll(session, null, message -> found.increment());
            if (found.get() >= count) {
                return;
            }
            if (SystemNanoClock.INSTANCE.nanoTime() - startNs > READERS_PATIENCE_NS) {
                throw channel.failed(
                        ("the server passes on %d of the %s of the queue '%s': a subscriber that ended still has"
                                        + " the rest; wait until the server notices it, or give ?prefix=")
                                .formatted(found.get(), Plural.of(count, "message"), name),
                        null);
            }
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    /** Messages that a subscriber has received and not acknowledged count. */
    private long count(final ClientSession session) throws ActiveMQException {
        return session.queueQuery(SimpleString.of(name)).getMessageCount();
    }

    /** Passes on what no subscriber has; it stays in the queue. */
    private void browse(
            final ClientSession session,
            final SimpleString selection,
            final Consumer<? super StoredMessage<ClientMessage>> visitor)
            throws ActiveMQException {
        browseAll(
                session,
                selection,
                message -> {
                    if (!isMark(message)) {
                        visitor.accept(stored(message));
                    }
                });
    }

    /** Of messages of which the server may still have a part. */
    private interface Visitor {
        void accept(ClientMessage message) throws ActiveMQException;
    }

    private void browseAll(
            final ClientSession session, final SimpleString selection, final Visitor visitor)
            throws ActiveMQException {
        try (ClientConsumer browser =
                session.createConsumer(SimpleString.of(name), selection, true)) {
            ClientMessage next = browser.receiveImmediate();
            while (next != null) {
                visitor.accept(next);
                next = browser.receiveImmediate();
            }
        }
    }

    /**
     * The ordinal of the last message; -1 where there was none yet. Normally it is that of the
     * first plus how many follow; where some are with a subscriber, or are there twice, more of the
     * end is looked at. Where all are with a subscriber, that is asked.
     */
    long last(final ClientSession session) throws ActiveMQException {
        final long count = count(session);
        if (count == 0) {
            return -1;
        }
        final MutableLong last = new MutableLong(-1);
        final long first = first(session);
        for (long back = 1; last.get() < 0 && back <= 2 * count; back *= 2) {
            browse(
                    session,
                    from(Math.max(first, first + count - back)),
                    message -> last.set(Math.max(last.get(), message.ordinal())));
        }
        return last.get() < 0 ? askSubscriber(session) : last.get();
    }

    /** Puts a mark at the end of the queue, at which the subscriber reports what came before it. */
    private long askSubscriber(final ClientSession session) throws ActiveMQException {
        final ClientMessage mark = session.createMessage(false);
        mark.putBooleanProperty(MARK, true);
        final ClientMessage answer = ArtemisClient.ask(session, name, mark, ANSWER_TIMEOUT_MS);
        if (answer != null) {
            return answer.getLongProperty(ORDINAL);
        }
        throw channel.failed(
                ("the queue '%s' has a subscriber that takes nothing more, so its end is not known;"
                                + " end that one, or give ?prefix=")
                        .formatted(name),
                null);
    }

    static boolean isMark(final ClientMessage message) {
        return message.containsProperty(MARK);
    }

    /** A subscriber's answer to a mark; without a connection nobody waits for it. */
    static void answer(
            final ClientSession session, final ClientMessage mark, final long newestOrdinal) {
        final ClientMessage answer = session.createMessage(false);
        answer.putLongProperty(ORDINAL, newestOrdinal);
        try (ClientProducer producer = session.createProducer()) {
            producer.send(mark.getReplyTo(), answer);
            mark.individualAcknowledge();
        } catch (final ActiveMQException e) {
            return;
        }
    }

    private long first(final ClientSession session) throws ActiveMQException {
        try (ClientConsumer browser =
                session.createConsumer(SimpleString.of(name), from(0), true)) {
            final ClientMessage first = browser.receiveImmediate();
            return first == null ? 0 : Math.max(0, stored(first).ordinal());
        }
    }
}
