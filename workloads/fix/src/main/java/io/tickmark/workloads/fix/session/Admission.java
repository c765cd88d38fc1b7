package io.tickmark.workloads.fix.session;

/**
 * The answer to a {@link LogonRequest}.
 *
 * @param store of the session; null where it is refused
 * @param refusal why, as Text of a Logout; empty to cut the connection without a word
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
     * @param why as Text of a Logout; empty to cut the connection without a word
     * @return an admission that is none
     */
    public static Admission refused(final String why) {
        return new Admission(null, why, false);
    }

    /**
     * Lets another thread decide, to which the connection is passed with the Logon.
     *
     * @return an admission that is none yet
     */
    public static Admission elsewhere() {
        return new Admission(null, "", true);
    }
}
