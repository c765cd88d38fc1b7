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
import io.nats.client.StreamContext;
import io.nats.client.Subscription;
import io.nats.client.api.ServerInfo;
import io.nats.client.impl.Headers;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.broker.BoundedClose;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerPublication;
import io.tickmark.transport.broker.BrokerSubscription;
import io.tickmark.transport.broker.BrokerTransport;
import io.tickmark.transport.broker.Flight;
import io.tickmark.transport.broker.PullSubscription;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.DirectBuffer;

/**
 * A connection to the servers of a channel, which is reconnected when a server returns, unless it
 * is {@link #once} only.
 */
final class NatsLink implements BrokerTransport.Link {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration AGAIN = Duration.ofMillis(100);
    private static final int FOR_EVER = -1;

    /** Of the client: one reads the socket, one writes to it. */
    static final int CLIENT_THREADS = 2;

    /** Longest flush of an end that is closed, which does not wait for so long. */
    private static final Duration CLOSING = Duration.ofSeconds(5);

    /** Counters that the client's threads write are not read for every message. */
    static final int LOOK_EVERY = 16;

    /** Shorter ones than 16 bytes are limited in number. */
    private static final int MOST_UNWRITTEN = 1 << 22;

    private final BrokerChannel<?> channel;
    private final NatsParameters parameters;
    private final Connection connection;
    private final Flight unwritten;
    private long clientsOwn;
    private long seenReconnects;
    private int untilLook;
    private final EngineErrors errors =
            new EngineErrors(
                    "The NATS client reported an error: %s.",
                    "The NATS client reported %d errors, the first: %s.");

    NatsLink(final BrokerChannel<?> channel, final NatsParameters parameters) {
        this(channel, parameters, 0, FOR_EVER);
    }

    /**
     * A server counts the headers of a message with its payload.
     *
     * @param mostHeaderBytes of one message
     */
    private NatsLink(
            final BrokerChannel<?> channel,
            final NatsParameters parameters,
            final int mostHeaderBytes,
            final int mostReconnects) {
        this.channel = channel;
        this.parameters = parameters;
        final int pendingBytes = parameters.sendPendingBytes();
        unwritten = new Flight(Math.min(pendingBytes / 16, MOST_UNWRITTEN), pendingBytes);
        connection = connected(mostReconnects);
        final long most = connection.getMaxPayload();
        final long mostPayload = most - mostHeaderBytes;
        if (parameters.server().maxPayloadBytes() > mostPayload) {
            close();
            throw channel.wrong(
                    "the server takes messages of at most %d bytes%s; give ?maxPayloadBytes=%d or less"
                            .formatted(
                                    most,
                                    mostHeaderBytes == 0
                                            ? ""
                                            : ", of which headers need up to " + mostHeaderBytes,
                                    mostPayload));
        }
    }

    /** To the servers of a store. */
    NatsLink(final BrokerChannel<JetStreamParameters> channel) {
        this(channel, FOR_EVER);
    }

    private NatsLink(final BrokerChannel<JetStreamParameters> channel, final int mostReconnects) {
        this(
                channel,
                channel.parameters().client(),
                JetStreamPublication.mostHeaderBytes(channel.parameters()),
                mostReconnects);
    }

    /**
     * To the servers of a store, for as long as the first connection stands: once the client has
     * connected again, it writes what it had taken and not written before, even where what it had
     * written is gone.
     */
    static NatsLink once(final BrokerChannel<JetStreamParameters> channel) {
        return new NatsLink(channel, 0);
    }

    private Connection connected(final int mostReconnects) {
        final Options options =
                new Options.Builder()
                        .server(channel.authority())
                        .connectionName("tickmark")
                        .connectionTimeout(TIMEOUT)
                        .noRandomize()
                        .ignoreDiscoveredServers()
                        .maxReconnects(mostReconnects)
                        .reconnectDelayHandler(rounds -> AGAIN)
                        .reconnectBufferSize(0)
                        // the bytes are limited here, and not the messages
                        .maxMessagesInOutgoingQueue(0)
                        .subjectValidationType(Options.SubjectValidationType.None)
                        .connectionListener((of, event) -> {
                            if (event == ConnectionListener.Events.RECONNECTED) {
                                errors.mended();
                            } else if (event == ConnectionListener.Events.CONNECTED) {
                                errors.forgetBreak(); // other addresses refused: nothing broke
                            }
                        })
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
            throw channel.unanswered("NATS server", EngineErrors.said(e), e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw channel.failed("connecting was interrupted", e);
        }
    }

    /** On threads of the client; what a slow subscriber drops is counted by its subscription. */
    private final class ClientErrors implements ErrorListener {
        @Override
        public void errorOccurred(final Connection of, final String error) {
            errors.add(error);
        }

        @Override
        public void exceptionOccurred(final Connection of, final Exception error) {
            if (error instanceof IOException) { // also where an attempt to connect again failed
                errors.broke(EngineErrors.said(error));
            } else {
                errors.add(error);
            }
        }
    }

    @Override
    public Optional<String> errors() {
        return errors.sentence();
    }

    Connection connection() {
        return connection;
    }

    /**
     * Whether the client may be given a message: those that it was given and has not written are
     * limited in bytes. Its own figure of them cannot be asked for: that waits for a lock which the
     * client holds while it writes, and so as long as a server stands still. What it has written it
     * counts without a lock, and its own messages to the server (pings, subscriptions) with the
     * others. One thread.
     */
    boolean hasRoom(final int length) {
        if (--untilLook < 0 || !unwritten.hasRoom(length)) {
            untilLook = LOOK_EVERY;
            final long written = connection.getStatistics().getOutMsgs();
            final boolean broke = seenReconnects != reconnects();
            seenReconnects = reconnects();
            // what the client began to write is gone, and it counts as if the rest were
            unwritten.answerUpTo(broke ? Long.MAX_VALUE : written - clientsOwn);
            if (unwritten.isEmpty()) {
                clientsOwn = written - unwritten.answered();
            }
        }
        return unwritten.hasRoom(length);
    }

    /**
     * Gives the client a message, which its own thread writes.
     *
     * @param replyTo where it is to be answered; may be null, as may the headers
     * @return false where the connection has ended
     */
    boolean isGiven(
            final String subject,
            final String replyTo,
            final Headers headers,
            final byte[] payload) {
        try {
            connection.publish(subject, replyTo, headers, payload);
            unwritten.add(payload.length);
            return true;
        } catch (final IllegalStateException e) {
            return false;
        }
    }

    /** How often the client connected again. */
    long reconnects() {
        return connection.getStatistics().getReconnects();
    }

    @Override
    public boolean isServed() {
        return connection.getStatus() == Connection.Status.CONNECTED;
    }

    /**
     * Waits until the server has read everything that was sent; the server may be gone.
     *
     * @return whether it has
     */
    boolean flush(final Duration timeout) {
        try {
            if (isServed()) {
                connection.flush(timeout);
                return true;
            }
        } catch (final java.util.concurrent.TimeoutException | IllegalStateException e) {
            // It is gone: nothing to wait for.
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    /** The same before an end is closed: ends that are closed together share their patience. */
    boolean flushToClose() {
        final AtomicBoolean isRead = new AtomicBoolean();
        BoundedClose.of(() -> isRead.set(flush(CLOSING)));
        return isRead.get();
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

    StreamContext stream(final String name) throws IOException, JetStreamApiException {
        return connection.getStreamContext(name, Streams.OPTIONS);
    }

    @Override
    public boolean isCount(final String fact) {
        return fact.equals("reconnects");
    }

    @Override
    public Map<String, Object> facts() {
        final ServerInfo info = connection.getServerInfo();
        return Map.of(
                "server", "nats-server " + (info == null ? "that is gone" : info.getVersion()),
                "serverStartedHere", channel.startsServers(),
                "sendPendingBytes", parameters.sendPendingBytes(),
                "reconnects", reconnects());
    }

    /** The next message of a subscription; null where none arrives in time, 0 for at once. */
    static Message next(final Subscription subscription, final long timeoutNs) {
        try {
            return subscription.nextMessage(waiting(timeoutNs));
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (final IllegalStateException e) {
            return null; // the connection was closed
        }
    }

    /** As the client takes it, for which zero is for ever. */
    static Duration waiting(final long timeoutNs) {
        return timeoutNs == 0 ? null : Duration.ofNanos(timeoutNs);
    }

    @Override
    public BrokerPublication publication(final String subject) {
        return new Sender(subject);
    }

    @Override
    public BrokerSubscription subscription(final String subject) {
        return new Receiver(subject);
    }

    /** The client waits for its threads, one of which may be writing to a server that is silent. */
    @Override
    public void close() {
        BoundedClose.of(connection);
    }

    /** The client's queue, whose bytes are limited, gives the back-pressure. */
    private final class Sender extends BrokerPublication {
        private final String subject;

        Sender(final String subject) {
            super(channel, parameters.server().maxPayloadBytes());
            this.subject = subject;
        }

        @Override
        protected long send(final DirectBuffer buffer, final int offset, final int length) {
            if (!isServed()) {
                return NOT_CONNECTED;
            }
            if (!hasRoom(length)) {
                return BACK_PRESSURED;
            }
            return isGiven(subject, null, null, copy(buffer, offset, length)) ? 0 : NOT_CONNECTED;
        }

        @Override
        protected void release() {
            flushToClose();
        }
    }

    /** Polls the queue that the client's reading thread fills. */
    private final class Receiver extends PullSubscription<Message> {
        private final Subscription subscription;

        /** Messages published from now on are received: the server has read the subscription. */
        Receiver(final String subject) {
            super(channel);
            subscription = connection.subscribe(subject);
            subscription.setPendingLimits(-1, parameters.receivePendingBytes());
            flush(TIMEOUT);
        }

        @Override
        protected Message fetch(final long timeoutNs) {
            return NatsLink.next(subscription, timeoutNs);
        }

        @Override
        protected byte[] payload(final Message message) {
            return message.getData();
        }

        @Override
        public long lost() {
            return subscription.getDroppedCount();
        }

        @Override
        public boolean isCount(final String fact) {
            return fact.equals("droppedByClient") || super.isCount(fact);
        }

        @Override
        public Map<String, Object> facts() {
            final Map<String, Object> facts = super.facts();
            facts.put("droppedByClient", subscription.getDroppedCount());
            return facts;
        }
    }
}
