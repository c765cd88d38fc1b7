package io.tickmark.workloads.fix.session;

/** Who uses a session; called on the session's thread. */
public interface SessionHandler {
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
     * @return false where this type is not supported: a BusinessMessageReject is sent
     */
    boolean onMessage(FixSession session, InboundMessage message);

    /**
     * The session has ended; what it still has to say is in its buffer, then the connection is to
     * be closed.
     *
     * @param session that has
     * @param reason a few words; empty after a Logout of both sides
     */
    void onEnd(FixSession session, String reason);
}
