package io.tickmark.report.text;

import java.util.ArrayList;
import java.util.List;

/** Breaks sentences into lines of a width. */
public final class Paragraph {
    private Paragraph() {}

    /**
     * Breaks at spaces; a word longer than a line is cut.
     *
     * @param text on one line
     * @param width of a line, indent included
     * @param first put before the first line
     * @param next put before each further line, as long as {@code first}
     * @return lines without line ends, at least one
     */
    public static List<String> lines(
            final String text, final int width, final String first, final String next) {
        final int room = Math.max(8, width - first.length());
        final List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (final String word : text.strip().split(" +")) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > room) {
                lines.add(line.toString());
                line = new StringBuilder();
            }
            if (!line.isEmpty()) {
                line.append(' ');
            }
            line.append(word);
            while (line.length() > room) {
                lines.add(line.substring(0, room));
                line.delete(0, room);
            }
        }
        lines.add(line.toString());
        final List<String> indented = new ArrayList<>();
        lines.forEach(each -> indented.add((indented.isEmpty() ? first : next) + each));
        return indented;
    }

    /**
     * Breaks at spaces, without an indent.
     *
     * @param text on one line
     * @param width of a line
     * @return lines without line ends, at least one
     */
    public static List<String> lines(final String text, final int width) {
        return lines(text, width, "", "");
    }
}
