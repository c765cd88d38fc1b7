package io.tickmark.report;

import io.tickmark.kernel.host.HostCheck;
import io.tickmark.kernel.host.HostCheck.Severity;
import io.tickmark.report.text.Ink;
import io.tickmark.report.text.Paragraph;
import io.tickmark.report.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The checks of a machine, good and bad, as text. */
public final class HostTable {
    private static final String INDENT = "         ";

    private HostTable() {}

    /**
     * One paragraph for each check.
     *
     * @param checks in the order to show
     * @param width of the terminal
     * @param colour whether to colour
     * @return lines with line ends
     */
    public static String of(final List<HostCheck> checks, final int width, final boolean colour) {
        final Ink ink = colour ? Ink.ANSI : Ink.PLAIN;
        final List<String> lines = new ArrayList<>();
        for (final HostCheck check : checks) {
            final String mark =
                    String.format(
                            Locale.ROOT, "%-9s", check.severity().name().toLowerCase(Locale.ROOT));
            final List<String> paragraph =
                    Paragraph.lines(
                            Printable.of(
                                    check.is()
                                            + (check.effect().isEmpty()
                                                    ? "."
                                                    : ": " + check.effect() + ".")),
                            width,
                            mark,
                            INDENT);
            paragraph.set(
                    0, paragraph.getFirst().replaceFirst("^" + mark, paint(check, mark, ink)));
            lines.addAll(paragraph);
            add(lines, "better: ", check.better(), width);
            add(lines, "with:   ", check.command(), width);
            if (check.severity() != Severity.OK) {
                add(lines, "helps:  ", check.helps(), width);
            }
        }
        return String.join("\n", lines) + "\n";
    }

    private static String paint(final HostCheck check, final String mark, final Ink ink) {
        return java.util.regex.Matcher.quoteReplacement(
                switch (check.severity()) {
                    case WARNING -> ink.bad(mark);
                    case NOTE -> ink.careful(mark);
                    case OK -> ink.good(mark);
                });
    }

    private static void add(
            final List<String> lines, final String name, final String text, final int width) {
        if (!text.isEmpty()) {
            lines.addAll(
                    Paragraph.lines(
                            Printable.of(text),
                            width,
                            INDENT + name,
                            INDENT + " ".repeat(name.length())));
        }
    }
}
