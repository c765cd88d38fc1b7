package io.tickmark.engines.nats;

import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.NUID;
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
    private static final String SEQUENCE = "\"seq\":";
    private static final long NEVER = Long.MAX_VALUE;

    /** Where to send again from, if nothing is to be sent again. */
    private static final long NOWHERE = Long.MAX_VALUE;

    private static final long AGAIN_NS = 100_000_000;
    private static final long LONGEST_LOOK_UP_NS = 2_000_000_000L;
    private static final JetStreamOptions LOOK_UP =
            JetStreamOptions.builder().requestTimeout(Duration.ofSeconds(2)).build();

    /** Longer than a client needs to find another member, shorter than a restart of all. */
    private static final long TAKEOVER_NS = 1_500_000_000;

    /**
     * Members that elect a new leader refuse messages for a moment, on a busy machine for longer.
     */
    private static final long REFUSED_NS = 30_000_000_000L;

    private static final NanoClock CLOCK = SystemNanoClock.INSTANCE;

    private final NatsLink link;
    private final String stream;
    private final String subject;
    private final String answerPrefix;
    private final String idPrefix;
    private final Subscription answers;

    /** By ordinal; null once one is acknowledged. */
    private final byte[][] payloads;

    private final boolean outlivesBreaks;
    private final boolean sendsAgain;
    private final long ackTimeoutNs;
    private long brokeNs = NEVER;
    private long seenReconnects;
    private long resendFrom = NOWHERE;
    private long resendAtNs;
    private long progressNs;
    private long sentAgain;
    private long refusedSinceNs = NEVER;
    private boolean isOutOfPlace;
    private String refusal = "";

    private JetStreamPublication(
            final BrokerChannel<JetStreamParameters> channel,
            final NatsLink link,
            final Topic topic,
            final long stored) {
        super(
                channel,
                channel.parameters().client().server().maxPayloadBytes(),
                new Flight(channel.parameters().maxFlight(), Long.MAX_VALUE),
                stored);
        this.link = link;
        by(link);
        final JetStreamParameters parameters = channel.parameters();
        stream = Streams.name(channel, topic);
        subject = Streams.subject(channel, topic);
        answerPrefix = link.connection().createInbox() + ".";
        idPrefix = answerPrefix.substring(answerPrefix.indexOf('.') + 1);
        answers = link.connection().subscribe(answerPrefix + "*");
        answers.setPendingLimits(-1, -1);
        payloads = new byte[BitUtil.findNextPositivePowerOfTwo(parameters.maxFlight())][];
        outlivesBreaks = outlivesBreaks(parameters);
        sendsAgain = parameters.dedup();
        ackTimeoutNs = parameters.ackTimeout().toNanos();
    }

    static JetStreamPublication open(
            final BrokerChannel<JetStreamParameters> channel, final Topic topic) {
        final NatsLink own =
                outlivesBreaks(channel.parameters())
                        ? new NatsLink(channel)
                        : NatsLink.once(channel);
        return own.open(
                "the stream cannot be written to",
                link ->
                        new JetStreamPublication(
                                channel,
                                link,
                                topic,
                                Streams.ensure(channel, link, topic)
                                        .getStreamState()
                                        .getLastSequence()));
    }

    /** Without their ids messages could be stored twice, or in the place of one that is gone. */
    private static boolean outlivesBreaks(final JetStreamParameters parameters) {
        return parameters.replicas() > 1 && parameters.dedup();
    }

    /** For tests. */
    NatsLink link() {
        return link;
    }

    /**
     * What was not acknowledged may be gone with a single server as soon as its connection breaks;
     * of a cluster another member takes over within a moment, and is sent it again.
     */
    @Override
    protected boolean isServed() {
        if (link.isServed()) {
            brokeNs = NEVER;
            return true;
        }
        if (brokeNs == NEVER) {
            brokeNs = CLOCK.nanoTime();
        }
        return outlivesBreaks && CLOCK.nanoTime() - brokeNs <= TAKEOVER_NS;
    }

    @Override
    protected long mayStore(final int length) {
        if (!link.isServed()) {
            return NOT_CONNECTED;
        }
        if (resendFrom != NOWHERE || nextOrdinal() % NatsLink.LOOK_EVERY == 0) {
            doWork();
        }
        return resendFrom == NOWHERE && link.hasRoom(length) ? 0 : BACK_PRESSURED;
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
        Headers headers = null;
        if (sendsAgain) {
            headers = headers(idPrefix, ordinal);
        }
        return link.isGiven(subject, answerPrefix + ordinal, headers, payloads[place(ordinal)]);
    }

    private static Headers headers(final String idPrefix, final long ordinal) {
        final Headers headers = new Headers();
        headers.put(MESSAGE_ID, idPrefix + ordinal);
        headers.put(LAST_SEQUENCE, Long.toString(ordinal));
        return headers;
    }

    /** Longest headers of a message, in bytes; 0 where it is sent without. */
    static int mostHeaderBytes(final JetStreamParameters parameters) {
        return parameters.dedup()
                ? headers(NUID.nextGlobal() + ".", Long.MAX_VALUE).serializedLength()
                : 0;
    }

    /** Takes the answers, which make room for further messages. */
    @Override
    public int flush() {
        return doWork();
    }

    /** Handles the answers, and resends messages without one. */
    @Override
    public int doWork() {
        if (hasFailed() || isLost()) {
            return 0;
        }
        int work = 0;
        Message answer = NatsLink.next(answers, 0);
        while (answer != null) {
            work++;
            onAnswer(answer);
            answer = NatsLink.next(answers, 0);
        }
        if (stablePosition() + 1 < nextOrdinal() && link.isServed()) {
            lookForBreaks();
            work += resend();
        }
        return work;
    }

    private void onAnswer(final Message answer) {
        final String to = answer.getSubject();
        final long ordinal = Long.parseLong(to, answerPrefix.length(), to.length(), 10);
        if (ordinal <= stablePosition() || payloads[place(ordinal)] == null) {
            return; // of an earlier attempt
        }
        if (answer.isStatusMessage()) { // the stream has no leader, or JetStream is not ready
            sendAgain("no server accepts messages for the stream", false);
            return;
        }
        final long sequence = sequence(answer);
        if (sequence == 0) {
            onRefused(ordinal, Reason.of(answer));
        } else if (isInPlace(ordinal, sequence - 1)) {
            acknowledged(ordinal);
        }
    }

    /**
     * The message's sequence in the stream, from 1; 0 where it is refused. The client would make an
     * object of all that the answer says.
     */
    private static long sequence(final Message answer) {
        final String json = new String(answer.getData(), StandardCharsets.US_ASCII);
        final int at = json.indexOf(SEQUENCE);
        long value = 0;
        for (int i = at + SEQUENCE.length(); at >= 0 && i < json.length(); i++) {
            final char next = json.charAt(i);
            if (next >= '0' && next <= '9') {
                value = value * 10 + next - '0';
            } else if (next != ' ') {
                break;
            }
        }
        return value;
    }

    /** Out of place are messages of which one before is missing, until that is sent again. */
    private void onRefused(final long ordinal, final Reason its) {
        if (!its.isOutOfPlace()) {
            refusal = "the server refuses messages: " + its.advised();
        } else if (ordinal > stablePosition() + 1) {
            return;
        }
        isOutOfPlace |= its.isOutOfPlace();
        sendAgain(its.advised(), true);
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
        final long reconnects = link.reconnects();
        final long nowNs = CLOCK.nanoTime();
        final boolean broke = reconnects != seenReconnects;
        if (broke || nowNs - progressNs > ackTimeoutNs) {
            seenReconnects = reconnects;
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
            final JetStreamManagement management = link.connection().jetStreamManagement(LOOK_UP);
            while (stablePosition() + 1 < nextOrdinal()
                    && !hasFailed()
                    && CLOCK.nanoTime() - endNs < 0) {
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
        while (ordinal < nextOrdinal()) {
            final byte[] payload = payloads[place(ordinal)];
            if (payload != null) {
                if (!link.hasRoom(payload.length) || !isSent(ordinal)) {
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
    protected Map<String, Object> engineFacts() {
        return Map.of("sentAgain", sentAgain);
    }

    @Override
    public boolean isCount(final String fact) {
        return fact.equals("sentAgain") || super.isCount(fact);
    }

    @Override
    protected void finish() {
        link.flushToClose();
    }

    /** Not where they are refused. */
    @Override
    protected boolean mayBeAnswered() {
        doWork();
        return trouble().isEmpty() && !isLost() && link.isServed();
    }

    @Override
    protected void end() {
        link.close();
    }

    /**
     * Why a message was not stored.
     *
     * @param code of JetStream; 0 for none
     * @param text of the reason
     */
    private record Reason(int code, String text) {
        private static final int WRONG_LAST_SEQUENCE = 10_071;

        /**
         * Codes of nats-server: JSInsufficientResourcesErr, JSMemoryResourcesExceededErr,
         * JSStorageResourcesExceededErr, JSAccountResourcesExceededErr.
         */
        private static final Set<Integer> SERVER_FULL = Set.of(10_023, 10_028, 10_047, 10_002);

        /** JSStreamStoreFailedF: the stream's own limits, or an error of the disk. */
        private static final int NOT_STORED = 10_077;

        static Reason of(final Message answer) {
            try {
                return new Reason(0, "an answer without a sequence: " + new PublishAck(answer));
            } catch (final JetStreamApiException e) {
                return new Reason(e.getApiErrorCode(), e.getErrorDescription());
            } catch (final IOException e) {
                return new Reason(0, EngineErrors.said(e));
            }
        }

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
