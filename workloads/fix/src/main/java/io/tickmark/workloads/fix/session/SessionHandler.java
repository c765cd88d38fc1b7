package io.tickmark.workloads.fix.session;

/** The user of a session; called on the session's thread. */
public interface SessionHandler {
    /** What happened to an application message. */
    enum Handled {
        /** It was used. */
        TAKEN,
        /** There is no use for this type of message. */
        UNSUPPORTED,
        /** There is, but not now: its user is ending. */
        UNAVAILABLE
    }

    /**
     * Decides about a Logon; called only for acceptors.
     *
     * @param session that received it
     * @param request what it says
     * @return whether it is let in, and with which store
     */
    default Admission admit(final FixSession session, final LogonRequest request) {
        return Admission.refused("");
    }

    /**
     * Both sides are logged on.
     *
     * @param session that is
     */
    void onActive(FixSession session);

    /**
     * An application message was received, in sequence and checked.
     *
     * @param session that received it
     * @param message valid until the return
     * @return what became of it; where it was not taken, a BusinessMessageReject is sent
     */
    Handled onMessage(FixSession session, InboundMessage message);

    /**
     * The session has rejected a message (35=3 or 35=j); the Reject is in its buffer.
     *
     * @param session that received the message
     * @param message that is rejected, valid until the return
     * @param reason in words, as in the Reject
     */
    default void onRejectSent(
            final FixSession session, final InboundMessage message, final String reason) {
        // a user that does not count them need not implement it
    }

    /**
     * The other side has rejected a message of this one (35=3). Business rejects (35=j) are
     * delivered as messages of the application.
     *
     * @param session that received the Reject
     * @param reject the Reject, valid until the return
     */
    default void onRejectReceived(final FixSession session, final InboundMessage reject) {
        // a user that sends nothing that can be rejected need not implement it
    }

    /**
     * The session has ended; its last messages are in its buffer, then the connection has to be
     * closed.
     *
     * @param session that has
     * @param reason a few words; empty after a Logout of both sides
     */
    void onEnd(FixSession session, String reason);

    /**
     * A Logon that an acceptor received.
     *
     * @param sender its SenderCompID
     * @param target its TargetCompID
     * @param username empty where it has none
     * @param password empty where it has none
     * @param heartbeatSeconds interval it asks for
     * @param isTest whether it is marked as a test
     */
    record LogonRequest(
            String sender,
            String target,
            String username,
            String password,
            int heartbeatSeconds,
            boolean isTest) {}

    /**
     * The answer to a {@link LogonRequest}.
     *
     * @param store of the session; null where it is refused
     * @param refusal why, as Text of a Logout; empty to close the connection without a reply
     * @param isElsewhere whether another thread is to decide, which the connection is handed to
     */
    record Admission(MessageStore store, String refusal, boolean isElsewhere) {
        /**
         * Lets it in.
         *
         * @param store with its sequence numbers
         * @return an admission
         */
        public static Admission granted(final MessageStore store) {
            return new Admission(store, "", false);
        }

        /**
         * Refuses it.
         *
         * @param why as Text of a Logout; empty to close the connection without a reply
         * @return a refusal
         */
        public static Admission refused(final String why) {
            return new Admission(null, why, false);
        }

        /**
         * Lets another thread decide, to which the connection is passed with the Logon.
         *
         * @return no admission yet
         */
        public static Admission elsewhere() {
            return new Admission(null, "", true);
        }
    }
}
