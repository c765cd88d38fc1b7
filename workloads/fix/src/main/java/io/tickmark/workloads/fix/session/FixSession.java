package io.tickmark.workloads.fix.session;

import io.tickmark.wire.fix.FixFramer;
import io.tickmark.wire.fix.FixFramer.FixFraming;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One FIX session over one connection, either side. Received bytes are passed to {@link #onBytes},
 * bytes to send are in {@link #out()}; {@link #onTimer} has to be called several times a second. It
 * behaves as the FIX Trading Community's session level test cases require. Single-threaded; an
 * application message in sequence allocates nothing.
 */
public final class FixSession {
    /** The state of a session. */
    public enum State {
        /** An acceptor before the Logon. */
        AWAITING_LOGON,
        /** An initiator that has sent its Logon. */
        LOGON_SENT,
        /** Both sides are logged on. */
        ACTIVE,
        /** A Logout was sent, its answer is awaited. */
        LOGOUT_SENT,
        /** Over: the connection is to be closed once the buffer is written. */
        ENDED
    }

    /** Reason for the end of a session that has no room for its own next message. */
    public static final String UNREAD = "the other side does not read";

    private static final long MOST_BETWEEN_LOOKS_NS = 1_000_000_000;

    private final SessionConfig config;
    private final SessionHandler handler;
    private final SessionClock clock;
    private final OutBuffer out;
    private final FixFramer framer;
    private final InboundMessage message = new InboundMessage();
    private final AdminMessages admin;
    private final Inbound inbound;
    private final Liveness liveness;
    private SessionEncoder encoder;
    private MessageStore store;
    private Replay replay;
    private State state;
    private String target;
    private long nextOut;
    private long sent;
    private long fetched;
    private long garbled;
    private String endReason = "";
    private Object attachment;
    private boolean isMoved;

    /** For how long the message that has begun has been read without reaching its end. */
    private long unendedNs;

    private boolean hasBegun;
    private long timerNs;

    /**
     * A session on a fresh connection.
     *
     * @param config of the session
     * @param store an initiator's; null for an acceptor, which receives it with its admission
     * @param scan for the fields of application messages, shared by the sessions of a thread
     * @param handler its user
     * @param clock of its thread
     */
    public FixSession(
            final SessionConfig config,
            final MessageStore store,
            final BodyScan scan,
            final SessionHandler handler,
            final SessionClock clock) {
        this.config = config;
        this.handler = handler;
        this.clock = clock;
        out = new OutBuffer(config.limitBytes());
        framer = new FixFramer(config.maxMessageBytes());
        state = State.AWAITING_LOGON;
        target = config.target();
        admin = new AdminMessages(config.version());
        inbound = new Inbound(this, config, scan, handler, admin, clock);
        liveness = new Liveness(this, config, clock, admin);
        if (store != null) {
            open(store, config.target());
        }
    }

    /** Binds the session to a counterparty and its numbers. */
    void open(final MessageStore with, final String counterpart) {
        store = with;
        target = counterpart;
        nextOut = with.nextOutgoing();
        encoder = new SessionEncoder(config.version(), config.sender(), counterpart);
        replay = new Replay(this, with, config.maxMessageBytes(), admin, clock);
        inbound.expect(with.nextIncoming());
        if (config.schedule().openedMs(clock.nowMs()) > with.beganMs()) {
            resetNumbers();
        }
    }

    /** Sends an initiator's Logon. */
    public void logon() {
        if (config.resetOnLogon()) {
            resetNumbers();
        }
        state = State.LOGON_SENT;
        liveness.connected(config.heartbeatSeconds());
        write(
                AdminMessages.LOGON,
                admin.logon(config, config.heartbeatSeconds(), config.resetOnLogon()));
    }

    /**
     * Handles received bytes.
     *
     * @param in over an array, at least as long as the longest message
     * @param offset of the first byte not taken yet
     * @param limit position after the last byte received
     * @return position after the last byte taken; what follows is the beginning of a message, to be
     *     shown again
     */
    public int onBytes(final UnsafeBuffer in, final int offset, final int limit) {
        int at = offset;
        while (at < limit && state != State.ENDED) {
            final FixFraming found = framer.frame(in, at, limit);
            if (found == FixFraming.INCOMPLETE) {
                hasBegun = true;
                return at;
            }
            hasBegun = false;
            unendedNs = 0;
            at = framer.end();
            if (found == FixFraming.MESSAGE) {
                liveness.received();
                inbound.onMessage(message, message.wrap(in, framer));
            } else {
                onGarbled();
                at = at == limit ? framer.contextBegin(in, limit) : at;
                if (at < framer.end()) {
                    break;
                }
            }
        }
        return state == State.ENDED ? limit : at;
    }

    /** A garbled message is ignored, but must not be the first one. */
    private void onGarbled() {
        garbled++;
        if (state == State.AWAITING_LOGON) {
            end("the first bytes were not a FIX message: " + framer.reason().predicate());
        }
    }

    /** Heartbeats, time-outs, hours of the session, resending that waits for room. */
    public void onTimer() {
        if (state == State.ENDED) {
            return;
        }
        if (isResending()) {
            replay.advance();
        }
        if (!config.isInitiator()) {
            judgeMessage();
        }
        liveness.onTimer();
        if (state == State.ACTIVE) {
            inbound.onTimer();
        }
    }

    /**
     * A message that was begun has to be completed in time. If this thread did not read for some
     * time, the other side is not at fault: elapsed time counts up to the usual time between two
     * calls.
     */
    private void judgeMessage() {
        final long nowNs = clock.nowNs();
        final long sinceNs = Math.min(nowNs - timerNs, MOST_BETWEEN_LOOKS_NS);
        timerNs = nowNs;
        unendedNs = hasBegun ? unendedNs + sinceNs : 0;
        if (unendedNs >= config.messageTimeoutNs()) {
            end(
                    "a message was not complete within "
                            + config.messageTimeoutNs() / 1_000_000_000L
                            + " s");
        }
    }

    /** Stops judging the other side's silence, as it is not read. Heartbeats are still sent. */
    public void ignoreSilence() {
        liveness.ignoreSilence();
    }

    /**
     * Sends an application message.
     *
     * @param type value of field 35
     * @param ids fields put before the body, null for none
     * @param body after the header
     * @return false where the session is not active, resends, or has no room: nothing was sent, and
     *     no number used
     */
    public boolean send(final byte[] type, final BodyBytes ids, final BodyBytes body) {
        if (state != State.ACTIVE || replay.isGoingOn()) {
            return false;
        }
        final int begin = encoder.encode(out, type, nextOut, clock.text(), ids, body);
        if (begin < 0) {
            return false;
        }
        store.append(nextOut, out.array(), begin, out.tail() - begin);
        nextOut++;
        store.nextOutgoing(nextOut);
        sent++;
        liveness.sent();
        return true;
    }

    /**
     * Gives an application message its number and keeps it, without sending it. A session that is
     * active sends it as soon as it has answered the current ResendRequest; one that is not, when
     * the other side reconnects and requests it.
     *
     * @param type value of field 35
     * @param ids fields put before the body, null for none
     * @param body after the header
     * @param scratch empty, where it is made; of the thread
     * @return whether it is kept; false where it is longer than the store, or that keeps none: a
     *     request for it gets a gap fill
     */
    public boolean keep(
            final byte[] type, final BodyBytes ids, final BodyBytes body, final OutBuffer scratch) {
        if (state == State.ACTIVE) {
            replay.holdBack(nextOut);
        }
        final boolean isKept = AbsentSession.keep(encoder, store, clock, scratch, type, ids, body);
        nextOut++;
        return isKept;
    }

    /**
     * The rest of the session once it has ended: its numbers and its store.
     *
     * @return where messages for the other side are kept until it comes back
     */
    public AbsentSession absent() {
        return new AbsentSession(config, encoder, store, clock);
    }

    /** Was moved to another thread: ends silently, without call-backs. */
    void move() {
        state = State.ENDED;
        isMoved = true;
    }

    /**
     * Whether its first message is to be given to another thread, where it belongs.
     *
     * @return true: the connection is to be handed over with all bytes read so far
     */
    public boolean isMoved() {
        return isMoved;
    }

    /**
     * Sends an application message, for programs that send few.
     *
     * @param type value of field 35
     * @param body after the header
     * @return as {@link #send(byte[], BodyBytes, BodyBytes)}
     */
    public boolean send(final String type, final BodyBytes body) {
        return send(AdminMessages.type(type), null, body);
    }

    /** Sends a message of the session layer with the next number. */
    void write(final byte[] type, final BodyBytes body) {
        if (encoder.encode(out, type, nextOut, clock.text(), null, body) < 0) {
            end(UNREAD);
            return;
        }
        nextOut++;
        store.nextOutgoing(nextOut);
        liveness.sent();
    }

    /** Sends a message again, under its own number. */
    boolean write(final byte[] type, final long number, final BodyBytes ids, final BodyBytes body) {
        liveness.sent();
        return encoder.encode(out, type, number, clock.text(), ids, body) >= 0;
    }

    /** A message has been sent again, or for the first time after it was kept. */
    private void again(final long number) {
        if (store.notFetched().remove(number)) {
            fetched++;
        }
    }

    /** Resends what the other side requests; 0 is to the newest. */
    void resend(final long from, final long until) {
        final long newest = nextOut - 1;
        replay.begin(Math.max(1, from), until == 0 ? newest : Math.min(until, newest));
        replay.advance();
    }

    /**
     * Ends the session in good order: sends a Logout and waits for its answer.
     *
     * @param text for the other side, empty for none
     */
    public void logout(final String text) {
        switch (state) {
            case ACTIVE -> {
                write(AdminMessages.LOGOUT, admin.logout(text));
                if (state == State.ACTIVE) {
                    state = State.LOGOUT_SENT;
                    liveness.logoutSent();
                }
            }
            case AWAITING_LOGON, LOGON_SENT -> end("");
            case LOGOUT_SENT, ENDED -> {}
        }
    }

    /** Sends a Logout that needs no answer, and ends. */
    void refuse(final String text) {
        write(AdminMessages.LOGOUT, admin.logout(text));
        end(text);
    }

    /** Both sides are logged on. */
    void activate() {
        state = State.ACTIVE;
        handler.onActive(this);
    }

    /**
     * Ends the session at once, as when the connection is lost.
     *
     * @param reason a few words; empty after a Logout of both sides
     */
    public void end(final String reason) {
        if (state != State.ENDED) {
            state = State.ENDED;
            endReason = reason;
            handler.onEnd(this, reason);
        }
    }

    /** Both numbers begin at 1 again. */
    void resetNumbers() {
        store.reset(clock.nowMs());
        nextOut = 1;
        inbound.expect(1);
    }

    /** Where numbers are kept. */
    MessageStore store() {
        return store;
    }

    Liveness liveness() {
        return liveness;
    }

    /**
     * Bytes to be written.
     *
     * @return the buffer
     */
    public OutBuffer out() {
        return out;
    }

    /**
     * Its state.
     *
     * @return its state
     */
    public State state() {
        return state;
    }

    /**
     * Whether it answers a ResendRequest and takes no new messages.
     *
     * @return true until the answer is complete
     */
    public boolean isResending() {
        return replay != null && replay.isGoingOn();
    }

    /**
     * Whether something that it sends again is not written yet.
     *
     * @return true until the answer to a ResendRequest is complete, and none of it waits
     */
    public boolean isAnswerWaiting() {
        return isResending() || out.isWatchedWaiting();
    }

    /**
     * Why it has ended.
     *
     * @return a few words; empty before, and after a Logout of both sides
     */
    public String endReason() {
        return endReason;
    }

    /**
     * CompID of the other side.
     *
     * @return empty while an acceptor does not know it
     */
    public String target() {
        return target;
    }

    /**
     * Number of the next message to send.
     *
     * @return from 1
     */
    public long nextOutgoing() {
        return nextOut;
    }

    /**
     * Number of the next message expected.
     *
     * @return from 1
     */
    public long nextIncoming() {
        return inbound.numbers().expected();
    }

    /**
     * Numbers of the messages received.
     *
     * @return which are missing
     */
    public InboundSequence incoming() {
        return inbound.numbers();
    }

    /**
     * Application messages sent, without resent ones.
     *
     * @return the count
     */
    public long sent() {
        return sent;
    }

    /**
     * Application messages sent that had been kept before, each once.
     *
     * @return the count
     */
    public long fetched() {
        return fetched;
    }

    /**
     * Garbled messages passed over.
     *
     * @return the count
     */
    public long garbled() {
        return garbled;
    }

    /**
     * The user's attachment.
     *
     * @return as given to {@link #attach}, null before
     */
    public Object attachment() {
        return attachment;
    }

    /**
     * Sets the user's attachment.
     *
     * @param what its user needs
     */
    public void attach(final Object what) {
        attachment = what;
    }

    /**
     * Heartbeats, test requests and the time-outs of Logon and Logout. A fifth more than the
     * interval is allowed for the way (FIX session layer, "reasonable transmission time"). Single
     * thread.
     */
    static final class Liveness {
        private static final long SECOND_NS = 1_000_000_000L;

        private final FixSession session;
        private final SessionConfig config;
        private final SessionClock clock;
        private final AdminMessages admin;
        private long intervalNs;
        private long connectedNs;
        private long sentNs;
        private long receivedNs;
        private long logoutNs;
        private long testRequests;
        private boolean isTesting;
        private boolean isSilenceIgnored;

        Liveness(
                final FixSession session,
                final SessionConfig config,
                final SessionClock clock,
                final AdminMessages admin) {
            this.session = session;
            this.config = config;
            this.clock = clock;
            this.admin = admin;
            connected(0);
        }

        /** The session is connected; the interval is known or set with {@link #interval}. */
        void connected(final int heartbeatSeconds) {
            connectedNs = clock.nowNs();
            sentNs = connectedNs;
            receivedNs = connectedNs;
            interval(heartbeatSeconds);
        }

        void interval(final int heartbeatSeconds) {
            intervalNs = heartbeatSeconds * SECOND_NS;
        }

        int heartbeatSeconds() {
            return (int) (intervalNs / SECOND_NS);
        }

        long nowMs() {
            return clock.nowMs();
        }

        void sent() {
            sentNs = clock.nowNs();
        }

        void received() {
            receivedNs = clock.nowNs();
            isTesting = false;
        }

        void ignoreSilence() {
            isSilenceIgnored = true;
        }

        void logoutSent() {
            logoutNs = clock.nowNs();
        }

        void onTimer() {
            final long nowNs = clock.nowNs();
            switch (session.state()) {
                case AWAITING_LOGON, LOGON_SENT -> {
                    if (nowNs - connectedNs >= config.logonTimeoutNs()) {
                        session.end(
                                "no Logon within " + config.logonTimeoutNs() / SECOND_NS + " s");
                    }
                }
                case LOGOUT_SENT -> {
                    if (nowNs - logoutNs >= config.logoutTimeoutNs()) {
                        session.end("no answer to the Logout");
                    }
                }
                case ACTIVE -> active(nowNs);
                case ENDED -> {}
            }
        }

        private void active(final long nowNs) {
            if (intervalNs == 0) {
                return;
            }
            if (!isSilenceIgnored) {
                judgeSilence(nowNs - receivedNs);
            }
            if (session.state() == FixSession.State.ACTIVE && nowNs - sentNs >= intervalNs) {
                session.write(AdminMessages.HEARTBEAT, admin.heartbeat(""));
            }
        }

        private void judgeSilence(final long silentNs) {
            final long patienceNs = intervalNs + intervalNs / 5;
            if (silentNs >= 2 * patienceNs) {
                session.end("silent for two heartbeat intervals, and no answer to a TestRequest");
            } else if (!isTesting && silentNs >= patienceNs) {
                isTesting = true;
                session.write(
                        AdminMessages.TEST_REQUEST, admin.testRequest("TEST" + ++testRequests));
            }
        }
    }

    /**
     * Answers a ResendRequest: application messages again as possible duplicates, gap fills in
     * place of all others. Continues only while there is room, so a long answer to a slow reader
     * never grows in memory. Single-threaded.
     */
    private static final class Replay {
        /** Room that is always enough for a gap fill. */
        private static final int GAP_FILL_BYTES = 512;

        private final FixSession session;
        private final MessageStore store;
        private final int maxMessageBytes;
        private final AdminMessages admin;
        private final SessionClock clock;
        private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
        private final FixFramer framer;
        private final InboundMessage message = new InboundMessage();
        private final BodyBytes ids = new BodyBytes(64);
        private final BodyBytes body = new BodyBytes(512);
        private byte[] bytes = {};
        private long next;
        private long end;
        private long kept;

        /** First number that was kept in place of being sent; 0 where there is none. */
        private long heldBack;

        Replay(
                final FixSession session,
                final MessageStore store,
                final int maxMessageBytes,
                final AdminMessages admin,
                final SessionClock clock) {
            this.session = session;
            this.store = store;
            this.maxMessageBytes = maxMessageBytes;
            this.admin = admin;
            this.clock = clock;
            framer = new FixFramer(maxMessageBytes);
        }

        /** Begins with a number, up to and with another. */
        void begin(final long from, final long until) {
            if (bytes.length == 0) { // few sessions ever receive a request
                bytes = new byte[maxMessageBytes];
                buffer.wrap(bytes);
            }
            next = from;
            end = until + 1;
            kept = 0;
            if (from <= heldBack && heldBack < end) {
                heldBack = 0; // it is among the requested ones
            }
        }

        /**
         * A message of this number, and those that follow, are only in the store: they are sent
         * last.
         */
        void holdBack(final long number) {
            if (heldBack == 0 && number >= end) {
                heldBack = number;
            }
        }

        boolean isGoingOn() {
            return next < end || heldBack > 0;
        }

        /** Sends as much as there is room for, and watches it until it is written. */
        void advance() {
            sendWhatFits();
            session.out().watch();
        }

        private void sendWhatFits() {
            while (isGoingOn()) {
                if (next >= end) {
                    begin(heldBack, session.nextOutgoing() - 1);
                }
                final int length = kept > next ? 0 : store.read(next, bytes);
                if (length > 0) {
                    if (!again(length)) {
                        return;
                    }
                    session.again(next);
                    next++;
                } else if (!fill()) {
                    return;
                }
            }
        }

        private boolean again(final int length) {
            if (framer.frame(buffer, 0, length) != FixFraming.MESSAGE
                    || message.wrap(buffer, framer) != RejectReason.NONE) {
                throw new IllegalStateException("the store returned no message for number " + next);
            }
            message.forget();
            ids.clear().field(Tags.POSS_DUP_FLAG, "Y");
            ids.field(Tags.ORIG_SENDING_TIME, message.timeText());
            body.clear()
                    .put(bytes, message.fieldsBegin(), message.fieldsEnd() - message.fieldsBegin());
            return session.write(AdminMessages.type(message.type()), next, ids, body);
        }

        /** One gap fill up to the next message that is kept, or to the end. */
        private boolean fill() {
            if (!session.out().reserve(GAP_FILL_BYTES)) {
                return false;
            }
            long until = Math.max(Math.min(end, store.oldestKept()), Math.max(kept, next + 1));
            while (until < end && store.read(until, bytes) == 0) {
                until++;
            }
            kept = until;
            ids.clear().field(Tags.POSS_DUP_FLAG, "Y");
            ids.field(
                    Tags.ORIG_SENDING_TIME,
                    new String(clock.text().bytes(), StandardCharsets.US_ASCII));
            if (!session.write(AdminMessages.SEQUENCE_RESET, next, ids, admin.gapFill(until))) {
                return false;
            }
            next = until;
            return true;
        }
    }
}
