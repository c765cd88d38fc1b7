package io.tickmark.report.text;

/** Makes names from files safe to print: what could steer a terminal becomes a question mark. */
public final class Printable {
    private static final int LONGEST = 2_000;

    private Printable() {}

    /**
     * The text on one line, without control characters and of bounded length.
     *
     * @param text from a file; may be null where it was missing in the file
     * @return never null
     */
    public static String of(final String text) {
        if (text == null) {
            return "";
        }
        final String bounded = text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
        final StringBuilder clean = new StringBuilder(bounded.length());
        bounded.codePoints().forEach(point -> clean.appendCodePoint(printable(point)));
        return clean.toString();
    }

    private static int printable(final int point) {
        if (point == '\n' || point == '\r' || point == '\t') {
            return ' ';
        }
        // format characters are the ones that turn the direction of text around
        final int type = Character.getType(point);
        return type == Character.CONTROL
                        || type == Character.FORMAT
                        || type == Character.SURROGATE
                        || type == Character.LINE_SEPARATOR
                        || type == Character.PARAGRAPH_SEPARATOR
                ? '?'
                : point;
    }

    /**
     * A long name without its middle: the name of a test and that of a step are at the two ends,
     * and so are the scheme of a channel and its parameters.
     *
     * @param text on one line
     * @param most characters that fit
     * @return the text, or its ends with two dots between them
     */
    public static String withoutMiddle(final String text, final int most) {
        if (text.length() <= most) {
            return text;
        }
        final int head = most / 2 - 1;
        return text.substring(0, head) + ".." + text.substring(text.length() - (most - head - 2));
    }
}
