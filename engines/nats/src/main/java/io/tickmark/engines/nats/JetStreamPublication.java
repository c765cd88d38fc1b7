package io.tickmark.engines.nats;

import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.Subscription;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.PublishAck;
import io.nats.client.impl.Headers;
import io.tickmark.transport.EngineErrors;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.BrokerChannel;
import io.tickmark.transport.broker.BrokerDurablePublication;
import io.tickmark.transport.broker.Flight;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Publishes to a stream without waiting for its answers. The ordinal of a message is its sequence
 * in the stream less one: each carries an id and the sequence before it, so that when another
 * member takes over, all unacknowledged messages can be resent in order, and are stored once.
 */
final class JetStreamPublication extends BrokerDurablePublication {
    private static final String MESSAGE_ID = "Nats-Msg-Id";
    private static final String LAST_SEQUENCE = "Nats-Expected-Last-Sequence";
    private static final Duration FLUSH = Duration.ofSeconds(2);
    private static final long NEVER = Long.MAX_VALUE;

    /** Where to send again from, if nothing is to be sent again. */
    private static final long NOWHERE = Long.MAX_VALUE;

    private static final long AGAIN_NS = 100_000_000;
    private static final long LONGEST_LOOK_UP_NS = 2_000_000_000L;
    private static final JetStreamOptions LOOK_UP =
            JetStreamOptions.builder().requestTimeout(Duration.ofSeconds(2)).build();

    /**
     * Members that elect a new leader refuse messages for a moment, on a busy machine for longer.
     */
    private static final long REFUSED_NS = 30_000_000_000L;

    private static final NanoClock CLOCK = SystemNanoClock.INSTANCE;

    private final BrokerChannel<JetStreamParameters> channel;
    private final NatsLink link;
    private final Connection connection;
    private final Breaks breaks;
    private final String stream;
    private final String subject;
    private final String answerPrefix;
    private final String idPrefix;
    private final Subscription answers;
    private final Flight flight;

    /** By ordinal; null once one is acknowledged. */
    private final byte[][] payloads;

    private final boolean sendsAgain;
    private final long ackTimeoutNs;
    private final long pendingLimit;
    private long resendFrom = NOWHERE;
    private long resendAtNs;
    private long progressNs;
    private int takeovers;
    private long sentAgain;
    private long refusedSinceNs = NEVER;
    private int untilLook;
    private boolean isOutOfPlace;
    private String refusal = "";

    private JetStreamPublication(
            final BrokerChannel<JetStreamParameters> channel,
            final NatsLink link,
            final Breaks breaks,
            final Topic topic,
            final Flight flight,
            final long stored) {
        super(channel, channel.parameters().client().maxPayloadBytes(), flight, stored);
        this.channel = channel;
        this.link = link;
        this.breaks = breaks;
        connection = link.connection();
        final JetStreamParameters parameters = channel.parameters();
        stream = Streams.name(channel, topic);
        subject = Streams.subject(channel, topic);
        answerPrefix = connection.createInbox() + ".";
        idPrefix = answerPrefix.substring(answerPrefix.indexOf('.') + 1);
        answers = connection.subscribe(answerPrefix + "*");
        answers.setPendingLimits(-1, -1);
        this.flight = flight;
        payloads = new byte[BitUtil.findNextPositivePowerOfTwo(parameters.maxFlight())][];
        sendsAgain = parameters.dedup();
        ackTimeoutNs = parameters.ackTimeout().toNanos();
        pendingLimit = parameters.client().sendPendingBytes();
    }

    static JetStreamPublication open(
            final BrokerChannel<JetStreamParameters> channel, final Topic topic) {
        final Breaks breaks = new Breaks(channel.parameters().replicas() > 1);
        return new NatsLink(channel, channel.parameters().client(), breaks)
                .open(
                        "the stream cannot be written to",
                        link ->
                                new JetStreamPublication(
                                        channel,
                                        link,
                                        breaks,
                                        topic,
                                        new Flight(
                                                channel.parameters().maxFlight(), Long.MAX_VALUE),
                                        Streams.ensure(channel, link, topic)
                                                .getStreamState()
                                                .getLastSequence()));
    }

    @Override
    protected boolean isServed() {
        return !breaks.isLost();
    }

    @Override
    protected long mayStore(final int length) {
        if (!link.isConnected()) {
            return NOT_CONNECTED;
        }
        if (--untilLook < 0) {
            doWork();
            if (link.waitingBytes() >= pendingLimit) {
                return BACK_PRESSURED;
            }
            untilLook = length > pendingLimit / NatsLink.LOOK_EVERY ? 0 : NatsLink.LOOK_EVERY;
        }
        if (resendFrom != NOWHERE || !flight.hasRoom(length)) {
            untilLook = 0;
            return BACK_PRESSURED;
        }
        return 0;
    }

    /** What the client does not take because the connection broke stays in flight. */
    @Override
    protected boolean store(
            final DirectBuffer buffer, final int offset, final int length, final long ordinal) {
        if (ordinal == stablePosition() + 1) {
            progressNs = CLOCK.nanoTime();
        }
        payloads[place(ordinal)] = copy(buffer, offset, length);
        isSent(ordinal);
        return true;
    }

    private int place(final long ordinal) {
        return (int) ordinal & payloads.length - 1;
    }

    private boolean isSent(final long ordinal) {
        final byte[] payload = payloads[place(ordinal)];
        Headers headers = null;
        if (sendsAgain) {
            headers = new Headers();
            headers.put(MESSAGE_ID, idPrefix + ordinal);
            headers.put(LAST_SEQUENCE, Long.toString(ordinal));
        }
        try {
            connection.publish(subject, answerPrefix + ordinal, headers, payload);
            link.gave(payload.length);
            return true;
        } catch (final IllegalStateException e) {
            return false; // the connection ended meanwhile
        }
    }

    /** Handles the answers, and resends messages without one. */
    @Override
    public int doWork() {
        if (hasFailed() || breaks.isLost()) {
            return 0;
        }
        int work = 0;
        Message answer = NatsLink.next(answers, null);
        while (answer != null) {
            work++;
            onAnswer(answer);
            answer = NatsLink.next(answers, null);
        }
        if (!flight.isEmpty() && link.isConnected()) {
            lookForBreaks();
            work += resend();
        }
        return work;
    }

    private void onAnswer(final Message answer) {
        final long ordinal = Acknowledgement.ordinal(answer);
        final long sequence = Acknowledgement.sequence(answer);
        if (ordinal <= stablePosition() || payloads[place(ordinal)] == null) {
            return; // of an earlier attempt
        }
        if (sequence == ordinal + 1) {
            acknowledged(ordinal);
        } else if (sequence > 0) {
            fail(
                    "message %d was stored as number %d: another program writes to this stream"
                            .formatted(ordinal, sequence - 1));
        } else if (sequence == Acknowledgement.NOBODY) {
            sendAgain("no server accepts messages for the stream", false);
        } else {
            final Acknowledgement.Reason reason = Acknowledgement.reason(answer);
            if (!reason.isOutOfPlace()) {
                refusal = "the server refuses messages: " + reason.advised();
            }
            if (!reason.isOutOfPlace() || ordinal == stablePosition() + 1) {
                isOutOfPlace |= reason.isOutOfPlace();
                sendAgain(reason.advised(), true);
            }
        }
    }

    private void acknowledged(final long ordinal) {
        payloads[place(ordinal)] = null;
        if (storedByItself(ordinal)) {
            progressNs = CLOCK.nanoTime();
            refusedSinceNs = NEVER;
            refusal = "";
        }
    }

    /**
     * A stream without a leader gets one; a message that is refused for long will always be
     * refused.
     */
    private void sendAgain(final String reason, final boolean isRefused) {
        if (!sendsAgain) {
            fail("a message was refused (" + reason + "), and with dedup=false none is sent again");
        } else if (resendFrom == NOWHERE) {
            final long nowNs = CLOCK.nanoTime();
            if (isRefused && refusedSinceNs == NEVER) {
                refusedSinceNs = nowNs;
            } else if (isRefused && nowNs - refusedSinceNs > REFUSED_NS) {
                fail("the stream refuses message %d: %s".formatted(stablePosition() + 1, reason));
            }
            resendFrom = stablePosition() + 1;
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
            resendFrom = NOWHERE;
            sendAgain(broke ? "the connection broke" : "no answer came in time", false);
        }
    }

    /**
     * The first message in flight has the wrong position: one before it is missing, it is already
     * stored and its answer was lost, or another client has written. The message that the stream
     * has at its position decides; a server recognises ids only for a while.
     */
    private void lookUp() {
        final long endNs = CLOCK.nanoTime() + LONGEST_LOOK_UP_NS;
        try {
            final JetStreamManagement management = connection.jetStreamManagement(LOOK_UP);
            while (!flight.isEmpty() && !hasFailed() && CLOCK.nanoTime() - endNs < 0) {
                final long ordinal = stablePosition() + 1;
                onHeld(ordinal, management.getMessage(stream, ordinal + 1));
            }
        } catch (final IOException | JetStreamApiException | IllegalStateException e) {
            // not stored, or no leader yet: it is resent, and may be refused again
        }
    }

    private void onHeld(final long ordinal, final MessageInfo held) {
        final Headers headers = held.getHeaders();
        final String id = headers == null ? null : headers.getFirst(MESSAGE_ID);
        if ((idPrefix + ordinal).equals(id)) {
            acknowledged(ordinal);
        } else {
            fail(
                    "message %d of the stream is not ours: another program writes to it"
                            .formatted(ordinal));
        }
    }

    private int resend() {
        if (resendFrom == NOWHERE || CLOCK.nanoTime() - resendAtNs < 0) {
            return 0;
        }
        if (isOutOfPlace) {
            isOutOfPlace = false;
            lookUp();
        }
        int sent = 0;
        long ordinal = Math.max(resendFrom, stablePosition() + 1);
        while (ordinal < nextOrdinal() && link.waitingBytes() < pendingLimit) {
            if (payloads[place(ordinal)] != null) {
                if (!isSent(ordinal)) {
                    break;
                }
                sent++;
            }
            ordinal++;
        }
        sentAgain += sent;
        resendFrom = ordinal == nextOrdinal() ? NOWHERE : ordinal;
        return sent;
    }

    private void fail(final String reason) {
        fail(reason, true);
    }

    @Override
    public String trouble() {
        return hasFailed() ? failure() : refusal;
    }

    @Override
    public Optional<String> engineErrors() {
        return link.errors();
    }

    @Override
    protected Map<String, Object> engineFacts() {
        final Map<String, Object> facts = JetStreamTransport.facts(channel, link);
        facts.put("sentAgain", sentAgain);
        return facts;
    }

    @Override
    protected void finish() {
        link.flush(FLUSH);
    }

    /** Not where they are refused. */
    @Override
    protected boolean mayBeAnswered() {
        doWork();
        return trouble().isEmpty() && isServed() && link.isConnected();
    }

    @Override
    protected void end() {
        link.close();
    }

    /** Reads a server's answer to a message to be stored. */
    private static final class Acknowledgement {
        /** The message was not accepted: the stream has no leader, or JetStream is not ready. */
        static final long NOBODY = -1;

        /** Refused; {@link #reason} says why. */
        static final long REFUSED = -2;

        private static final String SEQUENCE = "\"seq\":";
        private static final String ERROR = "{\"error\"";

        private Acknowledgement() {}

        /** The message's sequence in the stream, from 1, or a negative code. */
        static long sequence(final Message answer) {
            if (answer.isStatusMessage()) {
                return NOBODY;
            }
            final String json = new String(answer.getData(), StandardCharsets.US_ASCII);
            final int at = json.indexOf(SEQUENCE);
            if (at < 0 || json.startsWith(ERROR)) {
                return REFUSED;
            }
            long value = 0;
            for (int i = at + SEQUENCE.length(); i < json.length(); i++) {
                final int digit = json.charAt(i) - '0';
                if (digit >= 0 && digit <= 9) {
                    value = value * 10 + digit;
                } else if (value > 0) {
                    break;
                }
            }
            return value > 0 ? value : REFUSED;
        }

        /** Which message it answers: the last token of its subject. */
        static long ordinal(final Message answer) {
            final String subject = answer.getSubject();
            return Long.parseLong(subject, subject.lastIndexOf('.') + 1, subject.length(), 10);
        }

        /** Why it was refused. */
        static Reason reason(final Message answer) {
            try {
                return new Reason(0, "an answer without a sequence: " + new PublishAck(answer));
            } catch (final JetStreamApiException e) {
                return new Reason(e.getApiErrorCode(), e.getErrorDescription());
            } catch (final IOException e) {
                return new Reason(0, EngineErrors.said(e));
            }
        }

        /**
         * Why a message was refused.
         *
         * @param code of JetStream
         * @param text of the reason
         */
        record Reason(int code, String text) {
            private static final int WRONG_LAST_SEQUENCE = 10_071;

            /**
             * Codes of nats-server: JSInsufficientResourcesErr, JSMemoryResourcesExceededErr,
             * JSStorageResourcesExceededErr, JSAccountResourcesExceededErr.
             */
            private static final Set<Integer> SERVER_FULL = Set.of(10_023, 10_028, 10_047, 10_002);

            /** JSStreamStoreFailedF: the stream's own limits, or an error of the disk. */
            private static final int NOT_STORED = 10_077;

            /** What was said, and what to do where it is full; a clause. */
            String advised() {
                if (SERVER_FULL.contains(code)) {
                    return text
                            + "; JetStream is full: raise its max_file_store or max_memory_store, or make room on the disk";
                }
                return code == NOT_STORED
                        ? text
                                + "; the stream is full or cannot be written: raise its limits, or make room on the disk"
                        : text;
            }

            /** One before it is missing, or another client wrote. */
            boolean isOutOfPlace() {
                return code == WRONG_LAST_SEQUENCE;
            }
        }
    }

    /**
     * When a connection broke, and whether its store is lost with it: a single server is lost at
     * once, of a cluster another member takes over within a moment. Events arrive on a thread of
     * the client; any thread may query.
     */
    private static final class Breaks implements ConnectionListener {
        /** Longer than a client needs to find another member, shorter than a restart of all. */
        private static final long MOMENT_NS = Duration.ofMillis(1500).toNanos();

        private static final long NEVER = Long.MIN_VALUE;

        private final boolean replicated;
        private volatile long brokeNs = NEVER;
        private volatile boolean lost;
        private volatile int count;

        Breaks(final boolean replicated) {
            this.replicated = replicated;
        }

        @SuppressWarnings("deprecation") // its successor is not needed here
        @Override
        public synchronized void connectionEvent(final Connection connection, final Events event) {
            if (event == Events.DISCONNECTED) {
                brokeNs = SystemNanoClock.INSTANCE.nanoTime();
                lost |= !replicated;
            } else if (event == Events.RECONNECTED) {
                isLost();
                brokeNs = NEVER;
                count++;
            }
        }

        /** Whether what was not acknowledged may be gone; final. */
        boolean isLost() {
            final long since = brokeNs;
            if (since != NEVER && SystemNanoClock.INSTANCE.nanoTime() - since > MOMENT_NS) {
                lost = true;
            }
            return lost;
        }

        /** How often another member took over. */
        int count() {
            return count;
        }
    }
}
