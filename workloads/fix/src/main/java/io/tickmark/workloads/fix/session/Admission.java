package io.tickmark.workloads.fix.session;

/**
 * The answer to a {@link LogonRequest}.
 *
 * @param store of the session; null where it is refused
 * @param refusal why, as Text of a Logout; empty to cut the connection without a word
 */
public record Admission(MessageStore store, String refusal) {
    /**
     * Lets it in.
     *
     * @param store with its sequence numbers
     * @return an admission
     */
    public static Admission granted(final MessageStore store) {
        return new Admission(store, "");
    }

    /**
     * Refuses it.
     *
     * @param why as Text of a Logout; empty to cut the connection without a word
     * @return an admission that is none
     */
    public static Admission refused(final String why) {
        return new Admission(null, why);
    }
}
