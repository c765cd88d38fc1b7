package io.tickmark.workloads.fix.session;

/** Who uses a session; called on the session's thread. */
public interface SessionHandler {
    /** What became of an application message. */
    enum Answer {
        /** It was used. */
        TAKEN,
        /** There is no use for this type of message. */
        UNSUPPORTED,
        /** There is, but not now: who would use it is ending. */
        UNAVAILABLE
    }

    /**
     * Decides about a Logon; asked of acceptors only.
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
     * An application message came, in sequence and checked.
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
        // who does not count them need not know
    }

    /**
     * The other side has rejected a message of this one (35=3). Those of business (35=j) come as
     * messages of the application.
     *
     * @param session that received the Reject
     * @param reject the Reject, valid until the return
     */
    default void onRejectReceived(final FixSession session, final InboundMessage reject) {
        // who sends nothing that can be rejected need not know
    }

    /**
     * The session has ended; what it still has to say is in its buffer, then the connection is to
     * be closed.
     *
     * @param session that has
     * @param reason a few words; empty after a Logout of both sides
     */
    void onEnd(FixSession session, String reason);
}
