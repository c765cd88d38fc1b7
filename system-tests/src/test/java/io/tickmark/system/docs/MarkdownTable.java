package io.tickmark.system.docs;

import java.util.List;
import java.util.stream.Collectors;

/** A table in Markdown. Cells are text; code is already in back quotes. */
final class MarkdownTable {
    private final StringBuilder text = new StringBuilder();

    MarkdownTable(final String... heads) {
        row(heads);
        text.append("|---".repeat(heads.length)).append("|\n");
    }

    MarkdownTable row(final String... cells) {
        text.append(
                List.of(cells).stream()
                        .map(cell -> cell.strip().replace("|", "\\|").replaceAll("\\s+", " "))
                        .collect(Collectors.joining(" | ", "| ", " |\n")));
        return this;
    }

    /** As code; nothing where there is none. */
    static String code(final String text) {
        return text.isEmpty() ? "" : "`" + text + "`";
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
