package io.tickmark.workloads.fix.session;

/** The user of a session; called on the session's thread. */
public interface SessionHandler {
    /** What happened to an application message. */
    enum Answer {
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
    Answer onMessage(FixSession session, InboundMessage message);

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
}
