package io.tickmark.cli.output;

import java.util.List;

/** Breaks lines at spaces, so that text fits narrow terminals. */
public final class Wrapped {
    private static final int NARROWEST = 16;

    private Wrapped() {}

    /**
     * Breaks the lines that are too long.
     *
     * @param text lines
     * @param columns to fit into, as far as words allow
     * @param hanging columns to indent the rest of a line that begins with a space; half the width
     *     at most
     * @return lines
     */
    public static String to(final String text, final int columns, final int hanging) {
        final int width = Math.max(columns, NARROWEST);
        final StringBuilder wrapped = new StringBuilder();
        for (final String line : text.split("\n", -1)) {
            wrapped.append(wrapped.isEmpty() ? "" : "\n");
            addLine(wrapped, line, width, line.startsWith(" ") ? Math.min(hanging, width / 2) : 0);
        }
        return wrapped.toString();
    }

    /**
     * Breaks one text.
     *
     * @param text without line ends
     * @param columns to fit into, as far as words allow
     * @param hanging columns to indent all lines but the first
     * @return lines, at least one
     */
    public static List<String> lines(final String text, final int columns, final int hanging) {
        final StringBuilder wrapped = new StringBuilder();
        addLine(wrapped, text, Math.max(columns, NARROWEST), hanging);
        return List.of(wrapped.toString().split("\n", -1));
    }

    private static void addLine(
            final StringBuilder wrapped, final String line, final int width, final int hanging) {
        String rest = line;
        while (rest.length() > width) {
            final int indent = rest.length() - rest.stripLeading().length();
            final int space = rest.lastIndexOf(' ', width);
            if (space <= indent) {
                break;
            }
            wrapped.append(rest.substring(0, space).stripTrailing()).append('\n');
            rest = " ".repeat(hanging) + rest.substring(space + 1).stripLeading();
        }
        wrapped.append(rest);
    }
}
