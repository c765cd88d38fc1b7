package io.tickmark.engines.rabbitmq;

import com.rabbitmq.stream.ConfirmationStatus;
import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Producer;
import com.rabbitmq.stream.StreamException;
import io.tickmark.kernel.result.CountSentence;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BoundedClose;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerPlainPublication;
import io.tickmark.transport.broker.BrokerPublication;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.broker.BrokerTransport;
import io.tickmark.transport.broker.LastingConnection;
import io.tickmark.transport.broker.Unanswered;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

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
    public boolean isCount(final String fact) {
        return fact.equals("reconnects");
    }

    @Override
    public Optional<String> errors() {
        return client.errors();
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
        private final LastingConnection.Opened<StreamClient, Producing> producing;

        Sender(final String name) {
            super(
                    channel,
                    channel.parameters().broker().maxPayloadBytes(),
                    channel.parameters().limits().flight(),
                    new EngineErrors(
                            "A message that the client had accepted was not confirmed: %s.",
                            "%d messages that the client had accepted were not confirmed, the first: %s."));
            producing = client.open((by, broken) -> produce(by, name, broken));
        }

        private Producing produce(final StreamClient by, final String name, final Runnable broken) {
            by.declare(name, true);
            final Unanswered unanswered = new Unanswered();
            try {
                return new Producing(
                        StreamClient.patiently(
                                listener -> by.producer(name).listeners(listener).build(),
                                () -> {
                                    fail(unanswered);
                                    broken.run();
                                }),
                        unanswered);
            } catch (final StreamException e) {
                throw by.refused("the stream '%s' accepts no producer".formatted(name), e);
            }
        }

        /** A producer and its messages. */
        private record Producing(Producer producer, Unanswered unanswered) {}

        private void onConfirmation(final Unanswered unanswered, final ConfirmationStatus status) {
            if (unanswered.takeOff()) {
                answer();
                if (!status.isConfirmed()) {
                    failed("code %d of the server or its client".formatted(status.getCode()));
                }
            }
        }

        /** The client confirms nothing of a connection that it closed. */
        private void fail(final Unanswered unanswered) {
            for (int left = unanswered.end(); left > 0; left--) {
                answer();
                failed("the connection, or the stream, ended before");
            }
        }

        /** One thread at a time. */
        private synchronized void answer() {
            answered();
        }

        @Override
        protected long send(final byte[] message) {
            final Producing newest = producing.get();
            final Producer by = newest.producer();
            final Unanswered unanswered = newest.unanswered();
            if (!unanswered.add()) {
                return NOT_CONNECTED;
            }
            try {
                by.send(
                        by.messageBuilder().addData(message).build(),
                        status -> onConfirmation(unanswered, status));
                return 0;
            } catch (final IllegalArgumentException e) {
                if (!unanswered.takeOff()) {
                    return 0;
                }
                notTaken("A message was refused: %s.".formatted(StreamClient.tooLong(e)));
                return TOO_LONG;
            } catch (final StreamException e) {
                if (!unanswered.takeOff()) {
                    return 0;
                }
                notTaken( // it has ended
                        "A message was refused: %s; see the server's log."
                                .formatted(EngineErrors.said(e)));
                return CLOSED;
            }
        }

        @Override
        protected void end() {
            client.forget(producing);
            BoundedClose.of(producing.get().producer());
            fail(producing.get().unanswered());
        }
    }

    /** Offsets between two messages that were received one after the other. */
    private record Gap(long from, long to) {
        long before(final long offset) {
            return Math.clamp(offset - from, 0, to - from);
        }
    }

    private final class Receiver extends BrokerSubscription {
        private static final long LOOK_NS = 200_000_000;

        private final StreamReader reader;
        private final LastingConnection.Opened<StreamClient, Consumer> consumer;
        private long next = -1;
        private final String name;
        private final AtomicLong deleted = new AtomicLong();
        private final Queue<Gap> gaps = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean isLooking = new AtomicBoolean();
        private final EngineErrors notLooked =
                new EngineErrors(
                        "Whether the server had deleted messages before they were read is not known: %s.",
                        "Whether the server had deleted messages before they were read is not known in %d cases, the first: %s.");

        /** Messages published from now on are received: the server has answered. */
        Receiver(final String name, final StreamReader reader) {
            super(channel, reader.inbox());
            this.name = name;
            this.reader = reader;
            consumer =
                    client.open((by, broken) -> {
                        by.declare(name, true);
                        return reader.open(by, name, broken);
                    });
        }

        @Override
        protected byte[] next() {
            final StreamReader.StreamEntry entry = reader.next();
            if (entry == null) {
                return null;
            }
            if (next >= 0 && entry.offset() > next) {
                lookForDeleted(next, entry.offset());
            }
            next = entry.offset() + 1;
            return entry.body();
        }

        /**
         * Offsets that other consumers store in the stream take offsets of it, so that a gap alone
         * does not show that messages were deleted: a thread of its own looks where the stream
         * begins now.
         */
        private void lookForDeleted(final long from, final long to) {
            gaps.add(new Gap(from, to));
            lookIfNobodyDoes();
        }

        private void lookIfNobodyDoes() {
            if (!gaps.isEmpty() && isLooking.compareAndSet(false, true)) {
                Thread.ofVirtual().start(this::look);
            }
        }

        private void look() {
            try {
                while (!gaps.isEmpty()) {
                    final List<Gap> seen = List.copyOf(gaps);
                    try {
                        final long first = client.get().firstOffset(name);
                        seen.forEach(gap -> deleted.addAndGet(gap.before(first)));
                    } catch (final RuntimeException e) {
                        notLooked.add(e); // also that the client is closed, as its connection broke
                    }
                    gaps.removeAll(seen);
                    LockSupport.parkNanos(LOOK_NS); // it may see many of them
                }
            } finally {
                isLooking.set(false);
            }
            lookIfNobodyDoes(); // one may have come just now
        }

        @Override
        public long lost() {
            return super.lost() + deleted.get();
        }

        @Override
        public Optional<String> engineErrors() {
            return EngineErrors.together(
                    super.engineErrors(),
                    deleted.get() == 0
                            ? Optional.empty()
                            : Optional.of(
                                    CountSentence.of(
                                            "The server had deleted %d {message before it was|messages before they were} read;"
                                                    + " give a larger ?keepBytes=.",
                                            deleted.get())),
                    gaps.isEmpty()
                            ? Optional.empty()
                            : Optional.of(
                                    "Whether the server had deleted messages before the last ones were read was not known when"
                                            + " this was noted: it had not answered yet."),
                    notLooked.sentence());
        }

        @Override
        public Map<String, Object> facts() {
            final Map<String, Object> facts = super.facts();
            facts.put("deletedUnread", deleted.get());
            return facts;
        }

        @Override
        public boolean isCount(final String fact) {
            return fact.equals("deletedUnread") || super.isCount(fact);
        }

        @Override
        protected void release() {
            client.forget(consumer);
            BoundedClose.of(consumer.get());
        }
    }
}
