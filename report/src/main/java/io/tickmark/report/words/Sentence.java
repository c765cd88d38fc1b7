package io.tickmark.report.words;

import io.tickmark.report.text.Printable;

/** Completes texts of other sources to sentences. */
final class Sentence {
    private Sentence() {}

    /** Without the second colon that follows a channel such as {@code shm:} at its end. */
    static String plain(final String text) {
        return text.replace(":: ", ": ");
    }

    /** The text with a full stop. */
    static String closed(final String text) {
        final String clean = plain(Printable.of(text).strip());
        if (clean.isEmpty()) {
            return clean;
        }
        return ".!?".indexOf(clean.charAt(clean.length() - 1)) >= 0 ? clean : clean + ".";
    }
}
