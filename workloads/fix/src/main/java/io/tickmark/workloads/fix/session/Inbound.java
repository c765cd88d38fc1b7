package io.tickmark.workloads.fix.session;

import io.tickmark.workloads.fix.session.SessionHandler.Admission;
import io.tickmark.workloads.fix.session.SessionHandler.LogonRequest;
import java.util.Arrays;

/**
 * How a session handles a message: header, sequence, fields, then by type. The order of the checks
 * is that of the session level test cases (2: header, 10 and 11: SequenceReset, 14: fields).
 */
final class Inbound {
    private static final long MINUTE_MS = 60_000;

    /** The value for "all that follow" up to FIX 4.2; an ordinary number later. */
    private static final long OLD_INFINITY = 999_999;

    private final FixSession session;
    private final SessionConfig config;
    private final BodyScan scan;
    private final SessionHandler handler;
    private final AdminMessages admin;
    private final SessionClock clock;
    private final FieldRules rules;
    private final InboundSequence numbers = new InboundSequence();
    private final LogonExchange logon = new LogonExchange();
    private final byte[] goodTime = new byte[TimestampText.SECONDS_LENGTH];
    private final String beginString;
    private long goodTimeMs = Long.MIN_VALUE;

    Inbound(
            final FixSession session,
            final SessionConfig config,
            final BodyScan scan,
            final SessionHandler handler,
            final AdminMessages admin,
            final SessionClock clock) {
        this.session = session;
        this.config = config;
        this.scan = scan;
        this.handler = handler;
        this.admin = admin;
        this.clock = clock;
        rules = new FieldRules(config.version());
        beginString = config.version().beginString();
    }

    void expect(final long number) {
        numbers.expect(number);
    }

    InboundSequence numbers() {
        return numbers;
    }

    /** Takes a message; {@code headerReason} is why its header is not right. */
    void onMessage(final InboundMessage message, final int headerReason) {
        switch (session.state()) {
            case AWAITING_LOGON -> logon.onFirst(message, headerReason);
            case LOGON_SENT -> logon.onAnswer(message, headerReason);
            case ACTIVE, LOGOUT_SENT -> inSession(message, headerReason);
            case ENDED -> {}
        }
    }

    private void inSession(final InboundMessage message, final int headerReason) {
        final char type = message.typeChar();
        if (message.isKnown()
                && message.sequence() == numbers.expected()
                && !MsgTypes.isAdmin(type)
                && isGoodTime(message)) {
            application(message);
            return;
        }
        if (!isHeaderGood(message, headerReason)) {
            message.forget();
            return;
        }
        if (isResetMode(message)) {
            reset(message);
        } else if (isResetLogon(message)) {
            logon.onAgain(message);
        } else if (message.sequence() == numbers.expected()) {
            inSequence(message);
        } else if (message.sequence() > numbers.expected()) {
            tooHigh(message);
        } else {
            tooLow(message);
        }
    }

    /** The text of the second was right a moment ago. */
    private boolean isGoodTime(final InboundMessage message) {
        return config.timeToleranceMs() == 0
                || clock.nowMs() - goodTimeMs < MINUTE_MS
                        && Arrays.equals(
                                message.bytes(),
                                message.timeAt(),
                                message.timeAt() + TimestampText.SECONDS_LENGTH,
                                goodTime,
                                0,
                                TimestampText.SECONDS_LENGTH);
    }

    /** Test case 2: begin string, comp ids, sending time, possible duplicates. */
    private boolean isHeaderGood(final InboundMessage message, final int headerReason) {
        if (!message.beginString().equals(beginString)) {
            session.refuse(
                    "Incorrect BeginString: "
                            + message.beginString()
                            + ", expected "
                            + beginString);
            return false;
        }
        if (message.sequence() < 0) {
            session.refuse("Required tag missing: MsgSeqNum (34)");
            return false;
        }
        if (headerReason != RejectReason.NONE) {
            reject(message, headerReason, message.badTag());
            return false;
        }
        if (!message.hasCompIds()
                || !message.sender().equals(session.target())
                || !message.target().equals(config.sender())) {
            rejectAndLogout(message, RejectReason.COMP_ID_PROBLEM, Tags.SENDER_COMP_ID);
            return false;
        }
        if (!message.hasTime()) {
            reject(message, RejectReason.REQUIRED_TAG_MISSING, Tags.SENDING_TIME);
            return false;
        }
        return isTimeGood(message) && isDuplicateGood(message) && isForThirdParty(message);
    }

    /** Test case 18. */
    private boolean isForThirdParty(final InboundMessage message) {
        return config.checks().thirdParties().isEmpty()
                || isThirdParty(message, Tags.ON_BEHALF_OF_COMP_ID)
                        && isThirdParty(message, Tags.DELIVER_TO_COMP_ID);
    }

    private boolean isThirdParty(final InboundMessage message, final int tag) {
        final String party = message.headerText(tag);
        if (party == null || config.checks().thirdParties().contains(party)) {
            return true;
        }
        reject(message, RejectReason.COMP_ID_PROBLEM, tag);
        return false;
    }

    private boolean isTimeGood(final InboundMessage message) {
        final long timeMs = message.timeMs();
        if (timeMs < 0) {
            reject(message, RejectReason.INCORRECT_FORMAT, Tags.SENDING_TIME);
            return false;
        }
        if (config.timeToleranceMs() > 0
                && Math.abs(timeMs - clock.nowMs()) > config.timeToleranceMs()) {
            rejectAndLogout(message, RejectReason.SENDING_TIME_ACCURACY, Tags.SENDING_TIME);
            return false;
        }
        System.arraycopy(
                message.bytes(), message.timeAt(), goodTime, 0, TimestampText.SECONDS_LENGTH);
        goodTimeMs = clock.nowMs();
        return true;
    }

    private boolean isDuplicateGood(final InboundMessage message) {
        if (!message.isPossDup()) {
            return true;
        }
        if (!message.hasOrigTime()) {
            reject(message, RejectReason.REQUIRED_TAG_MISSING, Tags.ORIG_SENDING_TIME);
            return false;
        }
        if (message.origTimeMs() < 0) {
            reject(message, RejectReason.INCORRECT_FORMAT, Tags.ORIG_SENDING_TIME);
            return false;
        }
        if (message.origTimeMs() > message.timeMs()) {
            rejectAndLogout(message, RejectReason.SENDING_TIME_ACCURACY, Tags.ORIG_SENDING_TIME);
            return false;
        }
        return true;
    }

    private static boolean isResetMode(final InboundMessage message) {
        return message.typeChar() == '4' && !message.isYes(Tags.GAP_FILL_FLAG);
    }

    private static boolean isResetLogon(final InboundMessage message) {
        return message.typeChar() == 'A'
                && message.sequence() == 1
                && message.isYes(Tags.RESET_SEQ_NUM_FLAG);
    }

    /** Test case 11: the number of the message itself does not matter. */
    private void reset(final InboundMessage message) {
        if (!isWellFormed(message)) {
            return;
        }
        final long next = message.number(Tags.NEW_SEQ_NO);
        if (next >= numbers.expected()) {
            numbers.passOver(next);
            numbers.expect(next);
            session.store().nextIncoming(next);
        } else {
            writeReject(
                    message,
                    RejectReason.VALUE_INCORRECT,
                    Tags.NEW_SEQ_NO,
                    "Value is incorrect: attempt to lower the sequence number to " + next);
        }
    }

    private void tooHigh(final InboundMessage message) {
        if (message.typeChar() == '2' && isWellFormed(message)) {
            resend(message); // before asking, or both sides would wait for each other
        }
        askAgain(message.sequence());
    }

    /**
     * Requests all missing messages once; messages after the gap will be received again with the
     * answer.
     */
    void askAgain(final long received) {
        if (numbers.isNewGap(received, clock.nowNs())) {
            requestResend();
        }
    }

    private void requestResend() {
        session.write(AdminMessages.RESEND_REQUEST, admin.resendRequest(numbers.expected()));
    }

    void onTimer() {
        logon.onTimer(clock.nowMs());
        if (numbers.isOverdue(clock.nowNs())) {
            requestResend();
        }
    }

    private void tooLow(final InboundMessage message) {
        if (!message.isPossDup()) {
            session.refuse(
                    "MsgSeqNum too low, expecting "
                            + numbers.expected()
                            + " but received "
                            + message.sequence());
        }
    }

    private void inSequence(final InboundMessage message) {
        if (!MsgTypes.isMsgType(message)) {
            reject(message, RejectReason.INVALID_MSG_TYPE, Tags.MSG_TYPE);
        } else if (!MsgTypes.isAdmin(message.typeChar())) {
            application(message);
        } else if (isWellFormed(message)) {
            administrative(message);
        }
    }

    /**
     * Messages of the session are always checked against the dictionary, others where configured.
     */
    private boolean isWellFormed(final InboundMessage message) {
        final boolean isJudged = isJudged(message);
        int reason = scan.scan(message, !(isJudged && rules.knowsGroupsOf(message)));
        int tag = scan.badTag();
        if (reason < 0) {
            reason = isJudged ? rules.judge(message) : rules.missing(message);
            tag = rules.badTag();
        }
        if (reason >= 0) {
            reject(message, reason, tag);
            return false;
        }
        return true;
    }

    private boolean isJudged(final InboundMessage message) {
        return config.checks().byDictionary() || MsgTypes.isAdmin(message.typeChar());
    }

    private void application(final InboundMessage message) {
        if (config.checks().ofFields() && !isWellFormed(message)) {
            return;
        }
        next();
        if (config.checks().byDictionary() && rules.needed() > 0) {
            refuse(
                    message,
                    AdminMessages.CONDITIONALLY_REQUIRED_FIELD_MISSING,
                    "Conditionally required field missing (" + rules.needed() + ")");
            return;
        }
        switch (handler.onMessage(session, message)) {
            case TAKEN -> {}
            case UNSUPPORTED ->
                    refuse(
                            message,
                            AdminMessages.UNSUPPORTED_MESSAGE_TYPE,
                            "Unsupported message type");
            case UNAVAILABLE ->
                    refuse(
                            message,
                            AdminMessages.APPLICATION_NOT_AVAILABLE,
                            "Application not available");
        }
    }

    /** As business, not of the session: test cases 2.r, 14.l, 14.m. */
    private void refuse(final InboundMessage message, final int reason, final String text) {
        session.write(
                AdminMessages.BUSINESS_REJECT,
                admin.businessReject(message.sequence(), message.type(), reason, text));
        handler.onRejectSent(session, message, text);
    }

    void next() {
        numbers.next();
        session.store().nextIncoming(numbers.expected());
    }

    private void administrative(final InboundMessage message) {
        switch (message.typeChar()) {
            case '1' -> {
                next();
                session.write(
                        AdminMessages.HEARTBEAT, admin.heartbeat(message.text(Tags.TEST_REQ_ID)));
            }
            case '2' -> {
                next();
                resend(message);
            }
            case '3' -> {
                next();
                handler.onRejectReceived(session, message);
            }
            case '4' -> fillGap(message);
            case '5' -> logon.onLogout(message);
            case 'A' -> logon.onAgain(message);
            default -> next(); // Heartbeat
        }
    }

    private void resend(final InboundMessage message) {
        final long until = message.number(Tags.END_SEQ_NO);
        final boolean isForAll = until == OLD_INFINITY && config.version() == FixVersion.FIX_4_2;
        session.resend(message.number(Tags.BEGIN_SEQ_NO), isForAll ? 0 : until);
    }

    /** Test case 10. */
    private void fillGap(final InboundMessage message) {
        final long next = message.number(Tags.NEW_SEQ_NO);
        if (next > message.sequence()) {
            numbers.passOver(next);
            session.store().nextIncoming(next);
        } else {
            reject(message, RejectReason.VALUE_INCORRECT, Tags.NEW_SEQ_NO);
        }
    }

    /** A message in sequence uses its number up, one out of it does not. */
    private void reject(final InboundMessage message, final int reason, final int tag) {
        message.forget();
        if (message.sequence() == numbers.expected()) {
            next();
        }
        writeReject(message, reason, tag, RejectReason.text(reason));
    }

    private void writeReject(
            final InboundMessage message, final int reason, final int tag, final String text) {
        session.write(
                AdminMessages.REJECT,
                admin.reject(message.sequence(), message.type(), reason, tag, text));
        handler.onRejectSent(session, message, tag > 0 ? text + " (" + tag + ")" : text);
    }

    private void rejectAndLogout(final InboundMessage message, final int reason, final int tag) {
        reject(message, reason, tag);
        session.logout(RejectReason.text(reason));
    }

    /** Logon, Logout and the hours between them: test cases 1B, 1S, 12 and 13. */
    private final class LogonExchange {
        private static final String CLOSED = "The session is closed at this hour";

        /** Of a session that is open all day: the next one has begun. */
        private static final String BEGINS_ANEW = "The session has ended and restarts";

        /** An acceptor's first message: a Logon, or the connection is closed without a reply. */
        void onFirst(final InboundMessage message, final int headerReason) {
            final long heartbeat =
                    message.typeChar() == 'A' ? message.number(Tags.HEART_BT_INT) : -1;
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
            if (message.sequence() < numbers.expected() && !message.isPossDup()) {
                session.refuse(
                        "MsgSeqNum too low, expecting "
                                + numbers.expected()
                                + " but received "
                                + message.sequence());
                return;
            }
            session.liveness().connected(heartbeat);
            session.write(AdminMessages.LOGON, admin.logon(config, heartbeat, resets));
            activate(message);
        }

        private void activate(final InboundMessage message) {
            if (message.sequence() == numbers.expected()) {
                next();
                session.activate();
            } else {
                session.activate();
                if (message.sequence() > numbers.expected()) {
                    askAgain(message.sequence());
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
                expect(1);
            }
            if (message.sequence() < numbers.expected() && !message.isPossDup()) {
                session.refuse(
                        "MsgSeqNum too low, expecting "
                                + numbers.expected()
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
                expect(message.sequence());
            }
            next();
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
            next();
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
}
