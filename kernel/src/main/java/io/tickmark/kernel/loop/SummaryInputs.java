package io.tickmark.kernel.loop;

import java.util.ArrayList;
import java.util.List;

/** The inputs at the head of a summary: names to the left of the colons, values to the right. */
public final class SummaryInputs {
    private final List<String[]> lines = new ArrayList<>();

    /** No inputs yet. */
    public SummaryInputs() {}

    /**
     * Adds one.
     *
     * @param name of the input
     * @param value as it is usually written in the field
     * @return this
     */
    public SummaryInputs add(final String name, final Object value) {
        lines.add(new String[] {name, String.valueOf(value)});
        return this;
    }

    /**
     * Adds a switch.
     *
     * @param name of the input
     * @param isOn its state
     * @return this
     */
    public SummaryInputs addSwitch(final String name, final boolean isOn) {
        return add(name, isOn ? "Yes" : "No");
    }

    /**
     * Adds text that may be empty, such as the name of a file.
     *
     * @param name of the input
     * @param text as the user gave it
     * @param otherwise shown where it is empty
     * @return this
     */
    public SummaryInputs addText(final String name, final String text, final String otherwise) {
        return add(name, text.isEmpty() ? otherwise : text);
    }

    /**
     * All of them.
     *
     * @return text with line ends
     */
    public String text() {
        final int width = lines.stream().mapToInt(line -> line[0].length()).max().orElse(0);
        final StringBuilder text = new StringBuilder("--- TEST INPUTS ---\n\n");
        for (final String[] line : lines) {
            text.append(" ".repeat(width + 2 - line[0].length()))
                    .append(line[0])
                    .append(": ")
                    .append(line[1])
                    .append('\n');
        }
        return text.append('\n').toString();
    }
}
