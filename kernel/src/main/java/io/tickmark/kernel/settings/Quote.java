package io.tickmark.kernel.settings;

/** User input as it may be repeated in a sentence: quoted, bounded, without control characters. */
final class Quote {
    private static final int LONGEST = 60;

    private Quote() {}

    static String of(final Object value) {
        final String text = String.valueOf(value);
        final StringBuilder shown = new StringBuilder("\"");
        for (int i = 0; i < Math.min(text.length(), LONGEST); i++) {
            final char c = text.charAt(i);
            shown.append(Character.isISOControl(c) ? '?' : c);
        }
        return shown.append(text.length() > LONGEST ? "...\"" : "\"").toString();
    }
}
