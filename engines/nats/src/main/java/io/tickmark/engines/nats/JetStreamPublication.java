package io.tickmark.engines.nats;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.Subscription;
import io.nats.client.api.MessageInfo;
import io.nats.client.impl.Headers;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.DurablePublication;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Publishes to a stream without waiting for its answers. The ordinal of a message is its sequence
 * in the stream less one: each carries an id and the sequence before it, so that when another
 * member takes over, all that is unacknowledged can be sent again in order, and is stored once.
 */
final class JetStreamPublication implements DurablePublication {
    private static final String MESSAGE_ID = "Nats-Msg-Id";
    private static final String LAST_SEQUENCE = "Nats-Expected-Last-Sequence";
    private static final Duration FLUSH = Duration.ofSeconds(2);
    private static final long CLOSE_PATIENCE_NS = 5_000_000_000L;
    private static final long NEVER = Long.MAX_VALUE;
    private static final long AGAIN_NS = 100_000_000;
    private static final int LOOK_EVERY = 16;
    private static final long LONGEST_LOOK_UP_NS = 2_000_000_000L;
    private static final JetStreamOptions LOOK_UP =
            JetStreamOptions.builder().requestTimeout(Duration.ofSeconds(2)).build();

    /** Members that agree on a new leader refuse for a moment, on a busy machine for a long one. */
    private static final long REFUSED_NS = 30_000_000_000L;

    private static final NanoClock CLOCK = SystemNanoClock.INSTANCE;

    private final NatsChannel channel;
    private final Connection connection;
    private final Breaks breaks;
    private final String stream;
    private final String subject;
    private final String answerPrefix;
    private final String idPrefix;
    private final Subscription answers;
    private final Flight flight;
    private final boolean sendsAgain;
    private final long ackTimeoutNs;
    private final long pendingLimit;
    private long resendFrom = Long.MAX_VALUE;
    private long resendAtNs;
    private long progressNs;
    private int takeovers;
    private long sentAgain;
    private long refusedSinceNs = NEVER;
    private int untilLook;
    private boolean isOutOfPlace;
    private String failure = "";
    private String refusal = "";
    private boolean closed;

    private JetStreamPublication(
            final NatsChannel channel,
            final Connection connection,
            final Breaks breaks,
            final Topic topic,
            final long stored) {
        this.channel = channel;
        this.connection = connection;
        this.breaks = breaks;
        final JetStreamParameters parameters = channel.parameters();
        stream = channel.stream(topic);
        subject = channel.storedSubject(topic);
        answerPrefix = connection.createInbox() + ".";
        idPrefix = answerPrefix.substring(answerPrefix.indexOf('.') + 1);
        answers = connection.subscribe(answerPrefix + "*");
        answers.setPendingLimits(-1, -1);
        flight = new Flight(parameters.maxFlight(), stored);
        sendsAgain = parameters.dedup();
        ackTimeoutNs = parameters.ackTimeout().toNanos();
        pendingLimit = channel.client().sendPendingBytes();
    }

    static JetStreamPublication open(final NatsChannel channel, final Topic topic) {
        final Breaks breaks = new Breaks(channel);
        final Connection connection = Connections.open(channel, breaks);
        try {
            final long stored =
                    Streams.ensure(channel, connection, topic).getStreamState().getLastSequence();
            return new JetStreamPublication(channel, connection, breaks, topic, stored);
        } catch (final IllegalStateException e) {
            Connections.close(connection); // it broke between two calls
            throw Connections.refused(channel, "the stream cannot be written to", e);
        } catch (final RuntimeException e) {
            Connections.close(connection);
            throw e;
        }
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length) {
        if (closed || !failure.isEmpty()) {
            return CLOSED;
        }
        if (length > channel.client().maxPayloadBytes()) {
            return TOO_LONG;
        }
        if (breaks.isLost() || !Connections.isConnected(connection)) {
            return NOT_CONNECTED;
        }
        if (--untilLook < 0) {
            doWork();
            if (connection.outgoingPendingBytes() >= pendingLimit) {
                return BACK_PRESSURED;
            }
            untilLook = length > pendingLimit / LOOK_EVERY ? 0 : LOOK_EVERY;
        }
        if (flight.isFull() || resendFrom != Long.MAX_VALUE) {
            untilLook = 0;
            return BACK_PRESSURED;
        }
        final byte[] payload = new byte[length];
        buffer.getBytes(offset, payload);
        final long ordinal = flight.next();
        if (!send(ordinal, payload)) {
            return NOT_CONNECTED;
        }
        if (flight.size() == 0) {
            progressNs = CLOCK.nanoTime();
        }
        flight.add(payload);
        return ordinal;
    }

    private boolean send(final long ordinal, final byte[] payload) {
        Headers headers = null;
        if (sendsAgain) {
            headers = new Headers();
            headers.put(MESSAGE_ID, idPrefix + ordinal);
            headers.put(LAST_SEQUENCE, Long.toString(ordinal));
        }
        try {
            connection.publish(subject, answerPrefix + ordinal, headers, payload);
            return true;
        } catch (final IllegalStateException e) {
            return false; // the connection ended meanwhile
        }
    }

    /** Takes in the answers, and sends again what was left without one. */
    @Override
    public int doWork() {
        if (closed || !failure.isEmpty() || breaks.isLost()) {
            return 0;
        }
        int work = 0;
        Message answer = nextAnswer();
        while (answer != null) {
            work++;
            onAnswer(answer);
            answer = nextAnswer();
        }
        if (flight.size() > 0 && Connections.isConnected(connection)) {
            lookForBreaks();
            work += resend();
        }
        return work;
    }

    private Message nextAnswer() {
        try {
            return answers.nextMessage((Duration) null);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (final IllegalStateException e) {
            return null; // the connection was closed
        }
    }

    private void onAnswer(final Message answer) {
        final long ordinal = Acknowledgement.ordinal(answer);
        final long sequence = Acknowledgement.sequence(answer);
        if (!flight.contains(ordinal)) {
            return; // of an earlier attempt
        }
        if (sequence == ordinal + 1) {
            if (flight.acknowledge(ordinal)) {
                progressed();
            }
        } else if (sequence > 0) {
            fail(
                    "message %d was stored as number %d: somebody else writes to this stream"
                            .formatted(ordinal, sequence - 1));
        } else if (sequence == Acknowledgement.NOBODY) {
            sendAgain("nobody takes messages for the stream", false);
        } else {
            final Acknowledgement.Reason reason = Acknowledgement.reason(answer);
            if (!reason.isOutOfPlace()) {
                refusal = "the server refuses messages: " + reason.text();
            }
            if (!reason.isOutOfPlace() || ordinal == flight.stable() + 1) {
                isOutOfPlace |= reason.isOutOfPlace();
                sendAgain(reason.text(), true);
            }
        }
    }

    private void progressed() {
        progressNs = CLOCK.nanoTime();
        refusedSinceNs = NEVER;
        refusal = "";
    }

    /** A stream without a leader gets one; what it refuses for long, it goes on refusing. */
    private void sendAgain(final String reason, final boolean isRefused) {
        if (!sendsAgain) {
            fail("a message was refused (" + reason + "), and with dedup=false none is sent again");
        } else if (resendFrom == Long.MAX_VALUE) {
            final long nowNs = CLOCK.nanoTime();
            if (isRefused && refusedSinceNs == NEVER) {
                refusedSinceNs = nowNs;
            } else if (isRefused && nowNs - refusedSinceNs > REFUSED_NS) {
                fail("the stream refuses message %d: %s".formatted(flight.stable() + 1, reason));
            }
            resendFrom = flight.stable() + 1;
            resendAtNs = nowNs + AGAIN_NS;
        }
    }

    private void lookForBreaks() {
        final int now = breaks.count();
        final long nowNs = CLOCK.nanoTime();
        final boolean broke = now != takeovers;
        if (broke || nowNs - progressNs > ackTimeoutNs) {
            takeovers = now;
            progressNs = nowNs;
            resendFrom = Long.MAX_VALUE;
            sendAgain(broke ? "the connection broke" : "no answer came in time", false);
        }
    }

    /**
     * The first message in flight is out of place: one before it is missing, it is there already
     * and its answer was lost, or somebody else has written. What the stream holds in its place
     * tells; a server knows ids again for a while only.
     */
    private void lookUp() {
        final long endNs = CLOCK.nanoTime() + LONGEST_LOOK_UP_NS;
        try {
            final JetStreamManagement management = connection.jetStreamManagement(LOOK_UP);
            while (flight.size() > 0 && failure.isEmpty() && CLOCK.nanoTime() - endNs < 0) {
                onHeld(flight.stable() + 1, management.getMessage(stream, flight.stable() + 2));
            }
        } catch (final IOException | JetStreamApiException | IllegalStateException e) {
            // not there, or no leader yet: it is sent again, and may be refused again
        }
    }

    private void onHeld(final long ordinal, final MessageInfo held) {
        final Headers headers = held.getHeaders();
        final String id = headers == null ? null : headers.getFirst(MESSAGE_ID);
        if ((idPrefix + ordinal).equals(id)) {
            flight.acknowledge(ordinal);
            progressed();
        } else {
            fail(
                    "message %d of the stream is not ours: somebody else writes to it"
                            .formatted(ordinal));
        }
    }

    private int resend() {
        if (resendFrom == Long.MAX_VALUE || CLOCK.nanoTime() - resendAtNs < 0) {
            return 0;
        }
        if (isOutOfPlace) {
            isOutOfPlace = false;
            lookUp();
        }
        int sent = 0;
        long ordinal = Math.max(resendFrom, flight.stable() + 1);
        while (ordinal < flight.next() && connection.outgoingPendingBytes() < pendingLimit) {
            final byte[] payload = flight.payload(ordinal);
            if (payload != null) {
                if (!send(ordinal, payload)) {
                    break;
                }
                sent++;
            }
            ordinal++;
        }
        sentAgain += sent;
        resendFrom = ordinal == flight.next() ? Long.MAX_VALUE : ordinal;
        return sent;
    }

    private void fail(final String reason) {
        failure = reason;
    }

    @Override
    public long nextOrdinal() {
        return flight.next();
    }

    @Override
    public long stablePosition() {
        return flight.stable();
    }

    @Override
    public boolean isLost() {
        return failure.isEmpty() && breaks.isLost();
    }

    @Override
    public String failure() {
        return failure;
    }

    @Override
    public String trouble() {
        return failure.isEmpty() ? refusal : failure;
    }

    @Override
    public int subscriberCount() {
        return UNKNOWN_COUNT;
    }

    @Override
    public ChannelUri channel() {
        return channel.uri();
    }

    @Override
    public Map<String, Object> facts() {
        final Map<String, Object> facts = StoredFacts.of(channel, connection);
        facts.put("sentAgain", sentAgain);
        if (!failure.isEmpty()) {
            facts.put("failure", failure);
        }
        return facts;
    }

    /** Waits a little for answers that are on their way, where they are not refusals. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        Connections.flush(connection, FLUSH);
        final long startNs = CLOCK.nanoTime();
        while (flight.size() > 0
                && trouble().isEmpty()
                && !breaks.isLost()
                && Connections.isConnected(connection)
                && CLOCK.nanoTime() - startNs < CLOSE_PATIENCE_NS
                && !Thread.currentThread().isInterrupted()) {
            if (doWork() == 0) {
                LockSupport.parkNanos(AGAIN_NS / 100);
            }
        }
        closed = true;
        Connections.close(connection);
    }
}
