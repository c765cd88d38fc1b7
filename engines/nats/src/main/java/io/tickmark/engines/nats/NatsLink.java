package io.tickmark.engines.nats;

import io.nats.client.AuthenticationException;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.ErrorListener;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.Subscription;
import io.nats.client.api.ServerInfo;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerPublication;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.broker.BrokerTransport;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.agrona.DirectBuffer;

/** A connection to the servers of a channel, which is reconnected when a server returns. */
final class NatsLink implements BrokerTransport.Link {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration AGAIN = Duration.ofMillis(100);

    /** Counters that the client's threads write are not read for every message. */
    static final int LOOK_EVERY = 16;

    private final BrokerChannel<?> channel;
    private final NatsParameters parameters;
    private final Connection connection;
    private final Outgoing outgoing = new Outgoing();
    private final EngineErrors errors =
            new EngineErrors(
                    "The NATS client reported an error: %s.",
                    "The NATS client reported %d errors, the first: %s.");

    /**
     * Notifies a listener when the connection breaks and is restored, on a thread of the client.
     */
    NatsLink(
            final BrokerChannel<?> channel,
            final NatsParameters parameters,
            final ConnectionListener listener) {
        this.channel = channel;
        this.parameters = parameters;
        connection = connected(listener);
        final long most = connection.getMaxPayload();
        if (parameters.maxPayloadBytes() > most) {
            close();
            throw channel.wrong(
                    "the server takes messages of at most %d bytes; give ?maxPayloadBytes=%d or less"
                            .formatted(most, most));
        }
    }

    /** To the servers of a store. */
    NatsLink(final BrokerChannel<JetStreamParameters> channel) {
        this(channel, channel.parameters().client(), (connection, event) -> {});
    }

    private Connection connected(final ConnectionListener listener) {
        final Options options =
                new Options.Builder()
                        .servers(
                                channel.addresses().stream()
                                        .map(HostPort::authority)
                                        .map("nats://"::concat)
                                        .toArray(String[]::new))
                        .connectionName("tickmark")
                        .connectionTimeout(TIMEOUT)
                        .noRandomize()
                        .ignoreDiscoveredServers()
                        .maxReconnects(-1)
                        .reconnectDelayHandler(rounds -> AGAIN)
                        .reconnectBufferSize(0)
                        // We limit the bytes; the queue itself accepts everything within that
                        // limit.
                        .maxMessagesInOutgoingQueue(0)
                        .subjectValidationType(Options.SubjectValidationType.None)
                        .connectionListener(listener)
                        .errorListener(new ClientErrors())
                        .build();
        try {
            return Nats.connect(options);
        } catch (final AuthenticationException e) {
            throw channel.failed(
                    ("the server asks for credentials, which cannot be given here (%s); use one without, or let it be"
                                    + " started with ?start")
                            .formatted(EngineErrors.said(e)),
                    e);
        } catch (final IOException e) {
            throw channel.failed(
                    "no NATS server answers there (%s); start one, or let it be started with ?start"
                            .formatted(EngineErrors.said(e)),
                    e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw channel.failed("connecting was interrupted", e);
        }
    }

    /**
     * On threads of the client; messages dropped by a slow consumer are counted by its
     * subscription.
     */
    private final class ClientErrors implements ErrorListener {
        @Override
        public void errorOccurred(final Connection of, final String error) {
            errors.add(error);
        }

        @Override
        public void exceptionOccurred(final Connection of, final Exception error) {
            errors.add(error);
        }

        @Override
        public void messageDiscarded(final Connection of, final Message message) {
            errors.add("a message was discarded before it was sent");
        }
    }

    Optional<String> errors() {
        return errors.sentence();
    }

    Connection connection() {
        return connection;
    }

    /**
     * The messages that the client was given and has not written yet. Its own figure of them cannot
     * be asked for: that waits for a lock which the client holds while it writes, and so as long as
     * a server stands still. What it has written it counts without a lock, and its own messages to
     * the server (pings, subscriptions) with the others. One thread.
     */
    static final class Outgoing {
        private long given;
        private long seenReconnects;

        /** Messages given until the second of the two lengths began. */
        private long turn;

        private int longestBeforeTurn;
        private int longestSinceTurn;

        void gave(final int length) {
            given++;
            longestSinceTurn = Math.max(longestSinceTurn, length);
        }

        /**
         * At most so many bytes wait. A long message counts until everything is written that was
         * given before the look at which it was found.
         *
         * @param written messages, as the client counts them
         * @param reconnects of the client, which keeps nothing beyond one
         */
        long mostBytes(final long written, final long reconnects) {
            if (given <= written || reconnects != seenReconnects) {
                seenReconnects = reconnects;
                given = written;
                turn = written;
                longestBeforeTurn = 0;
                longestSinceTurn = 0;
                return 0;
            }
            if (written >= turn) {
                turn = given;
                longestBeforeTurn = longestSinceTurn;
                longestSinceTurn = 0;
            }
            return (given - written) * Math.max(longestBeforeTurn, longestSinceTurn);
        }
    }

    /** The client was given a message to send. */
    void gave(final int length) {
        outgoing.gave(length);
    }

    /** At most so many bytes of messages wait in the client, those in its send buffer apart. */
    long waitingBytes() {
        return outgoing.mostBytes(
                connection.getStatistics().getOutMsgs(),
                connection.getStatistics().getReconnects());
    }

    boolean isConnected() {
        return connection.getStatus() == Connection.Status.CONNECTED;
    }

    /** Waits until the server has read everything that was sent; the server may be gone. */
    void flush(final Duration timeout) {
        try {
            if (isConnected()) {
                connection.flush(timeout);
            }
        } catch (final java.util.concurrent.TimeoutException | IllegalStateException e) {
            // It is gone: nothing to wait for.
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * A request to the servers.
     *
     * @param <T> the answer
     */
    @FunctionalInterface
    interface Request<T> {
        T make(NatsLink by) throws IOException, JetStreamApiException;
    }

    /** The answer to a request; one that fails is a sentence, also where the connection broke. */
    <T> T ask(final String refused, final Request<T> request) {
        try {
            return request.make(this);
        } catch (final IOException | JetStreamApiException | IllegalStateException e) {
            throw channel.failed(refused + ": " + EngineErrors.said(e), e);
        }
    }

    /** An end that closes this connection; where it cannot be opened, this is closed at once. */
    <T> T open(final String refused, final Request<T> opening) {
        try {
            return ask(refused, opening);
        } catch (final RuntimeException e) {
            close();
            throw e;
        }
    }

    JetStreamManagement management() throws IOException {
        return connection.jetStreamManagement(Streams.OPTIONS);
    }

    /** What both ends of a channel report about it. */
    Map<String, Object> facts() {
        final ServerInfo info = connection.getServerInfo();
        return new TreeMap<>(
                Map.of(
                        "server",
                                "nats-server "
                                        + (info == null ? "that is gone" : info.getVersion()),
                        "serverStartedHere", channel.startsServers(),
                        "sendPendingBytes", parameters.sendPendingBytes(),
                        "reconnects", connection.getStatistics().getReconnects()));
    }

    /** The next message of a subscription; null where none arrives in time. */
    static Message next(final Subscription subscription, final Duration timeout) {
        try {
            return subscription.nextMessage(timeout);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (final IllegalStateException e) {
            return null; // the connection was closed
        }
    }

    @Override
    public BrokerPublication publication(final String subject) {
        return new Sender(subject);
    }

    @Override
    public BrokerSubscription subscription(final String subject) {
        return new Receiver(subject);
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * The client's own thread writes what it finds in its queue; the limit of that queue gives the
     * back-pressure.
     */
    private final class Sender extends BrokerPublication {
        private static final Duration FLUSH = Duration.ofSeconds(2);

        private final String subject;
        private final long pendingLimit = parameters.sendPendingBytes();
        private int untilLook;

        Sender(final String subject) {
            super(channel, parameters.maxPayloadBytes());
            this.subject = subject;
        }

        @Override
        protected long send(final DirectBuffer buffer, final int offset, final int length) {
            if (!isConnected()) {
                return NOT_CONNECTED;
            }
            if (--untilLook < 0) {
                if (waitingBytes() >= pendingLimit) {
                    return BACK_PRESSURED;
                }
                untilLook = length > pendingLimit / LOOK_EVERY ? 0 : LOOK_EVERY;
            }
            final byte[] copy = copy(buffer, offset, length);
            try {
                connection.publish(subject, copy);
                gave(length);
                return 0;
            } catch (final IllegalStateException e) {
                return NOT_CONNECTED; // it ended between the check and the call
            }
        }

        @Override
        public Optional<String> engineErrors() {
            return errors();
        }

        @Override
        public Map<String, Object> facts() {
            return NatsLink.this.facts();
        }

        @Override
        protected void release() {
            NatsLink.this.flush(FLUSH);
        }
    }

    /** Polls the queue that the client's reading thread fills. */
    private final class Receiver extends BrokerSubscription {
        private final Subscription subscription;
        private Message ahead;

        /** Messages published from now on are received: the server has read the subscription. */
        Receiver(final String subject) {
            super(channel);
            subscription = connection.subscribe(subject);
            subscription.setPendingLimits(-1, parameters.receivePendingBytes());
            flush(TIMEOUT);
        }

        @Override
        protected byte[] next() {
            final Message message = ahead == null ? NatsLink.next(subscription, null) : ahead;
            ahead = null;
            return message == null ? null : message.getData();
        }

        @Override
        public boolean wakesOnArrival() {
            return true;
        }

        @Override
        protected void waitForNext(final long timeoutNs) {
            if (ahead == null) {
                ahead = NatsLink.next(subscription, Duration.ofNanos(timeoutNs));
            }
        }

        @Override
        protected boolean isServed() {
            return NatsLink.this.isConnected();
        }

        @Override
        public long lost() {
            return subscription.getDroppedCount();
        }

        @Override
        public Optional<String> engineErrors() {
            return errors();
        }

        @Override
        public Map<String, Object> facts() {
            final Map<String, Object> facts = NatsLink.this.facts();
            facts.put("droppedByClient", subscription.getDroppedCount());
            return facts;
        }

        /** Its connection is closed after it. */
        @Override
        protected void release() {}
    }
}
