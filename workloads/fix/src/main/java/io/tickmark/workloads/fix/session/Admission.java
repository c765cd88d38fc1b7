package io.tickmark.workloads.fix.session;

/**
 * The answer to a {@link LogonRequest}.
 *
 * @param store of the session; null where it is refused
 * @param refusal why, as Text of a Logout; empty to close the connection without a reply
 * @param isElsewhere whether another thread is to decide, which the connection is handed to
 */
public record Admission(MessageStore store, String refusal, boolean isElsewhere) {
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
