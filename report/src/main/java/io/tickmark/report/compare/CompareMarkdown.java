package io.tickmark.report.compare;

import io.tickmark.lab.compare.Comparison;
import io.tickmark.lab.compare.Comparison.ComparedFigure;
import io.tickmark.lab.compare.Comparison.ComparedRow;
import io.tickmark.lab.compare.Outcome;
import io.tickmark.report.text.Figures;
import io.tickmark.report.text.Printable;
import java.util.Locale;

/** A comparison for the description of a pull request: what is different first, all below it. */
public final class CompareMarkdown {
    private CompareMarkdown() {}

    /**
     * Composes the text.
     *
     * @param comparison to show
     * @return GitHub flavoured Markdown
     */
    public static String of(final Comparison comparison) {
        final StringBuilder text = new StringBuilder();
        text.append("### tickmark: ")
                .append(safe(CompareWords.conclusion(comparison)))
                .append("\n\n");
        final StringBuilder told = new StringBuilder();
        final StringBuilder rest = new StringBuilder();
        for (final ComparedRow row : comparison.rows()) {
            row.broken()
                    .forEach(sentence ->
                            told.append(
                                    "| %s | criteria | | | %s | **worse** |%n"
                                            .formatted(place(comparison, row), safe(sentence))));
            for (final ComparedFigure figure : row.figures()) {
                (isTold(figure) ? told : rest).append(line(comparison, row, figure));
            }
        }
        final String head =
                "| where | figure | %s | other | change | verdict |%n|---|---|--:|--:|--:|---|%n"
                        .formatted(safe(comparison.sides().getFirst().name()));
        if (!told.isEmpty()) {
            text.append(head).append(told).append('\n');
        }
        if (!rest.isEmpty()) {
            text.append(
                            "<details><summary>What did not change, or is too noisy to tell</summary>\n\n")
                    .append(head)
                    .append(rest)
                    .append("\n</details>\n\n");
        }
        comparison.notes().forEach(note -> text.append("- ").append(safe(note)).append('\n'));
        return text.append('\n')
                .append(safe(CompareWords.meaning(comparison)))
                .append('\n')
                .toString();
    }

    private static boolean isTold(final ComparedFigure figure) {
        return figure.outcome() == Outcome.WORSE || figure.outcome() == Outcome.BETTER;
    }

    private static String line(
            final Comparison comparison, final ComparedRow row, final ComparedFigure figure) {
        final String verdict = CompareWords.word(figure.outcome());
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s | %s (%s) | %s |%n",
                place(comparison, row),
                safe(CompareWords.figure(figure.name())),
                CompareWords.value(figure, figure.first().value(), Figures.ASCII),
                CompareWords.value(figure, figure.other().value(), Figures.ASCII),
                CompareWords.change(figure.effect()),
                CompareWords.interval(figure),
                isTold(figure) ? "**" + verdict + "**" : verdict);
    }

    private static String place(final Comparison comparison, final ComparedRow row) {
        final String place = CompareWords.place(row, Figures.ASCII);
        return safe(comparison.sides().size() > 2 ? row.side() + ": " + place : place);
    }

    /** Text from files becomes text, never markup. */
    private static String safe(final String text) {
        return Printable.of(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replaceAll("([\\\\`*_~\\[\\]|#@])", "\\\\$1");
    }
}
