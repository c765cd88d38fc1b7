package io.tickmark.workloads.feed.source;

import io.tickmark.kernel.settings.UserError;
import java.util.regex.Pattern;

/** Why a thread ended unexpectedly: the first cause is kept. Any thread. */
public final class Failure {
    private static final int MAX_CHARACTERS = 300;

    /** Characters that would have to be escaped in JSON. */
    private static final Pattern SPECIAL = Pattern.compile("[\"\\\\\\s\\p{Cntrl}]+");

    private volatile String words = "";

    /** Nothing has failed yet. */
    public Failure() {}

    /**
     * Keeps a cause.
     *
     * @param what failed
     * @param cause of it
     */
    public synchronized void keep(final String what, final Throwable cause) {
        if (words.isEmpty()) {
            words = what + " failed: " + words(cause);
        }
    }

    /**
     * What failed and why.
     *
     * @return words without a full stop, empty where nothing failed
     */
    public String words() {
        return words;
    }

    /**
     * A cause as text that can be put in a note to a client unchanged.
     *
     * @param cause to describe
     * @return a few words without quotes or line ends
     */
    public static String words(final Throwable cause) {
        final String all =
                cause instanceof final UserError error ? error.getMessage() : cause.toString();
        final String plain = SPECIAL.matcher(all).replaceAll(" ").strip();
        final String cut =
                plain.length() <= MAX_CHARACTERS ? plain : plain.substring(0, MAX_CHARACTERS);
        return cut.endsWith(".") ? cut.substring(0, cut.length() - 1) : cut;
    }
}
