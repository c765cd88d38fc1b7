package io.tickmark.report.words;

import io.tickmark.report.text.Printable;

/** Makes whole sentences of what others wrote. */
final class Sentence {
    private Sentence() {}

    /** The text with a capital letter and a full stop. */
    static String closed(final String text) {
        final String clean = Printable.of(text).strip();
        if (clean.isEmpty()) {
            return clean;
        }
        return ".!?".indexOf(clean.charAt(clean.length() - 1)) >= 0 ? clean : clean + ".";
    }
}
