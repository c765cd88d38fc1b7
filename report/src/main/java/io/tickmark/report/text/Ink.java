package io.tickmark.report.text;

/** Colour and weight on a terminal, or none. Only the sixteen basic colours, which themes adapt. */
public enum Ink {
    /** Plain text. */
    PLAIN(false),
    /** ANSI escape sequences. */
    ANSI(true);

    private static final String END = "\u001b[0m";

    private final boolean coloured;

    Ink(final boolean coloured) {
        this.coloured = coloured;
    }

    /**
     * Headings.
     *
     * @param text to show
     * @return bold
     */
    public String strong(final String text) {
        return paint("1", text);
    }

    /**
     * Less important text.
     *
     * @param text to show
     * @return faint
     */
    public String faint(final String text) {
        return paint("2", text);
    }

    /**
     * Good news.
     *
     * @param text to show
     * @return bold green
     */
    public String good(final String text) {
        return paint("1;32", text);
    }

    /**
     * Bad news.
     *
     * @param text to show
     * @return bold red
     */
    public String bad(final String text) {
        return paint("1;31", text);
    }

    /**
     * What to be careful with.
     *
     * @param text to show
     * @return yellow
     */
    public String careful(final String text) {
        return paint("33", text);
    }

    private String paint(final String code, final String text) {
        return coloured && !text.isEmpty() ? "\u001b[" + code + "m" + text + END : text;
    }
}
