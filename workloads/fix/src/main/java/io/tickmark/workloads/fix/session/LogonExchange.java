package io.tickmark.workloads.fix.session;

import io.tickmark.workloads.fix.session.SessionHandler.Admission;
import io.tickmark.workloads.fix.session.SessionHandler.LogonRequest;

/** Logon, Logout and the hours between them: test cases 1B, 1S, 12 and 13. Single-threaded. */
final class LogonExchange {
    private static final String CLOSED = "The session is closed at this hour";

    /** Of a session that is open all day: the next one has begun. */
    private static final String BEGINS_ANEW = "The session has ended and restarts";

    private final FixSession session;
    private final Inbound inbound;
    private final SessionConfig config;
    private final SessionHandler handler;
    private final AdminMessages admin;

    LogonExchange(
            final FixSession session,
            final Inbound inbound,
            final SessionConfig config,
            final SessionHandler handler,
            final AdminMessages admin) {
        this.session = session;
        this.inbound = inbound;
        this.config = config;
        this.handler = handler;
        this.admin = admin;
    }

    /** An acceptor's first message: a Logon, or the connection is closed without a reply. */
    void onFirst(final InboundMessage message, final int headerReason) {
        final long heartbeat = message.typeChar() == 'A' ? message.number(Tags.HEART_BT_INT) : -1;
        if (message.typeChar() != 'A') {
            session.end("the first message is not a Logon but " + message.type());
        } else if (headerReason != RejectReason.NONE) {
            session.end("the Logon has a wrong header: " + RejectReason.text(headerReason));
        } else if (heartbeat < 0 || heartbeat > 86_400) {
            session.end("the Logon has no HeartBtInt (108)");
        } else if (!message.hasCompIds() || message.sequence() < 1) {
            session.end("the Logon has no comp ids or no sequence number");
        } else if (!message.beginString().equals(config.version().beginString())) {
            session.end("the Logon is of " + message.beginString());
        } else if (!message.target().equals(config.sender())) {
            session.end("the Logon is for " + message.target());
        } else if (!config.version().applVerId().isEmpty()
                && message.text(Tags.DEFAULT_APPL_VER_ID) == null) {
            session.end("the Logon has no DefaultApplVerID (1137)");
        } else {
            admit(message, (int) heartbeat);
        }
    }

    private void admit(final InboundMessage message, final int heartbeat) {
        final LogonRequest request =
                new LogonRequest(
                        message.sender(),
                        message.target(),
                        orEmpty(message.text(Tags.USERNAME)),
                        orEmpty(message.text(Tags.PASSWORD)),
                        heartbeat,
                        message.isYes(Tags.TEST_MESSAGE_INDICATOR));
        final Admission admission = handler.admit(session, request);
        if (admission.isElsewhere()) {
            session.move();
            return;
        }
        if (admission.store() == null && admission.refusal().isEmpty()) {
            session.end("the Logon of " + request.sender() + " is refused");
            return;
        }
        session.open(
                admission.store() == null ? new MemoryStore(0, 0) : admission.store(),
                request.sender());
        if (admission.store() == null) {
            session.refuse(admission.refusal());
        } else if (!config.schedule().isOpen(session.liveness().nowMs())) {
            session.refuse(CLOSED);
        } else if (request.isTest() != config.isTest()) {
            session.refuse(
                    config.isTest()
                            ? "This is a test session: TestMessageIndicator (464) must be Y"
                            : "This is not a test session: TestMessageIndicator (464) must not be Y");
        } else if (isTimeWrong(message)) {
            session.refuse(RejectReason.text(RejectReason.SENDING_TIME_ACCURACY));
        } else if (message.number(Tags.ENCRYPT_METHOD) != 0) {
            refuseEncryption(message);
        } else {
            accept(message, heartbeat);
        }
    }

    /** Test case 17.b: FIX has given its own encryption up. */
    private void refuseEncryption(final InboundMessage message) {
        session.write(
                AdminMessages.REJECT,
                admin.reject(
                        message.sequence(),
                        message.type(),
                        RejectReason.DECRYPTION_PROBLEM,
                        Tags.ENCRYPT_METHOD,
                        RejectReason.text(RejectReason.DECRYPTION_PROBLEM)));
        session.refuse("EncryptMethod (98) must be 0");
    }

    private boolean isTimeWrong(final InboundMessage message) {
        return config.timeToleranceMs() > 0
                && (!message.hasTime()
                        || Math.abs(message.timeMs() - session.liveness().nowMs())
                                > config.timeToleranceMs());
    }

    private void accept(final InboundMessage message, final int heartbeat) {
        final boolean resets = message.isYes(Tags.RESET_SEQ_NUM_FLAG);
        if (resets) {
            session.resetNumbers();
        }
        if (message.sequence() < inbound.numbers().expected() && !message.isPossDup()) {
            session.refuse(
                    "MsgSeqNum too low, expecting "
                            + inbound.numbers().expected()
                            + " but received "
                            + message.sequence());
            return;
        }
        session.liveness().connected(heartbeat);
        session.write(AdminMessages.LOGON, admin.logon(config, heartbeat, resets));
        activate(message);
    }

    private void activate(final InboundMessage message) {
        if (message.sequence() == inbound.numbers().expected()) {
            inbound.next();
            session.activate();
        } else {
            session.activate();
            if (message.sequence() > inbound.numbers().expected()) {
                inbound.askAgain(message.sequence());
            }
        }
    }

    /** An initiator's first message: the Logon that answers its own, or a refusal. */
    void onAnswer(final InboundMessage message, final int headerReason) {
        if (message.typeChar() == '5') {
            final String text = message.text(Tags.TEXT);
            session.end("the other side refused the Logon" + (text == null ? "" : ": " + text));
        } else if (message.typeChar() != 'A') {
            session.refuse("The first message is not a Logon");
        } else if (headerReason != RejectReason.NONE) {
            session.refuse(RejectReason.text(headerReason));
        } else if (!message.beginString().equals(config.version().beginString())
                || !message.hasCompIds()
                || !message.sender().equals(session.target())
                || !message.target().equals(config.sender())) {
            session.refuse("The Logon has other comp ids or another BeginString");
        } else if (isTimeWrong(message)) {
            session.refuse(RejectReason.text(RejectReason.SENDING_TIME_ACCURACY));
        } else {
            answered(message);
        }
    }

    private void answered(final InboundMessage message) {
        if (message.isYes(Tags.RESET_SEQ_NUM_FLAG) && message.sequence() == 1) {
            inbound.expect(1);
        }
        if (message.sequence() < inbound.numbers().expected() && !message.isPossDup()) {
            session.refuse(
                    "MsgSeqNum too low, expecting "
                            + inbound.numbers().expected()
                            + " but received "
                            + message.sequence());
            return;
        }
        final long heartbeat = message.number(Tags.HEART_BT_INT);
        session.liveness().interval(Math.clamp(heartbeat, 0, 86_400));
        activate(message);
    }

    /** A Logon in mid-session may only ask for new numbers. */
    void onAgain(final InboundMessage message) {
        if (message.isYes(Tags.RESET_SEQ_NUM_FLAG)) {
            session.resetNumbers();
            session.write(
                    AdminMessages.LOGON,
                    admin.logon(config, session.liveness().heartbeatSeconds(), true));
            inbound.expect(message.sequence());
        }
        inbound.next();
    }

    /** Logs out at the end of the session's hours. */
    void onTimer(final long nowMs) {
        if (!config.schedule().isOpen(nowMs)) {
            session.logout(CLOSED);
        } else if (config.schedule().openedMs(nowMs) > session.store().beganMs()) {
            session.logout(BEGINS_ANEW);
        }
    }

    void onLogout(final InboundMessage message) {
        inbound.next();
        if (session.state() == FixSession.State.LOGOUT_SENT) {
            session.end("");
            return;
        }
        session.write(AdminMessages.LOGOUT, admin.logout(""));
        final String text = message.text(Tags.TEXT);
        session.end(text == null ? "" : text);
    }

    private static String orEmpty(final String text) {
        return text == null ? "" : text;
    }
}
