package io.tickmark.bench.contest;

/** A part of a text between two marker lines, which a program writes and people do not. */
public final class MarkedText {
    private static final String BEGIN = "<!-- %s begin -->";
    private static final String END = "<!-- %s end -->";

    private MarkedText() {}

    /**
     * Puts something else between the markers.
     *
     * @param text with both markers
     * @param marker their name
     * @param inner what is to stand between them, with a line end
     * @return the new text
     * @throws IllegalArgumentException if there is no such pair of markers
     */
    public static String replace(final String text, final String marker, final String inner) {
        final String begin = BEGIN.formatted(marker);
        final int from = text.indexOf(begin);
        final int to = from < 0 ? -1 : text.indexOf(END.formatted(marker), from);
        if (to < 0) {
            throw new IllegalArgumentException(
                    "no lines " + begin + " and " + END.formatted(marker));
        }
        return text.substring(0, from) + begin + "\n" + inner + text.substring(to);
    }
}
